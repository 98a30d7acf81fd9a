-- Quotes, and their search keys. The phone makes the id, so a quote that is sent twice is one row. The policies for
-- reading are in 40_desk.sql, because they need the list of blocked leads.

-- 1. The quote ------------------------------------------------------------------------------------------------------

-- Computes the folio, a short number of a quote that can be read out over the phone. It has seven characters of
-- Crockford's base 32 (no I, L, O, U), from the first 35 bits of the id, and a check character: a sum over GF(32)
-- weighted by powers of two, which detects a wrong character or two swapped neighbours. src/lead/folio.ts has the same
-- rule; a test compares the two.
create function private.quote_folio(id uuid) returns text
  language plpgsql immutable strict parallel safe set search_path = ''
  as $$
declare
  alphabet constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  bits constant bigint := ('x' || left(replace(id::text, '-', ''), 9))::bit(36)::bigint >> 1;
  digit int;
  sum int := 0;
  code text := '';
begin
  for place in reverse 6..0 loop
    digit := ((bits >> (5 * place)) & 31)::int;
    code := code || substr(alphabet, digit + 1, 1);
    sum := (sum # digit) << 1;
    if sum > 31 then sum := sum # 37; end if;   -- x^5 + x^2 + 1
  end loop;
  code := code || substr(alphabet, sum + 1, 1);
  return 'AP-' || left(code, 4) || '-' || right(code, 4);
end $$;
grant execute on function private.quote_folio(uuid) to anon, authenticated, service_role;

-- True if `more` is a flat object with at most 20 keys and short values. Which keys it has is defined in
-- src/lead/fields.ts, so a new optional field needs no migration.
create function private.is_flat(more jsonb) returns boolean
  language sql immutable strict parallel safe
  begin atomic
    select jsonb_typeof(more) = 'object' and (
      select count(*) <= 20 and coalesce(bool_and(
        key ~ '^[a-z][a-z0-9_]{0,39}$' and case jsonb_typeof(value)
          when 'string' then char_length(value #>> '{}') <= 500 and private.is_seen(value #>> '{}')
          when 'number' then char_length(value::text) <= 20
          else jsonb_typeof(value) = 'boolean' end), true)
      from jsonb_each(case jsonb_typeof(more) when 'object' then more else '{}' end));
  end;
grant execute on function private.is_flat(jsonb) to anon, authenticated, service_role;

create table public.quotes (
  id          uuid        not null default gen_random_uuid(),
  created_at  timestamptz not null default now(),
  -- Time by which the first answer is promised.
  promised_at timestamptz not null default now(),
  -- The six fields of the form. A lead that a colleague records may have fewer.
  nombre      text        not null,
  empresa     text,
  email       text,
  telefono    text        not null,
  peso        integer,
  tipo_carga  text,
  folio       text        not null generated always as (private.quote_folio(id)) stored,
  -- Consent to receive promotions.
  promociones boolean     not null default false,
  -- Folio of the delivered quote that this quote corrects. The row of the corrected quote does not change.
  reemplaza   text,
  -- Time of first delivery according to the phone, if this server lost the quote and the phone sent it again.
  entregada   timestamptz,
  origen      text        not null default 'formulario',
  -- Folio of the quote of which this quote is a deliberate copy ('Repetir solicitud').
  igual       text,
  -- Version of the privacy notice that the page showed, from a header.
  aviso       text,
  -- Optional fields and wishes of the exporter, by name.
  more        jsonb       not null default '{}',
  -- Time of the import, for a lead that the team imported from a file. created_at is then the date that the file
  -- states.
  importada   timestamptz,
  constraint quotes_pkey             primary key (id),
  constraint quotes_nombre_check     check (nombre  = btrim(nombre)  and char_length(nombre)  between 1 and 100),
  constraint quotes_empresa_check    check (empresa = btrim(empresa) and char_length(empresa) between 1 and 100),
  constraint quotes_email_check      check (email = lower(btrim(email)) and char_length(email) <= 100
                                            and email ~ '^[^[:space:]@]+@[^[:space:]@]+\.[^[:space:]@]+$'),
  constraint quotes_telefono_check   check (telefono = btrim(telefono) and char_length(telefono) <= 20
                                            and char_length(regexp_replace(telefono, '[[:space:]\u00a0().-]', '', 'g')) between 7 and 15),
  constraint quotes_peso_check       check (peso between 1 and 1000000),
  constraint quotes_tipo_carga_check check (tipo_carga in ('general', 'perecederos', 'especial')),
  constraint quotes_seen_check       check (private.is_seen(nombre) and private.is_seen(empresa) and private.is_seen(telefono)),
  constraint quotes_reemplaza_check  check (reemplaza ~ '^AP-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$'),
  constraint quotes_origen_check     check (origen in ('formulario', 'llamada', 'correo', 'whatsapp', 'feria', 'otro', 'importada')),
  constraint quotes_whole_check      check (origen <> 'formulario' or num_nulls(empresa, email, peso, tipo_carga) = 0),
  constraint quotes_igual_check      check (igual ~ '^AP-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$'),
  constraint quotes_aviso_check      check (aviso ~ '^[0-9a-f]{8}$'),
  constraint quotes_more_check       check (private.is_flat(more))
);
comment on column public.quotes.peso is 'Kilos a month, as the form asks for; not the weight of one shipment.';

-- Refuses a quote that equals another quote of the same day in all these columns. If fewer columns were compared, a
-- stranger could find out who asked that day, or block a real quote by sending a similar one first. `igual` and
-- `reemplaza` allow one copy and one correction of a quote each day.
create unique index quotes_request_key on public.quotes
  (email, tipo_carga, peso, telefono, nombre, empresa, coalesce(igual, ''), coalesce(reemplaza, ''), md5(more::text),
   ((created_at at time zone 'America/Tijuana')::date));
create index quotes_folio on public.quotes (folio);
create index quotes_created_at on public.quotes (created_at, id);

-- 2. Before and after an insert -------------------------------------------------------------------------------------

-- Drops a quote that was erased earlier, without an error, so that the phone shows 'delivered' and stops sending. Also
-- sets the date of a quote that a phone sends again to a restored server. PostgreSQL runs triggers in the order of
-- their names, so the date is set before quotes_before_insert compares it.
create function private.quotes_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if exists (select from public.quote_events where quote_id = new.id and code = 'borrada') then return null; end if;
  if new.entregada is not null then
    new.entregada := private.first_delivery(new.entregada);
    new.created_at := new.entregada;
  end if;
  return new;
end $$;
create trigger quotes_again before insert on public.quotes
  for each row when (new.importada is null) execute function private.quotes_again();

-- The function is security definer, because it reads the limits, and rows that the visitor may not see.
create function private.quotes_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A list of quotes is refused, because a stranger could use it to test many quotes at once. Only imports by the team
  -- are lists.
  if current_setting('role', true) in ('anon', 'authenticated')
     and nullif(current_setting('app.quote_id', true), '') is not null then
    raise sqlstate 'PT400' using message = 'One quote in each request';
  end if;
  new.email := lower(btrim(new.email));
  new.promised_at := new.created_at + private.answer_promise();
  -- With the lock, two parallel requests with the same id run one after the other; otherwise the later one would fail
  -- on quotes_request_key. The setting app.quote_id allows the request to read its own row (RETURNING).
  perform pg_advisory_xact_lock(hashtextextended('public.quotes ' || new.id::text, 0));
  perform set_config('app.quote_id', new.id::text, true);

  -- A known id means that the same quote is sent again, so no further check is needed.
  if exists (select from public.quotes where id = new.id) then return new; end if;

  if exists (select from public.quotes as other
             where (other.email, other.tipo_carga, other.peso, other.telefono, other.nombre, other.empresa)
                 = (new.email, new.tipo_carga, new.peso, new.telefono, new.nombre, new.empresa)
               and (coalesce(other.igual, ''), coalesce(other.reemplaza, ''), other.more)
                 = (coalesce(new.igual, ''), coalesce(new.reemplaza, ''), new.more)
               and (other.created_at at time zone 'America/Tijuana')::date
                 = (new.created_at at time zone 'America/Tijuana')::date) then
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "quotes_request_key"', constraint = 'quotes_request_key';
  end if;
  if new.origen = 'formulario' then perform private.require_room('quotes'); end if;
  return new;
end $$;
create trigger quotes_before_insert before insert on public.quotes
  for each row when (new.importada is null) execute function private.quotes_before_insert();

create function private.quotes_notice() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  new.aviso := substring(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-aviso' from '^[0-9a-f]{8}$');
  return new;
end $$;
-- Requires the version of the privacy notice from quotes of the page. If a colleague records the lead, the exporter has
-- seen no notice.
create trigger quotes_notice before insert on public.quotes
  for each row when (new.origen = 'formulario' and new.aviso is null and new.importada is null) execute function private.quotes_notice();

create trigger quotes_limit after insert on public.quotes
  for each row when (new.origen = 'formulario' and new.importada is null) execute function private.count_sent('quotes');

-- Refuses to erase a quote that is not blocked: Mexican law requires that personal data are blocked before they are
-- erased.
create function private.quotes_before_delete() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not exists (select from public.quote_desk where quote_id = old.id and blocked_at is not null) then
    raise sqlstate 'PT409' using message = 'Only a quote that was blocked is erased', hint = 'unblocked';
  end if;
  return old;
end $$;
create trigger quotes_before_delete before delete on public.quotes
  for each row execute function private.quotes_before_delete();

-- 3. Rights ---------------------------------------------------------------------------------------------------------

-- Visitors and staff may insert only the columns that are granted below: not created_at and promised_at, which the
-- database sets.
alter table public.quotes enable row level security;
revoke all on public.quotes from public, anon, authenticated, service_role;
grant select on public.quotes to anon, authenticated;
grant insert (id, nombre, empresa, email, telefono, peso, tipo_carga, promociones, reemplaza, igual, more)
  on public.quotes to anon, authenticated;
grant insert (entregada) on public.quotes to anon;
grant insert (origen) on public.quotes to authenticated;
grant select, insert, update, delete on public.quotes to service_role;
create policy "anyone may submit a quote" on public.quotes for insert to anon
  with check (origen = 'formulario');
create policy "whoever is signed in may too, and staff by other ways" on public.quotes for insert to authenticated
  with check (origen = 'formulario' or (select private.is_staff()));

-- 4. Keys for search ------------------------------------------------------------------------------------------------

-- Search keys of each quote. No API role may read them.
create table private.quote_keys (
  quote_id   uuid        not null,
  created_at timestamptz not null,
  -- Last ten digits of the phone number: they are the same with and without +52, 521 or 044. Null for fewer than seven
  -- digits.
  phone      text,
  email      text,
  words      text        not null,
  constraint quote_keys_pkey primary key (quote_id),
  constraint quote_keys_quote foreign key (quote_id) references public.quotes on delete cascade
);
revoke all on private.quote_keys from public, anon, authenticated, service_role;
alter table private.quote_keys enable row level security;
create index quote_keys_created_at on private.quote_keys (created_at desc, quote_id);
create index quote_keys_phone on private.quote_keys (phone, created_at desc) where phone is not null;
create index quote_keys_email on private.quote_keys (email, created_at desc) where email is not null;
-- The index has no fastupdate, because the insert that must empty the index's pending list would be slow.
create index quote_keys_words on private.quote_keys using gin (words extensions.gin_trgm_ops) with (fastupdate = off);

-- Returns the search keys of a quote. The result is declared as a set although it is one row, because PostgreSQL then
-- inlines the function, which is five times as fast.
create function private.quote_keys_of(quote public.quotes) returns setof private.quote_keys
  language sql stable
  begin atomic
    select quote.id, quote.created_at,
      case when char_length(private.digits(quote.telefono)) >= 7 then right(private.digits(quote.telefono), 10) end,
      lower(quote.email),
      private.plain(concat_ws(' ', quote.nombre, quote.empresa, quote.email, private.digits(quote.telefono),
                              quote.folio, replace(quote.folio, '-', ''),
                              (select string_agg(value #>> '{}', ' ') from jsonb_each(quote.more)
                               where jsonb_typeof(value) = 'string')));
  end;

create function private.quotes_to_keys() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A trial of an import is undone at its end, so its quotes need no search keys, which are slow to index.
  if current_setting('app.is_trial', true) = 'true' then return null; end if;
  if tg_op = 'UPDATE' then delete from private.quote_keys where quote_id = new.id; end if;
  insert into private.quote_keys select k.* from private.quote_keys_of(new) as k;
  return null;
end $$;
create trigger quotes_to_keys after insert or update on public.quotes
  for each row execute function private.quotes_to_keys();
