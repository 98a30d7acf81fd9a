-- Shipment of a quote: details and shipping documents, which the exporter adds later, and files, which only staff may
-- read.

-- 1. Details --------------------------------------------------------------------------------------------------------

-- Shipment details. Each save adds a row; the row that was saved last applies.
create table public.quote_details (
  id           uuid        not null,
  quote_id     uuid        not null,
  created_at   timestamptz not null default clock_timestamp(),
  -- Seconds since the exporter pressed the button, from which pressed_at is computed. pressed_at tells which row was
  -- saved last: a phone that was offline sends its rows in any order.
  hace         integer,
  pressed_at   timestamptz not null default clock_timestamp(),
  producto     text,
  empaque      text,
  piezas       integer,
  largo        integer,
  ancho        integer,
  alto         integer,
  kilos        integer,
  lista        date,
  salida       text,
  destino      text,
  temperatura  text,
  incoterm     text,
  peligrosa    boolean,
  constraint quote_details_pkey primary key (id),
  constraint quote_details_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_details_hace_check check (hace >= 0),
  constraint quote_details_producto_check check (
    producto = btrim(producto) and char_length(producto) <= 100 and private.is_seen(producto)),
  constraint quote_details_empaque_check check (empaque in ('cajas', 'tarimas')),
  constraint quote_details_piezas_check check (piezas between 1 and 100000),
  constraint quote_details_largo_check check (largo between 1 and 2000),
  constraint quote_details_ancho_check check (ancho between 1 and 2000),
  constraint quote_details_alto_check check (alto between 1 and 2000),
  constraint quote_details_kilos_check check (kilos between 1 and 1000000),
  constraint quote_details_lista_check check (lista between '2000-01-01' and '9999-12-31'),
  constraint quote_details_salida_check check (
    salida = btrim(salida) and char_length(salida) <= 100 and private.is_seen(salida)),
  constraint quote_details_destino_check check (
    destino = btrim(destino) and char_length(destino) <= 100 and private.is_seen(destino)),
  constraint quote_details_temperatura_check check (temperatura in ('COL', 'CRT', 'ERT', 'FRO')),
  constraint quote_details_incoterm_check check (
    incoterm in ('EXW', 'FCA', 'FAS', 'FOB', 'CFR', 'CIF', 'CPT', 'CIP', 'DAP', 'DPU', 'DDP'))
);
create index quote_details_of_quote on public.quote_details (quote_id, pressed_at desc);

create function private.quote_details_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock keeps other requests from changing the count below, and from making an offer, until this transaction ends.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of these details is not there'; end if;
  if exists (select from public.quote_details where id = new.id) then return new; end if;
  if exists (select from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
             where o.quote_id = new.quote_id
               and private.offer_state(o.state, a.valid_until, now()) in ('vigente', 'aceptada', 'reservada')) then
    raise check_violation using message = 'An offer stands for this quote: its details do not change';
  end if;
  perform private.require_hourly_room(tg_table_name, new.quote_id, 20);
  perform private.require_room('replies');
  new.pressed_at := clock_timestamp() - least(coalesce(new.hace, 0), 31 * 86400) * interval '1 second';
  return new;
end $$;
create trigger quote_details_before_insert before insert on public.quote_details
  for each row execute function private.quote_details_before_insert();
create trigger quote_details_count after insert on public.quote_details
  for each row execute function private.count_sent('replies');
create trigger quote_details_news after insert on public.quote_details
  for each row execute function private.desk_news();
create trigger quote_details_fixed before update on public.quote_details
  for each row execute function private.refuse_change();

alter table public.quote_details enable row level security;
revoke all on public.quote_details from public, anon, authenticated, service_role;
grant select on public.quote_details to anon, authenticated, service_role;
grant insert (id, quote_id, hace, producto, empaque, piezas, largo, ancho, alto, kilos, lista, salida, destino,
              temperatura, incoterm, peligrosa) on public.quote_details to anon;
create policy "a phone says what is shipped by a quote that it presents" on public.quote_details for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone reads the details of the quotes it presents" on public.quote_details for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read details" on public.quote_details for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- 2. Papers ---------------------------------------------------------------------------------------------------------

