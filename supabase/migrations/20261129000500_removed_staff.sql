-- Who was removed does not come back by a desk that is still open: its token holds until it ends.

-- An id alone, of no account any more: whoever is added again, with the same e-mail too, has another.
create table private.staff_removed (
  staff uuid not null,
  constraint staff_removed_pkey primary key (staff)
);

create function private.was_removed() returns boolean
  language sql stable security definer set search_path = ''
  as $$ select exists (select from private.staff_removed where staff = auth.uid()) $$;

-- As before, and it is kept that they were removed.
create or replace function private.staff_signs_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.kind = 'estoy' then
    insert into public.staff_presence (staff, name) values (new.staff, private.staff_name())
      on conflict (staff) do update set name = excluded.name, seen_at = now(), left_at = null;
  elsif new.kind = 'mevoy' then
    if new.heir is null then
      perform private.release_leads(new.staff);
    else
      update public.quote_desk set assignee = new.heir where assignee = new.staff and open and blocked_at is null;
    end if;
    update public.staff_presence set seen_at = now(), left_at = now() where staff = new.staff;
  else
    perform private.release_leads(new.staff);
    delete from public.push_devices where staff = new.staff;
    delete from public.staff_presence where staff = new.staff;
    insert into private.staff_removed (staff) values (new.staff) on conflict do nothing;
  end if;
  delete from public.staff_signs where id = new.id;
  return null;
end $$;

revoke all on private.staff_removed from public, anon, authenticated, service_role;
revoke all on function private.was_removed() from public, anon, authenticated, service_role;
grant execute on function private.was_removed() to authenticated;
-- Whoever goes may say so: a lead that was taken meanwhile goes back to all.
alter policy "staff say that they are here, or go" on public.staff_signs
  with check ((select private.is_staff()) and staff = (select auth.uid())
              and (kind = 'mevoy' or kind = 'estoy' and not (select private.was_removed())));
alter policy "staff are told by themselves" on public.push_devices
  with check ((select private.is_staff()) and quote_id is null and staff = (select auth.uid())
              and not (select private.was_removed()));
