-- Pictures and papers of a quote. A line that dies every 200 kB brings them in parts of 64 kB; the last one makes the
-- file whole. They are rows, here and on a hosted project: read by staff alone, and served as a page by nobody.

create table public.quote_files (
  id          uuid        not null,
  quote_id    uuid        not null,
  created_at  timestamptz not null default clock_timestamp(),
  nombre      text        not null,
  tipo        text        not null,
  bytes       integer     not null,
  -- Of the whole file, as 64 hexadecimal digits of SHA-256.
  huella      text        not null,
  partes      integer     not null generated always as ((bytes + 65535) / 65536) stored,
  whole_at    timestamptz,
  constraint quote_files_pkey primary key (id),
  constraint quote_files_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_files_once unique (quote_id, huella),
  constraint quote_files_nombre_check check (
    nombre = btrim(nombre) and char_length(nombre) <= 120 and private.is_seen(nombre) and nombre !~ '[[:cntrl:]/\\]'),
  constraint quote_files_tipo_check check (tipo in ('image/jpeg', 'image/png', 'image/webp', 'application/pdf')),
  constraint quote_files_bytes_check check (bytes between 1 and 10485760),
  constraint quote_files_huella_check check (huella ~ '^[0-9a-f]{64}$')
);

create table public.quote_file_parts (
  file_id  uuid     not null,
  parte    integer  not null,
  -- As it travels; of what it says only the bytes are kept.
  base64   text,
  datos    bytea    not null,
  constraint quote_file_parts_pkey primary key (file_id, parte),
  constraint quote_file_parts_file foreign key (file_id) references public.quote_files on delete cascade,
  constraint quote_file_parts_base64_check check (base64 is null),
  constraint quote_file_parts_parte_check check (parte >= 0)
);
-- Pictures do not get smaller by being pressed once more.
alter table public.quote_file_parts alter column datos set storage external;

-- Every backup has them too.
alter table private.quote_limits add column file_bytes bigint not null default 268435456
  constraint quote_limits_file_bytes_check check (file_bytes >= 0);
comment on column private.quote_limits.file_bytes is 'bytes of all files together; 0 for no bound';
-- Counted by the megabyte: nobody fills that room within an hour.
alter table private.quote_sends drop constraint quote_sends_kind_check,
  add constraint quote_sends_kind_check check (kind in ('quotes', 'replies', 'devices', 'files'));

-- What a file is, its first bytes say, and not its name.
create function private.file_type(head bytea) returns text
  language sql immutable set search_path = ''
  as $$
    select case
      when substr(head, 1, 3) = '\xffd8ff' then 'image/jpeg'
      when substr(head, 1, 8) = '\x89504e470d0a1a0a' then 'image/png'
      when substr(head, 1, 4) = '\x52494646' and substr(head, 9, 4) = '\x57454250' then 'image/webp'
      when substr(head, 1, 5) = '\x255044462d' then 'application/pdf'
    end
  $$;

create function private.quote_files_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  bound bigint;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock makes the counts exact.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this file is not there'; end if;
  if exists (select from public.quote_files where id = new.id) then return new; end if;
  if (select count(*) from public.quote_files where quote_id = new.quote_id) >= 5 then
    raise check_violation using message = 'Five files of one quote are all that is taken';
  end if;
  perform private.require_room('files');
  -- What nobody has brought to its end within a week gives its room back; its phone may announce it again.
  delete from public.quote_files where whole_at is null and created_at < now() - interval '7 days';
  select file_bytes into bound from private.quote_limits;
  if bound > 0 and (select coalesce(sum(bytes), 0) from public.quote_files) + new.bytes > bound then
    raise disk_full using message = 'There is no room for more files';
  end if;
  new.whole_at := null;
  return new;
end $$;
create trigger quote_files_before_insert before insert on public.quote_files
  for each row execute function private.quote_files_before_insert();

create function private.count_file() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into private.quote_sends (kind, address, network)
    select 'files', sha256(convert_to(private.visitor_address(), 'UTF8')),
           sha256(convert_to(private.visitor_network(), 'UTF8'))
    from generate_series(0, new.bytes, 1048576);
  return null;