-- States of the shipping documents. For each document the last row applies: the customer has it, has asked for it, or
-- does not have it.
create table public.shipment_papers (
  id           uuid        not null,
  quote_id     uuid        not null,
  created_at   timestamptz not null default clock_timestamp(),
  -- Seconds since the button was pressed, as in quote_details.
  hace         integer,
  pressed_at   timestamptz not null default clock_timestamp(),
  papel        text        not null,
  estado       text        not null,
  -- File that shows the document. No foreign key is set, because the file arrives after this row.
  archivo      uuid,
  -- Colleague who set the state; null if the customer did.
  author       uuid,
  author_name  text,
  constraint shipment_papers_pkey primary key (id),
  constraint shipment_papers_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint shipment_papers_hace_check check (hace >= 0),
  -- Any name of a document is accepted, because a newer page may know more documents.
  constraint shipment_papers_papel_check check (papel ~ '^[a-z]{1,20}$'),
  constraint shipment_papers_estado_check check (estado in ('tengo', 'pedida', 'falta'))
);
create index shipment_papers_of_quote on public.shipment_papers (quote_id, pressed_at desc);

create function private.shipment_papers_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not private.is_staff() and not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock keeps other requests from changing the count below.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this paper is not there'; end if;
  if exists (select from public.shipment_papers where id = new.id) then return new; end if;
  perform private.require_hourly_room(tg_table_name, new.quote_id, 100);
  if private.is_staff() then
    new.author := auth.uid();
    new.author_name := private.staff_name();
  else
    perform private.require_room('replies');
  end if;
  new.pressed_at := clock_timestamp() - least(coalesce(new.hace, 0), 31 * 86400) * interval '1 second';
  return new;
end $$;
create trigger shipment_papers_before_insert before insert on public.shipment_papers
  for each row execute function private.shipment_papers_before_insert();
create trigger shipment_papers_count after insert on public.shipment_papers
  for each row when (new.author is null) execute function private.count_sent('replies');
create trigger shipment_papers_news after insert on public.shipment_papers
  for each row when (new.author is null) execute function private.desk_news();
create trigger shipment_papers_fixed before update on public.shipment_papers
  for each row execute function private.refuse_change();

alter table public.shipment_papers enable row level security;
revoke all on public.shipment_papers from public, anon, authenticated, service_role;
grant select (id, quote_id, created_at, pressed_at, papel, estado, archivo, author_name) on public.shipment_papers to anon;
grant select on public.shipment_papers to authenticated, service_role;
grant insert (id, quote_id, hace, papel, estado, archivo) on public.shipment_papers to anon;
grant insert (id, quote_id, papel, estado) on public.shipment_papers to authenticated;
create policy "a phone marks papers of a quote that it presents" on public.shipment_papers for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone reads the papers of the quotes it presents" on public.shipment_papers for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read papers" on public.shipment_papers for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff mark papers" on public.shipment_papers for insert to authenticated
  with check ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- 3. Files ----------------------------------------------------------------------------------------------------------

-- Attached files. A phone first announces a file, then sends its bytes in parts of 64 kB, because a bad connection
-- often breaks after about 200 kB.
create table public.quote_files (
  id          uuid        not null,
  quote_id    uuid        not null,
  created_at  timestamptz not null default clock_timestamp(),
  nombre      text        not null,
  tipo        text        not null,
  bytes       integer     not null,
  -- SHA-256 of the whole file, as 64 hexadecimal digits.
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
  -- Used only for input: a trigger decodes the bytes into `datos`.
  base64   text,
  datos    bytea    not null,
  constraint quote_file_parts_pkey primary key (file_id, parte),
  constraint quote_file_parts_file foreign key (file_id) references public.quote_files on delete cascade,
  constraint quote_file_parts_base64_check check (base64 is null),
  constraint quote_file_parts_parte_check check (parte >= 0)
);
-- Stored without compression, because images are compressed already.
alter table public.quote_file_parts alter column datos set storage external;

-- Announced files that are not complete yet, with the sender's hashed address and the number of bytes received.
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

