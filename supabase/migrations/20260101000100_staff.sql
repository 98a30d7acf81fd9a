-- Staff: a signed-in user whose server-set app_metadata carries role = staff.
-- app_metadata is written with the service key only; users cannot give it to themselves.
create function private.is_staff() returns boolean
  language sql stable set search_path = ''
  as $$ select coalesce(nullif(current_setting('request.jwt.claims', true), '')::jsonb #>> '{app_metadata,role}' = 'staff', false) $$;
grant execute on function private.is_staff() to authenticated;

create policy "staff read every quote" on public.quotes
  for select to authenticated
  using ((select private.is_staff()));

-- A folio as it was heard or typed: any casing, any dashes or spaces, with or without
-- its AP, I and L for 1, O for 0. What the caller may not read is not found.
create function public.quotes_by_folio(typed text) returns setof public.quotes
  language sql stable security invoker set search_path = ''
  as $$
    select * from public.quotes
    where folio = regexp_replace(
      translate(upper(regexp_replace(typed, '[^0-9A-Za-z]', '', 'g')), 'ILO', '110'),
      '^(?:AP)?(.{4})(.{4})$', 'AP-\1-\2')
  $$;
revoke all on function public.quotes_by_folio(text) from public, anon;
grant execute on function public.quotes_by_folio(text) to authenticated, service_role;

-- Tell whoever listens that a lead came in: the id only, never the person.
create function private.quotes_notify() returns trigger
  language plpgsql set search_path = ''
  as $$ begin perform pg_notify('quotes', new.id::text); return null; end $$;
create trigger quotes_notify after insert on public.quotes
  for each row execute function private.quotes_notify();
