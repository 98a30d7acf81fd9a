-- Roles that every hosted project of Supabase has already. This file makes them for the embedded database, with the
-- default grants of older projects. Newer projects lack these grants, and migrations must work in both.
create role anon nologin noinherit;
create role authenticated nologin noinherit;
create role service_role nologin noinherit bypassrls;
grant usage on schema public to anon, authenticated, service_role;
alter default privileges in schema public grant all on tables to anon, authenticated, service_role;
alter default privileges in schema public grant all on functions to anon, authenticated, service_role;
