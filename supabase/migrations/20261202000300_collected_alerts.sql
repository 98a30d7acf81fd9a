-- Collected alerts: one message with the number of leads instead of one for each. Sixty quotes of a stranger were three
-- hundred messages on each colleague's phone.

-- 1. Tables -------------------------------------------------------------------------------------------------------

alter table public.alerts
  -- The collected alert that speaks for this one.
  add column told_with bigint,
  add constraint alerts_told_with foreign key (told_with) references public.alerts on delete set null,
  drop constraint alerts_of_one_check,
  -- Collected alerts are of several leads, and named by a random `about`.
  add constraint alerts_of_one_check check (case
    when kind = 'nadie' then num_nonnulls(quote_id, test_id) = 0
    when kind in ('nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde')
      then test_id is null and (quote_id is not null or about is not null)
    else num_nonnulls(quote_id, test_id) = 1 end);
create index alerts_told_with on public.alerts (told_with) where told_with is not null;
create index alerts_new on public.alerts (asked_at) where kind = 'nueva';

-- 2. New leads ----------------------------------------------------------------------------------------------------

-- Due time of the alert for a new lead: at once for the first five within ten minutes. Later leads wait, five minutes at
-- the most, and share an alert.
create function private.new_lead_due(asked timestamptz) returns timestamptz
  language sql stable security definer set search_path = ''
  as $$
    select case
      when (select count(*) from (
              select from public.alerts
                where kind = 'nueva' and quote_id is not null and asked_at > asked - interval '10 minutes' limit 5) as few) < 5
        then asked
      else coalesce((select max(due_at) from public.alerts where kind = 'nueva' and spread_at is null
                       and due_at > now() and due_at <= now() + interval '5 minutes'), now() + interval '5 minutes')
    end
  $$;

-- Alerts of a change of a lead. A blocked lead ends its own messages; a collected message goes on for the other leads.
create or replace function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promised constant timestamptz := new.asked_at + new.promise;
  is_recovered constant boolean := tg_op = 'INSERT'
    and exists (select from public.quotes where id = new.quote_id and entregada is not null);
  -- Replies that a restored server gets back have no reminders of a time that is over.
  is_word_back constant boolean := tg_op = 'UPDATE' and new.happened = 'contestada' and new.asked_at < now();
  said text;
  last record;
begin
  -- Messages about a blocked lead end.
  if new.blocked_at is not null then
    update public.alert_messages as m set next_at = null
      from public.alerts as a where a.quote_id = new.quote_id and m.alert_id = a.id and m.next_at is not null;
  end if;
  -- Alerts that fell due during a block are judged again once it ends.
  if tg_op = 'UPDATE' and new.happened = 'desbloqueada' then
    update public.alerts set spread_at = null where quote_id = new.quote_id and spread_at >= old.blocked_at;
  end if;
  -- A colleague may say that it is answered without another answer.
  if tg_op = 'UPDATE' and new.happened = 'respondida' and new.last_answer is distinct from old.last_answer then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'respuesta', new.asked_at, new.last_answer, greatest(now(), (
        select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
        where quote_id = new.quote_id and kind = 'respuesta')));
  end if;
  -- Outcome of an offer.
  if tg_op = 'UPDATE' and new.happened in ('retirada', 'reservada', 'sinespacio') then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'resultado', new.asked_at, new.moved_offer, now()) on conflict do nothing;
  end if;
  if new.backlog then return null; end if;
  if is_recovered then
    -- After a restore many come at once.
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      select new.quote_id, 'recuperada', new.asked_at, now()
      where not exists (select from public.alerts where kind = 'recuperada' and due_at > now() - interval '10 minutes');
  elsif tg_op = 'INSERT' then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      values (new.quote_id, 'nueva', new.asked_at, private.new_lead_due(new.asked_at));
  elsif new.happened = 'contestada' then
    -- An acceptance that binds nobody alerts as a question.
    select case when coalesce(verdict, 'vale') = 'vale' then kind else 'pregunta' end into said
      from public.quote_replies where id = new.last_reply;
    -- An alert that is not sent yet covers both replies; an acceptance outranks a question.
    update public.alerts
      set kind = case said when 'aceptada' then said else kind end, about = new.last_reply, asked_at = new.asked_at
      where quote_id = new.quote_id and kind in ('pregunta', 'aceptada') and spread_at is null;
    if not found then
      select kind, due_at into last from public.alerts
        where old.reply_waiting and quote_id = new.quote_id and kind in ('pregunta', 'aceptada')
          and due_at > now() - interval '1 minute'
        order by due_at desc limit 1;
      if last.kind is distinct from said then
        insert into public.alerts (quote_id, kind, asked_at, about, due_at)
          values (new.quote_id, said, new.asked_at, new.last_reply, coalesce(last.due_at + interval '1 minute', now()));
      end if;
    end if;
  end if;
  if tg_op = 'INSERT' or new.asked_at <> old.asked_at then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      select new.quote_id, kind, new.asked_at, promised - ahead
      from (values ('quedan60', interval '60 minutes'), ('quedan30', interval '30 minutes'),
                   ('quedan10', interval '10 minutes'), ('tarde', interval '0')) as clock (kind, ahead)
      where promised - ahead > now() or not (is_recovered or is_word_back)
      on conflict do nothing;
  end if;
  return null;
