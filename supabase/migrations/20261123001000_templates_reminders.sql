-- The words of the team: templates that all of it shares. And a lead that comes back to its owner on a day and hour, or
-- when its price is about to expire.

-- 1. Templates ------------------------------------------------------------------------------------------------------

-- Who may add, change, order and remove them: said here and nowhere else.
create function private.manages_templates() returns boolean
  language sql stable
  return private.is_supervisor();
revoke all on function private.manages_templates() from public;
grant execute on function private.manages_templates() to authenticated;

create table public.desk_templates (
  id              uuid        not null default gen_random_uuid(),
  name            text        not null,
  -- In braces: what fills itself in, lead by lead.
  body            text        not null,
  body_en         text,
  kind            text        not null,
  place           integer     not null,
  changed_by      uuid,
  changed_by_name text,
  changed_at      timestamptz not null default now(),
  constraint desk_templates_pkey primary key (id),
  constraint desk_templates_name_check check (name = btrim(name) and char_length(name) between 1 and 60 and private.is_seen(name)),
  constraint desk_templates_body_check check (char_length(body) between 1 and 4000 and private.is_seen(body)),
  constraint desk_templates_body_en_check check (char_length(body_en) between 1 and 4000 and private.is_seen(body_en)),
  -- Both go into one answer, with an empty line between.
  constraint desk_templates_both_check check (char_length(body) + 2 + char_length(body_en) <= 4000),
  constraint desk_templates_kind_check check (kind in ('pregunta', 'oferta', 'mensaje')),
  constraint desk_templates_place_check check (place between 0 and 1000000)
);

create function private.desk_templates_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtext('desk_templates'));
    if (select count(*) from public.desk_templates) >= 100 then
      raise sqlstate 'PT409' using message = 'There are a hundred templates', hint = 'many';
    end if;
  -- To another place is no change of its words.
  elsif (new.name, new.body, new.body_en, new.kind) is not distinct from (old.name, old.body, old.body_en, old.kind) then
    return new;
  end if;
  new.changed_by := auth.uid();
  new.changed_by_name := private.staff_name();
  new.changed_at := now();
  return new;
end $$;
create trigger desk_templates_rules before insert or update on public.desk_templates
  for each row execute function private.desk_templates_rules();

-- 2. Reminders ------------------------------------------------------------------------------------------------------

-- 09:00 of the last day of the offer that stands.
create function private.offer_expires(quote uuid) returns timestamptz
  language sql stable security definer set search_path = ''
  as $$
    select (a.valid_until + time '09:00') at time zone 'America/Tijuana'
    from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
    where o.quote_id = quote and private.offer_state(o.state, a.valid_until, now()) = 'vigente'
  $$;

create table public.desk_reminders (
  quote_id uuid        not null,
  -- Who set it. It is for whoever has the lead.
  staff    uuid        not null,
  at       timestamptz not null,
  why      text        not null,
  made_at  timestamptz not null default now(),
  constraint desk_reminders_pkey primary key (quote_id),
  constraint desk_reminders_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint desk_reminders_why_check check (why in ('fecha', 'vence')),
  constraint desk_reminders_at_check check (at > made_at and at <= made_at + interval '8784 hours')
);

create function private.desk_reminders_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  lead record;
begin
  select assignee, status into lead from public.quote_desk
    where quote_id = new.quote_id and blocked_at is null for no key update;
  if lead.assignee is null or lead.assignee is distinct from auth.uid() then
    raise sqlstate 'PT409' using message = 'Only who has the lead is reminded of it',
      hint = case when lead.assignee is null then 'unowned' else 'owned' end;
  end if;
  if lead.status in ('ganada', 'perdida') then
    raise sqlstate 'PT409' using message = 'The lead is closed', hint = 'closed';
  end if;
  if new.why = 'vence' then
    new.at := private.offer_expires(new.quote_id);
    if new.at is null then raise sqlstate 'PT409' using message = 'No offer stands', hint = 'nooffer'; end if;
  end if;
  new.staff := auth.uid();
  new.made_at := now();
  return new;
end $$;
-- Not where a trigger writes: a newer offer moves what waits for the end of the price.
create trigger desk_reminders_rules before insert or update on public.desk_reminders
  for each row when (pg_trigger_depth() = 0) execute function private.desk_reminders_rules();

alter table public.alerts
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check check (kind in ('nueva', 'recuperada', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                                   'pregunta', 'aceptada', 'respuesta', 'resultado', 'prueba', 'recordar'));

create function private.desk_reminders_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from public.alerts where quote_id = old.quote_id and kind = 'recordar' and spread_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into public.alerts (quote_id, kind, asked_at, due_at) values (new.quote_id, 'recordar', new.at, new.at)
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger desk_reminders_alert after insert or update or delete on public.desk_reminders
  for each row execute function private.desk_reminders_alert();

-- What waits for the end of a price moves with a newer offer, and goes where no price ends any more.
create function private.quote_offers_remind() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  expires constant timestamptz := private.offer_expires(new.quote_id);
begin
  if new.state = 'reemplazada' then return null; end if;
  if expires between now() + interval '1 minute' and now() + interval '8784 hours' then
    update public.desk_reminders set at = expires, made_at = now()
      where quote_id = new.quote_id and why = 'vence' and at <> expires;
  else
    delete from public.desk_reminders where quote_id = new.quote_id and why = 'vence' and at > now();
  end if;
  return null;
end $$;
create trigger quote_offers_remind after insert or update of state on public.quote_offers
  for each row execute function private.quote_offers_remind();

-- 3. Whom it is told ------------------------------------------------------------------------------------------------

