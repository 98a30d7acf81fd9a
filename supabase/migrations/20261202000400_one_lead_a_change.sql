-- A colleague changes one lead in each request: one PATCH with a wide filter could take every lead.
create function private.quote_desk_one() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and (select count(*) from changed) > 1 then
    raise sqlstate 'PT400' using message = 'One lead in each change';
  end if;
  return null;
end $$;

revoke all on function private.quote_desk_one() from public;

create trigger quote_desk_one after update on public.quote_desk
  referencing new table as changed
  for each statement execute function private.quote_desk_one();