end $$;

-- 3. Collecting ---------------------------------------------------------------------------------------------------

-- Leads that a collected alert still speaks for.
create function private.leads_told(alert bigint, at timestamptz) returns table (folio text)
  language sql stable security definer set search_path = ''
  as $$
    select q.folio from public.alerts as a
      join public.quote_desk as d on d.quote_id = a.quote_id
      join public.quotes as q on q.id = a.quote_id
      where a.told_with = leads_told.alert and private.is_wanted(a, d, leads_told.at)
  $$;

-- Messages of one alert: a row for each device, and one for the mailbox.
create function private.spread_alert(alert public.alerts, owner uuid, at timestamptz, by_mail boolean) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alert_messages (alert_id, device_id, way, next_at)
      select alert.id, d.id, 'push', spread_alert.at from public.push_devices as d
      where case when alert.kind in ('respuesta', 'resultado') then d.quote_id = alert.quote_id
                 when alert.kind = 'prueba' then d.quote_id is null
                   and d.staff = coalesce((select t.staff from public.alert_tests as t where t.id = alert.test_id), d.staff)
                 else d.quote_id is null and private.is_told(d.staff, owner, alert.kind, spread_alert.at) end
      union all
      select alert.id, null, 'mail', spread_alert.at
      where by_mail and alert.kind not in ('respuesta', 'resultado')
        and not exists (select from public.alert_tests as t where t.id = alert.test_id and t.staff is not null);
  $$;

-- Alerts of one kind about leads without an owner have the same audience. Reminders take along the next five minutes'
-- reminders. Up to five new leads within ten minutes have an alert each.
create function private.collect_alerts(which text, ids bigint[], at timestamptz, by_mail boolean) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  together bigint[] := ids;
  new_leads bigint;
  alert public.alerts;
begin
  if which = 'nueva' then
    select count(*) into new_leads from public.alerts as a
      join (select max(asked_at) as last from public.alerts where id = any (ids)) as group_of on true
      where a.kind = 'nueva' and a.quote_id is not null
        and a.asked_at > group_of.last - interval '10 minutes' and a.asked_at <= group_of.last;
  else
    with early as (
      select a.id from public.alerts as a join public.quote_desk as d on d.quote_id = a.quote_id
        where a.spread_at is null and a.kind = which and d.assignee is null
          and a.due_at > collect_alerts.at and a.due_at <= collect_alerts.at + interval '5 minutes'
          and private.is_wanted(a, d, collect_alerts.at)
        for update of a skip locked
    ), taken_along as (
      update public.alerts as a set spread_at = collect_alerts.at from early where a.id = early.id returning a.id
    )
    select ids || coalesce(array_agg(id), '{}') into together from taken_along;
  end if;
  if cardinality(together) = 1 or new_leads <= 5 then
    for alert in select * from public.alerts where id = any (together) loop
      perform private.spread_alert(alert, null, collect_alerts.at, by_mail);
    end loop;
    return;
  end if;
  insert into public.alerts (kind, asked_at, about, due_at, spread_at)
    -- The earliest promise, since no lead is joined to it.
    select which, min(a.asked_at + d.promise), gen_random_uuid(), collect_alerts.at, collect_alerts.at
      from public.alerts as a join public.quote_desk as d on d.quote_id = a.quote_id where a.id = any (together)
    returning * into alert;
  update public.alerts set told_with = alert.id where id = any (together);
  perform private.spread_alert(alert, null, collect_alerts.at, by_mail);
end $$;

-- Alerts that are due become messages.
create function private.spread_due(at timestamptz, by_mail boolean, kinds text[]) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  alert public.alerts;
  lead public.quote_desk;
  unowned bigint[] := '{}';
  together record;
begin
  for alert in
    select * from public.alerts as a
      where a.spread_at is null and a.due_at <= spread_due.at and a.kind = any (spread_due.kinds)
      order by a.due_at, a.id limit 500 for update skip locked
  loop
    select * into lead from public.quote_desk where quote_id = alert.quote_id;
    if private.is_wanted(alert, lead, spread_due.at) then
      if lead.assignee is null and alert.kind in ('nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde') then
        unowned := unowned || alert.id;
      else
        perform private.spread_alert(alert, lead.assignee, spread_due.at, spread_due.by_mail);
      end if;
    end if;
    update public.alerts as a set spread_at = spread_due.at where a.id = alert.id;
  end loop;
  for together in
    select kind, array_agg(id order by due_at, id) as ids from public.alerts where id = any (unowned) group by kind
  loop
    perform private.collect_alerts(together.kind, together.ids, spread_due.at, spread_due.by_mail);
  end loop;