-- Is it still worth saying? What is blocked is not.
create function private.is_wanted(alert public.alerts, lead public.quote_desk, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select alert.kind = 'prueba' or lead.blocked_at is null and case alert.kind
      when 'respuesta' then lead.last_answer = alert.about
        and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
      when 'resultado' then lead.moved_offer = alert.about
      when 'pregunta' then lead.open and lead.last_reply = alert.about
      when 'aceptada' then lead.open and lead.last_reply = alert.about
      when 'recordar' then lead.status not in ('ganada', 'perdida')
        and exists (select from public.desk_reminders as r where r.quote_id = alert.quote_id and r.at = alert.due_at)
      -- After a pause several are due: the last of them says it all.
      else lead.open and not lead.backlog and lead.asked_at = alert.asked_at
        and not (alert.kind = 'nueva' and lead.assignee is not null)
        and not exists (select from public.alerts as later
                        where later.quote_id = alert.quote_id and later.asked_at = alert.asked_at and later.about is null
                          and later.kind <> 'recordar'
                          and later.due_at > alert.due_at and later.due_at <= is_wanted.at)
      end
  $$;

create or replace function public.claim_alerts(at timestamptz, by_mail boolean,
                                    kinds text[] default '{nueva,recuperada,quedan60,quedan30,quedan10,tarde,pregunta,aceptada,respuesta,resultado}')
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  alert public.alerts;
  lead public.quote_desk;
begin
  -- One that is being noted by another need not wait for it.
  update public.alert_sender set ran_at = now()
    where only_one in (select s.only_one from public.alert_sender as s for update skip locked);
  perform private.release_absent(claim_alerts.at);
  for alert in
    select * from public.alerts as a
      where a.spread_at is null and a.due_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
      order by a.due_at, a.id limit 100 for update skip locked
  loop
    select * into lead from public.quote_desk where quote_id = alert.quote_id;
    if private.is_wanted(alert, lead, claim_alerts.at) then
      insert into public.alert_messages (alert_id, device_id, way, next_at)
        select alert.id, d.id, 'push', claim_alerts.at from public.push_devices as d
        where case when alert.kind in ('respuesta', 'resultado') then d.quote_id = alert.quote_id
                   when alert.kind = 'prueba' then d.quote_id is null
                     and d.staff = coalesce((select t.staff from public.alert_tests as t where t.id = alert.test_id), d.staff)
                   else d.quote_id is null and private.is_told(d.staff, lead.assignee, alert.kind, claim_alerts.at) end
        union all
        select alert.id, null, 'mail', claim_alerts.at
        where by_mail and alert.kind not in ('respuesta', 'resultado')
          and not exists (select from public.alert_tests as t where t.id = alert.test_id and t.staff is not null);
    end if;
    update public.alerts as a set spread_at = claim_alerts.at where a.id = alert.id;
  end loop;

  return query
    with taken as (
      select m.id from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id
        where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
        order by m.next_at limit 50 for update of m skip locked
    ), claimed as (
      update public.alert_messages as m set attempts = m.attempts + 1, next_at = claim_alerts.at + interval '2 minutes'
        from taken where m.id = taken.id returning m.*
    )
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind, coalesce(q.folio, ''), coalesce(q.id, a.test_id), a.due_at,
           a.asked_at + coalesce(desk.promise, interval '0'), c.attempts
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    left join public.quotes as q on q.id = a.quote_id
    left join public.quote_desk as desk on desk.quote_id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;

-- A reminder is nobody's first word of a lead.
create or replace view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = a.id
  where a.kind not in ('respuesta', 'prueba', 'recordar') and m.sent_at is not null
  group by a.quote_id;

-- 4. Who may what ---------------------------------------------------------------------------------------------------

alter table public.desk_templates enable row level security;
alter table public.desk_reminders enable row level security;
revoke all on public.desk_templates, public.desk_reminders from public, anon, authenticated, service_role;
revoke all on function private.desk_templates_rules(), private.offer_expires(uuid), private.desk_reminders_rules(),
  private.desk_reminders_alert(), private.quote_offers_remind(),
  private.is_wanted(public.alerts, public.quote_desk, timestamptz) from public, anon, authenticated, service_role;
grant select, delete on public.desk_templates, public.desk_reminders to authenticated;
grant select on public.desk_templates, public.desk_reminders to service_role;
grant insert (id, name, body, body_en, kind, place) on public.desk_templates to authenticated;
grant update (name, body, body_en, kind, place) on public.desk_templates to authenticated;
grant insert (quote_id, at, why) on public.desk_reminders to authenticated;
grant update (at, why) on public.desk_reminders to authenticated;

create policy "staff read templates" on public.desk_templates for select to authenticated
  using ((select private.is_staff()));
create policy "who manages templates adds them" on public.desk_templates for insert to authenticated
  with check ((select private.manages_templates()));
create policy "who manages templates changes them" on public.desk_templates for update to authenticated
  using ((select private.manages_templates())) with check ((select private.manages_templates()));
create policy "who manages templates removes them" on public.desk_templates for delete to authenticated
  using ((select private.manages_templates()));

create policy "staff read reminders" on public.desk_reminders for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff set reminders" on public.desk_reminders for insert to authenticated
  with check ((select private.is_staff()));
create policy "who has a lead changes its reminder" on public.desk_reminders for update to authenticated
  using ((select private.is_staff()) and exists (
    select from public.quote_desk as d where d.quote_id = desk_reminders.quote_id and d.assignee = (select auth.uid())))
  with check ((select private.is_staff()));
create policy "who has a lead removes its reminder" on public.desk_reminders for delete to authenticated
  using ((select private.is_staff()) and exists (
    select from public.quote_desk as d where d.quote_id = desk_reminders.quote_id and d.assignee = (select auth.uid())));
