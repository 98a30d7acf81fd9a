-- A bound on quotes stored within an hour. To change it:
--   update private.quote_limits set per_address = 60, overall = 2000;   -- 0 is no bound
-- A Mexican carrier puts many phones behind one address, so the figures are loose.
create table private.quote_limits (
  only_row    boolean not null primary key default true check (only_row),
  per_address integer not null default 60   check (per_address >= 0),
  overall     integer not null default 2000 check (overall >= 0)
);
insert into private.quote_limits default values;

-- Addresses are kept hashed, apart from the lead, for one hour.
create table private.quote_sends (
  at      timestamptz not null default now(),
  address bytea
);
create index quote_sends_at on private.quote_sends (at);
create index quote_sends_address on private.quote_sends (address, at);

-- Cloudflare, in front of every hosted project, vouches for cf-connecting-ip; the embedded
-- server overwrites x-forwarded-for. An IPv6 visitor commands a /64, so that is one address.
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

-- AFTER INSERT, so a re-send (stopped by ON CONFLICT before this fires) costs nothing
-- and never locks anyone out. The raise takes the lead and its count back with it.
create function private.quotes_limit() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  limits private.quote_limits;
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  hour_ago constant timestamptz := now() - interval '1 hour';
  full_since timestamptz;
begin
  select * into limits from private.quote_limits;
  delete from private.quote_sends where ctid = any (array(
    select ctid from private.quote_sends where at <= hour_ago limit 100 for update skip locked));

  -- The oldest of the last `bound` sends: once it is an hour old there is room again.
  if limits.per_address > 0 and visitor is not null then
    select at into full_since from private.quote_sends
      where address = visitor and at > hour_ago order by at desc offset limits.per_address - 1 limit 1;
  end if;
  if full_since is null and limits.overall > 0 then
    select at into full_since from private.quote_sends
      where at > hour_ago order by at desc offset limits.overall - 1 limit 1;
  end if;
  if full_since is not null then
    raise sqlstate 'PGRST' using
      message = json_build_object('code', 'PT429', 'message', 'Too many quotes within an hour',
                                  'details', null, 'hint', 'Retry later')::text,
      detail = json_build_object('status', 429, 'headers', json_build_object(
        'Retry-After', ceil(extract(epoch from full_since - hour_ago))::int::text))::text;
  end if;

  insert into private.quote_sends (address) values (visitor);
  return null;
end $$;
create trigger quotes_limit after insert on public.quotes
  for each row execute function private.quotes_limit();