end $$;

-- Messages to be sent now, each the caller's for two minutes. `leads`: how many a message is about.
drop function public.claim_alerts(timestamptz, boolean, text[]);
create function public.claim_alerts(at timestamptz, by_mail boolean,
                                    kinds text[] default '{nueva,recuperada,quedan60,quedan30,quedan10,tarde,pregunta,aceptada,respuesta,resultado}')
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer,
                 leads integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
begin
  -- Two senders at once need not wait for each other here.
  update public.alert_sender set ran_at = now()
    where only_one in (select s.only_one from public.alert_sender as s for update skip locked);
  perform private.release_absent(claim_alerts.at);
  perform private.spread_due(claim_alerts.at, claim_alerts.by_mail, claim_alerts.kinds);

  -- A later alert, an answer or a block may have come since a message was made.
  with over as (
    select m.id from public.alert_messages as m
      join public.alerts as a on a.id = m.alert_id
      left join public.quote_desk as desk on desk.quote_id = a.quote_id
      where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
        and case when num_nonnulls(a.quote_id, a.test_id) = 0 and a.kind <> 'nadie'
              then not exists (select from private.leads_told(a.id, claim_alerts.at))
              else m.attempts > 0 and not private.is_wanted(a, desk, claim_alerts.at) end
      for update of m skip locked
  )
  update public.alert_messages as m set next_at = null, said = 'over' from over where m.id = over.id;

  return query
    with taken as (
      select m.id from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id
        where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
        order by m.next_at limit 50 for update of m skip locked
    ), claimed as (
      update public.alert_messages as m set attempts = m.attempts + 1, next_at = claim_alerts.at + interval '2 minutes'
        from taken where m.id = taken.id returning m.*
    ), collected as (
      select c.alert_id, count(*)::integer as leads, min(l.folio) as folio
        from (select distinct alert_id from claimed) as c
        cross join lateral private.leads_told(c.alert_id, claim_alerts.at) as l group by c.alert_id
    )
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind,
           case when l.leads > 1 then '' else coalesce(q.folio, l.folio, '') end,
           coalesce(q.id, a.test_id, a.about), a.due_at,
           a.asked_at + coalesce(desk.promise, interval '0'), c.attempts, coalesce(l.leads, 1)
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    left join collected as l on l.alert_id = a.id
    left join public.quotes as q on q.id = a.quote_id
    left join public.quote_desk as desk on desk.quote_id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;

-- First alert of each lead that left and was shown, a collected one included.
create or replace view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = coalesce(a.told_with, a.id)
  where a.quote_id is not null and a.kind not in ('respuesta', 'resultado', 'prueba', 'recordar', 'nadie')
    and m.sent_at is not null
  group by a.quote_id;

-- 4. Devices ------------------------------------------------------------------------------------------------------

-- Ten devices for each colleague at most: a new device replaces the one silent for longest.
create or replace function private.push_devices_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.quote_id is null then
    -- A device belongs to the colleague who turned alerts on there last.
    delete from public.push_devices where endpoint = new.endpoint and quote_id is null;
    perform pg_advisory_xact_lock(hashtextextended(new.staff::text, 0));
    delete from public.push_devices where id in (
      select id from public.push_devices where quote_id is null and staff = new.staff
        order by answered_at desc, created_at desc, id offset 9);
    return new;
  end if;
  new.staff := null;
  if not private.may_speak_of(new.quote_id) then return new; end if;
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this device is not there'; end if;
  -- The list of receipts registers its device at each opening: a repeat writes and costs nothing.
  if exists (select from public.push_devices as d
             where (d.endpoint, d.p256dh, d.auth, d.quote_id) = (new.endpoint, new.p256dh, new.auth, new.quote_id)) then
    return null;
  end if;
  perform private.require_room('devices');
  delete from public.push_devices where endpoint = new.endpoint and quote_id = new.quote_id;
  delete from public.push_devices where id in (
    select id from public.push_devices where quote_id = new.quote_id order by created_at desc, id offset 4);
  return new;
end $$;

-- 5. Who may what -------------------------------------------------------------------------------------------------

revoke all on function public.claim_alerts(timestamptz, boolean, text[]), private.new_lead_due(timestamptz),
  private.leads_told(bigint, timestamptz), private.spread_alert(public.alerts, uuid, timestamptz, boolean),
  private.collect_alerts(text, bigint[], timestamptz, boolean), private.spread_due(timestamptz, boolean, text[])
  from public, anon, authenticated, service_role;
grant execute on function public.claim_alerts(timestamptz, boolean, text[]) to service_role;
