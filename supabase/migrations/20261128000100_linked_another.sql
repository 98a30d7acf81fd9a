-- A quote that is opened by its link says whose copy it is. Without that a phone that sends it again, to a server that was
-- restored without it, would be told that it repeats the original.
alter function private.linked_quotes() rename to linked_but_igual;
create function private.linked_quotes()
  returns table (id uuid, created_at timestamptz, closing uuid, nombre text, empresa text, email text, telefono text,
                 peso integer, tipo_carga text, promociones boolean, llamada boolean, reemplaza text, embarque integer,
                 igual text)
  language sql stable security definer set search_path = ''
  as $$ select l.*, q.igual from private.linked_but_igual() as l join public.quotes as q on q.id = l.id $$;
create or replace view public.quote_links with (security_invoker = true) as
  select id, created_at, closing, nombre, empresa, email, telefono, peso, tipo_carga, promociones, llamada, reemplaza,
         embarque, igual
  from private.linked_quotes();
revoke all on function private.linked_quotes() from public, anon, authenticated, service_role;
revoke all on function private.linked_but_igual() from anon;
grant execute on function private.linked_quotes() to anon;
