-- Written from supabase/schemas by `npm run migration -- baseline`: change the schemas, not this file.

-- Schemas, the limits on what one address may send, and small functions that the other files share.
--
-- Grants: some hosted projects grant each new table of `public` to the API roles, others grant nothing. Every file
-- therefore revokes all rights on its tables, then grants the needed ones. The last file revokes the functions of
-- `private` from PUBLIC. Functions that a request may call are granted below their definitions.

-- No role has usage rights on this schema: policies and column defaults may use its functions, but requests cannot call
-- them.
create schema if not exists private;
create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;

-- 1. Values ---------------------------------------------------------------------------------------------------------

-- True if the text has a visible character. The pattern lists code points, because character classes differ between
-- locales. src/lead/bounds.ts has the same rule; a test compares the two.
create function private.is_seen(words text) returns boolean
  language sql immutable strict parallel safe
  return words ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]';
grant execute on function private.is_seen(text) to anon, authenticated, service_role;

-- Converts a text to the form in which search compares texts: lower case, without accents.
create function private.plain(value text) returns text
  language sql immutable parallel safe
  return lower(regexp_replace(normalize(value, nfd), '[\u0300-\u036f]', '', 'g'));

create function private.digits(value text) returns text
  language sql immutable parallel safe
  return regexp_replace(value, '[^0-9]', '', 'g');

-- Time within which the page promises an answer. src/lead/promise.ts defines this time. The server copies it into this
-- table at each start; for a hosted project `npm run hosted -- setup` does so.
create table private.promise (
  one    boolean  not null default true,
  answer interval not null,
  constraint promise_pkey primary key (one),
  constraint promise_one_check check (one),
  constraint promise_answer_check check (answer > interval '0')
);
revoke all on private.promise from public, anon, authenticated, service_role;
alter table private.promise enable row level security;

create function private.keep_promise(answer interval) returns void
  language sql security definer set search_path = ''
  as $$
    insert into private.promise (answer) values (keep_promise.answer)
    on conflict (one) do update set answer = excluded.answer where promise.answer <> excluded.answer
  $$;

-- Returns zero if the promise was never copied. Every lead is then late at once, so the sales team notices the fault.
create function private.answer_promise() returns interval
  language sql stable security definer set search_path = ''
  as $$ select coalesce((select answer from private.promise), interval '0') $$;
grant execute on function private.answer_promise() to authenticated, service_role;

-- Limits a phone's time of first delivery to the last 31 days: the phone's clock may be wrong, and phones forget a
-- delivered quote after 30 days.
create function private.first_delivery(claimed timestamptz) returns timestamptz
  language sql stable set search_path = ''
  as $$ select greatest(least(claimed, now()), now() - interval '31 days') $$;

-- Makes the rows of a conversation read-only for every role, even the owner of the table. They disappear only when
-- their quote is erased.
create function private.refuse_change() returns trigger
  language plpgsql set search_path = ''
  as $$ begin raise insufficient_privilege using message = format('%s of %s is not possible', lower(tg_op), tg_table_name); end $$;

-- 2. The request ----------------------------------------------------------------------------------------------------

-- Returns the ids in the header x-submission-id, at most twenty. A phone makes each id from 122 random bits, so a
-- request that presents an id may read the row with this id. Malformed ids are ignored.
create function private.presented_quote_ids() returns uuid[]
  language sql stable set search_path = ''
  as $$
    select coalesce(array_agg(shown::uuid), '{}')
    from (
      select lower(btrim(part)) as shown
      from unnest(string_to_array(nullif(current_setting('request.headers', true), '')::json ->> 'x-submission-id', ','))
        with ordinality as _(part, place)
      where place <= 20
    ) as parts
    where shown ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
  $$;
grant execute on function private.presented_quote_ids() to anon, authenticated;

-- True if this request may write about the quote. If false, the before-insert triggers skip their checks, whose
-- messages would reveal whether the quote exists. The policy then refuses the row.
create function private.may_speak_of(quote_id uuid) returns boolean
  language sql stable set search_path = ''
  as $$
    select coalesce(current_setting('role', true), '') not in ('anon', 'authenticated')
           or coalesce(quote_id = any (private.presented_quote_ids()), false)
  $$;

-- Returns the visitor's address. On hosted projects Cloudflare sets cf-connecting-ip; the embedded server overwrites
-- x-forwarded-for. IPv6 providers give each visitor a /64 network, so such a network counts as one address.
create function private.visitor_address() returns text
  language plpgsql stable set search_path = ''
  as $$
declare
  headers constant json := nullif(current_setting('request.headers', true), '')::json;
  seen constant text := btrim(coalesce(headers ->> 'cf-connecting-ip', split_part(headers ->> 'x-forwarded-for', ',', 1)));
  address inet;
begin
  address := regexp_replace(seen, '^::ffff:(?=[0-9]+\.)', '', 'i');
  return case family(address) when 6 then network(set_masklen(address, 64))::text else host(address) end;
exception when invalid_text_representation then
  return null;
end $$;

-- Returns the visitor's IPv6 network of size /48. This network has a limit of its own, because it contains 65,536
-- networks of size /64, each of which counts as one address.
create function private.visitor_network() returns text
  language sql stable set search_path = ''
  as $$
    select case when private.visitor_address() like '%:%' then network(set_masklen(private.visitor_address()::inet, 48))::text end
  $$;

-- 3. Limits ---------------------------------------------------------------------------------------------------------

-- Limits on the rows that are stored within an hour; each kind of row is counted separately. To change them:
--   update private.quote_limits set per_address = 60, overall = 2000;   -- 0: no limit
-- The limits are high, because Mexican carriers put many phones behind one address.
create table private.quote_limits (
  only_row    boolean not null primary key default true check (only_row),
  per_address integer not null default 60   check (per_address >= 0),
  overall     integer not null default 2000 check (overall >= 0),
  file_bytes  bigint  not null default 268435456
    constraint quote_limits_file_bytes_check check (file_bytes >= 0)
);
insert into private.quote_limits default values;
comment on column private.quote_limits.file_bytes is
  'bytes of all files together, those announced within the last hour at their full length; 0 for no bound';

-- Times of the rows stored within the last hour, with the hashed address of each sender. For privacy this table does
-- not name the lead.
create table private.quote_sends (
  at      timestamptz not null default now(),
  kind    text        not null default 'quotes',
  address bytea,
  network bytea,
  constraint quote_sends_kind_check check (kind in ('quotes', 'replies', 'devices', 'files'))
);
create index quote_sends_at on private.quote_sends (at);
create index quote_sends_kind on private.quote_sends (kind, at);
create index quote_sends_address on private.quote_sends (kind, address, at);
create index quote_sends_network on private.quote_sends (kind, network, at);

create function private.refuse_until_hour_after(sent timestamptz, reason text) returns void
  language plpgsql set search_path = ''
  as $$
begin
  raise sqlstate 'PGRST' using
    message = json_build_object('code', 'PT429', 'message', reason, 'details', null, 'hint', 'Retry later')::text,
    -- Retry-After is at most five minutes, so that phones soon notice if the operator raises the limit before the hour
    -- is over.
    detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After',
      least(300, ceil(extract(epoch from sent - (now() - interval '1 hour')))::int)::text))::text;
end $$;

-- Refuses a row about a quote if the table `place` already has `most` rows of the last hour about this quote.
create function private.require_hourly_room(place text, quote uuid, most integer) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  full_since timestamptz;
begin
  execute format($sql$select created_at from public.%I where quote_id = $1 and created_at > now() - interval '1 hour'
    order by created_at desc offset $2 limit 1$sql$, place) into full_since using quote, most - 1;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, format('Too many %s of one quote within an hour', place));
  end if;
end $$;

-- Refuses a request that exceeds the limits. This happens before the insert, so that refused requests do not fill the
-- disk.
create function private.require_room(what text) returns void
  language plpgsql set search_path = ''
  as $$
declare
  limits private.quote_limits;
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  visitor_network constant bytea := sha256(convert_to(private.visitor_network(), 'UTF8'));
  hour_ago constant timestamptz := now() - interval '1 hour';
  full_since timestamptz;
begin
  -- app.room is set if this request has a row already. A second row is refused: rows are counted only after all rows of
  -- the request have been checked, so many rows would pass the limit.
  if current_setting('role', true) in ('anon', 'authenticated') and current_setting('app.room', true) = what then
    raise sqlstate 'PT400' using message = format('One of %s in each request', what);
  end if;
  perform set_config('app.room', what, true);
  select * into limits from private.quote_limits;
  -- `full_since` is the time of the stored row that must become an hour old before another row is allowed.
  if limits.per_address > 0 and visitor is not null then
    select at into full_since from private.quote_sends
      where kind = what and address = visitor and at > hour_ago order by at desc offset limits.per_address - 1 limit 1;
    if full_since is null and visitor_network is not null then
      select at into full_since from private.quote_sends
        where kind = what and network = visitor_network and at > hour_ago
        order by at desc offset 4 * limits.per_address - 1 limit 1;
    end if;
  end if;
  if full_since is null and limits.overall > 0 then
    select at into full_since from private.quote_sends
      where kind = what and at > hour_ago order by at desc offset limits.overall - 1 limit 1;
  end if;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, format('Too many %s within an hour', what));
  end if;
end $$;

-- Counts a request after its row is inserted. A repeated request stores no row, so it is not counted.
create function private.count_sent() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from private.quote_sends where ctid = any (array(
    select ctid from private.quote_sends where at <= now() - interval '1 hour' limit 100 for update skip locked));
  insert into private.quote_sends (kind, address, network) values (tg_argv[0],
    sha256(convert_to(private.visitor_address(), 'UTF8')), sha256(convert_to(private.visitor_network(), 'UTF8')));
  return null;
end $$;

-- 4. Version --------------------------------------------------------------------------------------------------------

-- Returns the newest migration of this database. After a refusal, the page reads it to find out whether the database is
-- older than the page (src/lead/schema-version.ts).
create function private.newest_migration() returns text
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  return (select max(version) from supabase_migrations.schema_migrations);
end $$;
grant execute on function private.newest_migration() to anon, authenticated;

create view public.schema_version with (security_invoker = true) as select private.newest_migration() as version;
revoke all on public.schema_version from public, anon, authenticated, service_role;
grant select on public.schema_version to anon, authenticated;

-- The sales team: rights of a sign-in, presence, and the record of exports and blocks.

-- 1. Rights ---------------------------------------------------------------------------------------------------------

-- True if the request's account has a second step of signing in. Hosted projects have the table auth.mfa_factors, the
-- embedded server has a view of the same name, and a database without accounts has neither.
create function private.has_factor() returns boolean
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  if to_regclass('auth.mfa_factors') is null then return false; end if;
  return exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified');
end $$;
grant execute on function private.has_factor() to authenticated, service_role;