end $$;
create trigger quote_files_count after insert on public.quote_files
  for each row execute function private.count_file();

create function private.quote_file_parts_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  file public.quote_files;
begin
  select f.* into file from public.quote_files as f join public.quote_desk as d using (quote_id)
    where f.id = new.file_id and d.blocked_at is null for update of f;
  if not found or not private.may_speak_of(file.quote_id) then return new; end if;
  if exists (select from public.quote_file_parts where file_id = new.file_id and parte = new.parte) then
    new.datos := ''; new.base64 := null;
    return new;
  end if;
  begin
    new.datos := decode(new.base64, 'base64');
  exception when others then
    raise check_violation using message = 'A part is no base64';
  end;
  new.base64 := null;
  if new.parte >= file.partes
     or octet_length(new.datos) is distinct from least(65536, file.bytes - 65536 * new.parte) then
    raise check_violation using message = 'A part of this length does not belong there';
  end if;
  if new.parte = 0 and private.file_type(new.datos) is distinct from file.tipo then
    raise check_violation using message = 'The file is not of the type that it is said to be';
  end if;
  return new;
end $$;
create trigger quote_file_parts_before_insert before insert on public.quote_file_parts
  for each row execute function private.quote_file_parts_before_insert();

create function private.quote_file_parts_after_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  file public.quote_files;
begin
  select * into file from public.quote_files where id = new.file_id;
  if (select count(*) from public.quote_file_parts where file_id = file.id) < file.partes then return null; end if;
  if encode(sha256((select string_agg(datos, '' order by parte) from public.quote_file_parts where file_id = file.id)),
            'hex') <> file.huella then
    raise check_violation using message = 'The parts make another file';
  end if;
  update public.quote_files set whole_at = clock_timestamp() where id = file.id;
  return null;
end $$;
create trigger quote_file_parts_after_insert after insert on public.quote_file_parts
  for each row execute function private.quote_file_parts_after_insert();
create trigger quote_file_parts_fixed before update on public.quote_file_parts
  for each row execute function private.refuse_change();

-- As before, with files that are whole.
create or replace function private.unknown_submissions() returns setof uuid
  language sql stable security definer set search_path = ''
  as $$
    select shown from unnest(private.presented_quote_ids()) as shown
    where not exists (select from public.quotes where id = shown)
      and not exists (select from public.quote_replies where id = shown)
      and not exists (select from public.quote_link_closings where id = shown)
      and not exists (select from public.quote_details where id = shown)
      and not exists (select from public.quote_files where id = shown and whole_at is not null)
      and not exists (select from public.quote_events where quote_id = shown)
      and not exists (select from public.quote_events where ref = shown and code = 'contestada')
  $$;

alter table public.quote_files enable row level security;
alter table public.quote_file_parts enable row level security;
revoke all on public.quote_files, public.quote_file_parts from public, anon, authenticated, service_role;
revoke all on function private.file_type(bytea), private.quote_files_before_insert(), private.count_file(),
  private.quote_file_parts_before_insert(), private.quote_file_parts_after_insert()
  from public, anon, authenticated, service_role;
grant select on public.quote_files to anon, authenticated, service_role;
grant insert (id, quote_id, nombre, tipo, bytes, huella) on public.quote_files to anon;
grant select (file_id, parte) on public.quote_file_parts to anon;
grant insert (file_id, parte, base64) on public.quote_file_parts to anon;
grant select on public.quote_file_parts to authenticated, service_role;
create policy "a phone sends files of a quote that it presents" on public.quote_files for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone reads of the files of the quotes it presents" on public.quote_files for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read files" on public.quote_files for select to authenticated
  using ((select private.is_staff()));
create policy "a phone sends parts of its files" on public.quote_file_parts for insert to anon
  with check (exists (select from public.quote_files where id = file_id));
create policy "a phone knows which parts have come" on public.quote_file_parts for select to anon
  using (exists (select from public.quote_files where id = file_id));
create policy "staff read the parts of files" on public.quote_file_parts for select to authenticated
  using ((select private.is_staff()));