-- Refuses a file with status 503, so that only this phone waits and tries again. A 429 would count as a refusal of the
-- carrier's address, and could make all phones behind it wait.
create function private.refuse_file_for(seconds integer, code text, reason text) returns void
  language plpgsql set search_path = ''
  as $$
begin
  raise sqlstate 'PGRST' using
    message = json_build_object('code', code, 'message', reason, 'details', null, 'hint', 'Retry later')::text,
    detail = json_build_object('status', 503, 'headers', json_build_object('Retry-After', seconds::text))::text;
end $$;

-- Refuses a file if the space reserved for files is used up. Complete files, and files announced within the last hour,
-- count with their full size; other files count with the bytes received.
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

create function private.quote_files_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  visitor_network constant bytea := sha256(convert_to(private.visitor_network(), 'UTF8'));
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock keeps other requests from changing the counts below.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this file is not there'; end if;
  -- Unfinished files are deleted after a day. Those of this quote are deleted after ten minutes without a new part,
  -- because its phone now sends another file.
  delete from public.quote_files where id in (
    select id from public.quote_files join private.unfinished_files as u on u.file_id = id
    where created_at < now() - interval '1 day'
       or quote_id = new.quote_id and id <> new.id and u.last_at < now() - interval '10 minutes'
    for update of quote_files skip locked);
  if exists (select from public.quote_files where id = new.id) then return new; end if;
  if (select count(*) from public.quote_files where quote_id = new.quote_id) >= 10 then
    raise check_violation using message = 'Ten files of one quote are all that is taken';
  end if;
  perform private.require_room('files');
  -- A phone sends its files one after the other. This rule does not apply to a file from a mail or WhatsApp, which is
  -- stored at once.
  if current_setting('role', true) = 'anon'
     and exists (select from public.quote_files where quote_id = new.quote_id and whole_at is null) then
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
create trigger quote_files_before_insert before insert on public.quote_files
  for each row execute function private.quote_files_before_insert();

-- Counts each megabyte of a file as a row of the hourly limit, so that a single address cannot use up the space
-- reserved for files.
create function private.count_file() returns trigger
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
create trigger quote_files_news after update of whole_at on public.quote_files
  for each row execute function private.desk_news();
create trigger quote_files_count after insert on public.quote_files
  for each row execute function private.count_file();

-- Returns the type of a file by its first bytes, because its name may be wrong.
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
  if file.created_at < now() - interval '1 hour' then perform private.require_file_room(octet_length(new.datos)); end if;
  return new;
end $$;
create trigger quote_file_parts_before_insert before insert on public.quote_file_parts
  for each row execute function private.quote_file_parts_before_insert();

create function private.quote_file_parts_after_insert() returns trigger
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
    -- A file whose bytes do not match its hash is deleted. Raising an error instead would keep the parts, and each
    -- further attempt would compute the hash again.
    delete from public.quote_files where id = file.id;
  end if;
  return null;
end $$;
create trigger quote_file_parts_after_insert after insert on public.quote_file_parts
  for each row execute function private.quote_file_parts_after_insert();
create trigger quote_file_parts_fixed before update on public.quote_file_parts
  for each row execute function private.refuse_change();

alter table public.quote_files enable row level security;
alter table public.quote_file_parts enable row level security;
revoke all on public.quote_files, public.quote_file_parts from public, anon, authenticated, service_role;
grant select on public.quote_files to anon, authenticated, service_role;
grant insert (id, quote_id, nombre, tipo, bytes, huella) on public.quote_files to anon;
grant select (file_id, parte), insert (file_id, parte, base64) on public.quote_file_parts to anon;
grant select on public.quote_file_parts to authenticated, service_role;
create policy "a phone sends files of a quote that it presents" on public.quote_files for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone reads of the files of the quotes it presents" on public.quote_files for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read files" on public.quote_files for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone sends parts of its files" on public.quote_file_parts for insert to anon
  with check (exists (select from public.quote_files where id = file_id));
create policy "a phone knows which parts have come" on public.quote_file_parts for select to anon
  using (exists (select from public.quote_files where id = file_id));
create policy "staff read the parts of files" on public.quote_file_parts for select to authenticated
  using ((select private.is_staff()) and exists (select from public.quote_files where id = file_id));
