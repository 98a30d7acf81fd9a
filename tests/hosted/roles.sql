-- A hosted project before its first migration, as migrations and PostgREST see it: roles, default grants and the
-- signed-in user. The superuser supabase_admin owns the server. Migrations run as postgres, which is not a superuser.
create role postgres login createdb createrole replication bypassrls password 'only-for-this-test';
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
create role authenticator login noinherit password 'only-for-this-test';
grant anon, authenticated, service_role to authenticator, postgres;
alter role anon set statement_timeout = '3s';
alter role authenticated set statement_timeout = '8s';
alter role authenticator set statement_timeout = '8s';
alter role authenticator set lock_timeout = '8s';
alter database postgres owner to postgres;

create schema extensions authorization postgres;
grant usage on schema public, extensions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on functions to anon, authenticated, service_role;
alter default privileges for role postgres in schema public grant all on sequences to anon, authenticated, service_role;

create role supabase_auth_admin nologin noinherit createrole;
create schema auth authorization supabase_auth_admin;
grant usage on schema auth to anon, authenticated, service_role, postgres;
create function auth.uid() returns uuid language sql stable
  as $$ select coalesce(nullif(current_setting('request.jwt.claim.sub', true), ''),
                        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'sub')::uuid $$;
create function auth.role() returns text language sql stable
  as $$ select coalesce(nullif(current_setting('request.jwt.claim.role', true), ''),
                        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'role') $$;
create function auth.email() returns text language sql stable
  as $$ select coalesce(nullif(current_setting('request.jwt.claim.email', true), ''),
                        nullif(current_setting('request.jwt.claims', true), '')::jsonb ->> 'email') $$;
create function auth.jwt() returns jsonb language sql stable
  as $$ select coalesce(nullif(current_setting('request.jwt.claim', true), ''),
                        nullif(current_setting('request.jwt.claims', true), ''))::jsonb $$;
create table auth.mfa_factors (id uuid primary key, user_id uuid not null, friendly_name text, factor_type text not null,
  status text not null);
grant select on auth.mfa_factors to postgres;
alter table auth.mfa_factors owner to supabase_auth_admin;
alter function auth.uid() owner to supabase_auth_admin;
alter function auth.role() owner to supabase_auth_admin;
alter function auth.email() owner to supabase_auth_admin;
alter function auth.jwt() owner to supabase_auth_admin;

-- PostgREST reads the schema again after each change.
create function extensions.pgrst_ddl_watch() returns event_trigger language plpgsql
  as $$ begin notify pgrst, 'reload schema'; end $$;
create event trigger pgrst_ddl_watch on ddl_command_end execute function extensions.pgrst_ddl_watch();
