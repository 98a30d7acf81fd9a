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
