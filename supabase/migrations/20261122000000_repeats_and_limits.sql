-- Up to twenty ids that a request shows in its x-submission-id header, separated by commas: whoever shows one may
-- read that row, for an id is 122 random bits that only the phone which made it knows. What is no id is passed over.
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
revoke all on function private.presented_quote_ids() from public;
grant execute on function private.presented_quote_ids() to anon, authenticated;

-- `(select …)` reads the header once, not for each row, and `= any` on the bare column lets the primary key serve it.
-- app.quote_id stays outside of a subselect: it changes between the rows of one insert.
alter policy "a request sees the quote it submits or presents" on public.quotes
  using (id = nullif(current_setting('app.quote_id', true), '')::uuid
         or id = any ((select private.presented_quote_ids())::uuid[]));
drop function private.presented_quote_id();

-- The same request twice in a day is a repeat: the same in every word. By less (e-mail, cargo, weight) a stranger
-- could ask whether somebody had asked today, and, by being first, have the real request turned away.
create unique index quotes_request_key on public.quotes
  (email, tipo_carga, peso, telefono, nombre, empresa, ((created_at at time zone 'America/Tijuana')::date));
drop index public.quotes_email_key;

-- The network beside the address: whoever has an IPv6 /48 has 65,536 of the /64 that count as one address.
alter table private.quote_sends add column network bytea;
create index quote_sends_network on private.quote_sends (network, at);

create function private.visitor_network() returns text
  language sql stable set search_path = ''
  as $$
    select case when private.visitor_address() like '%:%' then network(set_masklen(private.visitor_address()::inet, 48))::text end
  $$;

-- Before each insert. What is refused here was written nowhere: a refused request must not fill the disk.
-- The owner's rights are for the limits and for the rows that a visitor may not see.
create or replace function private.quotes_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  is_visitor constant boolean := current_setting('role', true) in ('anon', 'authenticated');
  limits private.quote_limits;
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  visitor_network constant bytea := sha256(convert_to(private.visitor_network(), 'UTF8'));
  hour_ago constant timestamptz := now() - interval '1 hour';
  full_since timestamptz;
begin
  -- A list of guesses would be answered row by row.
  if is_visitor and nullif(current_setting('app.quote_id', true), '') is not null then
    raise sqlstate 'PT400' using message = 'One quote in each request';
  end if;
  new.email := lower(btrim(new.email));
  -- One send of the same id at a time: a parallel re-send could lose the race on the other key and be told, wrongly,
  -- that the quote is a repeat. The note lets RETURNING show this row. Both end with the transaction.
  perform pg_advisory_xact_lock(hashtextextended('public.quotes ' || new.id::text, 0));
  perform set_config('app.quote_id', new.id::text, true);

  -- A quote that is sent again costs nothing and never locks anyone out.
  if exists (select from public.quotes where id = new.id) then return new; end if;

  if exists (select from public.quotes as other
             where (other.email, other.tipo_carga, other.peso, other.telefono, other.nombre, other.empresa)
                 = (new.email, new.tipo_carga, new.peso, new.telefono, new.nombre, new.empresa)
               and (other.created_at at time zone 'America/Tijuana')::date
                 = (new.created_at at time zone 'America/Tijuana')::date) then
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "quotes_request_key"', constraint = 'quotes_request_key';
  end if;

  -- The oldest of the last `bound` sends: once it is an hour old there is room again.
  select * into limits from private.quote_limits;
  if limits.per_address > 0 and visitor is not null then
    select at into full_since from private.quote_sends
      where address = visitor and at > hour_ago order by at desc offset limits.per_address - 1 limit 1;
    if full_since is null and visitor_network is not null then
      select at into full_since from private.quote_sends
        where network = visitor_network and at > hour_ago order by at desc offset 4 * limits.per_address - 1 limit 1;
    end if;
  end if;
  if full_since is null and limits.overall > 0 then
    select at into full_since from private.quote_sends
      where at > hour_ago order by at desc offset limits.overall - 1 limit 1;
  end if;
  if full_since is not null then
    -- Five minutes at the most: the owner may have raised the limit by then.
    raise sqlstate 'PGRST' using
      message = json_build_object('code', 'PT429', 'message', 'Too many quotes within an hour',
                                  'details', null, 'hint', 'Retry later')::text,
      detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After',
        least(300, ceil(extract(epoch from full_since - hour_ago))::int)::text))::text;
  end if;
  return new;
end $$;

-- After it: only what was stored counts.
create or replace function private.quotes_limit() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from private.quote_sends where ctid = any (array(
    select ctid from private.quote_sends where at <= now() - interval '1 hour' limit 100 for update skip locked));
  insert into private.quote_sends (address, network) values (
    sha256(convert_to(private.visitor_address(), 'UTF8')), sha256(convert_to(private.visitor_network(), 'UTF8')));
  return null;
end $$;