-- True for staff: users with app_metadata.role = staff, which only the service key can write. If the account has a
-- second step of signing in, the session must have passed it (aal2). The body is not a string, so PostgreSQL looks up
-- private.has_factor when it creates this function: callers have no rights on the schema `private`.
create function private.is_staff() returns boolean
  language sql stable
  return coalesce(auth.jwt() #>> '{app_metadata,role}' = 'staff', false)
         and (coalesce(auth.jwt() ->> 'aal' = 'aal2', false) or not private.has_factor());
grant execute on function private.is_staff() to authenticated, service_role;

-- True for supervisors: staff with app_metadata.supervisor = true, who may also hand over any lead, export, block, and
-- see all figures. Their session must have passed a second step, except in the demo.
create function private.is_supervisor() returns boolean
  language sql stable
  return private.is_staff() and coalesce(auth.jwt() #>> '{app_metadata,supervisor}' = 'true', false)
         and coalesce(auth.jwt() ->> 'aal' = 'aal2' or auth.jwt() #>> '{app_metadata,second_factor}' = 'optional', false);
grant execute on function private.is_supervisor() to authenticated, service_role;

-- Returns the name of the signed-in colleague, or the e-mail if the name is blank, cut to the length that an answer
-- allows.
create function private.staff_name() returns text
  language sql stable
  return (
    select btrim(left(btrim(name), 100))
    from unnest(array[auth.jwt() #>> '{app_metadata,name}', auth.jwt() ->> 'email']) with ordinality as _(name, place)
    where private.is_seen(name) order by place limit 1
  );
grant execute on function private.staff_name() to authenticated, service_role;

create function private.manages_templates() returns boolean
  language sql stable
  return private.is_supervisor();
grant execute on function private.manages_templates() to authenticated;

-- 2. Presence -------------------------------------------------------------------------------------------------------

create table public.staff_presence (
  staff   uuid        not null,
  name    text        not null,
  seen_at timestamptz not null default now(),
  -- Time at which the colleague ended the shift; null until then.
  left_at timestamptz,
  constraint staff_presence_pkey primary key (staff)
);
alter table public.staff_presence enable row level security;
revoke all on public.staff_presence from public, anon, authenticated, service_role;

-- True if a colleague is away. A colleague without a row counts as present, because nothing is known about the
-- presence.
create function private.is_away(who uuid, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.staff_presence
                   where staff = who and (left_at is not null or seen_at <= at - interval '12 hours'))
  $$;
grant execute on function private.is_away(uuid, timestamptz) to authenticated, service_role;

-- Colleagues whose account was removed. The list is needed because the token of an open desk stays valid until it
-- expires. An account that is added again gets a new id.
create table private.staff_removed (
  staff uuid not null,
  constraint staff_removed_pkey primary key (staff)
);
revoke all on private.staff_removed from public, anon, authenticated, service_role;

create function private.was_removed() returns boolean
  language sql stable security definer set search_path = ''
  as $$ select exists (select from private.staff_removed where staff = auth.uid()) $$;
grant execute on function private.was_removed() to authenticated;

-- Reports about a colleague: present ('estoy'), shift ended with or without giving up the leads ('mevoy', 'conservo'),
-- account removed ('baja'). A trigger acts on the row and deletes it.
create table public.staff_signs (
  id    uuid not null default gen_random_uuid(),
  kind  text not null,
  staff uuid not null default auth.uid(),
  -- Colleague who gets the open leads of `staff` after 'mevoy'. If null, these leads lose their owner.
  heir  uuid,
  constraint staff_signs_pkey primary key (id),
  constraint staff_signs_kind_check check (kind in ('estoy', 'mevoy', 'conservo', 'baja')),
  constraint staff_signs_heir_check check (heir is null or kind = 'mevoy' and heir <> staff)
);

create function private.staff_signs_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.kind = 'estoy' then
    insert into public.staff_presence (staff, name) values (new.staff, private.staff_name())
      on conflict (staff) do update set name = excluded.name, seen_at = now(), left_at = null;
  elsif new.kind in ('mevoy', 'conservo') then
    if new.heir is not null then
      update public.quote_desk set assignee = new.heir where assignee = new.staff and open and blocked_at is null;
    -- A removed colleague cannot keep the leads, even with 'conservo'.
    elsif new.kind = 'mevoy' or private.was_removed() then
      perform private.release_leads(new.staff);
    end if;
    update public.staff_presence set seen_at = now(), left_at = now() where staff = new.staff;
  else
    perform private.release_leads(new.staff);
    delete from public.push_devices where staff = new.staff;
    delete from public.staff_presence where staff = new.staff;
    insert into private.staff_removed (staff) values (new.staff) on conflict do nothing;
  end if;
  delete from public.staff_signs where id = new.id;
  return null;
end $$;
-- The trigger runs after the insert, so that PostgreSQL checks the policies first. If a before trigger dropped the row,
-- the policies would not be checked.
create trigger staff_signs_heed after insert on public.staff_signs
  for each row execute function private.staff_signs_heed();

alter table public.staff_signs enable row level security;
revoke all on public.staff_signs from public, anon, authenticated, service_role;
grant insert (id, kind, heir) on public.staff_signs to authenticated;
grant insert (id, kind, staff) on public.staff_signs to service_role;
-- A removed colleague may still end the shift, so that the leads lose their owner.
create policy "staff say that they are here, or go" on public.staff_signs for insert to authenticated
  with check ((select private.is_staff()) and staff = (select auth.uid())
              and (kind in ('mevoy', 'conservo') or kind = 'estoy' and not (select private.was_removed())));

-- 3. Exports and blocks ---------------------------------------------------------------------------------------------

-- Log of exports and of blocked leads. Before an export the desk inserts a row with ids; the trigger below drops ids that
-- may not be exported, and the desk exports the rest. An export by the command line is a row with the number of leads.
create table public.desk_acts (
  id         uuid        not null default gen_random_uuid(),
  at         timestamptz not null default clock_timestamp(),
  kind       text        not null,
  staff      uuid        default auth.uid(),
  staff_name text        default private.staff_name(),
  rows       integer,
  what       text,
  -- Quote that was blocked. No foreign key is set, because the log outlives an erased quote.
  quote_id   uuid,
  leads      uuid[],
  constraint desk_acts_pkey primary key (id),
  constraint desk_acts_kind_check check (kind in ('exporte', 'bloqueo')),
  constraint desk_acts_export_check check (case kind
    when 'exporte' then num_nulls(rows, what) = 0 and rows >= 0 and char_length(what) between 1 and 40
    else num_nulls(rows, what) = 2 end),
  constraint desk_acts_quote_check check ((kind = 'exporte') = (quote_id is null)),
  constraint desk_acts_leads_check check (leads is null or (kind = 'exporte' and cardinality(leads) <= 300))
);
create index desk_acts_at on public.desk_acts (at, id);

-- Keeps only leads that the caller may read, because the trigger runs with the caller's rights.
create function private.desk_acts_count() returns trigger
  language plpgsql set search_path = ''
  as $$
begin
  if new.kind = 'exporte' and (current_user = 'authenticated' or new.leads is not null) then
    select coalesce(array_agg(quote_id), '{}') into new.leads
      from public.desk_leads where quote_id = any (new.leads);
    new.rows := cardinality(new.leads);
  end if;
  return new;
end $$;
create trigger desk_acts_count before insert on public.desk_acts
  for each row execute function private.desk_acts_count();

create function private.desk_acts_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.kind = 'bloqueo' then
    update public.quote_desk set blocked_at = now() where quote_id = new.quote_id;
  end if;
  return null;
end $$;
create trigger desk_acts_heed after insert on public.desk_acts
  for each row execute function private.desk_acts_heed();

alter table public.desk_acts enable row level security;
revoke all on public.desk_acts from public, anon, authenticated, service_role;
grant select on public.desk_acts to authenticated, service_role;
grant insert (id, kind, leads, what, quote_id) on public.desk_acts to authenticated;
grant insert (id, kind, rows, leads, what, quote_id) on public.desk_acts to service_role;
create policy "supervisors read what was exported and blocked" on public.desk_acts for select to authenticated
  using ((select private.is_supervisor()));
create policy "supervisors export and block" on public.desk_acts for insert to authenticated
  with check ((select private.is_supervisor()));

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

-- Leads: status, owner and deadline of each quote, the history of changes, notes, and joined leads. The database checks
-- all rules, so clients need not check them.

-- 1. Tables ---------------------------------------------------------------------------------------------------------

create table public.quote_desk (
  quote_id           uuid        not null,
  status             text        not null default 'nueva',
  assignee           uuid,
  assignee_name      text,
  -- Arrival of the question that waits for an answer: the quote itself, or the reply that opened the lead again.
  asked_at           timestamptz not null,
  first_answer_at    timestamptz,
  last_answer        uuid,
  last_reply         uuid,
  last_seen          uuid,
  reply_waiting      boolean     not null default false,
  -- Quote that replaces this quote: a correction, or the target of a join. No foreign key is set, because quotes may be
  -- erased.
  replaced_by        uuid,
  blocked_at         timestamptz,
  version            integer     not null default 1,
  updated_at         timestamptz not null default clock_timestamp(),
  -- True for a lead from a file. Its exporter has asked for no price here, so it has no deadline until the exporter writes.
  imported           boolean     not null default false,
  open               boolean     not null generated always as
                       (reply_waiting or (status in ('nueva', 'tomada') and replaced_by is null and not imported)) stored,
  -- Code of the last change. Triggers that run afterwards read it.
  happened           text        not null default 'creada',
  -- Time allowed for an answer, as it was promised when the waiting question arrived.
  promise            interval    not null default private.answer_promise(),
  -- Accepted offer with its state, and the effect of the last reply (quote_replies.verdict). They are copied from other
  -- tables to make the list of leads fast.
  accepted           uuid,
  accepted_state     text,
  accepted_reference text,
  reply_verdict      text,
  moved_offer        uuid,
  moved_to           text,
  lost_reason        text,
  -- Time at which the server got the exporter's last reply, file, shipment details or correction.
  news_at            timestamptz,
  -- Ids of the last change of the flight and of the last change of the milestones, and the milestone that the shipment
  -- has reached.
  last_flight        uuid,
  last_step          uuid,
  step               text,
  constraint quote_desk_pkey primary key (quote_id),
  constraint quote_desk_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_desk_status_check check (status in ('nueva', 'tomada', 'respondida', 'ganada', 'perdida')),
  -- New leads have no owner. A taken lead has one unless it was imported. An answered lead may have none, because the
  -- command line answers without taking a lead.
  constraint quote_desk_owner_check check (case status when 'nueva' then assignee is null
                                                       when 'tomada' then assignee is not null or imported else true end),
  constraint quote_desk_answered_check check (status <> 'respondida' or last_answer is not null or imported),
  constraint quote_desk_lost_reason_check check (
    lost_reason in ('precio', 'tiempo', 'espacio', 'documentos', 'silencio', 'otro') and (lost_reason is null or status = 'perdida'))
);
-- The index has all rows: for PostgREST's condition `open is true` the planner would not use a partial index `where
-- open`.
create index quote_desk_open on public.quote_desk (open, asked_at, quote_id);
create index quote_desk_changes on public.quote_desk (updated_at, quote_id);
create index quote_desk_blocked on public.quote_desk (quote_id) where blocked_at is not null;

-- History: a row for each version of a lead. It has no foreign keys, because it outlives an erased quote.
create table public.quote_events (
  id       bigint      not null generated always as identity,
  at       timestamptz not null default clock_timestamp(),
  quote_id uuid        not null,
  version  integer     not null,
  code     text        not null,
  actor    uuid,
  ref      uuid,
  constraint quote_events_pkey primary key (id),
  constraint quote_events_code_check check (code in ('creada', 'tomada', 'relevada', 'soltada', 'respondida', 'vista',
    'contestada', 'reemplazada', 'ganada', 'perdida', 'bloqueada', 'desbloqueada', 'borrada',
    'aceptada', 'retirada', 'reservada', 'sinespacio', 'traspasada', 'liberada', 'novedad', 'vuelo', 'paso', 'importada'))
);
create index quote_events_of_quote on public.quote_events (quote_id, id);
create index quote_events_about on public.quote_events (ref) where code = 'contestada';

create trigger quote_events_fixed before update or delete on public.quote_events
  for each row execute function private.refuse_change();
create trigger quote_events_kept before truncate on public.quote_events
  for each statement execute function private.refuse_change();

create table public.quote_notes (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  created_at  timestamptz not null default now(),
  body        text        not null,
  author      uuid        not null default auth.uid(),
  author_name text        default private.staff_name(),
  constraint quote_notes_pkey primary key (id),
  constraint quote_notes_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_notes_body_check check (body = btrim(body) and char_length(body) between 1 and 4000),
  constraint quote_notes_seen_check check (private.is_seen(body))
);
create index quote_notes_of_quote on public.quote_notes (quote_id, created_at);
create trigger quote_notes_fixed before update on public.quote_notes
  for each row execute function private.refuse_change();

-- 2. A change of a lead ---------------------------------------------------------------------------------------------

-- Returns the code under which the history records a change.
create function private.desk_change(before public.quote_desk, after public.quote_desk) returns text
  language sql immutable set search_path = ''
  as $$
    select case
      when after.blocked_at is distinct from before.blocked_at
        then case when after.blocked_at is null then 'desbloqueada' else 'bloqueada' end
      when after.last_reply is distinct from before.last_reply then 'contestada'
      when after.last_seen is distinct from before.last_seen then 'vista'
      when after.news_at is distinct from before.news_at then 'novedad'
      when after.replaced_by is distinct from before.replaced_by then 'reemplazada'
      when after.last_flight is distinct from before.last_flight then 'vuelo'
      when after.last_step is distinct from before.last_step then 'paso'
      when (after.moved_offer, after.moved_to) is distinct from (before.moved_offer, before.moved_to) then after.moved_to
      when before.assignee <> after.assignee then 'relevada'
      when after.status = 'nueva' then 'soltada'
      else after.status
    end
  $$;

create function private.quote_desk_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  me constant uuid := auth.uid();
  answered constant boolean := new.last_answer is distinct from old.last_answer;
  -- True if the customer has accepted an offer, and the team has not recorded yet whether it is booked. The lead stays
  -- open until then.
  is_accepted constant boolean := coalesce(old.accepted_state = 'aceptada', false);
  -- True if the lead has no owner and was answered from the command line. Taking such a lead must not change its
  -- status.
  is_dealt_with constant boolean := old.assignee is null and old.status = 'respondida' and not old.reply_waiting;
begin
  new.version := old.version + 1;
  -- clock_timestamp() is used, because now() is the start of the transaction, which may have waited for a lock since
  -- then. Desks read rows changed after the newest change that they have, and would miss a row with an earlier time.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
  new.happened := private.desk_change(old, new);

  case
    when new.happened in ('bloqueada', 'desbloqueada') then
      if old.blocked_at is not null and new.blocked_at is not null then return null; end if;
      new.blocked_at := case when new.blocked_at is not null then now() end;
      return new;
    when new.happened = 'contestada' then
      new.reply_waiting := true;
      new.news_at := now();
      if not old.open then
        -- After a restore from backup, a phone sends an old reply again. The team's deadline to answer the reply still
        -- counts from the first delivery.
        select coalesce(entregada, now()) into new.asked_at from public.quote_replies where id = new.last_reply;
        new.promise := private.answer_promise();
      end if;
      return new;
    when new.happened in ('vista', 'novedad', 'vuelo', 'paso') then
      return new;
    when new.happened = 'reemplazada' then
      new.reply_waiting := is_accepted;
      return new;
    -- The trigger private.offer_moves_rules has checked these two changes already, so the rules below do not apply.
    when new.happened in ('aceptada', 'retirada') then
      return new;
    when new.happened in ('reservada', 'sinespacio') then
      new.status := case new.happened when 'reservada' then 'ganada' else 'respondida' end;
      new.lost_reason := null;
      new.reply_waiting := false;
      return new;
    else null;
  end case;

  if answered and old.blocked_at is not null then
    raise sqlstate 'PT409' using message = 'This quote is blocked', hint = 'blocked';
  end if;
  if answered then
    new.first_answer_at := coalesce(old.first_answer_at, now());
    -- A message about a booked shipment leaves the lead won.
    if old.status = 'ganada' and old.accepted_state = 'reservada' then new.status := 'ganada'; end if;
  end if;

  -- The command line may answer any lead. Apart from answers, the command line has no right to change the status.
  if answered and current_setting('role', true) = 'service_role' then
    new.lost_reason := null;
    new.reply_waiting := is_accepted;
    return new;
  end if;

  -- This change comes from private.release_leads, which takes a lead from an owner who is away or was removed. No other
  -- caller without a signed-in user has the right to change a lead's status.
  if me is null and new.status = 'nueva' and not answered and current_setting('role', true) <> 'authenticated' then
    new.happened := 'liberada';
    new.assignee := null;
    new.assignee_name := null;
    return new;
  end if;
  -- Owners may hand over their own leads to a present colleague, supervisors any lead.
  if new.assignee is distinct from old.assignee and new.assignee <> me and not answered
     and (old.assignee = me or private.is_supervisor())
     and (new.status = old.status or old.assignee is null and new.status = 'tomada') then
    new.happened := 'traspasada';
    select name into new.assignee_name from public.staff_presence
      where staff = new.assignee and not private.is_away(staff, now());
    if not found then raise sqlstate 'PT409' using message = 'That colleague is not here', hint = 'away'; end if;
    if is_dealt_with then new.status := old.status; end if;
    return new;
  end if;
  if me is null or (new.assignee is distinct from old.assignee and new.assignee is distinct from me) then
    raise insufficient_privilege using message = 'A lead is taken by oneself, for oneself';
  end if;
  if old.assignee is null then
    if new.status <> 'tomada' then raise sqlstate 'PT409' using message = 'Take the lead first', hint = 'unowned'; end if;
    if is_dealt_with then new.status := old.status; end if;
  elsif old.assignee <> me then
    -- A request that takes over a colleague's lead may change only the owner.
    if (new.happened <> 'relevada' or new.status <> old.status or answered)
       and not (new.happened = 'soltada' and private.is_supervisor()) then
      raise sqlstate 'PT409' using message = 'Somebody else has this lead', hint = 'owned';
    end if;
  end if;

  if new.status = 'nueva' then
    new.assignee := null;
    new.assignee_name := null;
  else
    new.assignee := me;
    new.assignee_name := private.staff_name();
  end if;
  -- A lead needs an answer to become 'respondida'. A lead that was imported as 'respondida' has none and stays valid.
  if new.status = 'respondida' and old.status <> 'respondida' and new.last_answer is null then
    raise sqlstate 'PT409' using message = 'There is no answer yet', hint = 'unanswered';
  end if;
  if new.status <> 'perdida' then new.lost_reason := null; end if;
  -- A customer's reply no longer waits (`reply_waiting`) when the lead's owner answers or closes the lead, but still
  -- waits when a colleague takes the lead over. An accepted offer waits until its booking is decided.
  if old.assignee = me and new.status in ('respondida', 'ganada', 'perdida') then
    if is_accepted and not answered and new.happened <> 'relevada' then
      raise sqlstate 'PT409' using message = 'An accepted offer waits for what becomes of it', hint = 'accepted';
    end if;
    new.reply_waiting := is_accepted;
  end if;
  return new;
end $$;
create trigger quote_desk_rules before update on public.quote_desk
  for each row execute function private.quote_desk_rules();

create function private.quote_desk_record() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' then
    insert into public.quote_events (quote_id, version, code, actor)
      values (old.quote_id, old.version + 1, 'borrada', auth.uid());
    return null;
  end if;
  insert into public.quote_events (quote_id, version, code, actor, ref)
    values (new.quote_id, new.version, new.happened, auth.uid(), case new.happened
      when 'contestada' then new.last_reply
      when 'vista' then new.last_seen
      when 'reemplazada' then new.replaced_by
      when 'relevada' then old.assignee
      when 'liberada' then old.assignee
      when 'traspasada' then new.assignee
      when 'respondida' then new.last_answer
      when 'aceptada' then new.moved_offer
      when 'retirada' then new.moved_offer
      when 'reservada' then new.moved_offer
      when 'sinespacio' then new.moved_offer
      when 'vuelo' then new.last_flight
      when 'paso' then new.last_step end);
  return null;
end $$;
create trigger quote_desk_record after insert or update or delete on public.quote_desk
  for each row execute function private.quote_desk_record();

-- Limits a request of the desk to one lead: otherwise a PATCH whose filter matches all leads could take them all.
create function private.quote_desk_one() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and (select count(*) from changed) > 1 then
    raise sqlstate 'PT400' using message = 'One lead in each change';
  end if;
  return null;
end $$;
create trigger quote_desk_one after update on public.quote_desk
  referencing new table as changed
  for each statement execute function private.quote_desk_one();

-- 3. Leads come and go ----------------------------------------------------------------------------------------------

-- Returns the ids of blocked quotes, which only the service role may read. The list is short, and a policy reads it
-- once in each statement.
create function private.blocked_quotes() returns uuid[]
  language sql stable security definer set search_path = ''
  as $$ select coalesce(array_agg(quote_id), '{}') from public.quote_desk where blocked_at is not null $$;
grant execute on function private.blocked_quotes() to anon, authenticated;

create function private.quotes_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into public.quote_desk (quote_id, asked_at, news_at)
    values (new.id, new.created_at, case when new.reemplaza is not null then new.created_at end);
  -- A correction replaces the corrected quote only if the request presents the id of that quote. Its folio is not
  -- enough, because others may hear it over the phone.
  if new.reemplaza is not null then
    update public.quote_desk set replaced_by = new.id
      where quote_id = (select id from public.quotes
                        where folio = new.reemplaza and id <> new.id and private.may_speak_of(id)
                          and id <> all (private.blocked_quotes())
                        order by created_at desc limit 1);
  end if;
  return null;
end $$;
create trigger quotes_to_desk after insert on public.quotes
  for each row when (new.importada is null) execute function private.quotes_to_desk();

-- Records on the lead when the exporter last sent shipment details, the state of a shipping document, or a complete
-- file.
create function private.desk_news() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set news_at = clock_timestamp() where quote_id = new.quote_id;
  return null;
end $$;

-- Takes the open leads from a colleague, so that others can take them; won and lost leads keep their owner.
create function private.release_leads(owner uuid) returns void
  language sql security definer set search_path = ''
  as $$
    update public.quote_desk set status = 'nueva'
      where assignee = owner and open and status in ('tomada', 'respondida') and blocked_at is null
  $$;

create function private.release_absent(at timestamptz) returns void
  language sql security definer set search_path = ''
  as $$
    select private.release_leads(staff) from public.staff_presence as p
      where seen_at <= at - interval '12 hours'
        and exists (select from public.quote_desk
                    where assignee = p.staff and open and status in ('tomada', 'respondida') and blocked_at is null)
  $$;

-- Requests of the desk to join one lead to another lead. A trigger acts on the row and deletes it.
create table public.quote_joins (
  id         uuid not null default gen_random_uuid(),
  quote_id   uuid not null,
  into_quote uuid not null,
  -- Text of the answer that the phone of the joined lead shows, because its sender was promised an answer too.
  word       text not null,
  constraint quote_joins_pkey primary key (id)
);

-- Joins two leads. Refuses if one of them is closed, because the phone of the joined lead would wait for an answer that
-- never comes.
create function private.quote_joins_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  joined public.quote_desk;
  stays public.quote_desk;
begin
  delete from public.quote_joins where id = new.id;
  -- Locks both rows in the order of their ids. Otherwise merging A into B and B into A at once could deadlock.
  perform from public.quote_desk where quote_id in (new.quote_id, new.into_quote) order by quote_id for no key update;
  select * into joined from public.quote_desk where quote_id = new.quote_id and blocked_at is null;
  select * into stays from public.quote_desk where quote_id = new.into_quote and blocked_at is null;
  -- The leads may be joined already, because the desk sends the request again if the response was lost.
  if joined.replaced_by = stays.quote_id then return null; end if;
  if not exists (
    select from private.quote_keys as one join private.quote_keys as other
      on one.quote_id <> other.quote_id and (one.phone = other.phone or one.email = other.email)
        and (one.created_at at time zone 'America/Tijuana')::date = (other.created_at at time zone 'America/Tijuana')::date
    where one.quote_id = joined.quote_id and other.quote_id = stays.quote_id) then
    raise sqlstate 'PT409' using message = 'Only requests of one exporter and one day are joined', hint = 'apart';
  end if;
  if joined.replaced_by is not null or stays.replaced_by is not null then
    raise sqlstate 'PT409' using message = 'One of them was replaced already', hint = 'replaced';
  end if;
  if joined.accepted_state in ('aceptada', 'reservada')
     or array[joined.status, stays.status] && array['ganada', 'perdida'] then
    raise sqlstate 'PT409' using message = 'What was agreed or has ended is not joined', hint = 'accepted';
  end if;
  -- A lead without an owner is taken first, because only its owner may answer. If a colleague owns the lead, the
  -- trigger quote_desk_rules refuses the answer below.
  if joined.assignee is null then
    update public.quote_desk set status = 'tomada' where quote_id = joined.quote_id;
  end if;
  insert into public.quote_answers (id, quote_id, body, kind) values (new.id, joined.quote_id, new.word, 'mensaje');
  update public.quote_desk set replaced_by = stays.quote_id where quote_id = joined.quote_id;
  return null;
end $$;
create trigger quote_joins_heed after insert on public.quote_joins
  for each row execute function private.quote_joins_heed();

-- 4. Rights ---------------------------------------------------------------------------------------------------------

-- `(select …)` makes PostgreSQL read the header once for all rows. app.quote_id has no `(select …)`, because it changes
-- with each inserted row. That condition ignores blocks: a phone that sends a blocked quote again must get 'stored', so
-- that it stops sending.
create policy "a request sees the quote it submits or presents" on public.quotes for select to anon, authenticated
  using (id = nullif(current_setting('app.quote_id', true), '')::uuid
         or (id = any ((select private.presented_quote_ids())::uuid[])
             and id <> all ((select private.blocked_quotes())::uuid[])));
create policy "staff read every quote" on public.quotes for select to authenticated
  using ((select private.is_staff()) and id <> all ((select private.blocked_quotes())::uuid[]));

alter table public.quote_desk enable row level security;
alter table public.quote_events enable row level security;
alter table public.quote_notes enable row level security;
alter table public.quote_joins enable row level security;
revoke all on public.quote_desk, public.quote_events, public.quote_notes, public.quote_joins
  from public, anon, authenticated, service_role;
revoke all on sequence public.quote_events_id_seq from public, anon, authenticated, service_role;
grant select on public.quote_desk, public.quote_events, public.quote_notes to authenticated, service_role;
grant update (status, assignee, lost_reason) on public.quote_desk to authenticated;
grant update (blocked_at) on public.quote_desk to service_role;
grant insert (id, quote_id, body) on public.quote_notes to authenticated;
grant insert (id, quote_id, into_quote, word) on public.quote_joins to authenticated;

create policy "staff read the desk" on public.quote_desk for select to authenticated
  using ((select private.is_staff()) and blocked_at is null);
create policy "staff work on the desk" on public.quote_desk for update to authenticated
  using ((select private.is_staff()) and blocked_at is null) with check ((select private.is_staff()));
create policy "staff read events" on public.quote_events for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read notes" on public.quote_notes for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff note" on public.quote_notes for insert to authenticated
  with check ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff join requests" on public.quote_joins for insert to authenticated
  with check ((select private.is_staff()));

-- Prices: rules for the lines of an offer, exchange rates, and the team's templates.

-- 1. Lines ----------------------------------------------------------------------------------------------------------

-- Returns the sum of the lines of an offer; null if a line breaks a rule. For a price by the kilo, all amounts must be
-- by the kilo. src/lead/offer-lines.ts computes the same; a test compares the two. Amounts have at most two decimals,
-- so no sum is rounded.
create function private.offer_sum(lines jsonb, price_for text, kilos integer) returns numeric
  language sql immutable parallel safe
  return (
    select case when count(*) between 1 and 12 and bool_and((
             amount between 0.01 and 999999999.99 and scale(trim_scale(amount)) <= 2
             and kind in ('flete', 'combustible', 'seguridad', 'manejo', 'aduana', 'entrega', 'otro')
             and (per = 'dia') = (line ? 'days') and (per <> 'dia' or days between 1 and 365 and scale(days) = 0)
             and (per = 'kilo' or price_for = 'total' and per in ('embarque', 'dia'))
             and (not line ? 'name' or kind = 'otro' and name = btrim(name) and char_length(name) between 1 and 40 and private.is_seen(name))
             and line - '{kind,per,amount,days,name}'::text[] = '{}') is true)
           then sum(amount * case when per = 'dia' then days when per = 'kilo' and price_for = 'total' then kilos else 1 end) end
    from (select line, line ->> 'kind' as kind, line ->> 'per' as per,
                 case jsonb_typeof(line -> 'amount') when 'number' then (line ->> 'amount')::numeric end as amount,
                 case jsonb_typeof(line -> 'days') when 'number' then (line ->> 'days')::numeric end as days,
                 case jsonb_typeof(line -> 'name') when 'string' then line ->> 'name' end as name
          -- An entry that is not an object is replaced by an empty object, which breaks the rules above, so the sum is
          -- null.
          from (select case jsonb_typeof(entry) when 'object' then entry else '{}' end as line
                from jsonb_array_elements(case jsonb_typeof(lines) when 'array' then lines else '[]' end) as entry) as entries) as parts);

grant execute on function private.offer_sum(jsonb, text, integer) to authenticated, service_role;

-- 2. Exchange rates -------------------------------------------------------------------------------------------------

-- Pesos for one unit of another currency, as the team recorded them. Rows never change; the newest row applies.
create table public.exchange_rates (
  id          uuid        not null default gen_random_uuid(),
  created_at  timestamptz not null default now(),
  currency    text        not null,
  -- The type has no precision: numeric(12,6) accepts NaN, and rounds the value before the check sees it.
  pesos       numeric     not null,
  source      text        not null,
  -- Day of the rate, by Tijuana's date.
  day         date        not null,
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint exchange_rates_pkey primary key (id),
  constraint exchange_rates_currency_check check (currency in ('USD', 'CNY')),
  constraint exchange_rates_pesos_check check (pesos between 0.0001 and 9999.9999 and scale(pesos) <= 4),
  constraint exchange_rates_source_check check (
    source = btrim(source) and char_length(source) between 1 and 60 and private.is_seen(source)),
  constraint exchange_rates_day_check check (day between '2020-01-01' and (created_at at time zone 'America/Tijuana')::date)
);
create index exchange_rates_newest on public.exchange_rates (currency, created_at desc);
create trigger exchange_rates_fixed before update on public.exchange_rates
  for each row execute function private.refuse_change();

alter table public.exchange_rates enable row level security;
revoke all on public.exchange_rates from public, anon, authenticated, service_role;
grant select, insert (id, currency, pesos, source, day) on public.exchange_rates to authenticated;
grant select on public.exchange_rates to service_role;
create policy "staff read exchange rates" on public.exchange_rates for select to authenticated
  using ((select private.is_staff()));
create policy "staff enter exchange rates" on public.exchange_rates for insert to authenticated
  with check ((select private.is_staff()));

-- Adds the newest exchange rate to a new offer, and a price if the offer has only lines.
create function private.quote_answers_price() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  new.price := coalesce(new.price, private.offer_sum(new.lines, new.price_for, new.kilos));
  select r.pesos, r.source, r.day into new.rate, new.rate_source, new.rate_day
    from public.exchange_rates as r where r.currency = new.currency order by r.created_at desc limit 1;
  return new;
end $$;

-- 3. Templates ------------------------------------------------------------------------------------------------------

create table public.desk_templates (
  id              uuid        not null default gen_random_uuid(),
  name            text        not null,
  -- Text with placeholders in braces. The desk replaces them by values of the lead.
  body            text        not null,
  body_en         text,
  kind            text        not null,
  -- Lines of an offer, the unit of its price, and its currency.
  lines           jsonb,
  price_for       text,
  currency        text,
  place           integer     not null,
  changed_by      uuid,
  changed_by_name text,
  changed_at      timestamptz not null default now(),
  constraint desk_templates_pkey primary key (id),
  constraint desk_templates_name_check check (name = btrim(name) and char_length(name) between 1 and 60 and private.is_seen(name)),
  constraint desk_templates_body_check check (char_length(body) between 1 and 4000 and private.is_seen(body)),
  constraint desk_templates_body_en_check check (char_length(body_en) between 1 and 4000 and private.is_seen(body_en)),
  -- An answer made from the template has both texts, separated by an empty line.
  constraint desk_templates_both_check check (char_length(body) + 2 + char_length(body_en) <= 4000),
  constraint desk_templates_kind_check check (kind in ('pregunta', 'oferta', 'mensaje')),
  constraint desk_templates_lines_check check (num_nulls(lines, price_for, currency) = 3 or kind = 'oferta'
    and private.offer_sum(lines, price_for, 1) is not null and price_for in ('kilo', 'total') and currency in ('MXN', 'USD', 'CNY')),
  constraint desk_templates_place_check check (place between 0 and 1000000)
);

create function private.desk_templates_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtext('desk_templates'));
    if (select count(*) from public.desk_templates) >= 100 then
      raise sqlstate 'PT409' using message = 'There are a hundred templates', hint = 'many';
    end if;
  -- A template that is only moved to another place keeps its author.
  elsif (new.name, new.body, new.body_en, new.kind, new.lines, new.price_for, new.currency)
      is not distinct from (old.name, old.body, old.body_en, old.kind, old.lines, old.price_for, old.currency) then
    return new;
  end if;
  new.changed_by := auth.uid();
  new.changed_by_name := private.staff_name();
  new.changed_at := now();
  return new;
end $$;
create trigger desk_templates_rules before insert or update on public.desk_templates
  for each row execute function private.desk_templates_rules();

alter table public.desk_templates enable row level security;
revoke all on public.desk_templates from public, anon, authenticated, service_role;
grant select, delete, insert (id, name, body, body_en, kind, lines, price_for, currency, place),
  update (name, body, body_en, kind, lines, price_for, currency, place) on public.desk_templates to authenticated;
grant select on public.desk_templates to service_role;
create policy "staff read templates" on public.desk_templates for select to authenticated
  using ((select private.is_staff()));
create policy "who manages templates adds them" on public.desk_templates for insert to authenticated
  with check ((select private.manages_templates()));
create policy "who manages templates changes them" on public.desk_templates for update to authenticated
  using ((select private.manages_templates())) with check ((select private.manages_templates()));
create policy "who manages templates removes them" on public.desk_templates for delete to authenticated
  using ((select private.manages_templates()));

-- Conversation about a quote: answers, offers, replies, and the record of answers that a phone has shown. Rows of the
-- conversation never change.

-- 1. Answers --------------------------------------------------------------------------------------------------------

create table public.quote_answers (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  created_at  timestamptz not null default now(),
  kind        text        not null,
  body        text        not null,
  -- The type has no precision: numeric(12,2) accepts NaN, and rounds the value before the check sees it.
  price       numeric,
  price_for   text,
  currency    text,
  valid_until date,
  -- Kilos a month for a price by the kilo; otherwise the weight of one shipment in kilos.
  kilos       integer,
  -- Lines whose sum is the price; null for an offer with only a total price.
  lines       jsonb,
  -- Value of the offer; for a price by the kilo, the value of one month.
  total       numeric generated always as (price * case price_for when 'kilo' then kilos else 1 end) stored,
  -- Pesos for one unit of the currency when the offer was made, with source and day of this rate. A trigger sets them.
  rate        numeric,
  rate_source text,
  rate_day    date,
  pesos       numeric generated always as (round(price * case price_for when 'kilo' then kilos else 1 end * rate, 2)) stored,
  -- Colleague who answered; null for an answer from the command line, which has no account.
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint quote_answers_pkey primary key (id),
  constraint quote_answers_of_quote unique (quote_id, id),
  constraint quote_answers_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_answers_kind_check check (kind in ('pregunta', 'oferta', 'mensaje')),
  constraint quote_answers_body_check check (body = btrim(body) and char_length(body) between 1 and 4000),
  constraint quote_answers_price_check check (
    price between 0.01 and 999999999.99 and scale(price) <= 2 and num_nulls(price, price_for, currency) in (0, 3)),
  constraint quote_answers_price_for_check check (price_for in ('kilo', 'total')),
  constraint quote_answers_currency_check check (currency in ('MXN', 'USD', 'CNY')),
  -- The upper limit refuses infinity, and years of five digits, which browsers cannot parse.
  constraint quote_answers_valid_until_check check (
    valid_until between (created_at at time zone 'America/Tijuana')::date and '9999-12-31'),
  constraint quote_answers_kilos_check check (kilos between 1 and 1000000),
  constraint quote_answers_offer_check check (case
    when kind = 'oferta' then num_nulls(price, valid_until, kilos) = 0
    else num_nonnulls(price, valid_until, kilos, lines) = 0 end),
  constraint quote_answers_lines_check check (
    lines is null or private.offer_sum(lines, price_for, kilos) is not distinct from price),
  constraint quote_answers_author_name_check check (author_name = btrim(author_name) and char_length(author_name) between 1 and 100),
  constraint quote_answers_seen_check check (private.is_seen(body) and private.is_seen(author_name))
);
create trigger quote_answers_fixed before update on public.quote_answers
  for each row execute function private.refuse_change();
create trigger quote_answers_price before insert on public.quote_answers
  for each row execute function private.quote_answers_price();

alter table public.quote_answers enable row level security;
revoke all on public.quote_answers from public, anon, authenticated, service_role;
grant select on public.quote_answers to authenticated, service_role;
grant insert (id, quote_id, body, price, price_for, currency, valid_until, kind, kilos, lines) on public.quote_answers
  to authenticated, service_role;
grant insert (author_name) on public.quote_answers to service_role;
-- Visitors may read all columns except the author's.
grant select (id, quote_id, created_at, body, price, price_for, currency, valid_until, kind, kilos, lines, total, rate,
              rate_source, rate_day, pesos) on public.quote_answers to anon;
create policy "staff read answers" on public.quote_answers for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff answer" on public.quote_answers for insert to authenticated with check ((select private.is_staff()));
create policy "a phone reads the answers to the quotes it presents" on public.quote_answers for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Answers that a phone has shown.
create table public.quote_seen (
  answer_id uuid        not null,
  quote_id  uuid        not null,
  seen_at   timestamptz not null default now(),
  constraint quote_seen_pkey primary key (answer_id),
  constraint quote_seen_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade
);
create index quote_seen_of_quote on public.quote_seen (quote_id, answer_id);
create trigger quote_seen_fixed before update on public.quote_seen
  for each row execute function private.refuse_change();

create function private.quote_seen_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  perform from public.quote_desk as d join public.quote_answers as a using (quote_id)
    where d.quote_id = new.quote_id and d.blocked_at is null and a.id = new.answer_id for no key update of d;
  if not found then raise foreign_key_violation using message = 'The answer that was seen is not there'; end if;
  return new;
end $$;
create trigger quote_seen_before_insert before insert on public.quote_seen
  for each row execute function private.quote_seen_before_insert();

create function private.quote_seen_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set last_seen = new.answer_id where quote_id = new.quote_id;
  return null;
end $$;
create trigger quote_seen_to_desk after insert on public.quote_seen
  for each row execute function private.quote_seen_to_desk();

alter table public.quote_seen enable row level security;
revoke all on public.quote_seen from public, anon, authenticated, service_role;
grant select on public.quote_seen to authenticated, service_role;
-- ON CONFLICT requires the right to read the key.
grant select (answer_id), insert (answer_id, quote_id) on public.quote_seen to anon;
create policy "staff read what was seen" on public.quote_seen for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone knows what it has shown" on public.quote_seen for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone says that it has shown an answer" on public.quote_seen for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));

-- 2. Offers ---------------------------------------------------------------------------------------------------------

-- True if an offer may change from one state to the other. src/lead/offer.ts has the same table; a test compares the
-- two.
create function private.offer_may(state text, next text) returns boolean
  language sql immutable parallel safe
  return (state, next) in (
    ('vigente', 'aceptada'), ('vigente', 'reemplazada'), ('vigente', 'retirada'), ('vigente', 'vencida'),
    -- The customer may have accepted in time while the phone had no signal, so the sales team decides.
    ('vencida', 'aceptada'),
    ('aceptada', 'reservada'), ('aceptada', 'sinespacio'));

-- Returns the state of an offer at a given time. The stored state does not change when the offer's last day passes.
create function private.offer_state(state text, last_day date, at timestamptz) returns text
  language sql immutable parallel safe
  return case when state = 'vigente' and (at at time zone 'America/Tijuana')::date > last_day then 'vencida' else state end;
grant execute on function private.offer_state(text, date, timestamptz) to anon, authenticated, service_role;

create table public.quote_offers (
  answer_id uuid        not null,
  quote_id  uuid        not null,
  state     text        not null default 'vigente',
  state_at  timestamptz not null default now(),
  -- Text of the sales team's last change of the offer (a reason or the next step), and the airline's reference.
  word      text,
  reference text,
  constraint quote_offers_pkey primary key (answer_id),
  constraint quote_offers_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint quote_offers_state_check check (state in ('vigente', 'reemplazada', 'retirada', 'vencida', 'aceptada', 'reservada', 'sinespacio'))
);
create index quote_offers_of_quote on public.quote_offers (quote_id);
-- Each quote has at most one open offer, and at most one accepted offer without an outcome (booked or no space).
create unique index quote_offers_standing on public.quote_offers (quote_id) where state = 'vigente';
create unique index quote_offers_accepted on public.quote_offers (quote_id) where state = 'aceptada';

alter table public.quote_offers enable row level security;
revoke all on public.quote_offers from public, anon, authenticated, service_role;
grant select on public.quote_offers to anon, authenticated, service_role;
create policy "staff read offers" on public.quote_offers for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone reads what became of the offers to the quotes it presents" on public.quote_offers for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Records an answer on its lead. Functions that write offers first update, and so lock, the row of quote_desk. An
-- acceptance, a withdrawal and a newer offer therefore run one after the other, without deadlock.
create function private.quote_answers_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set status = 'respondida', last_answer = new.id where quote_id = new.quote_id;
  if new.kind = 'oferta' then
    if exists (select from public.quote_desk where quote_id = new.quote_id and accepted_state in ('aceptada', 'reservada')) then
      raise sqlstate 'PT409' using message = 'An offer of this quote is accepted or booked', hint = 'accepted';
    end if;
    update public.quote_offers as o
      set state_at = now(),
          state = case private.offer_state(o.state, a.valid_until, now()) when 'vencida' then 'vencida' else 'reemplazada' end
      from public.quote_answers as a
      where o.quote_id = new.quote_id and o.state = 'vigente' and a.id = o.answer_id;
    insert into public.quote_offers (answer_id, quote_id) values (new.id, new.quote_id);
  end if;
  return null;
end $$;
create trigger quote_answers_to_desk after insert on public.quote_answers
  for each row execute function private.quote_answers_to_desk();

-- Changes of an offer by the sales team: confirming an acceptance that came too late, withdrawing or booking the offer,
-- or reporting that the airline has no space.
create table public.offer_moves (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  answer_id   uuid        not null,
  state       text        not null,
  word        text,
  reference   text,
  created_at  timestamptz not null default now(),
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint offer_moves_pkey primary key (id),
  constraint offer_moves_offer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint offer_moves_state_check check (state in ('aceptada', 'retirada', 'reservada', 'sinespacio')),
  constraint offer_moves_word_check check (
    word = btrim(word) and char_length(word) <= 500 and private.is_seen(word)
    and (word is not null or state in ('aceptada', 'sinespacio'))),
  constraint offer_moves_reference_check check (
    reference = btrim(reference) and char_length(reference) <= 40 and private.is_seen(reference)
    and (reference is null or state = 'reservada'))
);
create index offer_moves_of_quote on public.offer_moves (quote_id, created_at);
create trigger offer_moves_fixed before update on public.offer_moves
  for each row execute function private.refuse_change();

create function private.offer_moves_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  owner uuid;
  stands text;
begin
  if exists (select from public.offer_moves where id = new.id) then return new; end if;
  select assignee into owner from public.quote_desk
    where quote_id = new.quote_id and blocked_at is null for no key update;
  if owner is null or owner is distinct from auth.uid() then
    raise sqlstate 'PT409' using message = 'Only who has the lead says what becomes of an offer',
      hint = case when owner is null then 'unowned' else 'owned' end;
  end if;
  select private.offer_state(o.state, a.valid_until, now()) into stands
    from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
    where o.quote_id = new.quote_id and o.answer_id = new.answer_id;
  if not coalesce(private.offer_may(stands, new.state), false)
     or new.state = 'aceptada' and not exists (
       select from public.quote_replies as r join public.quote_answers as a on a.id = r.answer_id
       where r.answer_id = new.answer_id and r.verdict = 'vencida'
         and (r.pressed_at at time zone 'America/Tijuana')::date <= a.valid_until)
     -- A quote can have only one offer that is accepted or booked.
     or new.state = 'aceptada' and exists (
       select from public.quote_offers where quote_id = new.quote_id and state in ('aceptada', 'reservada')) then
    raise sqlstate 'PT409' using message = format('The offer is %s', coalesce(stands, 'not there')), hint = 'moved';
  end if;
  if new.state = 'aceptada' then
    update public.quote_offers set state = 'reemplazada', state_at = now() where quote_id = new.quote_id and state = 'vigente'
      and answer_id <> new.answer_id;
  end if;
  update public.quote_offers set state = new.state, state_at = now(), word = new.word, reference = new.reference
    where answer_id = new.answer_id;
  update public.quote_desk
    set moved_offer = new.answer_id, moved_to = new.state,
        accepted = case new.state when 'retirada' then accepted else new.answer_id end,
        accepted_state = case new.state when 'retirada' then accepted_state else new.state end,
        accepted_reference = case new.state when 'retirada' then accepted_reference else new.reference end,
        reply_waiting = reply_waiting or new.state = 'aceptada',
        -- If the lead is closed, the acceptance opens it with a new deadline. An open lead keeps its deadline.
        asked_at = case when new.state = 'aceptada' and not open then now() else asked_at end,
        promise = case when new.state = 'aceptada' and not open then private.answer_promise() else promise end
    where quote_id = new.quote_id;
  return new;
end $$;
create trigger offer_moves_rules before insert on public.offer_moves
  for each row execute function private.offer_moves_rules();

alter table public.offer_moves enable row level security;
revoke all on public.offer_moves from public, anon, authenticated, service_role;
grant select on public.offer_moves to authenticated, service_role;
grant insert (id, quote_id, answer_id, state, word, reference) on public.offer_moves to authenticated;
create policy "staff read moves" on public.offer_moves for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff move an offer" on public.offer_moves for insert to authenticated with check ((select private.is_staff()));

-- 3. Replies --------------------------------------------------------------------------------------------------------

create table public.quote_replies (
  id         uuid        not null,
  quote_id   uuid        not null,
  answer_id  uuid,
  kind       text        not null,
  body       text        not null default '',
  created_at timestamptz not null default now(),
  -- Time by which an answer to the question is promised.
  promised_at timestamptz not null default now(),
  -- Time of first delivery according to the phone, if this server lost the reply and the phone sent it again.
  entregada  timestamptz,
  -- `hace`: seconds between the press of the button and this request, by the phone's clock. `pressed_at`: time of the
  -- press by the server's clock, computed from `hace`.
  hace       integer,
  pressed_at timestamptz,
  -- Effect of an acceptance, set by a trigger: 'vale' (accepted), 'repetida' (accepted before), 'vencida' (too late),
  -- 'reemplazada' (a newer offer exists), 'retirada' (withdrawn), 'sinoferta' (no such offer). Null for questions.
  verdict    text,
  -- True if the phone opened the quote by a shared link.
  enlace     boolean     not null default false,
  constraint quote_replies_pkey primary key (id),
  constraint quote_replies_quote foreign key (quote_id) references public.quotes on delete cascade,
  -- The key has two columns, so that the answer must belong to the same quote as the reply.
  constraint quote_replies_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint quote_replies_kind_check check (kind in ('aceptada', 'pregunta')),
  -- An acceptance names the accepted answer, unless the server lost this answer and was restored.
  constraint quote_replies_accepted_check check (kind <> 'aceptada' or answer_id is not null or entregada is not null),
  constraint quote_replies_body_check check (body = btrim(body) and char_length(body) <= 2000 and (kind = 'aceptada' or body <> '')),
  constraint quote_replies_seen_check check (kind = 'aceptada' and body = '' or private.is_seen(body)),
  constraint quote_replies_hace_check check (hace >= 0),
  constraint quote_replies_verdict_check check (verdict in ('vale', 'repetida', 'vencida', 'reemplazada', 'retirada', 'sinoferta'))
);
create index quote_replies_of_quote on public.quote_replies (quote_id, answer_id);
create trigger quote_replies_fixed before update on public.quote_replies
  for each row execute function private.refuse_change();

-- Sets the times of a reply. A reply that a phone sends again, after a restore from backup, keeps the time of its first
-- delivery. Runs before the triggers `limit` and `verdict`: PostgreSQL runs triggers in the order of their names.
create function private.quote_replies_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.entregada is not null then
    new.entregada := private.first_delivery(new.entregada);
    new.created_at := new.entregada;
  end if;
  new.promised_at := new.created_at + private.answer_promise();
  if new.entregada is null then return new; end if;
  if exists (select from public.quote_answers where quote_id = new.quote_id and id = new.answer_id) then
    if new.kind = 'aceptada' then new.body := ''; end if;
  else
    -- A server restored from an old backup may not have the answer. The text that the customer accepted is in `body`.
    new.answer_id := null;
  end if;
  return new;
end $$;
create trigger quote_replies_again before insert on public.quote_replies
  for each row execute function private.quote_replies_again();

create function private.quote_replies_limit() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  full_since timestamptz;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- A blocked quote is refused with the same message as an unknown one. The lock keeps other requests from changing the
  -- count below.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this reply is not there'; end if;
  if exists (select from public.quote_replies where id = new.id) then return new; end if;
  perform private.require_hourly_room('quote_replies', new.quote_id, 20);
  -- Replies that are sent again to a restored server keep their old created_at, so replies are also counted by the time
  -- of their arrival.
  select at into full_since from public.quote_events
    where quote_id = new.quote_id and code = 'contestada' and at > now() - interval '1 hour' order by id desc offset 19 limit 1;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, 'Too many replies to one quote within an hour');
  end if;
  perform private.require_room('replies');
  return new;
end $$;
create trigger quote_replies_limit before insert on public.quote_replies
  for each row execute function private.quote_replies_limit();

-- Sets the effect of an acceptance. After a restore, a phone may accept an answer that the server no longer has. Nobody
-- can check the price and time of that answer, so the acceptance has no effect ('sinoferta').
create function private.quote_replies_verdict() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  answer public.quote_answers;
  stands text;
begin
  if new.kind <> 'aceptada' or exists (select from public.quote_replies where id = new.id)
     or not private.may_speak_of(new.quote_id) then
    return new;
  end if;
  select * into answer from public.quote_answers where quote_id = new.quote_id and id = new.answer_id;
  new.pressed_at := greatest(answer.created_at,
    least(new.entregada, now() - least(coalesce(new.hace, 0), 31 * 86400) * interval '1 second'));
  select private.offer_state(state, answer.valid_until, now()) into stands
    from public.quote_offers where answer_id = answer.id;
  new.verdict := case when stands is null then 'sinoferta'
                      when stands = 'vigente' then 'vale'
                      when stands in ('aceptada', 'reservada', 'sinespacio') then 'repetida'
                      else stands end;
  if new.verdict = 'vale' then
    update public.quote_offers set state = 'aceptada', state_at = now() where answer_id = new.answer_id;
  end if;
  return new;
end $$;
create trigger quote_replies_verdict before insert on public.quote_replies
  for each row execute function private.quote_replies_verdict();

create trigger quote_replies_count after insert on public.quote_replies
  for each row execute function private.count_sent('replies');

create function private.quote_replies_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A second acceptance of the same offer does not open the lead again.
  if new.verdict is distinct from 'repetida' then
    update public.quote_desk
      set last_reply = new.id, reply_verdict = new.verdict,
          accepted = case new.verdict when 'vale' then new.answer_id else accepted end,
          accepted_state = case new.verdict when 'vale' then 'aceptada' else accepted_state end,
          accepted_reference = case new.verdict when 'vale' then null else accepted_reference end
      where quote_id = new.quote_id;
  end if;
  return null;
end $$;
create trigger quote_replies_to_desk after insert on public.quote_replies
  for each row execute function private.quote_replies_to_desk();

alter table public.quote_replies enable row level security;
revoke all on public.quote_replies from public, anon, authenticated, service_role;
grant select on public.quote_replies to anon, authenticated, service_role;
grant insert (id, quote_id, answer_id, kind, body, entregada, hace, enlace) on public.quote_replies to anon;
create policy "staff read replies" on public.quote_replies for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone reads the replies to the quotes it presents" on public.quote_replies for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone replies to a quote it presents" on public.quote_replies for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));

-- Answers in the form in which the customer's phone reads them.

-- True if this server sends messages in the given way, for example 'customer': mail to customers. The language is
-- plpgsql, which looks up a table only when it runs: a later file creates alert_sender.
create function private.sends_by(way text) returns boolean
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  return exists (select from public.alert_sender where way = any (ways));
end $$;
grant execute on function private.sends_by(text) to anon, authenticated, service_role;

-- Returns the shipment of a booked offer; null while flight and milestones are missing. `until` is the latest time of
-- the shipment: the phone keeps the quote's data until some time after it. In plpgsql, because a later file creates
-- desk_shipments.
create function private.track_of(answer uuid) returns jsonb
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  return (
    select jsonb_build_object('flight', flight, 'day', flight_day, 'origin', origin, 'waybill', waybill,
             'pickup', pickup_at, 'cutoff', cutoff_at, 'departs', departs_at, 'arrives', arrives_at, 'changed', flight_at,
             'until', until, 'steps', steps)
    from public.desk_shipments where answer_id = track_of.answer and (flight is not null or steps <> '[]'));
end $$;
grant execute on function private.track_of(uuid) to anon, authenticated, service_role;

-- Answers for the phone, with the state of their offers. `offer` has facts that only the receipt shows: `accepted` is
-- the time at which the customer pressed the button, `received` the time at which the acceptance arrived, both by this
-- server's clock. `by_mail` is true if this server mails answers to customers.
create view public.quote_words with (security_invoker = true) as
  select a.id, a.quote_id, a.created_at, a.body, a.price, a.price_for, a.currency, a.valid_until, a.kind, a.kilos,
         private.offer_state(o.state, a.valid_until, now()) as state, o.state_at, o.word, o.reference,
         case a.kind when 'oferta' then jsonb_strip_nulls(jsonb_build_object(
           'lines', a.lines, 'total', a.total, 'pesos', a.pesos, 'rate', a.rate, 'source', a.rate_source, 'day', a.rate_day,
           'accepted', yes.pressed_at, 'received', yes.created_at)) end as offer,
         (select private.sends_by('customer')) as by_mail,
         case o.state when 'reservada' then private.track_of(a.id) end as track
  from public.quote_answers as a
  left join public.quote_offers as o on o.answer_id = a.id
  left join lateral (
    select r.pressed_at, r.created_at from public.quote_replies as r
    where r.quote_id = a.quote_id and r.answer_id = a.id and r.verdict in ('vale', 'vencida')
      and o.state in ('aceptada', 'reservada', 'sinespacio')
    order by r.created_at limit 1) as yes on true;
revoke all on public.quote_words from public, anon, authenticated, service_role;
grant select on public.quote_words to anon, authenticated, service_role;

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

-- Tracking of booked shipments: flights and milestones. Rows never change; a later row corrects an earlier one.

-- 1. Values ---------------------------------------------------------------------------------------------------------

-- Returns the time zone of an airport. src/lead/shipment.ts has the same table; a test compares the two.
create function private.zone_of(place text) returns text
  language sql immutable parallel safe
  return case place when 'AIFA' then 'America/Mexico_City' when 'CUN' then 'America/Cancun'
                    when 'CGO' then 'Asia/Shanghai' else 'America/Tijuana' end;

-- True for a valid air waybill number: eleven digits, of which the last is the seven-digit serial number modulo 7 (IATA
-- Resolution 600a).
create function private.is_waybill(digits text) returns boolean
  language sql immutable strict parallel safe
  return case when digits ~ '^[0-9]{11}$'
    then substring(digits from 4 for 7)::integer % 7 = right(digits, 1)::integer else false end;
grant execute on function private.zone_of(text), private.is_waybill(text) to authenticated, service_role;

-- Returns the position of a milestone in the journey; null for a milestone that can happen anywhere, such as a delay.
create function private.step_rank(step text) returns integer
  language sql immutable parallel safe
  return array_position(
    array['recolectada', 'recibida', 'envuelo', 'llegada', 'aduana', 'liberada', 'encamino', 'entregada'], step);

-- 2. Tables ---------------------------------------------------------------------------------------------------------

-- Flights of booked offers; the newest row of an offer is its current flight.
create table public.shipment_flights (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  answer_id   uuid        not null,
  flight      text        not null,
  flight_day  date        not null,
  origin      text        not null,
  -- Air waybill number: three digits of the airline, seven of the serial number, and the check digit.
  waybill     text,
  pickup_at   timestamptz,
  cutoff_at   timestamptz,
  departs_at  timestamptz,
  arrives_at  timestamptz,
  created_at  timestamptz not null default clock_timestamp(),
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint shipment_flights_pkey primary key (id),
  constraint shipment_flights_offer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint shipment_flights_flight_check check (flight ~ '^[A-Z0-9]{2}[0-9]{1,4}$'),
  constraint shipment_flights_origin_check check (origin in ('TIJ', 'AIFA', 'CUN')),
  constraint shipment_flights_waybill_check check (private.is_waybill(waybill)),
  constraint shipment_flights_day_check check ((departs_at at time zone private.zone_of(origin))::date = flight_day),
  constraint shipment_flights_order_check check (
    pickup_at <= cutoff_at and pickup_at <= departs_at and cutoff_at <= departs_at and departs_at < arrives_at),
  -- Refuses infinity, and a year that was mistyped.
  constraint shipment_flights_near_check check (
    flight_day between (created_at at time zone 'UTC')::date - 366 and (created_at at time zone 'UTC')::date + 366
    and pickup_at between flight_day - 31 and flight_day + 31 and cutoff_at between flight_day - 31 and flight_day + 31
    and arrives_at between flight_day - 31 and flight_day + 31)
);
create index shipment_flights_of_offer on public.shipment_flights (answer_id, created_at desc, id desc);
create trigger shipment_flights_fixed before update on public.shipment_flights
  for each row execute function private.refuse_change();

-- Milestones of booked offers. A row with the step 'anulada' cancels the milestone whose id is in `corrects`.
create table public.shipment_steps (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  answer_id   uuid        not null,
  step        text        not null,
  at          timestamptz not null default now(),
  -- Reason of a delay. The customer sees it.
  word        text,
  -- Percentage of the cargo that was spoiled, recorded at delivery.
  waste       numeric,
  corrects    uuid,
  created_at  timestamptz not null default clock_timestamp(),
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint shipment_steps_pkey primary key (id),
  constraint shipment_steps_once unique (corrects),
  constraint shipment_steps_offer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint shipment_steps_corrects foreign key (corrects) references public.shipment_steps on delete cascade,
  constraint shipment_steps_step_check check (step in ('recolectada', 'recibida', 'envuelo', 'llegada', 'aduana',
    'liberada', 'encamino', 'entregada', 'detenida', 'anulada')),
  constraint shipment_steps_word_check check (
    word = btrim(word) and char_length(word) <= 500 and private.is_seen(word)
    and (word is not null) = (step = 'detenida')),
  constraint shipment_steps_waste_check check (waste between 0 and 100 and scale(waste) <= 1 and (waste is null or step = 'entregada')),
  constraint shipment_steps_corrects_check check ((corrects is not null) = (step = 'anulada'))
);
create index shipment_steps_of_offer on public.shipment_steps (answer_id, at);
create index shipment_steps_of_quote on public.shipment_steps (quote_id);
create trigger shipment_steps_fixed before update on public.shipment_steps
  for each row execute function private.refuse_change();

-- 3. Rules ----------------------------------------------------------------------------------------------------------

-- Checks that the offer is booked, and that the caller is the lead's owner, a supervisor, or the command line. Locks
-- the lead first, as every function that writes offers does. Returns the time at which the offer was made.
create function private.require_booked(quote uuid, answer uuid) returns timestamptz
  language plpgsql set search_path = ''
  as $$
declare
  owner uuid;
  offered timestamptz;
begin
  select assignee into owner from public.quote_desk where quote_id = quote and blocked_at is null for no key update;
  select a.created_at into offered
    from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
    where o.quote_id = quote and o.answer_id = answer and o.state = 'reservada'
      and exists (select from public.quote_desk as d where d.quote_id = quote and d.blocked_at is null);
  if offered is null then
    raise sqlstate 'PT409' using message = 'No space is booked for this offer', hint = 'unbooked';
  end if;
  if current_setting('role', true) = 'authenticated' and owner is distinct from auth.uid() and not private.is_supervisor() then
    raise sqlstate 'PT409' using message = 'Only who has the lead says where the shipment is',
      hint = case when owner is null then 'unowned' else 'owned' end;
  end if;
  return offered;
end $$;

create function private.shipment_flights_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  last public.shipment_flights;
begin
  if exists (select from public.shipment_flights where id = new.id) then return new; end if;
  perform private.require_booked(new.quote_id, new.answer_id);
  select f.* into last from public.shipment_flights as f
    where f.answer_id = new.answer_id order by f.created_at desc, f.id desc limit 1;
  -- A colleague saves the same flight again after a lost response: it is stored once, and alerts the customer once.
  if (last.flight, last.flight_day, last.origin, last.waybill, last.pickup_at, last.cutoff_at, last.departs_at, last.arrives_at)
      is not distinct from
      (new.flight, new.flight_day, new.origin, new.waybill, new.pickup_at, new.cutoff_at, new.departs_at, new.arrives_at) then
    return null;
  end if;
  return new;
end $$;
create trigger shipment_flights_rules before insert on public.shipment_flights
  for each row execute function private.shipment_flights_rules();

-- Refuses a milestone that was recorded already, or whose time is in the future, before the offer, or against the order
-- of the journey. A milestone may be left out and recorded later.
create function private.shipment_steps_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  offered timestamptz;
  place constant integer := private.step_rank(new.step);
  other record;
begin
  if exists (select from public.shipment_steps where id = new.id) then return new; end if;
  offered := private.require_booked(new.quote_id, new.answer_id);
  if new.step = 'anulada' then
    new.at := now();
    if not exists (select from public.shipment_steps as s where s.id = new.corrects and s.answer_id = new.answer_id
                     and s.step <> 'anulada' and not exists (select from public.shipment_steps as c where c.corrects = s.id)) then
      raise sqlstate 'PT409' using message = 'That milestone is not there any more', hint = 'gone';
    end if;
    return new;
  end if;
  -- The clock of a colleague's computer may be a little fast.
  if new.at > now() + interval '2 minutes' then
    raise sqlstate 'PT409' using message = 'A milestone lies in the past', hint = 'future';
  end if;
  new.at := least(new.at, now());
  if not new.at >= offered then
    raise sqlstate 'PT409' using message = 'A shipment does not move before its offer', hint = 'early';
  end if;
  for other in
    select s.step, s.at, private.step_rank(s.step) as place from public.shipment_steps as s
      where s.answer_id = new.answer_id and s.step <> 'anulada'
        and not exists (select from public.shipment_steps as c where c.corrects = s.id)
  loop
    if other.step = new.step and (place is not null or other.at = new.at) then
      raise sqlstate 'PT409' using message = 'That milestone is said already', hint = 'repeated';
    end if;
    -- A delay has no fixed position in the journey, but it cannot come after the delivery.
    if coalesce(other.place < place, new.step = 'entregada') and other.at > new.at
       or coalesce(other.place > place, other.step = 'entregada') and other.at < new.at then
      raise sqlstate 'PT409' using message = format('That time does not fit %s', other.step), hint = 'order';
    end if;
  end loop;
  return new;
end $$;
create trigger shipment_steps_rules before insert on public.shipment_steps
  for each row execute function private.shipment_steps_rules();

-- Records the change on the lead, and alerts the customer. Alerts are at least a minute apart, and each covers all
-- changes before it. A milestone that is cancelled before its alert was sent causes no alert.
create function private.shipment_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_table_name = 'shipment_flights' then
    update public.quote_desk set last_flight = new.id where quote_id = new.quote_id;
    -- Two days before the cut-off, the customer is reminded of missing shipping documents.
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      select d.quote_id, 'papeles', d.asked_at, new.id, greatest(now(), new.cutoff_at - interval '2 days')
      from public.quote_desk as d where d.quote_id = new.quote_id and new.cutoff_at > now();
  else
    update public.quote_desk set last_step = new.id, step = (
      select s.step from public.shipment_steps as s
        where s.quote_id = new.quote_id and s.step <> 'anulada'
          and not exists (select from public.shipment_steps as c where c.corrects = s.id)
        order by s.at desc, private.step_rank(s.step) desc nulls first limit 1)
      where quote_id = new.quote_id;
    if new.step = 'anulada' and not exists (
      select from public.alerts where quote_id = new.quote_id and about = new.corrects and spread_at is not null) then
      return null;
    end if;
  end if;
  insert into public.alerts (quote_id, kind, asked_at, about, due_at)
    select d.quote_id, 'paso', d.asked_at, new.id, greatest(now(), (
      select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
      where quote_id = new.quote_id and kind = 'paso'))
    from public.quote_desk as d where d.quote_id = new.quote_id;
  return null;
end $$;
create trigger shipment_flights_to_desk after insert on public.shipment_flights
  for each row execute function private.shipment_to_desk();
create trigger shipment_steps_to_desk after insert on public.shipment_steps
  for each row execute function private.shipment_to_desk();

-- 4. Rights ---------------------------------------------------------------------------------------------------------

alter table public.shipment_flights enable row level security;
alter table public.shipment_steps enable row level security;
revoke all on public.shipment_flights, public.shipment_steps from public, anon, authenticated, service_role;
grant select on public.shipment_flights, public.shipment_steps to authenticated, service_role;
grant insert (id, quote_id, answer_id, flight, flight_day, origin, waybill, pickup_at, cutoff_at, departs_at, arrives_at)
  on public.shipment_flights to authenticated, service_role;
grant insert (id, quote_id, answer_id, step, at, word, waste, corrects) on public.shipment_steps
  to authenticated, service_role;
grant insert (author_name) on public.shipment_steps to service_role;
create policy "staff read flights" on public.shipment_flights for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff write flights" on public.shipment_flights for insert to authenticated
  with check ((select private.is_staff()));
create policy "staff read milestones" on public.shipment_steps for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff write milestones" on public.shipment_steps for insert to authenticated
  with check ((select private.is_staff()));

-- 5. Shipments ------------------------------------------------------------------------------------------------------

-- Booked shipments with their flight, and their milestones in order, without the cancelled ones.
create view public.desk_shipments with (security_invoker = true) as
  select o.quote_id, o.answer_id, q.folio, d.assignee, o.state_at as booked_at,
         f.waybill, f.flight, f.flight_day, f.origin, f.pickup_at, f.cutoff_at, f.departs_at, f.arrives_at,
         f.created_at as flight_at, coalesce(s.steps, '[]') as steps, s.flown_at, s.landed_at, s.delivered_at, s.waste,
         greatest(s.last_at, f.created_at, f.departs_at, f.arrives_at) as until
  from public.quote_offers as o
  join public.quote_desk as d on d.quote_id = o.quote_id and d.blocked_at is null
  join public.quotes as q on q.id = o.quote_id
  left join lateral (
    select * from public.shipment_flights where answer_id = o.answer_id order by created_at desc, id desc limit 1) as f on true
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', e.id, 'step', e.step, 'at', e.at, 'word', e.word, 'waste', e.waste)
             order by e.at, private.step_rank(e.step) nulls last, e.created_at) as steps,
           max(e.at) filter (where e.step = 'envuelo') as flown_at,
           max(e.at) filter (where e.step = 'llegada') as landed_at,
           max(e.at) filter (where e.step = 'entregada') as delivered_at,
           max(e.waste) as waste, max(e.created_at) as last_at
    from public.shipment_steps as e
    where e.answer_id = o.answer_id and e.step <> 'anulada'
      and not exists (select from public.shipment_steps as c where c.corrects = e.id)) as s on true
  where o.state = 'reservada';
revoke all on public.desk_shipments from public, anon, authenticated, service_role;
grant select on public.desk_shipments to authenticated, service_role;
grant execute on function private.step_rank(text) to authenticated, service_role;

-- Data for the desk's page: list of leads, search, history of an exporter, reminders, and the counts of leads that a
-- locked desk shows.

-- 1. The list -------------------------------------------------------------------------------------------------------

create view public.desk_leads with (security_invoker = true) as
  select d.quote_id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga,
         q.promociones, q.reemplaza,
         d.status, d.assignee, d.assignee_name, d.open, d.reply_waiting, d.asked_at,
         d.asked_at + d.promise as due_at,
         q.promised_at,
         d.first_answer_at, d.last_answer, d.last_reply, s.seen_at, d.replaced_by, d.blocked_at, d.version, d.updated_at,
         q.entregada,
         d.reply_verdict,
         -- Kind of the answer to which the customer's last reply refers.
         (select w.kind from public.quote_replies as r join public.quote_answers as w on w.id = r.answer_id
          where r.id = d.last_reply) as reply_to,
         d.lost_reason, d.news_at,
         a.price as accepted_price, a.price_for as accepted_price_for, a.currency as accepted_currency,
         a.kilos as accepted_kilos, a.valid_until as accepted_valid_until, d.accepted_state, d.accepted_reference, d.step,
         a.lines as accepted_lines, a.total as accepted_total, a.pesos as accepted_pesos,
         q.origen, q.igual, q.importada,
         f.value as offered, f.currency as offered_currency,
         q.more
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer
  left join public.quote_answers as a on a.id = d.accepted
  -- Value of the open or accepted offer; for a price by the kilo, the value of one month.
  left join lateral (
    select w.currency, w.total as value
    from public.quote_offers as o join public.quote_answers as w on w.id = o.answer_id
    where o.quote_id = d.quote_id
      and private.offer_state(o.state, w.valid_until, now()) in ('vigente', 'aceptada', 'reservada')
    order by w.created_at desc limit 1) as f on true;
revoke all on public.desk_leads from public, anon, authenticated, service_role;
grant select on public.desk_leads to authenticated, service_role;

-- 2. Search ---------------------------------------------------------------------------------------------------------

-- Returns the typed search words, from a header with a JSON string. They are not in the URL, because URLs are logged
-- and the words may be personal data.
create function private.typed_words() returns text[]
  language plpgsql stable set search_path = ''
  as $$
declare
  typed constant text := left(btrim(
    (('["' || (nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-search') || '"]')::jsonb) ->> 0), 100);
begin
  if typed ~ '^[0-9[:space:]()+.-]+$' then return array[right(private.digits(typed), 10)]; end if;
  return (select coalesce(array_agg(word), '{}')
          from (select word from regexp_split_to_table(private.plain(typed), '[[:space:]]+') as word limit 6) as few);
end $$;

-- Finds the newest fifty leads that contain every word. The newest 5000 rows are tried first, which is enough for
-- frequent words. For rare words the trigram index follows. Either way only a small part of a million rows is read.
create function private.found_leads() returns setof private.quote_keys
  language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off
  as $$
declare
  word text;
  condition text := 'true';
  is_long boolean := false;
begin
  if not private.is_staff() then return; end if;
  foreach word in array private.typed_words() loop
    condition := condition || format(' and words like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%');
    is_long := is_long or char_length(word) >= 3 and extensions.show_trgm(word) <> '{}';
  end loop;
  if not is_long then return; end if;
  return query execute format($query$
    with newest as materialized (
      select * from (select * from private.quote_keys order by created_at desc limit 5000) as k where %1$s limit 50
    ), rest as materialized (
      select * from private.quote_keys where (select count(*) from newest) < 50 and %1$s
    )
    select f.* from (select * from newest where (select count(*) from newest) = 50 union all select * from rest) as f
      where f.quote_id <> all ((select private.blocked_quotes())::uuid[])
      order by f.created_at desc limit 50 $query$, condition);
end $$;
grant execute on function private.found_leads() to authenticated;

-- Ids of the leads that the search finds. The desk then reads these leads from desk_leads.
create view public.desk_search with (security_invoker = true) as
  select quote_id, created_at from private.found_leads();
revoke all on public.desk_search from public, anon, authenticated, service_role;
grant select on public.desk_search to authenticated;

-- Other quotes with the same phone number or e-mail. The view runs with its owner's rights, because staff may not read
-- the search keys.
create view public.desk_history as
  select k.quote_id as of_quote, d.quote_id, q.folio, q.created_at, d.status, d.assignee, d.lost_reason, d.replaced_by,
         d.accepted_state, a.price, a.price_for, a.currency, a.kilos, a.valid_until,
         private.offer_state(a.state, a.valid_until, now()) as state
  from private.quote_keys as k
  cross join lateral (
    (select quote_id from private.quote_keys where phone = k.phone order by created_at desc limit 50)
    union
    (select quote_id from private.quote_keys where email = k.email order by created_at desc limit 50)) as same
  join public.quote_desk as d on d.quote_id = same.quote_id and d.quote_id <> k.quote_id and d.blocked_at is null
  join public.quotes as q on q.id = d.quote_id
  left join lateral (
    select w.price, w.price_for, w.currency, w.kilos, w.valid_until, o.state
    from public.quote_answers as w left join public.quote_offers as o on o.answer_id = w.id
    where w.quote_id = d.quote_id and w.price is not null order by w.created_at desc limit 1) as a on true
  where (select private.is_staff()) and k.quote_id <> all ((select private.blocked_quotes())::uuid[]);
revoke all on public.desk_history from public, anon, authenticated, service_role;
grant select on public.desk_history to authenticated;

-- 3. Reminders ------------------------------------------------------------------------------------------------------

-- Times at which the owners of leads want to be reminded of them.
create table public.desk_reminders (
  quote_id uuid        not null,
  staff    uuid        not null,
  at       timestamptz not null,
  why      text        not null,
  made_at  timestamptz not null default now(),
  constraint desk_reminders_pkey primary key (quote_id),
  constraint desk_reminders_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint desk_reminders_why_check check (why in ('fecha', 'vence')),
  constraint desk_reminders_at_check check (at > made_at and at <= made_at + interval '8784 hours')
);

-- Returns the time for a reminder about the open offer: 09:00 on the offer's last day. Null if no offer is open.
create function private.offer_expires(quote uuid) returns timestamptz
  language sql stable security definer set search_path = ''
  as $$
    select (a.valid_until + time '09:00') at time zone 'America/Tijuana'
    from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
    where o.quote_id = quote and private.offer_state(o.state, a.valid_until, now()) = 'vigente'
  $$;

create function private.desk_reminders_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  lead record;
begin
  select assignee, status into lead from public.quote_desk
    where quote_id = new.quote_id and blocked_at is null for no key update;
  if lead.assignee is null or lead.assignee is distinct from auth.uid() then
    raise sqlstate 'PT409' using message = 'Only who has the lead is reminded of it',
      hint = case when lead.assignee is null then 'unowned' else 'owned' end;
  end if;
  if lead.status in ('ganada', 'perdida') then
    raise sqlstate 'PT409' using message = 'The lead is closed', hint = 'closed';
  end if;
  if new.why = 'vence' then
    new.at := private.offer_expires(new.quote_id);
    if new.at is null then raise sqlstate 'PT409' using message = 'No offer stands', hint = 'nooffer'; end if;
  end if;
  new.staff := auth.uid();
  new.made_at := now();
  return new;
end $$;
-- This trigger checks changes by requests. It skips changes by the trigger quote_offers_remind.
create trigger desk_reminders_rules before insert or update on public.desk_reminders
  for each row when (pg_trigger_depth() = 0) execute function private.desk_reminders_rules();

create function private.desk_reminders_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from public.alerts where quote_id = old.quote_id and kind = 'recordar' and spread_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into public.alerts (quote_id, kind, asked_at, due_at) values (new.quote_id, 'recordar', new.at, new.at)
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger desk_reminders_alert after insert or update or delete on public.desk_reminders
  for each row execute function private.desk_reminders_alert();

-- When an offer changes, moves the reminder 'vence' to the last day of the open offer, or deletes it if no offer is
-- open.
create function private.quote_offers_remind() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  expires constant timestamptz := private.offer_expires(new.quote_id);
begin
  if new.state = 'reemplazada' then return null; end if;
  if expires between now() + interval '1 minute' and now() + interval '8784 hours' then
    update public.desk_reminders set at = expires, made_at = now()
      where quote_id = new.quote_id and why = 'vence' and at <> expires;
  else
    delete from public.desk_reminders where quote_id = new.quote_id and why = 'vence' and at > now();
  end if;
  return null;
end $$;
create trigger quote_offers_remind after insert or update of state on public.quote_offers
  for each row execute function private.quote_offers_remind();

alter table public.desk_reminders enable row level security;
revoke all on public.desk_reminders from public, anon, authenticated, service_role;
grant select, delete, insert (quote_id, at, why), update (at, why) on public.desk_reminders to authenticated;
grant select on public.desk_reminders to service_role;
create policy "staff read reminders" on public.desk_reminders for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff set reminders" on public.desk_reminders for insert to authenticated
  with check ((select private.is_staff()));
create policy "who has a lead changes its reminder" on public.desk_reminders for update to authenticated
  using ((select private.is_staff()) and exists (
    select from public.quote_desk as d where d.quote_id = desk_reminders.quote_id and d.assignee = (select auth.uid())))
  with check ((select private.is_staff()));
create policy "who has a lead removes its reminder" on public.desk_reminders for delete to authenticated
  using ((select private.is_staff()) and exists (
    select from public.quote_desk as d where d.quote_id = desk_reminders.quote_id and d.assignee = (select auth.uid())));

-- 4. A locked desk --------------------------------------------------------------------------------------------------

-- Secrets of locked desks. A locked desk can read the counts of leads with its secret for twelve hours, or until the
-- colleague ends the shift.
create table public.desk_watches (
  secret  uuid        not null,
  staff   uuid        not null default auth.uid(),
  made_at timestamptz not null default now(),
  constraint desk_watches_pkey primary key (secret)
);

create function private.desk_watches_end() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from public.desk_watches where made_at <= now() - interval '12 hours';
  return null;
end $$;
create trigger desk_watches_end after insert on public.desk_watches
  for each statement execute function private.desk_watches_end();

-- Counts leads for a locked desk. The secret is in a header, because URLs are logged.
create function private.watched_leads() returns table (open integer, late integer, newest timestamptz)
  language sql stable security definer set search_path = ''
  as $$
    select count(d.quote_id)::integer,
           (count(d.quote_id) filter (where d.asked_at + d.promise < now()))::integer, max(d.asked_at)
    from public.desk_watches as w
    join public.staff_presence as p on p.staff = w.staff and (p.left_at is null or p.left_at < w.made_at)
    left join public.quote_desk as d on d.open and d.blocked_at is null
    where w.secret::text = nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-watch'
      and w.made_at > now() - interval '12 hours'
    group by w.secret
  $$;
grant execute on function private.watched_leads() to anon;

create view public.desk_watch with (security_invoker = true) as
  select open, late, newest from private.watched_leads();

alter table public.desk_watches enable row level security;
revoke all on public.desk_watches, public.desk_watch from public, anon, authenticated, service_role;
grant insert (secret) on public.desk_watches to authenticated;
grant select on public.desk_watch to anon;
create policy "a desk that locks itself goes on counting" on public.desk_watches for insert to authenticated
  with check ((select private.is_staff()) and staff = (select auth.uid()));

-- Duties of the personal data law: withdrawal of consent, mail that a customer stops, all data about one person, and
-- retention.

-- 1. Promotions -----------------------------------------------------------------------------------------------------

create table public.promotion_withdrawals (
  id         uuid        not null default gen_random_uuid(),
  quote_id   uuid        not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint promotion_withdrawals_pkey primary key (id),
  constraint promotion_withdrawals_quote foreign key (quote_id) references public.quotes on delete cascade
);
create index promotion_withdrawals_of_quote on public.promotion_withdrawals (quote_id);

-- Checks a phone's message about a quote. Allows `tg_argv[0]` rows of this table about one quote within an hour.
create function private.phone_message_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  is_known boolean;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock keeps other requests from changing the count below.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this message is not there'; end if;
  execute format('select exists (select from public.%I where id = $1)', tg_table_name) into is_known using new.id;
  -- Choices that the server itself stores are never refused, for example after a customer wrote BAJA by WhatsApp.
  if is_known or coalesce(current_setting('role', true), '') <> 'anon' then return new; end if;
  perform private.require_hourly_room(tg_table_name, new.quote_id, tg_argv[0]::integer);
  perform private.require_room('replies');
  return new;
end $$;
-- The next two triggers check and count only rows that requests insert. The condition pg_trigger_depth() = 0 is false
-- for the rows that the trigger promotion_withdrawals_heed (below) inserts.
create trigger promotion_withdrawals_before_insert before insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.phone_message_before_insert('5');
create trigger promotion_withdrawals_count after insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.count_sent('replies');

-- Ends the person's consent to promotions, for the presented quote and for all quotes with the same e-mail and phone
-- number. The e-mail alone is not enough, because anybody can write another person's e-mail into a quote.
create function private.promotion_withdrawals_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  with theirs as (
    update public.quotes as q set promociones = false
      where q.promociones and q.id in (
        select new.quote_id
        union all select unnest(private.presented_quote_ids())
        union all select k.quote_id from private.quote_keys as k
          join private.quote_keys as one on one.quote_id = new.quote_id and one.email = k.email and one.phone = k.phone)
      returning q.id
  )
  insert into public.promotion_withdrawals (quote_id, created_at)
    select id, new.created_at from theirs where id <> new.quote_id;
  return null;
end $$;
create trigger promotion_withdrawals_heed after insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.promotion_withdrawals_heed();
create trigger promotion_withdrawals_fixed before update on public.promotion_withdrawals
  for each row execute function private.refuse_change();

alter table public.promotion_withdrawals enable row level security;
revoke all on public.promotion_withdrawals from public, anon, authenticated, service_role;
grant select (id, quote_id, created_at), insert (id, quote_id) on public.promotion_withdrawals to anon;
grant select on public.promotion_withdrawals to authenticated, service_role;
create policy "a phone withdraws consent by a quote that it presents" on public.promotion_withdrawals for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has withdrawn" on public.promotion_withdrawals for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read withdrawals" on public.promotion_withdrawals for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Consents to promotions, with the version of the privacy notice and the time at which they were withdrawn.
create view public.promotion_consents with (security_invoker = true) as
  select q.id as quote_id, q.folio, q.email, q.nombre, q.empresa, q.created_at as given_at, w.created_at as withdrawn_at, q.aviso
  from public.quotes as q
  left join lateral (select min(created_at) as created_at from public.promotion_withdrawals where quote_id = q.id) as w on true
  where q.promociones or w.created_at is not null;
revoke all on public.promotion_consents from public, anon, authenticated, service_role;
grant select on public.promotion_consents to service_role;

-- 2. Mail ------------------------------------------------------------------------------------------------------------

-- Quotes about which the customer wants no mail.
create table public.mail_stops (
  id         uuid        not null,
  quote_id   uuid        not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint mail_stops_pkey primary key (id),
  constraint mail_stops_quote foreign key (quote_id) references public.quotes on delete cascade
);
create index mail_stops_of_quote on public.mail_stops (quote_id);

create trigger mail_stops_before_insert before insert on public.mail_stops
  for each row execute function private.phone_message_before_insert('5');
create trigger mail_stops_count after insert on public.mail_stops
  for each row execute function private.count_sent('replies');
create trigger mail_stops_fixed before update on public.mail_stops
  for each row execute function private.refuse_change();

alter table public.mail_stops enable row level security;
revoke all on public.mail_stops from public, anon, authenticated, service_role;
grant select (id, quote_id, created_at), insert (id, quote_id) on public.mail_stops to anon;
grant select on public.mail_stops to authenticated, service_role;
create policy "a phone stops mail about a quote that it presents" on public.mail_stops for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what mail it has stopped" on public.mail_stops for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read who wants no mail" on public.mail_stops for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- 3. WhatsApp --------------------------------------------------------------------------------------------------------

-- Consents to WhatsApp about a quote, and their withdrawals; the last row of a quote applies. Writing BAJA also
-- withdraws.
create table public.whatsapp_choices (
  id         uuid        not null,
  quote_id   uuid        not null,
  wanted     boolean     not null,
  -- Version of the privacy notice that the page showed when it asked for the consent.
  aviso      text,
  created_at timestamptz not null default clock_timestamp(),
  constraint whatsapp_choices_pkey primary key (id),
  constraint whatsapp_choices_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint whatsapp_choices_aviso_check check (aviso ~ '^[0-9a-f]{8}$')
);
create index whatsapp_choices_of_quote on public.whatsapp_choices (quote_id, created_at desc, id desc);
create trigger whatsapp_choices_before_insert before insert on public.whatsapp_choices
  for each row execute function private.phone_message_before_insert('10');
create trigger whatsapp_choices_count after insert on public.whatsapp_choices
  for each row when (current_setting('role', true) = 'anon') execute function private.count_sent('replies');
create trigger whatsapp_choices_fixed before update on public.whatsapp_choices
  for each row execute function private.refuse_change();

alter table public.whatsapp_choices enable row level security;
revoke all on public.whatsapp_choices from public, anon, authenticated, service_role;
grant select (id, quote_id, wanted, created_at), insert (id, quote_id, wanted, aviso) on public.whatsapp_choices to anon;
grant select on public.whatsapp_choices to authenticated, service_role;
create policy "a phone chooses WhatsApp for a quote that it presents" on public.whatsapp_choices for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has chosen" on public.whatsapp_choices for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read who wants WhatsApp" on public.whatsapp_choices for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- 4. One person -----------------------------------------------------------------------------------------------------

-- Returns the person asked for, from a header with a JSON string: an e-mail, a phone number, or ids of quotes. The
-- value is not in the URL, because URLs are logged.
create function private.asked_person() returns text
  language sql stable set search_path = ''
  as $$
    select lower(btrim((('["' || (nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-person') || '"]')::jsonb) ->> 0))
  $$;

create function private.quotes_of_person() returns setof uuid
  language plpgsql stable security definer set search_path = ''
  as $$
declare
  asked constant text := private.asked_person();
begin
  if asked ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(,[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})*$' then
    return query select unnest(string_to_array(asked, ',')::uuid[]);
  elsif asked like '%@%' then
    return query select k.quote_id from private.quote_keys as k where k.email = asked;
  elsif char_length(private.digits(asked)) >= 7 then
    return query select k.quote_id from private.quote_keys as k where k.phone = right(private.digits(asked), 10);
  end if;
end $$;

-- Returns the time of the last activity on a quote. Notes, states of shipping documents, incomplete files and reminders
-- are not in the history (quote_events), so their tables are read too.
create function private.last_word(quote uuid) returns timestamptz
  language sql stable set search_path = ''
  as $$
    select greatest(
      (select max(at) from public.quote_events
       where quote_id = quote and code not in ('bloqueada', 'desbloqueada', 'borrada')),
      (select max(created_at) from public.quote_notes where quote_id = quote),
      (select max(created_at) from public.shipment_papers where quote_id = quote),
      (select max(created_at) from public.quote_files where quote_id = quote),
      (select made_at from public.desk_reminders where quote_id = quote))
  $$;

-- Finds the person's quotes, also blocked ones, because the right to see one's own data includes them.
create function private.person_quotes()
  returns table (quote_id uuid, folio text, created_at timestamptz, nombre text, empresa text, email text, telefono text,
                 promociones boolean, promociones_retirada timestamptz, aviso text, blocked_at timestamptz, last_word timestamptz)
  language sql stable security definer set search_path = ''
  as $$
    select q.id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.promociones,
           (select min(w.created_at) from public.promotion_withdrawals as w where w.quote_id = q.id),
           q.aviso, d.blocked_at, private.last_word(q.id)
    from private.quotes_of_person() as theirs
    join public.quotes as q on q.id = theirs
    join public.quote_desk as d on d.quote_id = q.id
  $$;
grant execute on function private.person_quotes() to service_role;

create view public.person_quotes with (security_invoker = true) as select * from private.person_quotes();

-- Returns all rows that belong to the person's quotes. The function searches every table with a column `quote_id` or a
-- foreign key to such a table, so a new table needs no change here.
create function private.person_rows() returns table (place text, contents jsonb)
  language plpgsql stable security definer set search_path = ''
  as $$
declare
  ids constant uuid[] := array(select private.quotes_of_person());
  step record;
begin
  for step in
    with recursive tables as (
      select c.oid, c.oid = 'public.quotes'::regclass or exists (
               select from pg_catalog.pg_attribute as a where a.attrelid = c.oid and a.attname = 'quote_id' and not a.attisdropped) as is_near
      from pg_catalog.pg_class as c
      where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    ), reached as (
      select t.oid, case t.oid when 'public.quotes'::regclass then 'id = any ($1)' else 'quote_id = any ($1)' end collate "C" as condition,
             array[t.oid] as path
      from tables as t where t.is_near
      union all
      select k.conrelid, pg_catalog.format('(%s) in (select %s from %s where %s)',
               (select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by n.place)
                from unnest(k.conkey) with ordinality as n (number, place)
                join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = n.number),
               (select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by n.place)
                from unnest(k.confkey) with ordinality as n (number, place)
                join pg_catalog.pg_attribute as a on a.attrelid = k.confrelid and a.attnum = n.number),
               k.confrelid::regclass, r.condition) collate "C",
             r.path || k.conrelid
      from reached as r
      join pg_catalog.pg_constraint as k on k.contype = 'f' and k.confrelid = r.oid
      join tables as t on t.oid = k.conrelid and not t.is_near
      where k.conrelid <> all (r.path)
    )
    select r.oid::regclass::text as name, pg_catalog.string_agg(distinct r.condition, ' or ') as condition
    from reached as r group by r.oid order by 1
  loop
    return query execute pg_catalog.format('select %L::text, to_jsonb(t) from %s as t where %s', step.name, step.name, step.condition)
      using ids;
  end loop;
end $$;
grant execute on function private.person_rows() to service_role;

create view public.person_rows with (security_invoker = true) as
  select place, contents, row_number() over (order by place, contents::text)::integer as number from private.person_rows();

-- Returns the person's messages by mail or WhatsApp that belong to no quote yet, with their files.
create function private.person_messages() returns table (place text, contents jsonb)
  language plpgsql stable security definer set search_path = ''
  as $$
declare
  asked constant text := private.asked_person();
begin
  return query
    with theirs as (
      select m.* from public.received_messages as m
        where m.quote_id is null and case when asked like '%@%' then m.sender = asked
          else asked ~ '^[0-9[:space:]()+.-]+$' and char_length(private.digits(asked)) >= 7
               and m.sender !~ '[^+0-9]' and right(private.digits(m.sender), 10) = right(private.digits(asked), 10) end
    )
    select 'public.received_messages'::text, to_jsonb(t) from theirs as t
    union all
    select 'public.received_files'::text, to_jsonb(f) from public.received_files as f
      join theirs as t on t.id = f.message_id
    union all
    select 'public.whatsapp_senders'::text, to_jsonb(s) from public.whatsapp_senders as s
      join theirs as t on t.id = s.message_id
    union all
    select 'public.whatsapp_media'::text, to_jsonb(f) from public.whatsapp_media as f
      join theirs as t on t.id = f.message_id;
end $$;
grant execute on function private.person_messages() to service_role;

create view public.person_messages with (security_invoker = true) as
  select place, contents, row_number() over (order by place desc, contents::text)::integer as number from private.person_messages();

revoke all on public.person_quotes, public.person_rows, public.person_messages from public, anon, authenticated, service_role;
grant select on public.person_quotes, public.person_rows, public.person_messages to service_role;

-- 5. Retention ------------------------------------------------------------------------------------------------------

-- Blocks quotes without activity for `months` months and without a reminder, and erases quotes that were blocked three
-- months ago. Also erases received messages of that age that nobody has assigned to a quote.
create function private.retain(months integer, moment timestamptz default now())
  returns table (blocked integer, erased integer, is_over boolean)
  language plpgsql set search_path = ''
  as $$
declare
  at_once constant integer := 200;
  too_old constant timestamptz := moment - make_interval(months => retain.months);
begin
  with old as (
    select d.quote_id from public.quote_desk as d
      where d.blocked_at is null and private.last_word(d.quote_id) < too_old
        and not exists (select from public.desk_reminders as r where r.quote_id = d.quote_id and r.at > moment)
      order by d.quote_id limit at_once for update of d skip locked)
  update public.quote_desk set blocked_at = now() where quote_id in (select quote_id from old);
  get diagnostics blocked = row_count;
  -- src/content/legal.ts promises that the person may still ask for the data during these three months.
  with old as (
    select d.quote_id from public.quote_desk as d
      where d.blocked_at < moment - interval '3 months' and private.last_word(d.quote_id) < too_old
      order by d.quote_id limit at_once for update of d skip locked)
  delete from public.quotes where id in (select quote_id from old);
  get diagnostics erased = row_count;
  delete from public.received_messages where quote_id is null and stored_at < too_old;
  is_over := greatest(blocked, erased) < at_once;
  return next;
end $$;

-- Schedules retention on a hosted project with pg_cron, between 10:00 and 12:00 UTC, when it is night in Tijuana. With
-- zero months, removes the schedule.
create function private.keep_retaining(months integer) returns void
  language plpgsql set search_path = ''
  as $$
begin
  perform cron.schedule('retention', '*/10 10-11 * * *', format('select private.retain(%s)', months));
  if months = 0 then perform cron.unschedule('retention'); end if;
end $$;

-- Links that open a quote on another phone, and recovery of the rows that a restored server has lost.

-- 1. Links ----------------------------------------------------------------------------------------------------------

-- A link contains half of sha256(id) or, after the customer has revoked links, half of sha256(id, id of the last
-- revocation). Phone and desk compute the link from the id (src/lead/quote-link.ts). The id cannot be computed from a
-- link.
create index quotes_link on public.quotes (substring(sha256(uuid_send(id)) for 16));

-- Revocations of links; each makes the earlier link invalid. quote_id has no foreign key: unknown_submissions must find
-- the revocation even after its quote was erased.
create table public.quote_link_closings (
  id         uuid        not null,
  quote_id   uuid        not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint quote_link_closings_pkey primary key (id)
);
create index quote_link_closings_of_quote on public.quote_link_closings (quote_id, created_at desc, id desc);
create index quote_link_closings_link on public.quote_link_closings (substring(sha256(uuid_send(quote_id) || uuid_send(id)) for 16));

create trigger quote_link_closings_before_insert before insert on public.quote_link_closings
  for each row execute function private.phone_message_before_insert('20');
create trigger quote_link_closings_count after insert on public.quote_link_closings
  for each row execute function private.count_sent('replies');
create trigger quote_link_closings_fixed before update or delete on public.quote_link_closings
  for each row execute function private.refuse_change();

alter table public.quote_link_closings enable row level security;
revoke all on public.quote_link_closings from public, anon, authenticated, service_role;
grant select (id, quote_id, created_at), insert (id, quote_id) on public.quote_link_closings to anon;
grant select on public.quote_link_closings to authenticated;
create policy "a phone closes the link of a quote that it presents" on public.quote_link_closings for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has closed" on public.quote_link_closings for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read which links were closed" on public.quote_link_closings for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Returns the quotes that a request presents, by id or by a valid link. `igual` is included, because the phone that
-- opened the link may have to send the quote again to a restored server: without `igual`, that server would refuse a
-- deliberate copy as a repeated quote.
create function private.linked_quotes()
  returns table (id uuid, created_at timestamptz, promised_at timestamptz, closing uuid, nombre text, empresa text, email text, telefono text,
                 peso integer, tipo_carga text, promociones boolean, reemplaza text, igual text, more jsonb)
  language sql stable security definer set search_path = ''
  as $$
    select q.id, q.created_at, q.promised_at, closed.id, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga, q.promociones,
           q.reemplaza, q.igual, q.more
    from (select shown as quote_id, shown from unnest(private.presented_quote_ids()) as shown
          union all
          select f.id, shown from unnest(private.presented_quote_ids()) as shown
            join public.quotes as f on substring(sha256(uuid_send(f.id)) for 16) = uuid_send(shown)
          union all
          select c.quote_id, shown from unnest(private.presented_quote_ids()) as shown
            join public.quote_link_closings as c
              on substring(sha256(uuid_send(c.quote_id) || uuid_send(c.id)) for 16) = uuid_send(shown)) as found
    join public.quotes as q on q.id = found.quote_id
    join public.quote_desk as d on d.quote_id = q.id and d.blocked_at is null
    left join lateral (select c.id from public.quote_link_closings as c where c.quote_id = q.id
                       order by c.created_at desc, c.id desc limit 1) as closed on true
    where q.id = found.shown
       or uuid_send(found.shown) = substring(sha256(uuid_send(q.id) || coalesce(uuid_send(closed.id), '')) for 16)
  $$;
grant execute on function private.linked_quotes() to anon;

create view public.quote_links with (security_invoker = true) as
  select id, created_at, promised_at, closing, nombre, empresa, email, telefono, peso, tipo_carga, promociones, reemplaza,
         igual, more
  from private.linked_quotes();
revoke all on public.quote_links from public, anon, authenticated, service_role;
grant select on public.quote_links to anon;

-- 2. Recovery -------------------------------------------------------------------------------------------------------

-- Returns the presented ids that this server does not know. After a restore from an older backup, phones send the rows
-- with these ids again, up to 30 days later. An erased quote counts as known, because its history remains.
create function private.unknown_submissions() returns setof uuid
  language sql stable security definer set search_path = ''
  as $$
    select shown from unnest(private.presented_quote_ids()) as shown
    where not exists (select from public.quotes where id = shown)
      and not exists (select from public.quote_replies where id = shown)
      and not exists (select from public.quote_link_closings where id = shown)
      and not exists (select from public.quote_details where id = shown)
      and not exists (select from public.shipment_papers where id = shown)
      and not exists (select from public.quote_files where id = shown and whole_at is not null)
      and not exists (select from public.promotion_withdrawals where id = shown)
      and not exists (select from public.mail_stops where id = shown)
      and not exists (select from public.whatsapp_choices where id = shown)
      and not exists (select from public.quote_events where quote_id = shown)
      and not exists (select from public.quote_events where ref = shown and code = 'contestada')
  $$;
grant execute on function private.unknown_submissions() to anon;

create view public.unknown_submissions with (security_invoker = true) as
  select id from private.unknown_submissions() as id;
revoke all on public.unknown_submissions from public, anon, authenticated, service_role;
grant select on public.unknown_submissions to anon;

-- Messages that customers send by e-mail or WhatsApp. The code of a channel calls receive_message for a message, and
-- attach_received_file for a file that arrives later. A message becomes a question about its quote, as if the phone had
-- sent it. If its quote is not certain, the message waits until a colleague assigns it to one.

-- 1. Tables ---------------------------------------------------------------------------------------------------------

create table public.received_messages (
  id              uuid        not null default gen_random_uuid(),
  channel         text        not null,
  -- Id that the provider gave the message: Message-ID of a mail, or WhatsApp's wamid.
  external_id     text        not null,
  -- E-mail or number of the sender, as the channel writes it.
  sender          text        not null,
  sender_name     text,
  -- Text of the message without quoted parts. `whole`: its complete text, if it differs.
  body            text        not null,
  whole           text,
  -- Times of arrival at the provider, and in this database.
  received_at     timestamptz not null default now(),
  stored_at       timestamptz not null default now(),
  quote_id        uuid,
  -- Quote that the message names. The sender may be somebody else than the exporter of that quote.
  suggested       uuid,
  -- True if the provider reports that the sender's address was forged.
  unproven        boolean     not null default false,
  -- Number of files that were not stored, because of their type or size, or because there were too many.
  unstored_files  integer     not null default 0,
  -- Number of further messages of this sender that were not stored, because too many came within an hour.
  more            integer     not null default 0,
  state           text        not null default 'pendiente',
  handled_at      timestamptz,
  handled_by      uuid,
  handled_by_name text,
  constraint received_messages_pkey primary key (id),
  constraint received_messages_once unique (channel, external_id),
  constraint received_messages_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint received_messages_suggested foreign key (suggested) references public.quotes on delete set null,
  constraint received_messages_channel_check check (channel in ('correo', 'whatsapp')),
  constraint received_messages_external_id_check check (char_length(external_id) between 1 and 1000),
  constraint received_messages_sender_check check (
    sender = lower(btrim(sender)) and char_length(sender) <= 320 and private.is_seen(sender)),
  constraint received_messages_sender_name_check check (char_length(sender_name) <= 100 and private.is_seen(sender_name)),
  constraint received_messages_body_check check (
    body = btrim(body) and char_length(body) <= 2000 and private.is_seen(body)),
  constraint received_messages_whole_check check (char_length(whole) <= 20000),
  constraint received_messages_state_check check (
    state in ('pendiente', 'asignado', 'descartado') and (state = 'asignado') = (quote_id is not null))
);
create index received_messages_of_quote on public.received_messages (quote_id) where quote_id is not null;
create index received_messages_suggested on public.received_messages (suggested) where suggested is not null;
create index received_messages_unassigned on public.received_messages (sender, stored_at) where quote_id is null;
create index received_messages_pending on public.received_messages (received_at) where state = 'pendiente';

-- Hashed ids of all messages that were ever received, even of erased ones. If a mailbox is read again, no message is
-- stored a second time.
create table private.received_ids (
  id bytea not null,
  constraint received_ids_pkey primary key (id)
);
revoke all on private.received_ids from public, anon, authenticated, service_role;

-- Files of messages that are not assigned to a quote. When a colleague assigns a message, its files move to
-- quote_files.
create table public.received_files (
  id         uuid    not null default gen_random_uuid(),
  message_id uuid    not null,
  nombre     text    not null,
  tipo       text    not null,
  bytes      integer not null,
  huella     text    not null,
  datos      bytea   not null,
  constraint received_files_pkey primary key (id),
  constraint received_files_once unique (message_id, huella),
  constraint received_files_message foreign key (message_id) references public.received_messages on delete cascade
);
-- Stored without compression, because images are compressed already.
alter table public.received_files alter column datos set storage external;

-- 2. Into a quote ---------------------------------------------------------------------------------------------------

-- Stores a file among the files of a quote. Returns false if the rules of quote_files refuse it.
create function private.store_quote_file(quote uuid, name text, content bytea) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
declare
  headers constant text := current_setting('request.headers', true);
  hash constant text := encode(sha256(content), 'hex');
  file constant uuid := gen_random_uuid();
begin
  if exists (select from public.quote_files as f where f.quote_id = quote and f.huella = hash) then
    return true;
  end if;
  -- The triggers of quote_files check only requests with the quote's id in the header x-submission-id, so it is set
  -- here. app.room limits a request to one file; it is emptied, because a message may have several files.
  perform set_config('request.headers', json_build_object('x-submission-id', quote)::text, true),
          set_config('app.room', '', true);
  begin
    insert into public.quote_files (id, quote_id, nombre, tipo, bytes, huella)
      values (file, quote, name, private.file_type(content), octet_length(content), hash);
    insert into public.quote_file_parts (file_id, parte, base64)
      select file, parte, encode(substr(content, 1 + 65536 * parte, 65536), 'base64')
      from generate_series(0, (octet_length(content) - 1) / 65536) as parte;
    perform set_config('request.headers', coalesce(headers, ''), true);
    return true;
  -- The quote has too many files or is blocked, the space for files is used up, or the file has a type that is not
  -- accepted.
  exception when check_violation or not_null_violation or foreign_key_violation or sqlstate 'PGRST' then
    perform set_config('request.headers', coalesce(headers, ''), true);
    return false;
  end;
end $$;

-- Adds the message to the conversation, as a question of the customer.
create function private.ask_by_message(message public.received_messages, quote uuid, answer uuid default null) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.quote_replies (id, quote_id, answer_id, kind, body)
      select message.id, quote, (select a.id from public.quote_answers as a where a.id = answer and a.quote_id = quote),
             'pregunta', message.body
  $$;

-- Checks and completes the change when a colleague assigns or discards a message, or undoes one of these.
create function private.received_messages_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  file public.received_files;
begin
  if old.state = 'asignado' or old.state = 'descartado' and new.quote_id is not null then
    raise sqlstate 'PT409' using message = 'Somebody has handled this message', hint = 'handled';
  end if;
  new.state := case when new.quote_id is not null then 'asignado' else new.state end;
  new.handled_at := case when new.state <> 'pendiente' then now() end;
  new.handled_by := auth.uid();
  new.handled_by_name := private.staff_name();
  if new.quote_id is null then return new; end if;
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this message is not there'; end if;
  perform private.ask_by_message(new, new.quote_id);
  for file in delete from public.received_files where message_id = new.id returning * loop
    if not private.store_quote_file(new.quote_id, file.nombre, file.datos) then
      new.unstored_files := new.unstored_files + 1;
    end if;
  end loop;
  return new;
end $$;
create trigger received_messages_rules before update of quote_id, state on public.received_messages
  for each row execute function private.received_messages_rules();
create trigger received_messages_one after update on public.received_messages
  referencing new table as changed
  for each statement execute function private.quote_desk_one();

-- Alerts the team about received messages that belong to no known quote, at most once in ten minutes.
create function private.received_messages_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  perform private.alert_team('sinasignar', now(), interval '10 minutes');
  return null;
end $$;
create trigger received_messages_alert after insert on public.received_messages
  for each row when (new.state = 'pendiente') execute function private.received_messages_alert();

-- Records an erased message in the history. From there the server knows that it must remove the message's bytes from
-- the database's files, and erase the message again after a restore from backup.
create function private.received_messages_erased() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into public.quote_events (quote_id, version, code) values (old.id, 1, 'borrada');
  return null;
end $$;
create trigger received_messages_erased after delete on public.received_messages
  for each row when (old.quote_id is null) execute function private.received_messages_erased();

-- 3. Receiving ------------------------------------------------------------------------------------------------------

-- Stores a message once, under an id that the caller makes. Outcomes: 'asignado' (it is a question about `quote`),
-- 'pendiente' (it waits for a colleague), 'repetido' (it was stored before; the id is null if it was erased in the
-- meantime), 'demasiados' (not stored, because the sender sent too many within an hour). `quote` is set only if channel
-- and sender prove that the message is about it. `answer`: the answer to which the message replies. `files`: objects
-- with `nombre` and `base64`.
create function public.receive_message(id uuid, channel text, external_id text, sender text, sender_name text, body text, whole text,
    received_at timestamptz, quote uuid default null, suggested uuid default null, answer uuid default null,
    unproven boolean default false, files json default '[]')
  returns table (message uuid, outcome text)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  row public.received_messages;
  target uuid := receive_message.quote;
begin
  -- The lock keeps other messages from changing the counts below.
  perform pg_advisory_xact_lock(hashtextextended('received_messages', 0));
  delete from public.received_messages where state = 'descartado' and handled_at < now() - interval '30 days';
  insert into private.received_ids (id)
    values (sha256(convert_to(receive_message.channel || ' ' || receive_message.external_id, 'UTF8'))) on conflict do nothing;
  if not found then
    return query select (select m.id from public.received_messages as m
        where m.channel = receive_message.channel and m.external_id = receive_message.external_id), 'repetido';
    return;
  end if;
  row := (receive_message.id, receive_message.channel, receive_message.external_id, lower(btrim(receive_message.sender)),
    case when private.is_seen(receive_message.sender_name) then left(btrim(receive_message.sender_name), 100) end,
    case when private.is_seen(left(receive_message.body, 2000)) then btrim(left(btrim(receive_message.body), 2000)) else '…' end,
    left(coalesce(receive_message.whole, case when char_length(btrim(receive_message.body)) > 2000 then receive_message.body end), 20000),
    least(receive_message.received_at, now()), now(), null,
    coalesce(receive_message.suggested, target), receive_message.unproven, 0, 0, 'pendiente', null, null, null)::public.received_messages;
  if target is not null and (select count(*) from public.received_messages as m
                             where m.quote_id = target and m.stored_at > now() - interval '1 hour') < 10 then
    begin
      row.quote_id := target;
      row.state := 'asignado';
      row.suggested := null;
      perform private.ask_by_message(row, target, receive_message.answer);
    -- The quote is blocked or erased, or has too many questions.
    exception when foreign_key_violation or sqlstate 'PGRST' then
      row.quote_id := null;
      row.state := 'pendiente';
      row.suggested := coalesce(receive_message.suggested, target);
    end;
  end if;
  row.suggested := (select q.id from public.quotes as q where q.id = row.suggested);
  if row.quote_id is null and (
    (select count(*) from public.received_messages as m
     where m.sender = row.sender and m.quote_id is null and m.stored_at > now() - interval '1 hour') >= 20
    or (select count(*) from public.received_messages as m where m.state = 'pendiente') >= 500) then
    update public.received_messages as m set more = m.more + 1 where m.id = (
      select n.id from public.received_messages as n
      where n.sender = row.sender and n.quote_id is null order by n.stored_at desc limit 1);
    return query select null::uuid, 'demasiados';
    return;
  end if;
  insert into public.received_messages select row.*;
  perform public.attach_received_file(row.id, f.value ->> 'nombre', decode(f.value ->> 'base64', 'base64'))
    from json_array_elements(files) with ordinality as f (value, place) order by f.place;
  return query select row.id, row.state;
end $$;

-- Stores a file of a message: among the files of its quote, or until the message is assigned. Returns false if the file
-- is refused; the desk then shows that it is missing. `content` is null for a file that the channel refused before
-- reading it.
create function public.attach_received_file(message uuid, name text, content bytea) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
declare
  -- The end of a long name is kept, because it contains the extension.
  ending constant text := btrim(right(regexp_replace(btrim(name), '[[:cntrl:]/\\]', '_', 'g'), 120));
  shown constant text := case when private.is_seen(ending) then ending else 'archivo' end;
  owner public.received_messages;
  is_stored boolean := false;
begin
  select * into owner from public.received_messages where id = message for update;
  if not found then return false; end if;
  if private.file_type(content) is not null and octet_length(content) <= 10485760 then
    if owner.quote_id is not null then
      is_stored := private.store_quote_file(owner.quote_id, shown, content);
    elsif (select count(*) from public.received_files where message_id = message) < 5
      -- Files that belong to no quote get a quarter of the space reserved for files, so that strangers cannot use up
      -- the customers' space.
      and (select coalesce(sum(bytes), 0) + octet_length(content) from public.received_files)
          <= (select case file_bytes when 0 then 9e18 else file_bytes / 4 end from private.quote_limits) then
      insert into public.received_files (message_id, nombre, tipo, bytes, huella, datos)
        values (message, shown, private.file_type(content), octet_length(content), encode(sha256(content), 'hex'), content)
        on conflict do nothing;
      is_stored := true;
    end if;
  end if;
  if not is_stored then
    update public.received_messages set unstored_files = unstored_files + 1 where id = message;
  end if;
  return is_stored;
end $$;

-- 4. Rights ---------------------------------------------------------------------------------------------------------

-- Quotes to which a waiting message may belong: the quote that it names, then quotes with the sender's e-mail or
-- number. The view runs with its owner's rights, because staff may not read the search keys.
create view public.received_suggestions as
  select m.id as message_id, q.id as quote_id, q.folio, q.nombre, q.empresa, q.created_at, d.status,
         q.id = m.suggested is true as is_named
  from public.received_messages as m
  cross join lateral (
    select m.suggested as quote_id where m.suggested is not null
    union
    (select k.quote_id from private.quote_keys as k where m.channel = 'correo' and k.email = m.sender
       order by k.created_at desc limit 5)
    union
    (select k.quote_id from private.quote_keys as k
       where m.channel = 'whatsapp' and m.sender ~ '^\+?[0-9]{7,15}$' and k.phone = right(m.sender, 10)
       order by k.created_at desc limit 5)) as near
  join public.quote_desk as d on d.quote_id = near.quote_id and d.blocked_at is null
  join public.quotes as q on q.id = d.quote_id
  where (select private.is_staff()) and m.state = 'pendiente';

alter table public.received_messages enable row level security;
alter table public.received_files enable row level security;
revoke all on public.received_messages, public.received_files, public.received_suggestions
  from public, anon, authenticated, service_role;
grant select, update (quote_id, state) on public.received_messages to authenticated;
grant select (id, message_id, nombre, tipo, bytes, huella) on public.received_files to authenticated;
grant select on public.received_suggestions to authenticated;
grant select, delete, update (state) on public.received_messages to service_role;
revoke all on function public.receive_message(uuid, text, text, text, text, text, text, timestamptz, uuid, uuid, uuid, boolean, json),
  public.attach_received_file(uuid, text, bytea) from public, anon, authenticated, service_role;
grant execute on function public.receive_message(uuid, text, text, text, text, text, text, timestamptz, uuid, uuid, uuid, boolean, json),
  public.attach_received_file(uuid, text, bytea) to service_role;
create policy "staff read received messages" on public.received_messages for select to authenticated
  using ((select private.is_staff())
         and (quote_id is null or quote_id <> all ((select private.blocked_quotes())::uuid[])));
create policy "staff assign or discard received messages" on public.received_messages for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
create policy "staff read files of waiting messages" on public.received_files for select to authenticated
  using ((select private.is_staff()));

-- Replies by mail: the number of the last mail read in each mailbox, the quotes that a mail names, and mails that could
-- not be delivered.

-- Number of the last mail that was read in a mailbox. If uid_validity changes, the mailbox has given its mails new
-- numbers, and last_uid has become invalid.
create table private.mailboxes (
  name         text        not null,
  uid_validity bigint      not null,
  last_uid     bigint      not null,
  read_at      timestamptz not null default now(),
  constraint mailboxes_pkey primary key (name)
);
revoke all on private.mailboxes from public, anon, authenticated, service_role;

-- Index of the tag that identifies a quote in the address for replies. src/lead/mail-tag.ts computes the same; a test
-- compares the two.
create index quotes_mail_tag on public.quotes (substring(sha256('\x6d61696c20'::bytea || uuid_send(id)) for 10));

-- Finds the quotes that a mail names: by the tag in the recipient's address, by the id of an earlier mail about the
-- quote, or by the folio. server/channels/mail-match.ts chooses one of them.
create function private.mail_candidates(tags text[], ids uuid[], folios text[])
  returns table (evidence text, quote_id uuid, folio text, email text, answer uuid)
  -- The generic plan is forced, because planning each call takes longer than reading the rows.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
begin
  return query
    with named as (
      select 'tag' as evidence, q.id, null::uuid as answer
        from unnest(tags) as tag
        join public.quotes as q on substring(sha256('\x6d61696c20'::bytea || uuid_send(q.id)) for 10) = decode(tag, 'hex')
      union all
      select 'id', a.quote_id, a.about from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id where m.id = any (ids) and m.way = 'customer'
      union all
      select 'folio', q.id, null from public.quotes as q where q.folio = any (folios)
    )
    select n.evidence, q.id, q.folio, q.email, n.answer from named as n
      join public.quotes as q on q.id = n.id
      join public.quote_desk as d on d.quote_id = q.id and d.blocked_at is null
      order by array_position(array['tag', 'id', 'folio'], n.evidence), q.created_at desc
      limit 50;
end $$;

-- Records that a mail to a customer could not be delivered, and alerts the team. Returns false for an unknown mail.
create function private.bounce_mail(message uuid, why text) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_messages set sent_at = null, next_at = null, result = left(why, 100)
    where id = message and way = 'customer';
  if not found then return false; end if;
  perform private.alert_undelivered(message, now());
  return true;
end $$;

-- Leads and milestones from files of the team.

-- 1. Leads ----------------------------------------------------------------------------------------------------------

-- Imported leads keep the date, status and outcome of the file, promise no answer and alert nobody.

-- Secret from which the ids of imported leads are computed. A phone that knows an id may read the quote, so nobody must
-- be able to compute an id from a name and a phone number alone. The first import makes the row.
create table private.import_secret (
  only_one boolean not null default true,
  secret   uuid    not null default gen_random_uuid(),
  constraint import_secret_pkey primary key (only_one),
  constraint import_secret_only_one_check check (only_one)
);
revoke all on private.import_secret from public, anon, authenticated, service_role;
alter table private.import_secret enable row level security;

-- Requests to import at most a hundred leads each. A trigger stores the leads, and returns the row with the outcome of
-- each; the row is then deleted.
create table public.lead_imports (
  id       uuid    not null default gen_random_uuid(),
  leads    jsonb   not null,
  -- True for a trial, which stores nothing and returns what would happen.
  is_trial boolean not null default false,
  -- Results of the leads: quote_id, outcome, and the violated constraint if refused. Outcomes: 'stored', 'there' (the
  -- id was stored before), 'same' (an equal request of that day was stored before), 'erased', 'refused'.
  outcomes jsonb   not null default '[]',
  constraint lead_imports_pkey primary key (id)
);

-- Returns the id for a lead that has none in the file: two leads with the same contact, cargo and day are the same
-- lead.
create function private.imported_id(lead jsonb) returns uuid
  language sql stable security definer set search_path = ''
  as $$
    select left(encode(sha256(convert_to(secret::text || jsonb_build_array(
      private.plain(lead ->> 'nombre'), private.plain(lead ->> 'empresa'), lower(lead ->> 'email'), private.digits(lead ->> 'telefono'),
      lead ->> 'peso', lead ->> 'tipo_carga', lead ->> 'created_at')::text, 'UTF8')), 'hex'), 32)::uuid
    from private.import_secret
  $$;

create function private.import_lead(lead jsonb, is_trial boolean) returns jsonb
  language plpgsql security definer set search_path = ''
  as $$
declare
  lead_id uuid;
  came timestamptz;
  outcome text := 'stored';
  refusal text;
begin
  lead_id := coalesce((lead ->> 'id')::uuid, private.imported_id(lead));
  came := coalesce((lead ->> 'created_at')::timestamptz, now());
  if came > now() + interval '1 day' or came < '2000-01-01Z' then
    raise check_violation using constraint = 'lead_imports_day';
  end if;
  if exists (select from public.quotes where id = lead_id) then
    outcome := 'there';
  elsif exists (select from public.quote_events where quote_id = lead_id and code = 'borrada') then
    outcome := 'erased';
  else
    insert into public.quotes (id, created_at, promised_at, nombre, empresa, email, telefono, peso, tipo_carga,
                               promociones, reemplaza, igual, origen, more, importada)
      values (lead_id, came, came + private.answer_promise(), lead ->> 'nombre', lead ->> 'empresa',
              lower(btrim(lead ->> 'email')), lead ->> 'telefono',
              (lead ->> 'peso')::integer, lead ->> 'tipo_carga', coalesce((lead ->> 'promociones')::boolean, false),
              lead ->> 'reemplaza', lead ->> 'igual', coalesce(lead ->> 'origen', 'importada'),
              -- All other values of the lead are optional fields.
              jsonb_strip_nulls(lead - array['id', 'created_at', 'nombre', 'empresa', 'email', 'telefono', 'peso', 'tipo_carga',
                'promociones', 'reemplaza', 'igual', 'origen', 'status', 'assignee_name', 'replaced_by', 'lost_reason']),
              now());
    -- updated_at is the date of the lead: with the present time, open desks would load thousands of old leads as
    -- changes.
    insert into public.quote_desk (quote_id, status, assignee_name, asked_at, replaced_by, lost_reason, imported,
                                   happened, updated_at)
      values (lead_id, coalesce(lead ->> 'status', 'nueva'), nullif(left(btrim(lead ->> 'assignee_name'), 100), ''),
              came, (lead ->> 'replaced_by')::uuid, lead ->> 'lost_reason', true, 'importada', came);
    if is_trial then raise sqlstate 'PTRYT'; end if;
  end if;
  return jsonb_build_object('quote_id', lead_id, 'outcome', outcome);
exception
  -- A trial raises this exception itself: PostgreSQL then undoes the inserts above.
  when sqlstate 'PTRYT' then
    return jsonb_build_object('quote_id', lead_id, 'outcome', 'stored');
  when unique_violation then
    return jsonb_build_object('quote_id', lead_id, 'outcome', 'same');
  when integrity_constraint_violation or data_exception then
    get stacked diagnostics refusal = constraint_name;
    return jsonb_build_object('quote_id', lead_id, 'outcome', 'refused', 'refusal', coalesce(nullif(refusal, ''), sqlstate));
end $$;

create function private.lead_imports_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  lead jsonb;
begin
  if jsonb_typeof(new.leads) <> 'array' or jsonb_array_length(new.leads) > 100 then
    raise sqlstate 'PT400' using message = 'A list of at most a hundred leads is imported';
  end if;
  new.outcomes := '[]';
  -- Callers other than staff get no error here, because PostgreSQL checks the policy after this trigger, and the policy
  -- refuses them.
  if current_setting('role', true) = 'authenticated' and not private.is_staff() then return new; end if;
  perform set_config('app.is_trial', new.is_trial::text, true);
  -- The secret is made here and not in import_lead, because a trial undoes everything that import_lead makes.
  insert into private.import_secret default values on conflict do nothing;
  for lead in select value from jsonb_array_elements(new.leads) loop
    new.outcomes := new.outcomes || private.import_lead(lead, new.is_trial);
  end loop;
  -- The leads are removed before PostgreSQL writes the row, so that their personal data never reach this table on disk.
  new.leads := '[]';
  return new;
end $$;
create trigger lead_imports_heed before insert on public.lead_imports
  for each row execute function private.lead_imports_heed();

-- Deletes the requests of a statement, because they are stored only to return their outcomes.
create function private.imports_end() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  execute format('delete from %I.%I', tg_table_schema, tg_table_name);
  return null;
end $$;
create trigger lead_imports_end after insert on public.lead_imports
  for each statement execute function private.imports_end();

alter table public.lead_imports enable row level security;
revoke all on public.lead_imports from public, anon, authenticated, service_role;
grant select, insert (id, leads, is_trial) on public.lead_imports to authenticated, service_role;
create policy "staff import leads" on public.lead_imports for insert to authenticated
  with check ((select private.is_staff()));
create policy "staff read what became of an import" on public.lead_imports for select to authenticated
  using ((select private.is_staff()));

-- 2. Milestones -----------------------------------------------------------------------------------------------------

-- Requests to store milestones from a file, at most a hundred each. The rules of `shipment_steps` apply to each
-- milestone. A trigger replaces the milestones by their outcomes; the row is then deleted.
create table public.step_imports (
  id       uuid    not null default gen_random_uuid(),
  -- Rows of shipment_steps.
  steps    jsonb   not null,
  is_trial boolean not null default false,
  -- Results of the milestones: 'stored', 'there' (stored before), or the hint, constraint or SQLSTATE of a refusal.
  outcomes jsonb   not null default '[]',
  constraint step_imports_pkey primary key (id)
);

create function private.import_step(step jsonb) returns text
  language plpgsql security definer set search_path = ''
  as $$
declare
  why text;
begin
  insert into public.shipment_steps (id, quote_id, answer_id, step, at, word, waste, author_name)
    values ((step ->> 'id')::uuid, (step ->> 'quote_id')::uuid, (step ->> 'answer_id')::uuid, step ->> 'step',
            (step ->> 'at')::timestamptz, step ->> 'word', (step ->> 'waste')::numeric,
            coalesce(private.staff_name(), 'CSV'))
    on conflict (id) do nothing;
  return case when found then 'stored' else 'there' end;
exception when sqlstate 'PT409' then
  get stacked diagnostics why = pg_exception_hint;
  return why;
when integrity_constraint_violation or data_exception then
  get stacked diagnostics why = constraint_name;
  return coalesce(nullif(why, ''), sqlstate);
end $$;

-- Stores the milestones in their order. A trial removes them only at the end, so that each milestone is checked against
-- the earlier ones.
create function private.import_steps(steps jsonb, is_trial boolean) returns jsonb
  language plpgsql security definer set search_path = ''
  as $$
declare
  outcomes jsonb := '[]';
  step jsonb;
begin
  for step in select value from jsonb_array_elements(steps) loop
    outcomes := outcomes || to_jsonb(private.import_step(step));
  end loop;
  if is_trial then raise sqlstate 'PTRYT'; end if;
  return outcomes;
exception when sqlstate 'PTRYT' then
  return outcomes;
end $$;

create function private.step_imports_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if jsonb_typeof(new.steps) <> 'array' or jsonb_array_length(new.steps) > 100 then
    raise sqlstate 'PT400' using message = 'A list of at most a hundred milestones is imported';
  end if;
  new.outcomes := '[]';
  -- Callers other than staff get no error here, because the policy refuses them after this trigger.
  if current_setting('role', true) = 'authenticated' and not private.is_staff() then return new; end if;
  new.outcomes := private.import_steps(new.steps, new.is_trial);
  new.steps := '[]';
  return new;
end $$;
create trigger step_imports_heed before insert on public.step_imports
  for each row execute function private.step_imports_heed();
create trigger step_imports_end after insert on public.step_imports
  for each statement execute function private.imports_end();

alter table public.step_imports enable row level security;
revoke all on public.step_imports from public, anon, authenticated, service_role;
grant select, insert (id, steps, is_trial) on public.step_imports to authenticated, service_role;
create policy "staff import milestones" on public.step_imports for insert to authenticated
  with check ((select private.is_staff()));
create policy "staff read what became of milestones" on public.step_imports for select to authenticated
  using ((select private.is_staff()));

-- Alerts: devices, receivers, and the alerts that each change of a lead causes. 95_alert_sending.sql sends them after
-- the transaction, so that a push service that does not respond delays no quote.

-- 1. Devices --------------------------------------------------------------------------------------------------------

-- Key pair of this site for push services (VAPID). The first start makes it, and it never changes, because every device
-- is bound to it.
create table public.push_keys (
  only_one    boolean not null default true,
  public_key  text    not null,
  private_key text    not null,
  constraint push_keys_pkey primary key (only_one),
  constraint push_keys_only_one_check check (only_one)
);
alter table public.push_keys enable row level security;
revoke all on public.push_keys from public, anon, authenticated, service_role;
-- Requests may read the public key; only the service role may read the private one.
grant select (public_key) on public.push_keys to anon, authenticated;
grant select, insert on public.push_keys to service_role;
create policy "everybody reads the public key" on public.push_keys for select to anon, authenticated using (true);

-- Devices that get push messages. Each belongs to a colleague, or to the sender of a quote.
create table public.push_devices (
  id          uuid        not null default gen_random_uuid(),
  endpoint    text        not null,
  p256dh      text        not null,
  auth        text        not null,
  quote_id    uuid,
  staff       uuid        default auth.uid(),
  created_at  timestamptz not null default now(),
  -- Time at which the device last showed an alert or was registered again.
  answered_at timestamptz not null default now(),
  constraint push_devices_pkey primary key (id),
  constraint push_devices_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint push_devices_once unique nulls not distinct (endpoint, quote_id),
  constraint push_devices_of_one_check check (num_nonnulls(quote_id, staff) = 1),
  -- Any host is accepted here. The sending code has the list of push services, so that the list can change without a
  -- migration.
  constraint push_devices_endpoint_check check (endpoint ~ '^https://[!-~]+$' and char_length(endpoint) <= 1000),
  constraint push_devices_p256dh_check check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  constraint push_devices_auth_check check (auth ~ '^[A-Za-z0-9_-]{22}$')
);
create index push_devices_quote on public.push_devices (quote_id);

-- Limits the number of devices. A colleague has at most ten: the eleventh replaces the device that has shown no alert
-- for longest. A quote has at most five: the sixth replaces the second oldest, because the oldest is the sender's.
create function private.push_devices_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.quote_id is null then
    -- Colleagues may share a device. It belongs to the colleague who turned alerts on last.
    delete from public.push_devices where endpoint = new.endpoint and quote_id is null;
    perform pg_advisory_xact_lock(hashtextextended(new.staff::text, 0));
    delete from public.push_devices where id in (
      select id from public.push_devices where quote_id is null and staff = new.staff
        order by answered_at desc, created_at desc, id offset 9);
    return new;
  end if;
  new.staff := null;
  if not private.may_speak_of(new.quote_id) then return new; end if;
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this device is not there'; end if;
  -- The page with the receipts registers its device each time it opens. If nothing has changed, no row is stored or
  -- counted.
  if exists (select from public.push_devices as d
             where (d.endpoint, d.p256dh, d.auth, d.quote_id) = (new.endpoint, new.p256dh, new.auth, new.quote_id)) then
    return null;
  end if;
  perform private.require_room('devices');
  delete from public.push_devices where endpoint = new.endpoint and quote_id = new.quote_id;
  delete from public.push_devices where id in (
    select id from (select id, created_at from public.push_devices where quote_id = new.quote_id
                    order by created_at, id offset 1) as later
      order by created_at desc, id desc offset 3);
  return new;
end $$;
create trigger push_devices_before_insert before insert on public.push_devices
  for each row execute function private.push_devices_before_insert();
create trigger push_devices_count after insert on public.push_devices
  for each row when (new.quote_id is not null) execute function private.count_sent('devices');

alter table public.push_devices enable row level security;
revoke all on public.push_devices from public, anon, authenticated, service_role;
grant insert (endpoint, p256dh, auth, quote_id) on public.push_devices to anon;
grant insert (endpoint, p256dh, auth) on public.push_devices to authenticated;
grant select, delete on public.push_devices to service_role;
create policy "a phone gets alerts about a quote it presents" on public.push_devices for insert to anon
  with check (staff is null and quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "staff get alerts on their own devices" on public.push_devices for insert to authenticated
  with check ((select private.is_staff()) and quote_id is null and staff = (select auth.uid())
              and not (select private.was_removed()));

-- 2. Recipients -----------------------------------------------------------------------------------------------------

create function private.is_reached(who uuid, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select not private.is_away(who, at)
       and exists (select from public.push_devices where staff = who and answered_at > at - interval '1 day')
  $$;

create function private.is_anybody_reached(at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.push_devices as d where d.quote_id is null and private.is_reached(d.staff, at))
  $$;

-- True if a colleague gets an alert of this kind. 'tarde' goes to everybody. 'quedan30' and 'quedan10' go to all
-- present colleagues. The other kinds go to the lead's owner; if alerts do not reach the owner, to all present
-- colleagues. If alerts reach no present colleague, everybody gets them.
create function private.gets_alert(who uuid, owner uuid, kind text, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case
      when kind = 'nadie' then false
      when kind = 'tarde' then true
      when kind not in ('quedan30', 'quedan10') and private.is_reached(owner, at) then who = owner
      else not private.is_away(who, at) or not private.is_anybody_reached(at)
    end
  $$;

-- Colleagues, each with the number of devices. The view runs with its owner's rights, because staff may not read the
-- devices.
create view public.desk_reach as
  select p.staff, p.name, not private.is_away(p.staff, now()) as here,
         p.left_at is null and p.seen_at > now() - interval '3 minutes' as at_desk,
         (select count(*)::integer from public.push_devices as d
          where d.staff = p.staff and d.answered_at > now() - interval '1 day') as devices
  from public.staff_presence as p
  where (select private.is_staff()) or (select current_setting('role')) in ('none', 'service_role');
revoke all on public.desk_reach from public, anon, authenticated, service_role;
grant select on public.desk_reach to authenticated, service_role;

-- 3. Alerts ---------------------------------------------------------------------------------------------------------

-- Test alerts. They are sent like alerts about a lead, but are not counted in any figure. Deleting a row deletes its
-- alert.
create table public.alert_tests (
  id       uuid        not null default gen_random_uuid(),
  -- Colleague whose devices get the test; null for all devices that would get an alert about a new lead.
  staff    uuid,
  asked_at timestamptz not null default now(),
  constraint alert_tests_pkey primary key (id)
);

-- True for alerts to the sender of a quote; all others go to the team.
create function private.is_for_customer(kind text) returns boolean
  language sql immutable set search_path = ''
  as $$ select kind in ('respuesta', 'resultado', 'paso', 'papeles') $$;

-- True for ways of sending that reach customers outside the page.
create function private.is_customer_way(way text) returns boolean
  language sql immutable set search_path = ''
  as $$ select way in ('customer', 'whatsapp') $$;

-- True for alerts about no lead: 'nadie' (no device gets alerts), 'sinasignar' (received messages wait for a lead),
-- 'sinwhatsapp' (WhatsApp accepts no messages), 'singuardar' (a webhook of WhatsApp cannot be stored) and 'sinwebhook' (a
-- webhook was set aside).
create function private.is_about_no_lead(kind text) returns boolean
  language sql immutable set search_path = ''
  as $$ select kind in ('nadie', 'sinasignar', 'sinwhatsapp', 'singuardar', 'sinwebhook') $$;

-- Alerts, mostly about leads, with the time at which each is due. Their receivers are chosen at that time.
create table public.alerts (
  id        bigint      not null generated always as identity,
  quote_id  uuid,
  test_id   uuid,
  kind      text        not null,
  -- asked_at of the lead when the alert was made. If the lead opens again later, it gets a later asked_at, and the
  -- alert is out of date.
  asked_at  timestamptz not null,
  -- Id of the answer, reply or offer that the alert is about; random for an alert about several leads.
  about     uuid,
  due_at    timestamptz not null,
  -- Time at which the messages of the alert were made, or the alert was dropped because it had become useless.
  spread_at timestamptz,
  -- Alert about several leads that is sent instead of this one.
  collected_in bigint,
  constraint alerts_pkey primary key (id),
  constraint alerts_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint alerts_test foreign key (test_id) references public.alert_tests on delete cascade,
  constraint alerts_collected_in foreign key (collected_in) references public.alerts on delete set null,
  constraint alerts_once unique nulls not distinct (quote_id, kind, asked_at, about),
  constraint alerts_kind_check check (kind in ('nueva', 'recuperada', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                               'pregunta', 'contesta', 'aceptada', 'respuesta', 'resultado', 'paso', 'papeles', 'prueba',
                                               'recordar', 'nadie', 'rebotado', 'sinasignar', 'sinwhatsapp', 'singuardar', 'sinwebhook')),
  -- An alert about several leads has no quote_id.
  constraint alerts_of_one_check check (case
    when private.is_about_no_lead(kind) then num_nonnulls(quote_id, test_id) = 0
    when kind in ('nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde')
      then test_id is null and (quote_id is not null or about is not null)
    else num_nonnulls(quote_id, test_id) = 1 end)
);
create index alerts_due on public.alerts (due_at) where spread_at is null;
create index alerts_of_test on public.alerts (test_id) where test_id is not null;
create index alerts_about_no_lead on public.alerts (kind, due_at) where quote_id is null;
create index alerts_collected_in on public.alerts (collected_in) where collected_in is not null;
create index alerts_new on public.alerts (asked_at) where kind = 'nueva';
create index alerts_recovered on public.alerts (due_at) where kind = 'recuperada';

-- Makes an alert to the team that is about no lead, at most once within `pause`.
create function private.alert_team(kind text, at timestamptz, pause interval) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alerts (kind, asked_at, about, due_at)
      select alert_team.kind, alert_team.at, gen_random_uuid(), alert_team.at
      where not exists (select from public.alerts as a
                        where a.kind = alert_team.kind and a.quote_id is null and a.due_at > alert_team.at - alert_team.pause)
  $$;

-- Messages of an alert: one for each device, and one each for the team's mailbox, the customer's e-mail and WhatsApp.
create table public.alert_messages (
  -- The id is a secret of the device, which receives it with the message and sends it back after showing the alert.
  id        uuid        not null default gen_random_uuid(),
  alert_id  bigint      not null,
  -- Device that gets the message; null for mail and WhatsApp, and after the device is deleted.
  device_id uuid,
  way       text        not null,
  attempts  integer     not null default 0,
  next_at   timestamptz,
  sent_at   timestamptz,
  shown_at  timestamptz,
  -- Status or error that the push service or mail server returned; 'over' for a message that had become useless.
  result    text,
  -- Columns for WhatsApp only: Meta's id of the message, the progress that Meta reports, and the error code. 'sending'
  -- means that an attempt has begun, and that WhatsApp has not reported its outcome.
  external_id text,
  delivery    text,
  delivery_at timestamptz,
  code        integer,
  -- True if the message had to be one of the approved templates, because the customer's last message is more than a day
  -- old.
  is_template boolean     not null default false,
  constraint alert_messages_pkey primary key (id),
  constraint alert_messages_alert foreign key (alert_id) references public.alerts on delete cascade,
  constraint alert_messages_device foreign key (device_id) references public.push_devices on delete set null,
  constraint alert_messages_way_check check (way in ('push', 'mail', 'customer', 'whatsapp')),
  constraint alert_messages_delivery_check check (delivery in ('sending', 'sent', 'failed', 'delivered', 'read'))
);
create index alert_messages_next on public.alert_messages (next_at) where next_at is not null;
create index alert_messages_device on public.alert_messages (device_id);
create index alert_messages_alert on public.alert_messages (alert_id);
create unique index alert_messages_external on public.alert_messages (external_id) where external_id is not null;

-- Reports by which devices say that they have shown a message.
create table public.alert_shown (
  message_id uuid not null,
  constraint alert_shown_pkey primary key (message_id),
  constraint alert_shown_message foreign key (message_id) references public.alert_messages on delete cascade
);

create function private.alert_shown_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not exists (select from public.alert_messages as m
                 join public.alerts as a on a.id = m.alert_id
                 left join public.quote_desk as d on d.quote_id = a.quote_id
                 where m.id = new.message_id and d.blocked_at is null) then
    raise foreign_key_violation using message = 'The alert that was shown is not there';
  end if;
  return new;
end $$;
create trigger alert_shown_before_insert before insert on public.alert_shown
  for each row execute function private.alert_shown_before_insert();

create function private.alert_shown_to_message() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_messages set shown_at = now() where id = new.message_id;
  update public.push_devices set answered_at = now()
    where id = (select device_id from public.alert_messages where id = new.message_id);
  return null;
end $$;
create trigger alert_shown_to_message after insert on public.alert_shown
  for each row execute function private.alert_shown_to_message();

-- Returns the time at which the alert for a new lead is due. The first five leads within ten minutes alert at once;
-- later ones wait at most five minutes and share an alert.
create function private.new_lead_due(asked timestamptz) returns timestamptz
  language sql stable security definer set search_path = ''
  as $$
    select case
      when (select count(*) from (
              select from public.alerts
                where kind = 'nueva' and quote_id is not null and asked_at > asked - interval '10 minutes' limit 5) as few) < 5
        then asked
      else coalesce((select max(due_at) from public.alerts where kind = 'nueva' and spread_at is null
                       and due_at > now() and due_at <= now() + interval '5 minutes'), now() + interval '5 minutes')
    end
  $$;

-- Makes the alerts for a change of a lead, in the same transaction as the change.
create function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promised constant timestamptz := new.asked_at + new.promise;
  is_recovered constant boolean := tg_op = 'INSERT'
    and exists (select from public.quotes where id = new.quote_id and entregada is not null);
  -- True for an old reply that a phone sent again to a restored server. Its reminders would be in the past.
  is_word_back constant boolean := tg_op = 'UPDATE' and new.happened = 'contestada' and new.asked_at < now();
  reply_kind text;
  last record;
begin
  -- An imported lead alerts nobody: it is old, and thousands may come at once.
  if tg_op = 'INSERT' and new.imported then return null; end if;
  -- A blocked lead causes no further messages. A message about several leads is still sent, because of the other leads.
  if new.blocked_at is not null then
    update public.alert_messages as m set next_at = null
      from public.alerts as a where a.quote_id = new.quote_id and m.alert_id = a.id and m.next_at is not null;
  end if;
  -- An alert that became due while the lead was blocked becomes due again when the block ends.
  if tg_op = 'UPDATE' and new.happened = 'desbloqueada' then
    update public.alerts set spread_at = null where quote_id = new.quote_id and spread_at >= old.blocked_at;
  end if;
  -- last_answer is compared, because the status may become 'respondida' without a new answer.
  if tg_op = 'UPDATE' and new.happened = 'respondida' and new.last_answer is distinct from old.last_answer then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'respuesta', new.asked_at, new.last_answer, greatest(now(), (
        select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
        where quote_id = new.quote_id and kind = 'respuesta')));
  end if;
  if tg_op = 'UPDATE' and new.happened in ('retirada', 'reservada', 'sinespacio') then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'resultado', new.asked_at, new.moved_offer, now()) on conflict do nothing;
  end if;
  if is_recovered then
    -- At most one alert 'recuperada' is made within ten minutes, because after a restore phones send many quotes at
    -- once.
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      select new.quote_id, 'recuperada', new.asked_at, now()
      where not exists (select from public.alerts where kind = 'recuperada' and due_at > now() - interval '10 minutes');
  elsif tg_op = 'INSERT' then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      values (new.quote_id, 'nueva', new.asked_at, private.new_lead_due(new.asked_at));
  elsif new.happened = 'contestada' then
    -- A reply to the team's own question gives 'contesta'. An acceptance that came too late books nothing, so the alert
    -- calls it a question.
    select case when r.kind = 'pregunta' and a.kind = 'pregunta' then 'contesta'
                when coalesce(r.verdict, 'vale') = 'vale' then r.kind else 'pregunta' end into reply_kind
      from public.quote_replies as r left join public.quote_answers as a on a.id = r.answer_id where r.id = new.last_reply;
    -- If an alert about an earlier reply is not sent yet, it covers this reply too, and gets the more urgent kind of
    -- the two: 'aceptada', then 'pregunta', then 'contesta'.
    update public.alerts
      set kind = case when reply_kind = 'aceptada' or kind = 'contesta' then reply_kind else kind end,
          about = new.last_reply, asked_at = new.asked_at
      where quote_id = new.quote_id and kind in ('pregunta', 'contesta', 'aceptada') and spread_at is null;
    if not found then
      select kind, due_at into last from public.alerts
        where old.reply_waiting and quote_id = new.quote_id and kind in ('pregunta', 'contesta', 'aceptada')
          and due_at > now() - interval '1 minute'
        order by due_at desc limit 1;
      if last.kind is distinct from reply_kind then
        insert into public.alerts (quote_id, kind, asked_at, about, due_at)
          values (new.quote_id, reply_kind, new.asked_at, new.last_reply, coalesce(last.due_at + interval '1 minute', now()));
      end if;
    end if;
  end if;
  if tg_op = 'INSERT' or new.asked_at <> old.asked_at then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      select new.quote_id, kind, new.asked_at, promised - ahead
      from (values ('quedan60', interval '60 minutes'), ('quedan30', interval '30 minutes'),
                   ('quedan10', interval '10 minutes'), ('tarde', interval '0')) as clock (kind, ahead)
      where promised - ahead > now() or not (is_recovered or is_word_back)
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger quote_desk_alerts after insert or update on public.quote_desk
  for each row execute function private.quote_desk_alerts();

create function private.alert_tests_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- Tests that were interrupted are deleted after an hour.
  delete from public.alert_tests where asked_at < now() - interval '1 hour';
  insert into public.alerts (test_id, kind, asked_at, about, due_at)
    values (new.id, 'prueba', new.asked_at, new.id, new.asked_at);
  return null;
end $$;
create trigger alert_tests_alert after insert on public.alert_tests
  for each row execute function private.alert_tests_alert();

-- Times of the first sent and the first shown alert about each lead, including alerts about several leads.
create view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = coalesce(a.collected_in, a.id)
  where a.quote_id is not null and not private.is_for_customer(a.kind) and a.kind not in ('recordar', 'rebotado')
    and m.sent_at is not null
  group by a.quote_id;

-- Progress of a test alert: a row for each of its messages, or a single row while there are none.
create view public.alert_test_messages with (security_invoker = true) as
  select a.test_id, a.spread_at, m.id as message_id, m.way, m.device_id, m.attempts, m.next_at, m.sent_at, m.shown_at, m.result
  from public.alerts as a
  left join public.alert_messages as m on m.alert_id = a.id
  where a.test_id is not null;

-- Messages to customers by mail and WhatsApp, with their outcome.
create view public.desk_mails with (security_invoker = true) as
  select a.quote_id, a.about as answer_id, a.kind, m.way, m.attempts, m.next_at, m.sent_at, m.result, m.delivery,
         m.delivery_at, m.code
  from public.alert_messages as m
  join public.alerts as a on a.id = m.alert_id
  where private.is_customer_way(m.way);

alter table public.alerts enable row level security;
alter table public.alert_messages enable row level security;
alter table public.alert_shown enable row level security;
alter table public.alert_tests enable row level security;
revoke all on public.alerts, public.alert_messages, public.alert_shown, public.alert_tests, public.desk_alerts,
  public.desk_mails, public.alert_test_messages from public, anon, authenticated, service_role;
revoke all on sequence public.alerts_id_seq from public, anon, authenticated, service_role;
grant execute on function private.is_for_customer(text), private.is_customer_way(text) to authenticated, service_role;
grant select on public.alerts, public.alert_messages, public.desk_alerts, public.desk_mails to authenticated, service_role;
grant insert (message_id) on public.alert_shown to anon;
grant select, insert, delete on public.alert_tests to service_role;
grant select on public.alert_test_messages to service_role;
create policy "staff read alerts" on public.alerts for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read what was sent" on public.alert_messages for select to authenticated
  using ((select private.is_staff()));
create policy "a device says what it has shown" on public.alert_shown for insert to anon with check (true);

-- WhatsApp: customers' numbers and user ids, and the progress of each message. 95_alert_sending.sql chooses the
-- messages to send.

-- 1. Customers ------------------------------------------------------------------------------------------------------

-- Returns the digits of a phone number with its country code; null if the text cannot be a phone number. Ten digits
-- without a code are taken for a Mexican number; WhatsApp may write a 1 after Mexico's code 52.
create function private.whatsapp_number(phone text) returns text
  language sql immutable set search_path = ''
  as $$
    select case when digits ~ '^521[0-9]{10}$' then '52' || right(digits, 10)
                when digits ~ '^[0-9]{10}$' and btrim(phone) not like '+%' then '52' || digits
                when digits ~ '^[1-9][0-9]{7,14}$' then digits end
    from (select regexp_replace(private.digits(phone), '^00', '') as digits) as bare
  $$;

-- WhatsApp user who sent a quote, as far as known. Messages and confirmations of WhatsApp name the number and the user
-- id; the number is missing if the user hides it.
create table public.whatsapp_people (
  quote_id uuid not null,
  -- Id of the user for this business (WhatsApp's BSUID), such as MX.1234.
  user_id  text,
  -- Number as WhatsApp writes it. Messages to the user must use the same form.
  wa_id    text,
  -- Time of the user's last message, by WhatsApp's clock. For a day after it, WhatsApp accepts free text to the user.
  last_at  timestamptz,
  constraint whatsapp_people_pkey primary key (quote_id),
  constraint whatsapp_people_quote foreign key (quote_id) references public.quotes on delete cascade
);
create index whatsapp_people_user on public.whatsapp_people (user_id);
create index whatsapp_people_number on public.whatsapp_people (private.whatsapp_number('+' || wa_id));
alter table public.whatsapp_people enable row level security;
revoke all on public.whatsapp_people from public, anon, authenticated, service_role;
grant select on public.whatsapp_people to authenticated, service_role;
create policy "staff read the users of WhatsApp" on public.whatsapp_people for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- True if the sender of a quote wants messages by WhatsApp. The sender's last choice decides; without a choice,
-- WhatsApp is wanted for a day after the sender's last message there.
create function private.is_whatsapp_wanted(quote uuid) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select coalesce(
      (select wanted from public.whatsapp_choices where quote_id = quote order by created_at desc, id desc limit 1),
      exists (select from public.whatsapp_people where quote_id = quote and last_at > now() - interval '1 day'))
  $$;

-- Returns the number and user id to which messages about a quote go; null if its sender does not want them.
create function private.whatsapp_receiver(quote uuid) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select jsonb_build_object('number', '+' || number, 'user', user_id, 'window_until', last_at + interval '1 day')
    from (select coalesce(p.wa_id, private.whatsapp_number(q.telefono)) as number, p.user_id, p.last_at
          from public.quotes as q left join public.whatsapp_people as p on p.quote_id = q.id where q.id = quote) as person
    where coalesce(number, user_id) is not null and private.is_whatsapp_wanted(quote)
  $$;

-- Stores which WhatsApp user sent a quote, when a message or a confirmation names the user.
create function private.meet_on_whatsapp(quote uuid, number text, user_id text, written_at timestamptz default null)
  returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.whatsapp_people as p (quote_id, wa_id, user_id, last_at)
      values (quote, nullif(meet_on_whatsapp.number, ''), nullif(meet_on_whatsapp.user_id, ''), written_at)
      on conflict (quote_id) do update set wa_id = coalesce(excluded.wa_id, p.wa_id),
        user_id = coalesce(excluded.user_id, p.user_id), last_at = greatest(excluded.last_at, p.last_at)
  $$;

-- 2. Progress of messages -------------------------------------------------------------------------------------------

-- WhatsApp does not notice if the same message is sent twice. Each attempt is therefore claimed once, and stays
-- 'sending' until WhatsApp responds, confirms or refuses it. An attempt without any of these is never repeated; after
-- 15 minutes the team gets an alert.

-- True if a message may be sent now: WhatsApp accepts messages, and every earlier message about this quote is sent or
-- given up.
create function private.is_whatsapp_due(message public.alert_messages, alert public.alerts, at timestamptz) returns boolean
  -- plpgsql looks up a table only when it runs: a later file creates alert_sender.
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  return message.delivery is null
     and not exists (select from public.alert_sender where whatsapp_rests_until > at)
     and not exists (select from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
                     where m.way = 'whatsapp' and a.quote_id = alert.quote_id and m.next_at is not null
                       and (a.due_at, a.id) < (alert.due_at, alert.id));
end $$;

-- Alerts the team about a message to a customer that could not be delivered.
create function private.alert_undelivered(message uuid, at timestamptz) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      select a.quote_id, 'rebotado', a.asked_at, a.about, alert_undelivered.at from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id where m.id = message and private.is_customer_way(m.way)
      on conflict do nothing
  $$;

-- Ends attempts that WhatsApp never confirmed, and messages that could not be sent within a day, and alerts the team.
create function private.end_unconfirmed(at timestamptz) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  ended uuid;
begin
  for ended in
    update public.alert_messages as m set next_at = null, result = case when m.delivery is null then 'late' else 'unknown' end
      from public.alerts as a
      where a.id = m.alert_id and m.way = 'whatsapp' and m.next_at <= end_unconfirmed.at
        and (m.delivery is not null or a.due_at < end_unconfirmed.at - interval '1 day')
      returning m.id
  loop
    perform private.alert_undelivered(ended, end_unconfirmed.at);
  end loop;
end $$;

-- Stores the outcome of the last attempt to send a message: 'sent', 'delivered', 'read', 'failed', 'again' (it failed,
-- and another attempt follows), 'template' (WhatsApp accepts only a template), 'rest' (WhatsApp accepts nothing until
-- the team acts), or 'unsure' (the response was lost). Reports may come in any order; a message never goes back to an
-- earlier step.
create function private.settle_whatsapp(message uuid, at timestamptz, outcome text, again_at timestamptz, why text,
                                        code integer, external_id text)
  returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  steps constant text[] := array['sending', 'sent', 'failed', 'delivered', 'read'];
  present text;
begin
  select m.delivery into present from public.alert_messages as m where m.id = message for update;
  if outcome in ('sent', 'delivered', 'read') then
    -- A late report 'sent' after a failed attempt is ignored, because the report would cancel the next attempt.
    update public.alert_messages as m set
        external_id = coalesce(settle_whatsapp.external_id, m.external_id),
        sent_at = coalesce(m.sent_at, settle_whatsapp.at), next_at = null,
        delivery = outcome, delivery_at = settle_whatsapp.at, code = null, result = left(why, 100)
      where m.id = message and array_position(steps, outcome) > array_position(steps, coalesce(present, 'failed'));
  elsif present in ('sending', 'sent') and outcome <> 'unsure' then
    update public.alert_messages as m set
        delivery = case outcome when 'failed' then 'failed' end, delivery_at = settle_whatsapp.at, sent_at = null,
        next_at = case when outcome = 'template' then settle_whatsapp.at when outcome <> 'failed' then again_at end,
        is_template = m.is_template or outcome = 'template',
        external_id = coalesce(settle_whatsapp.external_id, m.external_id),
        result = left(why, 100), code = settle_whatsapp.code
      where m.id = message;
    if outcome = 'failed' then perform private.alert_undelivered(message, settle_whatsapp.at); end if;
    if outcome = 'rest' then
      update public.alert_sender set whatsapp_rests_until = again_at, whatsapp_code = settle_whatsapp.code;
      perform private.alert_team('sinwhatsapp', settle_whatsapp.at, interval '1 day');
    end if;
  end if;
end $$;

-- 3. Phones ---------------------------------------------------------------------------------------------------------

-- Tells a phone how its quote can be answered: whether this server sends by WhatsApp, and the sender's last choice.
create function private.customer_ways() returns table (whatsapp boolean, wanted boolean)
  language sql stable security definer set search_path = ''
  as $$
    select private.sends_by('whatsapp'),
      (select wanted from public.whatsapp_choices as c
       join public.quote_desk as d on d.quote_id = c.quote_id and d.blocked_at is null
       where c.quote_id = (private.presented_quote_ids())[1] order by c.created_at desc, c.id desc limit 1)
  $$;
grant execute on function private.customer_ways() to anon;

create view public.customer_ways with (security_invoker = true) as select * from private.customer_ways();

-- Time until which WhatsApp accepts free text to the sender of a quote, for the desk.
create view public.desk_whatsapp with (security_invoker = true) as
  select q.id as quote_id, private.is_whatsapp_wanted(q.id) as wanted, p.last_at + interval '1 day' as window_until,
         private.sends_by('whatsapp') as is_on
  from public.quotes as q left join public.whatsapp_people as p on p.quote_id = q.id;
grant execute on function private.is_whatsapp_wanted(uuid) to authenticated, service_role;
revoke all on public.customer_ways, public.desk_whatsapp from public, anon, authenticated, service_role;
grant select on public.customer_ways to anon;
grant select on public.desk_whatsapp to authenticated, service_role;

-- 4. Webhooks -------------------------------------------------------------------------------------------------------

-- Webhooks of WhatsApp, stored unchanged, so that each gets its response at once. A row is processed later, and then
-- deleted.
create table public.whatsapp_hooks (
  id       bigint      not null generated always as identity,
  came_at  timestamptz not null default now(),
  raw      text        not null,
  attempts integer     not null default 0,
  next_at  timestamptz not null default now(),
  constraint whatsapp_hooks_pkey primary key (id)
);
create index whatsapp_hooks_next on public.whatsapp_hooks (next_at);
alter table public.whatsapp_hooks enable row level security;
revoke all on public.whatsapp_hooks from public, anon, authenticated, service_role;
revoke all on sequence public.whatsapp_hooks_id_seq from public, anon, authenticated, service_role;
-- `aeropuente doctor` counts the rows with this role. The embedded server reads the content with its own role.
grant select (id, attempts) on public.whatsapp_hooks to service_role;

create function public.store_whatsapp_hook(raw text) returns void
  language sql security definer set search_path = ''
  as $$ insert into public.whatsapp_hooks (raw) values (store_whatsapp_hook.raw) $$;

create function private.whatsapp_hook_pause(attempts integer) returns interval
  language sql immutable set search_path = ''
  as $$ select interval '1 second' * least(3600, 2 ^ attempts) $$;

-- Returns webhooks to process, oldest first, and reserves them for the caller for a minute or longer. After ten
-- attempts, which take 17 minutes, the team gets an alert. Attempts continue for a week, because a newer release may
-- succeed.
create function public.claim_whatsapp_hooks(at timestamptz) returns table (id bigint, raw text)
  language sql security definer set search_path = ''
  as $$
    delete from public.whatsapp_hooks where came_at < claim_whatsapp_hooks.at - interval '7 days';
    select private.alert_team('singuardar', claim_whatsapp_hooks.at, interval '1 day')
      where exists (select from public.whatsapp_hooks where attempts >= 10);
    with taken as (
      select h.id from public.whatsapp_hooks as h where h.next_at <= claim_whatsapp_hooks.at
        order by h.id limit 20 for update skip locked
    ), claimed as (
      update public.whatsapp_hooks as h set attempts = h.attempts + 1,
          next_at = claim_whatsapp_hooks.at + greatest(interval '1 minute', private.whatsapp_hook_pause(h.attempts))
        from taken where h.id = taken.id returning h.id, h.raw
    )
    select c.id, c.raw from claimed as c order by c.id;
  $$;

-- Applies WhatsApp's report about a message. The report names the message by WhatsApp's id, or by our id and the number
-- of the attempt, which WhatsApp sends back.
create function private.store_whatsapp_status(item jsonb) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  message record;
begin
  select m.id, a.quote_id, a.about into message from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
    where m.way = 'whatsapp' and (m.external_id = item ->> 'id'
      or m.id = (item ->> 'message')::uuid and m.attempts = (item ->> 'attempt')::integer);
  if not found then return; end if;
  if item ->> 'outcome' in ('delivered', 'read') then
    perform private.meet_on_whatsapp(message.quote_id, item ->> 'number', item ->> 'user');
  end if;
  perform private.settle_whatsapp(message.id, (item ->> 'at')::timestamptz, item ->> 'outcome',
    (item ->> 'again_at')::timestamptz, item ->> 'why', (item ->> 'code')::integer, item ->> 'id');
end $$;

-- WhatsApp user who sent a received message, by number and user id. When a colleague assigns the message to a quote,
-- this user becomes the WhatsApp user of the quote (whatsapp_people).
create table public.whatsapp_senders (
  message_id uuid not null,
  user_id    text,
  wa_id      text,
  constraint whatsapp_senders_pkey primary key (message_id),
  constraint whatsapp_senders_message foreign key (message_id) references public.received_messages on delete cascade
);

-- Pictures and PDFs of received messages that must still be fetched from WhatsApp, which keeps them for a week.
create table public.whatsapp_media (
  id         bigint      not null generated always as identity,
  message_id uuid        not null,
  media_id   text        not null,
  name       text        not null,
  created_at timestamptz not null default now(),
  attempts   integer     not null default 0,
  next_at    timestamptz not null default now(),
  constraint whatsapp_media_pkey primary key (id),
  constraint whatsapp_media_message foreign key (message_id) references public.received_messages on delete cascade
);
create index whatsapp_media_next on public.whatsapp_media (next_at);
create index whatsapp_media_of_message on public.whatsapp_media (message_id);
alter table public.whatsapp_senders enable row level security;
alter table public.whatsapp_media enable row level security;
revoke all on public.whatsapp_senders, public.whatsapp_media from public, anon, authenticated, service_role;
revoke all on sequence public.whatsapp_media_id_seq from public, anon, authenticated, service_role;

-- Returns the quotes of a WhatsApp user, if the customer has allowed WhatsApp for the quote or wrote there about it. If
-- the quote's WhatsApp user id is stored and `user_id` is given, these ids must be equal; otherwise the phone numbers.
-- The ids come first, because a phone number may have a new owner.
create function private.quotes_on_whatsapp(number text, user_id text)
  returns table (quote_id uuid, by_user boolean, is_open boolean, created_at timestamptz)
  language sql stable security definer set search_path = ''
  as $$
    with near as (
      select p.quote_id from public.whatsapp_people as p
        where p.user_id = quotes_on_whatsapp.user_id
           or private.whatsapp_number('+' || p.wa_id) = private.whatsapp_number('+' || number)
      union
      select k.quote_id from private.quote_keys as k where k.phone = right(number, 10)
    )
    select q.id, coalesce(p.user_id = quotes_on_whatsapp.user_id, false),
           d.status not in ('ganada', 'perdida') and d.replaced_by is null, q.created_at
    from near
    join public.quotes as q on q.id = near.quote_id
    join public.quote_desk as d on d.quote_id = q.id and d.blocked_at is null
    left join public.whatsapp_people as p on p.quote_id = q.id
    where case when p.user_id is not null and quotes_on_whatsapp.user_id <> '' then p.user_id = quotes_on_whatsapp.user_id
            else private.whatsapp_number('+' || number)
              in (private.whatsapp_number('+' || p.wa_id), private.whatsapp_number(q.telefono)) end
      and coalesce((select c.wanted from public.whatsapp_choices as c where c.quote_id = q.id
                    order by c.created_at desc, c.id desc limit 1), p.quote_id is not null)
  $$;

-- Withdraws the consent of a user who wrote BAJA or STOP. Returns false if the user has given no consent and belongs to
-- no quote (whatsapp_people). The caller then stores the text like any other message.
create function private.stop_whatsapp(number text, user_id text, written_at timestamptz) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into public.whatsapp_choices (id, quote_id, wanted)
    select gen_random_uuid(), t.quote_id, false from private.quotes_on_whatsapp(number, user_id) as t
    -- A customer's message 'BAJA' (stop) does not end a consent given after that message. The clocks of WhatsApp and of
    -- this server may differ, hence the tolerance of a minute.
    where not exists (select from public.whatsapp_choices as c
                      where c.quote_id = t.quote_id and c.created_at > written_at + interval '1 minute');
  return found or exists (
    select from public.whatsapp_people as p
      where p.user_id = stop_whatsapp.user_id
         or private.whatsapp_number('+' || p.wa_id) = private.whatsapp_number('+' || number));
end $$;

-- Stores a message of a WhatsApp user. If it is certain which quote is meant, the message becomes a question about it;
-- otherwise a colleague assigns it.
create function private.store_whatsapp_message(item jsonb) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  its_number constant text := item ->> 'number';
  its_user constant text := item ->> 'user';
  written_at constant timestamptz := item ->> 'at';
  quoted record;
  target uuid;
  likely uuid;
  stored record;
  file jsonb;
begin
  if (item ->> 'stops')::boolean and private.stop_whatsapp(its_number, its_user, written_at) then return; end if;
  select a.quote_id, a.about into quoted from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
    where m.external_id = item ->> 'quoted';
  -- Chooses the quote of the message to which the user replies; otherwise the only open quote with the user's id;
  -- otherwise the only open quote with the user's number.
  select case when bool_or(t.quote_id = quoted.quote_id) then quoted.quote_id
              when count(*) filter (where t.by_user and t.is_open) = 1 then (array_agg(t.quote_id) filter (where t.by_user and t.is_open))[1]
              when count(*) filter (where t.is_open) = 1 then (array_agg(t.quote_id) filter (where t.is_open))[1] end,
         (array_agg(t.quote_id order by t.is_open desc, t.created_at desc))[1]
    into target, likely from private.quotes_on_whatsapp(its_number, its_user) as t;
  select r.message, r.outcome into stored from public.receive_message(gen_random_uuid(), 'whatsapp', item ->> 'id',
    coalesce('+' || private.whatsapp_number('+' || its_number), its_user), item ->> 'name', item ->> 'body', null,
    written_at, target, likely, case when target = quoted.quote_id then quoted.about end) as r;
  if stored.outcome not in ('asignado', 'pendiente') then return; end if;
  insert into public.whatsapp_senders (message_id, user_id, wa_id) values (stored.message, its_user, its_number);
  for file in select value from jsonb_array_elements(item -> 'files') loop
    if (file ->> 'taken')::boolean then
      insert into public.whatsapp_media (message_id, media_id, name) values (stored.message, file ->> 'id', file ->> 'name');
    else
      perform public.attach_received_file(stored.message, file ->> 'name', null);
    end if;
  end loop;
  perform private.meet_on_whatsapp(m.quote_id, its_number, its_user, written_at)
    from public.received_messages as m where m.id = stored.message and m.quote_id is not null;
  -- WhatsApp accepts free text to this user for a day after any message, so the new time applies to all their quotes.
  update public.whatsapp_people as p set last_at = greatest(p.last_at, written_at)
    where p.quote_id in (select t.quote_id from private.quotes_on_whatsapp(its_number, its_user) as t);
end $$;

-- Stores which WhatsApp user sent a quote, after a colleague has assigned a message of the user to the quote.
create function private.received_messages_meet() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  perform private.meet_on_whatsapp(new.quote_id, s.wa_id, s.user_id, new.received_at)
    from public.whatsapp_senders as s where s.message_id = new.id;
  return null;
end $$;
create trigger received_messages_meet after update of quote_id on public.received_messages
  for each row when (new.quote_id is not null) execute function private.received_messages_meet();

-- Returns a file to fetch, and reserves it for the caller for two minutes. It is a single file, because each may take a
-- minute.
create function public.claim_whatsapp_media(at timestamptz) returns table (id bigint, media_id text, name text, attempts integer)
  language sql security definer set search_path = ''
  as $$
    with taken as (
      select f.id from public.whatsapp_media as f where f.next_at <= claim_whatsapp_media.at
        order by f.id limit 1 for update skip locked
    )
    update public.whatsapp_media as f set attempts = f.attempts + 1, next_at = claim_whatsapp_media.at + interval '2 minutes'
      from taken where f.id = taken.id returning f.id, f.media_id, f.name, f.attempts;
  $$;

-- Stores a fetched file. If `base64` is null, the fetch has failed and is repeated at `again_at`, until the file is a
-- week old. If `again_at` is null too, the fetch is not repeated, and the desk shows that the file is missing.
create function public.finish_whatsapp_media(media bigint, at timestamptz, base64 text, again_at timestamptz) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  file public.whatsapp_media;
begin
  select * into file from public.whatsapp_media where id = media for update;
  if not found then return; end if;
  if base64 is null and again_at < file.created_at + interval '7 days' then
    update public.whatsapp_media set next_at = again_at where id = media;
    return;
  end if;
  delete from public.whatsapp_media where id = media;
  perform public.attach_received_file(file.message_id, file.name, decode(base64, 'base64'));
end $$;

-- Applies the items of a webhook. An item that fails does not stop the others: the whole webhook is processed again
-- later, which changes nothing for the items that were stored.
create function public.finish_whatsapp_hook(hook bigint, at timestamptz, items jsonb) returns integer
  language plpgsql security definer set search_path = ''
  as $$
declare
  item jsonb;
  failures integer := 0;
begin
  for item in select value from jsonb_array_elements(items) loop
    begin
      if item ->> 'kind' = 'status' then
        perform private.store_whatsapp_status(item);
      elsif item ->> 'kind' = 'message' then
        perform private.store_whatsapp_message(item);
      else
        -- WhatsApp has given the user another id.
        update public.whatsapp_people as p set user_id = item ->> 'user' where p.user_id = item ->> 'was';
      end if;
    exception when others then
      raise warning 'An event of WhatsApp could not be stored: %', sqlerrm;
      failures := failures + 1;
    end;
  end loop;
  if failures = 0 then
    delete from public.whatsapp_hooks where id = hook;
  else
    update public.whatsapp_hooks
      set next_at = finish_whatsapp_hook.at + private.whatsapp_hook_pause(attempts)
      where id = hook;
  end if;
  return failures;
end $$;

revoke all on function public.store_whatsapp_hook(text), public.claim_whatsapp_hooks(timestamptz),
  public.finish_whatsapp_hook(bigint, timestamptz, jsonb), public.claim_whatsapp_media(timestamptz),
  public.finish_whatsapp_media(bigint, timestamptz, text, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.store_whatsapp_hook(text), public.claim_whatsapp_hooks(timestamptz),
  public.finish_whatsapp_hook(bigint, timestamptz, jsonb), public.claim_whatsapp_media(timestamptz),
  public.finish_whatsapp_media(bigint, timestamptz, text, timestamptz) to service_role;

-- Webhooks, which report the events of a quote to other programs. In the transaction of a change, a trigger queues a
-- row for each receiver; server/webhooks sends the rows. The queue has no data of the customer, because the body is
-- made when it is sent.

-- 1. Receivers and deliveries ---------------------------------------------------------------------------------------

create table public.webhooks (
  id          integer     not null generated always as identity,
  url         text        not null,
  -- Host in the URL. The desk shows only the host, because the rest of a URL often contains a secret.
  host        text        not null generated always as (substring(url from '^https?://([^/?#]+)')) stored,
  events      text[]      not null,
  -- True if 'quote.received' includes name, company, e-mail, phone and the optional fields.
  has_contact boolean     not null default false,
  -- True if 'offer.accepted' and 'shipment.booked' include the offer as a ONE Record.
  has_one_record boolean  not null default false,
  -- Key with which the bodies are signed. Requests may store a key, but not read one.
  secret      text        not null,
  created_at  timestamptz not null default now(),
  constraint webhooks_pkey primary key (id),
  constraint webhooks_url_check check (url ~ '^https?://[^@/?#[:space:]]+([/?#][!-~]*)?$' and char_length(url) <= 1000),
  constraint webhooks_events_check check (cardinality(events) > 0 and events <@ array['quote.received', 'quote.answered',
    'offer.accepted', 'shipment.booked', 'shipment.milestone', 'quote.lost', 'quote.erased']),
  constraint webhooks_secret_check check (secret ~ '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$')
);

-- Deliveries: a row for each event and receiver, kept for 30 days. quote_id has no foreign key, because 'quote.erased'
-- is sent after the quote is erased.
create table public.webhook_deliveries (
  id         bigint      not null generated always as identity,
  webhook_id integer     not null,
  -- Computed from the event: if a restored server sends the same event again, the receiver knows the id already.
  event_id   uuid        not null,
  event      text        not null,
  quote_id   uuid        not null,
  folio      text        not null,
  -- Id of the answer or milestone of the event; for a lost quote, the reason.
  ref        text,
  at         timestamptz not null,
  day        date        not null,
  state      text        not null default 'waiting',
  attempts   integer     not null default 0,
  -- Time of the next attempt. While the state is 'sending', another sender may take over from this time.
  next_at    timestamptz default now(),
  -- Last attempt: its time, the status of the response, and the first characters of a refusing response or the reason
  -- why no response came.
  tried_at   timestamptz,
  status     integer,
  response_text text,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_once unique (webhook_id, event_id),
  constraint webhook_deliveries_webhook foreign key (webhook_id) references public.webhooks on delete cascade,
  constraint webhook_deliveries_state_check check (state in ('waiting', 'sending', 'delivered', 'aside', 'erased')),
  constraint webhook_deliveries_next_check check ((next_at is null) = (state in ('delivered', 'aside', 'erased')))
);
create index webhook_deliveries_open on public.webhook_deliveries (webhook_id, id) where state in ('waiting', 'sending');
create index webhook_deliveries_lane on public.webhook_deliveries (webhook_id, quote_id, id) where state in ('waiting', 'sending');
create index webhook_deliveries_of_quote on public.webhook_deliveries (quote_id);
create index webhook_deliveries_day on public.webhook_deliveries (day);
create index webhook_deliveries_aside on public.webhook_deliveries (id) where state = 'aside';

-- 2. Events ---------------------------------------------------------------------------------------------------------

-- Queues the webhook of a change. The lead's row is locked, so the events of a quote are queued in the order of its
-- changes.
create function private.quote_desk_webhooks() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  quote constant uuid := case tg_op when 'DELETE' then old.quote_id else new.quote_id end;
  event text;
  ref text;
begin
  if tg_op = 'INSERT' then
    -- An imported lead causes no event, because nobody sent a request.
    if new.imported then return null; end if;
    event := 'quote.received';
  elsif tg_op = 'DELETE' then
    event := 'quote.erased';
    -- A delivery under way keeps its state, and the receiver gets 'quote.erased' afterwards. The text of a refusal is
    -- deleted, because it may repeat the customer's data.
    update public.webhook_deliveries as d set response_text = null,
        state = case d.state when 'waiting' then 'erased' else d.state end,
        next_at = case d.state when 'waiting' then null else d.next_at end
      where d.quote_id = quote;
  elsif new.last_answer is distinct from old.last_answer then
    event := 'quote.answered';
    ref := new.last_answer;
  elsif (new.accepted, new.accepted_state) is distinct from (old.accepted, old.accepted_state)
        and new.accepted_state in ('aceptada', 'reservada') then
    event := case new.accepted_state when 'aceptada' then 'offer.accepted' else 'shipment.booked' end;
    ref := new.accepted;
  elsif new.last_step is distinct from old.last_step then
    event := 'shipment.milestone';
    ref := new.last_step;
  elsif new.status = 'perdida' and old.status <> 'perdida' then
    event := 'quote.lost';
    ref := new.lost_reason;
  else
    return null;
  end if;
  insert into public.webhook_deliveries (webhook_id, event_id, event, quote_id, folio, ref, at, day)
    select w.id,
           -- The version is part of the event's id, because a quote can be lost twice for the same reason.
           md5(concat_ws(' ', event, quote, ref, case event when 'quote.lost' then new.version end))::uuid,
           event, quote, private.quote_folio(quote), ref, clock_timestamp(), (now() at time zone 'America/Tijuana')::date
    from public.webhooks as w where event = any (w.events) order by w.id
    on conflict do nothing;
  return null;
end $$;
create trigger quote_desk_webhooks after insert or update or delete on public.quote_desk
  for each row execute function private.quote_desk_webhooks();

-- Makes the body of a webhook. The body names the quote by folio and a hash of the id, as src/lead/quote-tag.ts does.
-- The id itself is not sent, because whoever knows it can open the quote.
create function private.webhook_body(delivery public.webhook_deliveries, has_contact boolean) returns text
  language plpgsql stable set search_path = ''
  as $$
declare
  facts jsonb := '{}';
begin
  -- The statement has no ELSE, so an event that it does not name is an error.
  case delivery.event
    when 'quote.received' then
      select jsonb_build_object('created_at', q.created_at, 'promised_at', q.promised_at, 'origen', q.origen,
               'peso', q.peso, 'tipo_carga', q.tipo_carga, 'reemplaza', q.reemplaza)
             || case when has_contact then jsonb_build_object('nombre', q.nombre, 'empresa', q.empresa,
               'email', q.email, 'telefono', q.telefono, 'more', q.more) else '{}' end
        into facts from public.quotes as q where q.id = delivery.quote_id;
    when 'quote.answered', 'offer.accepted', 'shipment.booked' then
      select jsonb_build_object('answer_id', a.id, 'kind', a.kind, 'price', a.price, 'price_for', a.price_for,
               'currency', a.currency, 'kilos', a.kilos, 'total', a.total, 'valid_until', a.valid_until)
             || case delivery.event when 'shipment.booked' then jsonb_build_object('reference', o.reference) else '{}' end
        into facts from public.quote_answers as a left join public.quote_offers as o on o.answer_id = a.id
        where a.id = delivery.ref::uuid;
    when 'shipment.milestone' then
      select jsonb_build_object('step_id', s.id, 'step', s.step, 'at', s.at, 'waste', s.waste, 'corrects', s.corrects)
        into facts from public.shipment_steps as s where s.id = delivery.ref::uuid;
    when 'quote.lost' then facts := jsonb_build_object('reason', delivery.ref);
    when 'quote.erased' then null;
  end case;
  return jsonb_build_object('type', delivery.event, 'timestamp', delivery.at, 'data',
    jsonb_build_object('folio', delivery.folio) || case when delivery.event = 'quote.erased' then '{}' else
      jsonb_build_object('tag', translate(encode(
        substring(sha256(convert_to('aeropuente ' || delivery.quote_id, 'UTF8')) from 1 for 15), 'base64'), '+/', '-_')) end
    || coalesce(facts, '{}'))::text;
end $$;

-- Returns the rows of an accepted offer, from which server/webhooks makes a ONE Record. The contact is null if the
-- receiver gets no contact data. 'offer.accepted' has no shipment, even if the offer was booked before the delivery.
create function private.webhook_offer(delivery public.webhook_deliveries, has_contact boolean) returns jsonb
  language sql stable set search_path = ''
  as $$
    select jsonb_build_object('folio', delivery.folio, 'tipo_carga', q.tipo_carga, 'answer', to_jsonb(a), 'details', to_jsonb(d),
             'shipment', to_jsonb(s), 'contact', case when has_contact then jsonb_build_object(
               'nombre', q.nombre, 'empresa', q.empresa, 'email', q.email, 'telefono', q.telefono) end)
    from public.quote_answers as a
      join public.quotes as q on q.id = a.quote_id
      left join lateral (
        select * from public.quote_details where quote_id = a.quote_id order by pressed_at desc limit 1) as d on true
      left join public.desk_shipments as s on s.answer_id = a.id and delivery.event = 'shipment.booked'
    where a.id = delivery.ref::uuid and delivery.event in ('offer.accepted', 'shipment.booked')
  $$;

-- 3. Sending --------------------------------------------------------------------------------------------------------

-- Returns the deliveries that may be sent now: for each receiver and quote the earliest that has not ended. Deliveries
-- about blocked quotes wait.
create function private.due_webhooks(receiver integer, at timestamptz, most bigint) returns setof bigint
  language sql stable set search_path = ''
  as $$
    select d.id from public.webhook_deliveries as d
      where d.webhook_id = receiver and d.state in ('waiting', 'sending') and d.next_at <= due_webhooks.at
        and d.quote_id <> all (private.blocked_quotes())
        and not exists (select from public.webhook_deliveries as earlier
                        where earlier.webhook_id = receiver and earlier.quote_id = d.quote_id and earlier.id < d.id
                          and earlier.state in ('waiting', 'sending'))
      order by d.id limit most
  $$;

-- Returns deliveries to send now, at most `most` at a time for each receiver, and reserves them for the caller for
-- `lease`.
create function public.claim_webhooks(at timestamptz, lease interval, most integer)
  returns table (id bigint, event_id uuid, event text, folio text, url text, host text, secret text, body text,
                 offer jsonb, attempts integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
begin
  -- Senders choose deliveries one after the other: at the same time, two senders would not see each other's choice.
  perform pg_advisory_xact_lock(hashtextextended('webhooks', 0));
  delete from public.webhook_deliveries as d
    where d.day < (claim_webhooks.at - interval '30 days')::date and d.state in ('delivered', 'aside', 'erased');
  -- A sender may have stopped during a delivery, and the quote was then erased. Such deliveries end here.
  update public.webhook_deliveries as d set state = 'erased', next_at = null
    where d.state = 'sending' and d.next_at <= claim_webhooks.at and d.event <> 'quote.erased'
      and not exists (select from public.quotes as q where q.id = d.quote_id);
  return query
    with room as (
      select w.id, claim_webhooks.most - count(d.id) as free from public.webhooks as w
        left join public.webhook_deliveries as d
          on d.webhook_id = w.id and d.state = 'sending' and d.next_at > claim_webhooks.at
        group by w.id
    ), taken as (
      select due.id from room
        cross join lateral private.due_webhooks(room.id, claim_webhooks.at, greatest(room.free, 0)) as due (id)
    ), claimed as (
      update public.webhook_deliveries as d set state = 'sending', attempts = d.attempts + 1,
          tried_at = claim_webhooks.at, next_at = claim_webhooks.at + claim_webhooks.lease
        from taken where d.id = taken.id returning d.*
    )
    select c.id, c.event_id, c.event, c.folio, w.url, w.host, w.secret,
           private.webhook_body(c::public.webhook_deliveries, w.has_contact),
           case when w.has_one_record then private.webhook_offer(c::public.webhook_deliveries, w.has_contact) end, c.attempts
    from claimed as c join public.webhooks as w on w.id = c.webhook_id order by c.id;
end $$;

-- Stores the outcome of an attempt. If `again_at` is null, a failed delivery gets the state 'aside': no further
-- attempt. If another sender has claimed the delivery in the meantime, the outcome is ignored.
create function public.settle_webhook(delivery bigint, attempt integer, is_delivered boolean, again_at timestamptz,
                                      status integer, response_text text) returns void
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  ended public.webhook_deliveries;
begin
  select * into ended from public.webhook_deliveries as d
    where d.id = delivery and d.attempts = attempt and d.state = 'sending' for update;
  if not found then return; end if;
  ended.state := case when is_delivered then 'delivered'
    when ended.event <> 'quote.erased' and not exists (select from public.quotes where id = ended.quote_id) then 'erased'
    when again_at is null then 'aside' else 'waiting' end;
  update public.webhook_deliveries as d set state = ended.state,
      next_at = case ended.state when 'waiting' then again_at end,
      status = settle_webhook.status,
      response_text = case when exists (select from public.quotes where id = ended.quote_id) then left(settle_webhook.response_text, 200) end
    where d.id = delivery;
  if ended.state = 'aside' then
    -- With the lock, two deliveries that get the state 'aside' at the same time cause a single alert.
    perform pg_advisory_xact_lock(hashtextextended('webhooks aside', 0));
    perform private.alert_team('sinwebhook', now(), interval '1 day');
  end if;
end $$;
revoke all on function public.claim_webhooks(timestamptz, interval, integer),
  public.settle_webhook(bigint, integer, boolean, timestamptz, integer, text) from public, anon, authenticated, service_role;

-- 4. Rights ---------------------------------------------------------------------------------------------------------

-- Colleagues send a delivery again by setting its state to 'waiting'. This trigger refuses any other change, and skips
-- deliveries about an erased quote.
create function private.webhook_deliveries_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if coalesce(current_setting('role', true), 'none') not in ('authenticated', 'service_role') then return new; end if;
  if new.state <> 'waiting' then
    raise sqlstate 'PT400' using message = 'A delivery can only be sent again';
  end if;
  if old.state = 'sending' or old.event <> 'quote.erased'
     and not exists (select from public.quotes where id = old.quote_id) then
    return null;
  end if;
  new.attempts := 0;
  new.next_at := now();
  return new;
end $$;
-- This trigger checks changes by requests. It skips changes by the trigger quote_desk_webhooks, which runs when a quote
-- is erased.
create trigger webhook_deliveries_again before update on public.webhook_deliveries
  for each row when (pg_trigger_depth() = 0) execute function private.webhook_deliveries_again();

alter table public.webhooks enable row level security;
alter table public.webhook_deliveries enable row level security;
revoke all on public.webhooks, public.webhook_deliveries from public, anon, authenticated, service_role;
revoke all on sequence public.webhooks_id_seq, public.webhook_deliveries_id_seq from public, anon, authenticated, service_role;
grant select (id, host, events, has_contact, has_one_record, created_at) on public.webhooks to authenticated, service_role;
grant select (url), insert (url, events, has_contact, has_one_record, secret), delete on public.webhooks to service_role;
grant select, update (state) on public.webhook_deliveries to authenticated, service_role;
create policy "supervisors read receivers" on public.webhooks for select to authenticated
  using ((select private.is_supervisor()));
create policy "supervisors read deliveries" on public.webhook_deliveries for select to authenticated
  using ((select private.is_supervisor()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "supervisors send again" on public.webhook_deliveries for update to authenticated
  using ((select private.is_supervisor()) and quote_id <> all ((select private.blocked_quotes())::uuid[]))
  with check ((select private.is_supervisor()));

-- Sending of alerts: a sender claims the due messages, sends them, and stores the outcome of each. The last statement
-- of this file revokes the functions of `private`.

-- 1. The sender -----------------------------------------------------------------------------------------------------

create table public.alert_sender (
  only_one  boolean     not null default true,
  -- Time at which a sender last asked for messages.
  ran_at    timestamptz,
  -- Ways in which this server sends: push, mail, customer (mail to customers), whatsapp.
  ways      text[]      not null default '{}',
  -- Last call of the function "alert" of a hosted project: time and id of this request, and the result of the call
  -- before it.
  called_at timestamptz,
  call      bigint,
  answered  text,
  -- Time until which nothing is sent by WhatsApp, and the code of the refusal that caused the pause: WhatsApp had
  -- refused all messages, for example after its token expired.
  whatsapp_rests_until timestamptz,
  whatsapp_code        integer,
  constraint alert_sender_pkey primary key (only_one),
  constraint alert_sender_only_one_check check (only_one)
);
insert into public.alert_sender default values;

-- Makes the alert 'nadie' if no colleague has a device that gets alerts, at most once a day.
create function private.alert_nobody() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A team that has never opened the desk gets no such alert: it works with mail, or without alerts.
  if not private.is_anybody_reached(now()) and exists (select from public.staff_presence) then
    perform private.alert_team('nadie', now(), interval '1 day');
  end if;
  return null;
end $$;
create trigger alert_nobody after update of ran_at on public.alert_sender
  for each row execute function private.alert_nobody();

alter table public.alert_sender enable row level security;
revoke all on public.alert_sender from public, anon, authenticated, service_role;
grant select on public.alert_sender to authenticated, service_role;
create policy "staff read whether alerts are sent" on public.alert_sender for select to authenticated
  using ((select private.is_staff()));

-- 2. From alerts to messages ----------------------------------------------------------------------------------------

-- True if the customer should still be alerted about this change of the shipment. False if the change was cancelled, or
-- if a later alert covers it: one that is due at the same time, or whose messages exist already.
create function private.is_step_news(alert public.alerts) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select not exists (select from public.shipment_steps as c where c.corrects = alert.about)
       and not exists (select from public.alerts as later where later.quote_id = alert.quote_id and later.kind = 'paso'
                         and later.id > alert.id and (later.due_at <= alert.due_at or later.spread_at is not null)
                         and not exists (select from public.shipment_steps as c where c.corrects = later.about))
  $$;

-- Returns the milestones that an earlier message reported to the customer, and that were cancelled since the last
-- message about the shipment.
create function private.corrected_steps(alert public.alerts) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select jsonb_agg(wrong.step order by c.created_at)
    from public.alerts as own
    join public.shipment_steps as c on c.id = own.about
    join public.shipment_steps as wrong on wrong.id = c.corrects
    where alert.kind = 'paso' and own.quote_id = alert.quote_id and own.due_at <= alert.due_at
      and not exists (select from public.alerts as earlier where earlier.quote_id = alert.quote_id and earlier.kind = 'paso'
                        and earlier.due_at >= own.due_at and earlier.due_at < alert.due_at)
  $$;

-- True if the customer should still be reminded of shipping documents. False if the alert is about an earlier flight,
-- or if states of documents are recorded and all are 'tengo' (ready).
create function private.lacks_papers(alert public.alerts) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.quote_desk where quote_id = alert.quote_id and last_flight = alert.about)
      and not coalesce((
        select bool_and(estado = 'tengo')
        from (select distinct on (papel) estado from public.shipment_papers where quote_id = alert.quote_id
              order by papel, pressed_at desc) as marked), false)
  $$;

-- False if an alert has become useless, for example because the lead was answered or the customer saw the answer.
create function private.is_wanted(alert public.alerts, lead public.quote_desk, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case alert.kind
      when 'prueba' then true
      when 'nadie' then not private.is_anybody_reached(at)
      when 'sinasignar' then exists (select from public.received_messages where state = 'pendiente')
      when 'sinwhatsapp' then exists (select from public.alert_sender where whatsapp_code is not null)
      when 'singuardar' then exists (select from public.whatsapp_hooks where attempts >= 10)
      when 'sinwebhook' then exists (select from public.webhook_deliveries where state = 'aside')
      else lead.blocked_at is null and case replace(alert.kind, 'contesta', 'pregunta')
        when 'respuesta' then lead.last_answer = alert.about
          and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
        when 'resultado' then lead.moved_offer = alert.about
        when 'paso' then private.is_step_news(alert)
        when 'papeles' then private.lacks_papers(alert)
        when 'pregunta' then lead.open
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.kind in ('pregunta', 'contesta', 'aceptada')
                            and later.due_at > alert.due_at)
        when 'aceptada' then lead.open and (lead.last_reply = alert.about or lead.accepted_state = 'aceptada')
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.kind = 'aceptada' and later.due_at > alert.due_at)
        -- A closed lead does not matter here, because the alert is about all quotes that were sent again within ten
        -- minutes.
        when 'recuperada' then true
        when 'rebotado' then true
        when 'recordar' then lead.status not in ('ganada', 'perdida')
          and exists (select from public.desk_reminders as r where r.quote_id = alert.quote_id and r.at = alert.due_at)
        -- Alerts about an unanswered lead. After a pause in sending, several of them may be due at once: only the last
        -- is sent.
        else lead.open and lead.asked_at = alert.asked_at
          and not (alert.kind = 'nueva' and lead.assignee is not null)
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.asked_at = alert.asked_at and later.about is null
                            and later.kind <> 'recordar'
                            and later.due_at > alert.due_at and later.due_at <= is_wanted.at)
        end
      end
  $$;

-- Returns the folios of the leads for which an alert about several leads is still useful.
create function private.folios_in_alert(alert bigint, at timestamptz) returns table (folio text)
  language sql stable security definer set search_path = ''
  as $$
    select q.folio from public.alerts as a
      join public.quote_desk as d on d.quote_id = a.quote_id
      join public.quotes as q on q.id = a.quote_id
      where a.collected_in = folios_in_alert.alert and private.is_wanted(a, d, folios_in_alert.at)
  $$;

create function private.spread_alert(alert public.alerts, owner uuid, at timestamptz, ways text[]) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alert_messages (alert_id, device_id, way, next_at)
      select alert.id, d.id, 'push', spread_alert.at from public.push_devices as d
      where case when private.is_for_customer(alert.kind) then d.quote_id = alert.quote_id
                 when alert.kind = 'prueba' then d.quote_id is null
                   and d.staff = coalesce((select t.staff from public.alert_tests as t where t.id = alert.test_id), d.staff)
                 else d.quote_id is null and private.gets_alert(d.staff, owner, alert.kind, spread_alert.at) end
      union all
      select alert.id, null, 'mail', spread_alert.at
      where 'mail' = any (ways) and not private.is_for_customer(alert.kind)
        and not exists (select from public.alert_tests as t where t.id = alert.test_id and t.staff is not null);
  $$;

-- Returns the answer that an alert to a customer is about. Null if the customer no longer needs the message about a
-- change of the shipment or about missing documents.
create function private.answer_of_alert(alert public.alerts) returns uuid
  language sql stable security definer set search_path = ''
  as $$
    select case
      when alert.kind not in ('paso', 'papeles') then alert.about
      when case alert.kind when 'paso' then private.is_step_news(alert) else private.lacks_papers(alert) end then coalesce(
        (select answer_id from public.shipment_steps where id = alert.about),
        (select answer_id from public.shipment_flights where id = alert.about)) end
  $$;

-- Returns the content of a message to a customer. Null for an offer that was withdrawn or replaced, unless the message
-- reports just that.
create function private.customer_words(alert public.alerts) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select jsonb_build_object('nombre', q.nombre, 'closing', closed.id, 'answer', to_jsonb(w),
                              'corrected', private.corrected_steps(alert))
    from public.quote_words as w
    join public.quotes as q on q.id = w.quote_id
    left join lateral (select c.id from public.quote_link_closings as c where c.quote_id = q.id
                       order by c.created_at desc, c.id desc limit 1) as closed on true
    where w.id = private.answer_of_alert(alert)
      and (alert.kind = 'resultado' or w.state is null or w.state not in ('retirada', 'reemplazada'))
  $$;

-- Adds the customer's address for mail or WhatsApp to the content. Null if the customer wants no such message, or has
-- no address for it.
create function private.customer_message(alert public.alerts, which text) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select private.customer_words(alert) || case which
      when 'customer' then (
        select jsonb_build_object('email', q.email) from public.quotes as q
        where q.id = alert.quote_id and q.email <> '' and not exists (select from public.mail_stops where quote_id = q.id))
      when 'whatsapp' then private.whatsapp_receiver(alert.quote_id) end
  $$;

-- Makes the messages to the customer about an answer or its outcome, even if a phone has shown it already.
create function private.spread_to_customer(alert public.alerts, lead public.quote_desk, at timestamptz, ways text[])
  returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alert_messages (alert_id, way, next_at)
      select alert.id, which, spread_to_customer.at from unnest(ways) as which
      where private.is_customer_way(which) and private.is_for_customer(alert.kind) and lead.blocked_at is null
        and private.customer_message(alert, which) is not null;
  $$;

-- Combines alerts of one kind about leads without an owner, because these alerts have the same receivers. Reminders
-- that are due in the next five minutes are combined too. Alerts about new leads are combined only if more than five
-- leads came within ten minutes.
create function private.collect_alerts(which text, ids bigint[], at timestamptz, ways text[]) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  together bigint[] := ids;
  new_leads bigint;
  alert public.alerts;
begin
  if which = 'nueva' then
    select count(*) into new_leads from public.alerts as a
      join (select max(asked_at) as last from public.alerts where id = any (ids)) as group_of on true
      where a.kind = 'nueva' and a.quote_id is not null
        and a.asked_at > group_of.last - interval '10 minutes' and a.asked_at <= group_of.last;
  else
    with early as (
      select a.id from public.alerts as a join public.quote_desk as d on d.quote_id = a.quote_id
        where a.spread_at is null and a.kind = which and d.assignee is null
          and a.due_at > collect_alerts.at and a.due_at <= collect_alerts.at + interval '5 minutes'
          and private.is_wanted(a, d, collect_alerts.at)
        for update of a skip locked
    ), taken_along as (
      update public.alerts as a set spread_at = collect_alerts.at from early where a.id = early.id returning a.id
    )
    select ids || coalesce(array_agg(id), '{}') into together from taken_along;
  end if;
  if cardinality(together) = 1 or new_leads <= 5 then
    for alert in select * from public.alerts where id = any (together) loop
      perform private.spread_alert(alert, null, collect_alerts.at, ways);
    end loop;
    return;
  end if;
  insert into public.alerts (kind, asked_at, about, due_at, spread_at)
    -- The alert has the earliest deadline of its leads.
    select which, min(a.asked_at + d.promise), gen_random_uuid(), collect_alerts.at, collect_alerts.at
      from public.alerts as a join public.quote_desk as d on d.quote_id = a.quote_id where a.id = any (together)
    returning * into alert;
  update public.alerts set collected_in = alert.id where id = any (together);
  perform private.spread_alert(alert, null, collect_alerts.at, ways);
end $$;

create function private.spread_due(at timestamptz, ways text[], kinds text[]) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  alert public.alerts;
  lead public.quote_desk;
  unowned bigint[] := '{}';
  together record;
begin
  for alert in
    select * from public.alerts as a
      where a.spread_at is null and a.due_at <= spread_due.at and a.kind = any (spread_due.kinds)
      order by a.due_at, a.id limit 500 for update skip locked
  loop
    select * into lead from public.quote_desk where quote_id = alert.quote_id;
    perform private.spread_to_customer(alert, lead, spread_due.at, spread_due.ways);
    if private.is_wanted(alert, lead, spread_due.at) then
      if lead.assignee is null and alert.kind in ('nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde') then
        unowned := unowned || alert.id;
      else
        perform private.spread_alert(alert, lead.assignee, spread_due.at, spread_due.ways);
      end if;
    end if;
    update public.alerts as a set spread_at = spread_due.at where a.id = alert.id;
  end loop;
  for together in
    select kind, array_agg(id order by due_at, id) as ids from public.alerts where id = any (unowned) group by kind
  loop
    perform private.collect_alerts(together.kind, together.ids, spread_due.at, spread_due.ways);
  end loop;
end $$;

-- 3. Claiming and settling ------------------------------------------------------------------------------------------

-- Returns the number on the icon of the installed app. For a customer: quotes with an answer that was not shown yet.
-- For a colleague: open leads that belong to nobody or to this colleague.
create function private.app_badge(device uuid) returns integer
  language sql stable set search_path = ''
  as $$
    select case when d.quote_id is null then
        (select count(*) from public.quote_desk as l
           where l.open and l.blocked_at is null and coalesce(l.assignee, d.staff) = d.staff)
      else
        (select count(distinct a.quote_id) from public.push_devices as o
           join public.quote_desk as l on l.quote_id = o.quote_id and l.blocked_at is null
           join public.quote_answers as a on a.quote_id = o.quote_id
           where o.endpoint = d.endpoint
             and not exists (select from public.quote_seen as s where s.answer_id = a.id)
             and not exists (select from public.quote_replies as r where r.answer_id = a.id))
      end::integer
    from public.push_devices as d where d.id = app_badge.device
  $$;

-- Returns messages to send now, and reserves them for the caller for two minutes. `ways` and `kinds`: ways of sending
-- and kinds of alerts that the caller supports. `leads`: number of leads in a message. `customer`: content of a message
-- to a customer. A message by WhatsApp is claimed once for each attempt; the messages about one quote are claimed one
-- after the other (92_whatsapp.sql).
create function public.claim_alerts(at timestamptz, ways text[], kinds text[])
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer,
                 leads integer, badge integer, customer jsonb)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
begin
  -- If another sender has locked the row, it is skipped, so that two senders do not wait for each other.
  update public.alert_sender set ran_at = now(), ways = claim_alerts.ways
    where only_one in (select s.only_one from public.alert_sender as s for update skip locked);
  perform private.release_absent(claim_alerts.at);
  perform private.spread_due(claim_alerts.at, claim_alerts.ways, claim_alerts.kinds);
  perform private.end_unconfirmed(claim_alerts.at);

  -- Messages that have become useless end here.
  with over as (
    select m.id from public.alert_messages as m
      join public.alerts as a on a.id = m.alert_id
      left join public.quote_desk as desk on desk.quote_id = a.quote_id
      where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
        and case when private.is_customer_way(m.way) then private.customer_message(a, m.way) is null
              when num_nonnulls(a.quote_id, a.test_id) = 0 and not private.is_about_no_lead(a.kind)
              then not exists (select from private.folios_in_alert(a.id, claim_alerts.at))
              else m.attempts > 0 and not private.is_wanted(a, desk, claim_alerts.at) end
      for update of m skip locked
  )
  update public.alert_messages as m set next_at = null, result = 'over' from over where m.id = over.id;

  return query
    with taken as (
      select m.id from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id
        where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
          and (m.way <> 'whatsapp' or private.is_whatsapp_due(m, a, claim_alerts.at))
        order by m.next_at limit 50 for update of m skip locked
    ), claimed as (
      update public.alert_messages as m set attempts = m.attempts + 1,
          next_at = claim_alerts.at + case m.way when 'whatsapp' then interval '15 minutes' else interval '2 minutes' end,
          delivery = case m.way when 'whatsapp' then 'sending' end,
          delivery_at = case m.way when 'whatsapp' then claim_alerts.at end,
          -- The id of an earlier attempt is removed: a late report about that attempt must not count for this one.
          external_id = null
        from taken where m.id = taken.id returning m.*
    ), collected as (
      select c.alert_id, count(*)::integer as leads, min(l.folio) as folio
        from (select distinct alert_id from claimed) as c
        cross join lateral private.folios_in_alert(c.alert_id, claim_alerts.at) as l group by c.alert_id
    )
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind,
           case when l.leads > 1 then '' else coalesce(q.folio, l.folio, '') end,
           coalesce(q.id, a.test_id, a.about), a.due_at,
           a.asked_at + coalesce(desk.promise, interval '0'), c.attempts, coalesce(l.leads, 1),
           private.app_badge(d.id), private.customer_message(a, c.way)
             || jsonb_build_object('is_template', c.is_template)
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    left join collected as l on l.alert_id = a.id
    left join public.quotes as q on q.id = a.quote_id
    left join public.quote_desk as desk on desk.quote_id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;

-- Stores the outcome of a message: 'sent', 'again' (to be tried later), 'failed', or 'gone' (the device does not exist
-- any more). private.settle_whatsapp lists further outcomes of WhatsApp.
create function public.settle_alert(message uuid, at timestamptz, outcome text, again_at timestamptz, why text default null,
                                    code integer default null, external_id text default null)
  returns void language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
begin
  if exists (select from public.alert_messages where id = message and way = 'whatsapp') then
    perform private.settle_whatsapp(message, settle_alert.at, outcome, again_at, why, settle_alert.code, settle_alert.external_id);
    -- A message that WhatsApp accepts ends the pause. A confirmation does not, because it may be about an earlier
    -- message.
    if outcome = 'sent' then
      update public.alert_sender set whatsapp_rests_until = null, whatsapp_code = null where whatsapp_code is not null;
    end if;
    return;
  end if;
  if outcome = 'gone' then
    delete from public.push_devices as d using public.alert_messages as m where m.id = message and d.id = m.device_id;
  end if;
  update public.alert_messages set
    sent_at = case when outcome = 'sent' then at else sent_at end,
    next_at = case when outcome = 'again' then again_at end,
    result = left(why, 100)
    where id = message;
  if outcome = 'failed' then perform private.alert_undelivered(message, settle_alert.at); end if;
end $$;

revoke all on function public.claim_alerts(timestamptz, text[], text[]),
  public.settle_alert(uuid, timestamptz, text, timestamptz, text, integer, text) from public, anon, authenticated, service_role;
grant execute on function public.claim_alerts(timestamptz, text[], text[]),
  public.settle_alert(uuid, timestamptz, text, timestamptz, text, integer, text) to service_role;

-- 4. Calls of a hosted project --------------------------------------------------------------------------------------

-- Calls the function of a hosted project. pg_net sends the request after the commit, so the call delays no quote.
create function private.call_for_alerts() returns bigint
  language plpgsql security definer set search_path = ''
  as $$
begin
  return net.http_post(
    url := (select decrypted_secret from vault.decrypted_secrets where name = 'alert_function'),
    headers := jsonb_build_object('content-type', 'application/json', 'x-alerts-key',
      (select decrypted_secret from vault.decrypted_secrets where name = 'alerts_key')));
end $$;

-- Calls the function after a new alert. An error becomes a warning: without pg_net or vault the quote is still stored,
-- and the desk shows that no alerts are sent.
create function private.alerts_call_function() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  perform private.call_for_alerts();
  return null;
exception when others then
  raise warning 'The function that sends alerts could not be called: %', sqlerrm;
  return null;
end $$;

create function private.keep_calling_for_alerts() returns void
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_sender set
    answered = coalesce((select coalesce(r.status_code::text, r.error_msg, 'no answer') from net._http_response as r
                         where r.id = call), answered),
    called_at = now(),
    call = private.call_for_alerts();
end $$;

-- Starts the regular calls of the function; supabase/functions/alert/calls.sql runs it. Only hosted projects have the
-- extensions that it needs.
create function private.start_alert_calls(address text, key text) returns void
  -- The search path is 'extensions', because `create extension` installs into the first schema of the path.
  language plpgsql set search_path = 'extensions'
  as $calls$
declare
  secret record;
begin
  create extension if not exists pg_net;
  create extension if not exists pg_cron;
  for secret in values ('alert_function', address), ('alerts_key', key) loop
    if exists (select from vault.secrets where name = secret.column1) then
      perform vault.update_secret(id, secret.column2) from vault.secrets where name = secret.column1;
    else
      perform vault.create_secret(secret.column2, secret.column1);
    end if;
  end loop;
  create or replace trigger alerts_call after insert on public.alerts
    for each statement execute function private.alerts_call_function();
  perform cron.schedule('alerts', '30 seconds', 'select private.keep_calling_for_alerts()');
end $calls$;

-- 5. Functions that requests may not call ---------------------------------------------------------------------------

-- PostgreSQL grants every new function to PUBLIC, so these grants are revoked. Grants to named roles stay.
revoke execute on all functions in schema private from public;
