-- Somebody is always told: who of the sales team is here, whom an alert reaches and how, and what becomes of the leads
-- of who is not here.

-- 1. Who is here ----------------------------------------------------------------------------------------------------

create table public.staff_presence (
  staff   uuid        not null,
  name    text        not null,
  seen_at timestamptz not null default now(),
  -- Null: has not said so.
  left_at timestamptz,
  constraint staff_presence_pkey primary key (staff)
);

-- What a desk says of whoever sits at it. Nothing of it is kept but the last sign.
create table public.staff_signs (
  id    uuid not null default gen_random_uuid(),
  kind  text not null,
  staff uuid not null default auth.uid(),
  -- Who gets the open leads of somebody who goes; null: whoever takes them.
  heir  uuid,
  constraint staff_signs_pkey primary key (id),
  constraint staff_signs_kind_check check (kind in ('estoy', 'mevoy', 'baja')),
  constraint staff_signs_heir_check check (heir is null or kind = 'mevoy' and heir <> staff)
);

-- A device that told its worker something today, or sat under its owner's hands.
alter table public.push_devices add column answered_at timestamptz not null default now();

create or replace function private.alert_shown_to_message() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_messages set shown_at = now() where id = new.message_id;
  update public.push_devices set answered_at = now()
    where id = (select device_id from public.alert_messages where id = new.message_id);
  return null;
end $$;

-- Of one who was never seen nothing is known, and whoever is not known to be away is here.
create function private.is_away(who uuid, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.staff_presence
                   where staff = who and (left_at is not null or seen_at <= at - interval '12 hours'))
  $$;

create function private.is_reached(who uuid, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select not private.is_away(who, at)
       and exists (select from public.push_devices where staff = who and answered_at > at - interval '1 day')
  $$;

-- 2. Whom an alert about a lead is for ------------------------------------------------------------------------------

-- Its owner alone, as long as that one can be reached and half an hour is left; then all who are here; and all there
-- are where nobody who is here can be reached, or once it is late.
create function private.is_told(who uuid, owner uuid, kind text, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case
      when kind = 'tarde' then true
      when kind not in ('quedan30', 'quedan10') and private.is_reached(owner, at) then who = owner
      else not private.is_away(who, at)
        or not exists (select from public.push_devices as d where d.quote_id is null and private.is_reached(d.staff, at))
    end
  $$;

-- 3. Leads of who is not here ---------------------------------------------------------------------------------------

-- An answered lead that waits for a word goes back too; one that is won or lost stays who it belongs to.
create function private.release_leads(owner uuid) returns void
  language sql security definer set search_path = ''
  as $$
    update public.quote_desk set status = 'nueva'
      where assignee = owner and open and status in ('tomada', 'respondida') and blocked_at is null
  $$;

create function private.release_absent(at timestamptz) returns void
  language sql security definer set search_path = ''
  as $$
    select private.release_leads(staff) from public.staff_presence as p
      where seen_at <= at - interval '12 hours'
        and exists (select from public.quote_desk
                    where assignee = p.staff and open and status in ('tomada', 'respondida') and blocked_at is null)
  $$;

create function private.staff_signs_heed() returns trigger
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
  end if;
  delete from public.staff_signs where id = new.id;
  return null;
end $$;
-- After it, and not before: a row that a trigger holds back is never looked at by the policies.
create trigger staff_signs_heed after insert on public.staff_signs
  for each row execute function private.staff_signs_heed();

-- 4. Who can be reached, and how ------------------------------------------------------------------------------------

-- As its owner: of a device nobody reads more than that it is there.
create view public.desk_reach as
  select p.staff, p.name, not private.is_away(p.staff, now()) as here,
         p.left_at is null and p.seen_at > now() - interval '3 minutes' as at_desk,
         (select count(*)::integer from public.push_devices as d
          where d.staff = p.staff and d.answered_at > now() - interval '1 day') as devices
  from public.staff_presence as p
  where (select private.is_staff()) or (select current_setting('role')) in ('none', 'service_role');

alter table public.staff_presence enable row level security;
alter table public.staff_signs enable row level security;
revoke all on public.staff_presence, public.staff_signs, public.desk_reach from public, anon, authenticated, service_role;
revoke all on function private.is_away(uuid, timestamptz), private.is_reached(uuid, timestamptz),
  private.is_told(uuid, uuid, text, timestamptz), private.release_leads(uuid), private.release_absent(timestamptz),
  private.staff_signs_heed() from public, anon, authenticated, service_role;
grant execute on function private.is_away(uuid, timestamptz) to authenticated, service_role;
grant insert (id, kind, heir) on public.staff_signs to authenticated;
grant insert (id, kind, staff) on public.staff_signs to service_role;
grant select on public.desk_reach to authenticated, service_role;
create policy "staff say that they are here, or go" on public.staff_signs for insert to authenticated
  with check ((select private.is_staff()) and staff = (select auth.uid()) and kind in ('estoy', 'mevoy'));
