-- Room for files is what came, and not what was announced. A file whose parts make another one is erased.

-- A file that is not whole yet: who sends it, hashed, and what came. The row goes once the file is whole, or gone.
create table private.unfinished_files (
  file_id  uuid        not null,
  address  bytea,
  network  bytea,
  came     integer     not null default 0,
  last_at  timestamptz not null default clock_timestamp(),
  constraint unfinished_files_pkey primary key (file_id),
  constraint unfinished_files_file foreign key (file_id) references public.quote_files on delete cascade
);
create index unfinished_files_address on private.unfinished_files (address);
create index unfinished_files_network on private.unfinished_files (network);
revoke all on private.unfinished_files from public, anon, authenticated, service_role;
-- Their phones announce them again.
delete from public.quote_files where whole_at is null;

comment on column private.quote_limits.file_bytes is
  'bytes of all files together, those announced within the last hour at their full length; 0 for no bound';

-- 503: the phone tries again, and it closes no address: a carrier puts many phones behind one.
create function private.refuse_file_for(seconds integer, code text, said text) returns void
  language plpgsql set search_path = ''
  as $$
begin
  raise sqlstate 'PGRST' using
    message = json_build_object('code', code, 'message', said, 'details', null, 'hint', 'Retry later')::text,
    detail = json_build_object('status', 503, 'headers', json_build_object('Retry-After', seconds::text))::text;
end $$;

create function private.require_file_room(more integer) returns void
  language plpgsql set search_path = ''
  as $$
declare
  bound constant bigint := (select file_bytes from private.quote_limits);
begin
  if bound = 0 or more + (
    select coalesce(sum(case when u.file_id is null or f.created_at > now() - interval '1 hour' then f.bytes else u.came end), 0)
    from public.quote_files as f left join private.unfinished_files as u on u.file_id = f.id) <= bound then return; end if;
  perform private.refuse_file_for(300, '53100', 'There is no room for more files');
end $$;

create or replace function private.quote_files_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  visitor_network constant bytea := sha256(convert_to(private.visitor_network(), 'UTF8'));
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock makes the counts of one quote exact.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this file is not there'; end if;
  -- An unfinished file ends after a day. If no part came for ten minutes, the next file of the quote has its turn.
  delete from public.quote_files where id in (
    select id from public.quote_files join private.unfinished_files as u on u.file_id = id
    where created_at < now() - interval '1 day'
       or quote_id = new.quote_id and id <> new.id and u.last_at < now() - interval '10 minutes'
    for update of quote_files skip locked);
  if exists (select from public.quote_files where id = new.id) then return new; end if;
  if (select count(*) from public.quote_files where quote_id = new.quote_id) >= 5 then
    raise check_violation using message = 'Five files of one quote are all that is taken';
  end if;
  perform private.require_room('files');
  if exists (select from public.quote_files where quote_id = new.quote_id and whole_at is null) then
    perform private.refuse_file_for(20, '55006', 'One file of a quote after the other');
  end if;
  if (select per_address from private.quote_limits) > 0 and (
    (select count(*) from private.unfinished_files where address = visitor) >= 5
    or (select count(*) from private.unfinished_files where network = visitor_network) >= 20) then
    perform private.refuse_file_for(300, '53400', 'Five files from one address at a time');
  end if;
  perform private.require_file_room(new.bytes);
  new.whole_at := null;
  return new;
end $$;

create or replace function private.count_file() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  visitor_network constant bytea := sha256(convert_to(private.visitor_network(), 'UTF8'));
begin
  insert into private.unfinished_files (file_id, address, network) values (new.id, visitor, visitor_network);
  insert into private.quote_sends (kind, address, network)
    select 'files', visitor, visitor_network from generate_series(0, new.bytes, 1048576);
  return null;
end $$;

-- The same as before, and a part of a file that was announced more than an hour ago needs room.
create or replace function private.quote_file_parts_before_insert() returns trigger
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
  if file.created_at < now() - interval '1 hour' then perform private.require_file_room(octet_length(new.datos)); end if;
  return new;
end $$;

create or replace function private.quote_file_parts_after_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  file public.quote_files;
  there integer;
begin
  update private.unfinished_files set came = came + octet_length(new.datos), last_at = clock_timestamp()
    where file_id = new.file_id returning came into there;
  select * into file from public.quote_files where id = new.file_id;
  if there < file.bytes then return null; end if;
  if encode(sha256((select string_agg(datos, '' order by parte) from public.quote_file_parts where file_id = file.id)),
            'hex') = file.huella then
    update public.quote_files set whole_at = clock_timestamp() where id = file.id;
    delete from private.unfinished_files where file_id = file.id;
  else
    -- Refusing the last part would leave the others, and the same sum to be made with each try. The phone finds no file.
    delete from public.quote_files where id = file.id;
  end if;
  return null;
end $$;

revoke all on function private.refuse_file_for(integer, text, text), private.require_file_room(integer)
  from public, anon, authenticated, service_role;
