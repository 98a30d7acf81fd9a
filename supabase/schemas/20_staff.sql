-- The sales team: rights of a sign-in, presence, and the record of exports and blocks.

-- 1. Rights ---------------------------------------------------------------------------------------------------------

-- True if the request's account has a second step of signing in. Hosted projects have the table auth.mfa_factors, the
-- embedded server has a view of the same name, and a database without accounts has neither.
create function private.has_factor() returns boolean
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  if to_regclass('auth.mfa_factors') is null then return false; end if;
  return exists (select from auth.mfa_factors where user_id = auth.uid() and status = 'verified');
end $$;
grant execute on function private.has_factor() to authenticated, service_role;

-- True for staff: users with app_metadata.role = staff, which only the service key can write. If the account has a
-- second step of signing in, the session must have passed it (aal2). The body is not a string, so PostgreSQL looks up
-- private.has_factor when it creates this function: callers have no rights on the schema `private`.
create function private.is_staff() returns boolean
  language sql stable
  return coalesce(auth.jwt() #>> '{app_metadata,role}' = 'staff', false)
         and (coalesce(auth.jwt() ->> 'aal' = 'aal2', false) or not private.has_factor());
grant execute on function private.is_staff() to authenticated, service_role;

-- True for supervisors: staff with app_metadata.supervisor = true, who may also hand over any lead, export, block, and
-- see all figures. Their session must have passed a second step, except in the demo.
create function private.is_supervisor() returns boolean
  language sql stable
  return private.is_staff() and coalesce(auth.jwt() #>> '{app_metadata,supervisor}' = 'true', false)
         and coalesce(auth.jwt() ->> 'aal' = 'aal2' or auth.jwt() #>> '{app_metadata,second_factor}' = 'optional', false);
grant execute on function private.is_supervisor() to authenticated, service_role;

-- Returns the name of the signed-in colleague, or the e-mail if the name is blank, cut to the length that an answer
-- allows.
create function private.staff_name() returns text
  language sql stable
  return (
    select btrim(left(btrim(name), 100))
    from unnest(array[auth.jwt() #>> '{app_metadata,name}', auth.jwt() ->> 'email']) with ordinality as _(name, place)
    where private.is_seen(name) order by place limit 1
  );
grant execute on function private.staff_name() to authenticated, service_role;

create function private.manages_templates() returns boolean
  language sql stable
  return private.is_supervisor();
grant execute on function private.manages_templates() to authenticated;

-- 2. Presence -------------------------------------------------------------------------------------------------------

create table public.staff_presence (
  staff   uuid        not null,
  name    text        not null,
  seen_at timestamptz not null default now(),
  -- Time at which the colleague ended the shift; null until then.
  left_at timestamptz,
  constraint staff_presence_pkey primary key (staff)
);
alter table public.staff_presence enable row level security;
revoke all on public.staff_presence from public, anon, authenticated, service_role;

-- True if a colleague is away. A colleague without a row counts as present, because nothing is known about the
-- presence.
create function private.is_away(who uuid, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.staff_presence
                   where staff = who and (left_at is not null or seen_at <= at - interval '12 hours'))
  $$;
grant execute on function private.is_away(uuid, timestamptz) to authenticated, service_role;

-- Colleagues whose account was removed. The list is needed because the token of an open desk stays valid until it
-- expires. An account that is added again gets a new id.
create table private.staff_removed (
  staff uuid not null,
  constraint staff_removed_pkey primary key (staff)
);
revoke all on private.staff_removed from public, anon, authenticated, service_role;

create function private.was_removed() returns boolean
  language sql stable security definer set search_path = ''
  as $$ select exists (select from private.staff_removed where staff = auth.uid()) $$;
grant execute on function private.was_removed() to authenticated;

-- Reports about a colleague: present ('estoy'), shift ended with or without giving up the leads ('mevoy', 'conservo'),
-- account removed ('baja'). A trigger acts on the row and deletes it.
create table public.staff_signs (
  id    uuid not null default gen_random_uuid(),
  kind  text not null,
  staff uuid not null default auth.uid(),
  -- Colleague who gets the open leads of `staff` after 'mevoy'. If null, these leads lose their owner.
  heir  uuid,
  constraint staff_signs_pkey primary key (id),
  constraint staff_signs_kind_check check (kind in ('estoy', 'mevoy', 'conservo', 'baja')),
  constraint staff_signs_heir_check check (heir is null or kind = 'mevoy' and heir <> staff)
);

create function private.staff_signs_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.kind = 'estoy' then
    insert into public.staff_presence (staff, name) values (new.staff, private.staff_name())
      on conflict (staff) do update set name = excluded.name, seen_at = now(), left_at = null;
  elsif new.kind in ('mevoy', 'conservo') then
    if new.heir is not null then
      update public.quote_desk set assignee = new.heir where assignee = new.staff and open and blocked_at is null;
    -- A removed colleague cannot keep the leads, even with 'conservo'.
    elsif new.kind = 'mevoy' or private.was_removed() then
      perform private.release_leads(new.staff);
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
-- The trigger runs after the insert, so that PostgreSQL checks the policies first. If a before trigger dropped the row,
-- the policies would not be checked.
create trigger staff_signs_heed after insert on public.staff_signs
  for each row execute function private.staff_signs_heed();

alter table public.staff_signs enable row level security;
revoke all on public.staff_signs from public, anon, authenticated, service_role;
grant insert (id, kind, heir) on public.staff_signs to authenticated;
grant insert (id, kind, staff) on public.staff_signs to service_role;
-- A removed colleague may still end the shift, so that the leads lose their owner.
create policy "staff say that they are here, or go" on public.staff_signs for insert to authenticated
  with check ((select private.is_staff()) and staff = (select auth.uid())
              and (kind in ('mevoy', 'conservo') or kind = 'estoy' and not (select private.was_removed())));

-- 3. Exports and blocks ---------------------------------------------------------------------------------------------

-- Log of exports and of blocked leads. Before an export the desk inserts a row with ids; the trigger below drops ids that
-- may not be exported, and the desk exports the rest. An export by the command line is a row with the number of leads.
create table public.desk_acts (
  id         uuid        not null default gen_random_uuid(),
  at         timestamptz not null default clock_timestamp(),
  kind       text        not null,
  staff      uuid        default auth.uid(),
  staff_name text        default private.staff_name(),
  rows       integer,
  what       text,
  -- Quote that was blocked. No foreign key is set, because the log outlives an erased quote.
  quote_id   uuid,
  leads      uuid[],
  constraint desk_acts_pkey primary key (id),
  constraint desk_acts_kind_check check (kind in ('exporte', 'bloqueo')),
  constraint desk_acts_export_check check (case kind
    when 'exporte' then num_nulls(rows, what) = 0 and rows >= 0 and char_length(what) between 1 and 40
    else num_nulls(rows, what) = 2 end),
  constraint desk_acts_quote_check check ((kind = 'exporte') = (quote_id is null)),
  constraint desk_acts_leads_check check (leads is null or (kind = 'exporte' and cardinality(leads) <= 300))
);
create index desk_acts_at on public.desk_acts (at, id);

-- Keeps only leads that the caller may read, because the trigger runs with the caller's rights.
create function private.desk_acts_count() returns trigger
  language plpgsql set search_path = ''
  as $$
begin
  if new.kind = 'exporte' and (current_user = 'authenticated' or new.leads is not null) then
    select coalesce(array_agg(quote_id), '{}') into new.leads
      from public.desk_leads where quote_id = any (new.leads);
    new.rows := cardinality(new.leads);
  end if;
  return new;
end $$;
create trigger desk_acts_count before insert on public.desk_acts
  for each row execute function private.desk_acts_count();

create function private.desk_acts_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.kind = 'bloqueo' then
    update public.quote_desk set blocked_at = now() where quote_id = new.quote_id;
  end if;
  return null;
end $$;
create trigger desk_acts_heed after insert on public.desk_acts
  for each row execute function private.desk_acts_heed();

alter table public.desk_acts enable row level security;
revoke all on public.desk_acts from public, anon, authenticated, service_role;
grant select on public.desk_acts to authenticated, service_role;
grant insert (id, kind, leads, what, quote_id) on public.desk_acts to authenticated;
grant insert (id, kind, rows, leads, what, quote_id) on public.desk_acts to service_role;
create policy "supervisors read what was exported and blocked" on public.desk_acts for select to authenticated
  using ((select private.is_supervisor()));
create policy "supervisors export and block" on public.desk_acts for insert to authenticated
  with check ((select private.is_supervisor()));
