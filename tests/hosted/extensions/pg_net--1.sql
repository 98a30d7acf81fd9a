-- Substitute for pg_net (https://supabase.com/docs/guides/database/extensions/pg_net) with what the migrations use.
-- It only stores the requests, and the test sends them.
create schema net;
create table net.http_request_queue (
  id bigserial primary key, method text not null, url text not null, headers jsonb, body jsonb, timeout_milliseconds int);
create table net._http_response (
  id bigint, status_code integer, content_type text, headers jsonb, content text, timed_out bool, error_msg text,
  created timestamptz not null default now());
create function net.http_post(url text, body jsonb default '{}', params jsonb default '{}',
                              headers jsonb default '{"Content-Type": "application/json"}', timeout_milliseconds int default 5000)
  returns bigint language sql security definer set search_path = ''
  as $$
    insert into net.http_request_queue (method, url, headers, body, timeout_milliseconds)
      values ('POST', url, headers, body, timeout_milliseconds) returning id
  $$;
grant usage on schema net to postgres, anon, authenticated, service_role;
grant select on net._http_response to postgres;
