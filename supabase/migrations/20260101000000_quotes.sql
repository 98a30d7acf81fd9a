-- Leads. One row per quote request. The phone mints `id`, so a request sent
-- twice (lost answer, page and worker both flushing) is one row.

create schema if not exists private;

-- What a visitor and a salesperson say to each other over the phone: seven characters
-- of Crockford's base 32 (no I, L, O, U) from the first 35 bits of the id, and one that
-- checks them. The check is a sum over GF(32) weighted by powers of two, so any one
-- wrong character and any two swapped neighbours are noticed, the check itself included.
-- src/quote/folio.ts is the same rule; a test holds the two together.
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

create table public.quotes (
  id          uuid        not null default gen_random_uuid(),
  created_at  timestamptz not null default now(),
  nombre      text        not null,
  empresa     text        not null,
  email       text        not null,
  telefono    text        not null,
  peso        integer     not null,
  tipo_carga  text        not null,
  folio       text        not null generated always as (private.quote_folio(id)) stored,
  constraint quotes_pkey             primary key (id),
  constraint quotes_nombre_check     check (nombre  = btrim(nombre)  and char_length(nombre)  between 1 and 100),
  constraint quotes_empresa_check    check (empresa = btrim(empresa) and char_length(empresa) between 1 and 100),
  constraint quotes_email_check      check (email = lower(btrim(email)) and char_length(email) <= 100
                                            and email ~ '^[^[:space:]@]+@[^[:space:]@]+\.[^[:space:]@]+$'),
  constraint quotes_telefono_check   check (telefono = btrim(telefono) and char_length(telefono) <= 20
                                            and char_length(regexp_replace(telefono, '[[:space:]\u00a0().-]', '', 'g')) between 7 and 15),
  constraint quotes_peso_check       check (peso between 1 and 1000000),
  constraint quotes_tipo_carga_check check (tipo_carga in ('general', 'perecederos', 'especial'))
);

-- The same request twice in a day is a repeat; another load from the same e-mail is a new lead.
create unique index quotes_email_key on public.quotes
  (email, tipo_carga, peso, ((created_at at time zone 'America/Tijuana')::date));
create index quotes_folio on public.quotes (folio);
create index quotes_created_at on public.quotes (created_at, id);

-- Grants, spelt out both ways: an older hosted project hands every new public table
-- to the API roles whole, one created after 30 May 2026 hands out nothing. A visitor
-- gives the six form fields and the id (created_at stays the server's); nobody but the
-- service role updates or deletes.
alter table public.quotes enable row level security;
revoke all on public.quotes from public, anon, authenticated;
grant select, insert, update, delete on public.quotes to service_role;
grant insert (id, nombre, empresa, email, telefono, peso, tipo_carga) on public.quotes to anon, authenticated;
grant select on public.quotes to anon, authenticated;
grant execute on function private.quote_folio(uuid) to anon, authenticated, service_role;

-- Before each insert: normalise the e-mail, let only one send of the same id run
-- at a time (without this lock a parallel re-send can lose the race on the e-mail
-- index and be told, wrongly, that the quote is a repeat), and note which row this
-- transaction is writing so that RETURNING may show it. Lock and note end at commit.
create function private.quotes_before_insert() returns trigger
  language plpgsql set search_path = ''
  as $$
begin
  new.email := lower(btrim(new.email));
  perform pg_advisory_xact_lock(hashtextextended('public.quotes ' || new.id::text, 0));
  perform set_config('app.quote_id', new.id::text, true);
  return new;
end $$;
create trigger quotes_before_insert before insert on public.quotes
  for each row execute function private.quotes_before_insert();

-- The id a request shows in its x-submission-id header. The id is 122 random bits
-- known only to the phone that made it: whoever shows it may read that one row.
create function private.presented_quote_id() returns text
  language sql stable set search_path = ''
  as $$ select lower(nullif(current_setting('request.headers', true), '')::json ->> 'x-submission-id') $$;
grant execute on function private.presented_quote_id() to anon, authenticated;

create policy "anyone may submit a quote" on public.quotes
  for insert to anon, authenticated
  with check (true);

create policy "a request sees the quote it submits or presents" on public.quotes
  for select to anon, authenticated
  using (id::text in (current_setting('app.quote_id', true), private.presented_quote_id()));
