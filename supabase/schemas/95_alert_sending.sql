-- Sending of alerts: a sender claims the due messages, sends them, and stores the outcome of each. The last statement
-- of this file revokes the functions of `private`.

-- 1. The sender -----------------------------------------------------------------------------------------------------

create table public.alert_sender (
  only_one  boolean     not null default true,
  -- Time at which a sender last asked for messages.
  ran_at    timestamptz,
  -- Ways in which this server sends: push, mail, customer (mail to customers), whatsapp.
  ways      text[]      not null default '{}',
  -- Last call of the function "alert" of a hosted project: time and id of this request, and the result of the call
  -- before it.
  called_at timestamptz,
  call      bigint,
  answered  text,
  -- Time until which nothing is sent by WhatsApp, and the code of the refusal that caused the pause: WhatsApp had
  -- refused all messages, for example after its token expired.
  whatsapp_rests_until timestamptz,
  whatsapp_code        integer,
  constraint alert_sender_pkey primary key (only_one),
  constraint alert_sender_only_one_check check (only_one)
);
insert into public.alert_sender default values;

-- Makes the alert 'nadie' if no colleague has a device that gets alerts, at most once a day.
create function private.alert_nobody() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A team that has never opened the desk gets no such alert: it works with mail, or without alerts.
  if not private.is_anybody_reached(now()) and exists (select from public.staff_presence) then
    perform private.alert_team('nadie', now(), interval '1 day');
  end if;
  return null;
end $$;
create trigger alert_nobody after update of ran_at on public.alert_sender
  for each row execute function private.alert_nobody();

alter table public.alert_sender enable row level security;
revoke all on public.alert_sender from public, anon, authenticated, service_role;
grant select on public.alert_sender to authenticated, service_role;
create policy "staff read whether alerts are sent" on public.alert_sender for select to authenticated
  using ((select private.is_staff()));

-- 2. From alerts to messages ----------------------------------------------------------------------------------------

-- True if the customer should still be alerted about this change of the shipment. False if the change was cancelled, or
-- if a later alert covers it: one that is due at the same time, or whose messages exist already.
create function private.is_step_news(alert public.alerts) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select not exists (select from public.shipment_steps as c where c.corrects = alert.about)
       and not exists (select from public.alerts as later where later.quote_id = alert.quote_id and later.kind = 'paso'
                         and later.id > alert.id and (later.due_at <= alert.due_at or later.spread_at is not null)
                         and not exists (select from public.shipment_steps as c where c.corrects = later.about))
  $$;

-- Returns the milestones that an earlier message reported to the customer, and that were cancelled since the last
-- message about the shipment.
create function private.corrected_steps(alert public.alerts) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select jsonb_agg(wrong.step order by c.created_at)
    from public.alerts as own
    join public.shipment_steps as c on c.id = own.about
    join public.shipment_steps as wrong on wrong.id = c.corrects
    where alert.kind = 'paso' and own.quote_id = alert.quote_id and own.due_at <= alert.due_at
      and not exists (select from public.alerts as earlier where earlier.quote_id = alert.quote_id and earlier.kind = 'paso'
                        and earlier.due_at >= own.due_at and earlier.due_at < alert.due_at)
  $$;

-- True if the customer should still be reminded of shipping documents. False if the alert is about an earlier flight,
-- or if states of documents are recorded and all are 'tengo' (ready).
create function private.lacks_papers(alert public.alerts) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.quote_desk where quote_id = alert.quote_id and last_flight = alert.about)
      and not coalesce((
        select bool_and(estado = 'tengo')
        from (select distinct on (papel) estado from public.shipment_papers where quote_id = alert.quote_id
              order by papel, pressed_at desc) as marked), false)
  $$;

-- False if an alert has become useless, for example because the lead was answered or the customer saw the answer.
create function private.is_wanted(alert public.alerts, lead public.quote_desk, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case alert.kind
      when 'prueba' then true
      when 'nadie' then not private.is_anybody_reached(at)
      when 'sinasignar' then exists (select from public.received_messages where state = 'pendiente')
      when 'sinwhatsapp' then exists (select from public.alert_sender where whatsapp_code is not null)
      when 'singuardar' then exists (select from public.whatsapp_hooks where attempts >= 10)
      when 'sinwebhook' then exists (select from public.webhook_deliveries where state = 'aside')
      else lead.blocked_at is null and case replace(alert.kind, 'contesta', 'pregunta')
        when 'respuesta' then lead.last_answer = alert.about
          and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
        when 'resultado' then lead.moved_offer = alert.about
        when 'paso' then private.is_step_news(alert)
        when 'papeles' then private.lacks_papers(alert)
        when 'pregunta' then lead.open
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.kind in ('pregunta', 'contesta', 'aceptada')
                            and later.due_at > alert.due_at)
        when 'aceptada' then lead.open and (lead.last_reply = alert.about or lead.accepted_state = 'aceptada')
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.kind = 'aceptada' and later.due_at > alert.due_at)
        -- A closed lead does not matter here, because the alert is about all quotes that were sent again within ten
        -- minutes.
        when 'recuperada' then true
        when 'rebotado' then true
        when 'recordar' then lead.status not in ('ganada', 'perdida')
          and exists (select from public.desk_reminders as r where r.quote_id = alert.quote_id and r.at = alert.due_at)
        -- Alerts about an unanswered lead. After a pause in sending, several of them may be due at once: only the last
        -- is sent.
        else lead.open and lead.asked_at = alert.asked_at
          and not (alert.kind = 'nueva' and lead.assignee is not null)
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.asked_at = alert.asked_at and later.about is null
                            and later.kind <> 'recordar'
                            and later.due_at > alert.due_at and later.due_at <= is_wanted.at)
        end
      end
  $$;

-- Returns the folios of the leads for which an alert about several leads is still useful.
create function private.folios_in_alert(alert bigint, at timestamptz) returns table (folio text)
  language sql stable security definer set search_path = ''
  as $$
    select q.folio from public.alerts as a
      join public.quote_desk as d on d.quote_id = a.quote_id
      join public.quotes as q on q.id = a.quote_id
      where a.collected_in = folios_in_alert.alert and private.is_wanted(a, d, folios_in_alert.at)
  $$;

create function private.spread_alert(alert public.alerts, owner uuid, at timestamptz, ways text[]) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alert_messages (alert_id, device_id, way, next_at)
      select alert.id, d.id, 'push', spread_alert.at from public.push_devices as d
      where case when private.is_for_customer(alert.kind) then d.quote_id = alert.quote_id
                 when alert.kind = 'prueba' then d.quote_id is null
                   and d.staff = coalesce((select t.staff from public.alert_tests as t where t.id = alert.test_id), d.staff)
                 else d.quote_id is null and private.gets_alert(d.staff, owner, alert.kind, spread_alert.at) end
      union all
      select alert.id, null, 'mail', spread_alert.at
      where 'mail' = any (ways) and not private.is_for_customer(alert.kind)
        and not exists (select from public.alert_tests as t where t.id = alert.test_id and t.staff is not null);
  $$;

-- Returns the answer that an alert to a customer is about. Null if the customer no longer needs the message about a
-- change of the shipment or about missing documents.
create function private.answer_of_alert(alert public.alerts) returns uuid
  language sql stable security definer set search_path = ''
  as $$
    select case
      when alert.kind not in ('paso', 'papeles') then alert.about
      when case alert.kind when 'paso' then private.is_step_news(alert) else private.lacks_papers(alert) end then coalesce(
        (select answer_id from public.shipment_steps where id = alert.about),
        (select answer_id from public.shipment_flights where id = alert.about)) end
  $$;

-- Returns the content of a message to a customer. Null for an offer that was withdrawn or replaced, unless the message
-- reports just that.
create function private.customer_words(alert public.alerts) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select jsonb_build_object('nombre', q.nombre, 'closing', closed.id, 'answer', to_jsonb(w),
                              'corrected', private.corrected_steps(alert))
    from public.quote_words as w
    join public.quotes as q on q.id = w.quote_id
    left join lateral (select c.id from public.quote_link_closings as c where c.quote_id = q.id
                       order by c.created_at desc, c.id desc limit 1) as closed on true
    where w.id = private.answer_of_alert(alert)
      and (alert.kind = 'resultado' or w.state is null or w.state not in ('retirada', 'reemplazada'))
  $$;

-- Adds the customer's address for mail or WhatsApp to the content. Null if the customer wants no such message, or has
-- no address for it.
create function private.customer_message(alert public.alerts, which text) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select private.customer_words(alert) || case which
      when 'customer' then (
        select jsonb_build_object('email', q.email) from public.quotes as q
        where q.id = alert.quote_id and q.email <> '' and not exists (select from public.mail_stops where quote_id = q.id))
      when 'whatsapp' then private.whatsapp_receiver(alert.quote_id) end
  $$;

-- Makes the messages to the customer about an answer or its outcome, even if a phone has shown it already.
create function private.spread_to_customer(alert public.alerts, lead public.quote_desk, at timestamptz, ways text[])
  returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alert_messages (alert_id, way, next_at)
      select alert.id, which, spread_to_customer.at from unnest(ways) as which
      where private.is_customer_way(which) and private.is_for_customer(alert.kind) and lead.blocked_at is null
        and private.customer_message(alert, which) is not null;
  $$;

-- Combines alerts of one kind about leads without an owner, because these alerts have the same receivers. Reminders
-- that are due in the next five minutes are combined too. Alerts about new leads are combined only if more than five
-- leads came within ten minutes.
create function private.collect_alerts(which text, ids bigint[], at timestamptz, ways text[]) returns void
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
      perform private.spread_alert(alert, null, collect_alerts.at, ways);
    end loop;
    return;
  end if;
  insert into public.alerts (kind, asked_at, about, due_at, spread_at)
    -- The alert has the earliest deadline of its leads.
    select which, min(a.asked_at + d.promise), gen_random_uuid(), collect_alerts.at, collect_alerts.at
      from public.alerts as a join public.quote_desk as d on d.quote_id = a.quote_id where a.id = any (together)
    returning * into alert;
  update public.alerts set collected_in = alert.id where id = any (together);
  perform private.spread_alert(alert, null, collect_alerts.at, ways);
end $$;

create function private.spread_due(at timestamptz, ways text[], kinds text[]) returns void
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
    perform private.spread_to_customer(alert, lead, spread_due.at, spread_due.ways);
    if private.is_wanted(alert, lead, spread_due.at) then
      if lead.assignee is null and alert.kind in ('nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde') then
        unowned := unowned || alert.id;
      else
        perform private.spread_alert(alert, lead.assignee, spread_due.at, spread_due.ways);
      end if;
    end if;
    update public.alerts as a set spread_at = spread_due.at where a.id = alert.id;
  end loop;
  for together in
    select kind, array_agg(id order by due_at, id) as ids from public.alerts where id = any (unowned) group by kind
  loop
    perform private.collect_alerts(together.kind, together.ids, spread_due.at, spread_due.ways);
  end loop;
end $$;

-- 3. Claiming and settling ------------------------------------------------------------------------------------------

-- Returns the number on the icon of the installed app. For a customer: quotes with an answer that was not shown yet.
-- For a colleague: open leads that belong to nobody or to this colleague.
create function private.app_badge(device uuid) returns integer
  language sql stable set search_path = ''
  as $$
    select case when d.quote_id is null then
        (select count(*) from public.quote_desk as l
           where l.open and l.blocked_at is null and coalesce(l.assignee, d.staff) = d.staff)
      else
        (select count(distinct a.quote_id) from public.push_devices as o
           join public.quote_desk as l on l.quote_id = o.quote_id and l.blocked_at is null
           join public.quote_answers as a on a.quote_id = o.quote_id
           where o.endpoint = d.endpoint
             and not exists (select from public.quote_seen as s where s.answer_id = a.id)
             and not exists (select from public.quote_replies as r where r.answer_id = a.id))
      end::integer
    from public.push_devices as d where d.id = app_badge.device
  $$;

-- Returns messages to send now, and reserves them for the caller for two minutes. `ways` and `kinds`: ways of sending
-- and kinds of alerts that the caller supports. `leads`: number of leads in a message. `customer`: content of a message
-- to a customer. A message by WhatsApp is claimed once for each attempt; the messages about one quote are claimed one
-- after the other (92_whatsapp.sql).
create function public.claim_alerts(at timestamptz, ways text[], kinds text[])
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer,
                 leads integer, badge integer, customer jsonb)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
begin
  -- If another sender has locked the row, it is skipped, so that two senders do not wait for each other.
  update public.alert_sender set ran_at = now(), ways = claim_alerts.ways
    where only_one in (select s.only_one from public.alert_sender as s for update skip locked);
  perform private.release_absent(claim_alerts.at);
  perform private.spread_due(claim_alerts.at, claim_alerts.ways, claim_alerts.kinds);
  perform private.end_unconfirmed(claim_alerts.at);

  -- Messages that have become useless end here.
  with over as (
    select m.id from public.alert_messages as m
      join public.alerts as a on a.id = m.alert_id
      left join public.quote_desk as desk on desk.quote_id = a.quote_id
      where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
        and case when private.is_customer_way(m.way) then private.customer_message(a, m.way) is null
              when num_nonnulls(a.quote_id, a.test_id) = 0 and not private.is_about_no_lead(a.kind)
              then not exists (select from private.folios_in_alert(a.id, claim_alerts.at))
              else m.attempts > 0 and not private.is_wanted(a, desk, claim_alerts.at) end
      for update of m skip locked
  )
  update public.alert_messages as m set next_at = null, result = 'over' from over where m.id = over.id;

  return query
    with taken as (
      select m.id from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id
        where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
          and (m.way <> 'whatsapp' or private.is_whatsapp_due(m, a, claim_alerts.at))
        order by m.next_at limit 50 for update of m skip locked
    ), claimed as (
      update public.alert_messages as m set attempts = m.attempts + 1,
          next_at = claim_alerts.at + case m.way when 'whatsapp' then interval '15 minutes' else interval '2 minutes' end,
          delivery = case m.way when 'whatsapp' then 'sending' end,
          delivery_at = case m.way when 'whatsapp' then claim_alerts.at end,
          -- The id of an earlier attempt is removed: a late report about that attempt must not count for this one.
          external_id = null
        from taken where m.id = taken.id returning m.*
    ), collected as (
      select c.alert_id, count(*)::integer as leads, min(l.folio) as folio
        from (select distinct alert_id from claimed) as c
        cross join lateral private.folios_in_alert(c.alert_id, claim_alerts.at) as l group by c.alert_id
    )
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind,
           case when l.leads > 1 then '' else coalesce(q.folio, l.folio, '') end,
           coalesce(q.id, a.test_id, a.about), a.due_at,
           a.asked_at + coalesce(desk.promise, interval '0'), c.attempts, coalesce(l.leads, 1),
           private.app_badge(d.id), private.customer_message(a, c.way)
             || jsonb_build_object('is_template', c.is_template)
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    left join collected as l on l.alert_id = a.id
    left join public.quotes as q on q.id = a.quote_id
    left join public.quote_desk as desk on desk.quote_id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;

-- Stores the outcome of a message: 'sent', 'again' (to be tried later), 'failed', or 'gone' (the device does not exist
-- any more). private.settle_whatsapp lists further outcomes of WhatsApp.
create function public.settle_alert(message uuid, at timestamptz, outcome text, again_at timestamptz, why text default null,
                                    code integer default null, external_id text default null)
  returns void language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
begin
  if exists (select from public.alert_messages where id = message and way = 'whatsapp') then
    perform private.settle_whatsapp(message, settle_alert.at, outcome, again_at, why, settle_alert.code, settle_alert.external_id);
    -- A message that WhatsApp accepts ends the pause. A confirmation does not, because it may be about an earlier
    -- message.
    if outcome = 'sent' then
      update public.alert_sender set whatsapp_rests_until = null, whatsapp_code = null where whatsapp_code is not null;
    end if;
    return;
  end if;
  if outcome = 'gone' then
    delete from public.push_devices as d using public.alert_messages as m where m.id = message and d.id = m.device_id;
  end if;
  update public.alert_messages set
    sent_at = case when outcome = 'sent' then at else sent_at end,
    next_at = case when outcome = 'again' then again_at end,
    result = left(why, 100)
    where id = message;
  if outcome = 'failed' then perform private.alert_undelivered(message, settle_alert.at); end if;
end $$;

revoke all on function public.claim_alerts(timestamptz, text[], text[]),
  public.settle_alert(uuid, timestamptz, text, timestamptz, text, integer, text) from public, anon, authenticated, service_role;
grant execute on function public.claim_alerts(timestamptz, text[], text[]),
  public.settle_alert(uuid, timestamptz, text, timestamptz, text, integer, text) to service_role;

-- 4. Calls of a hosted project --------------------------------------------------------------------------------------

-- Calls the function of a hosted project. pg_net sends the request after the commit, so the call delays no quote.
create function private.call_for_alerts() returns bigint
  language plpgsql security definer set search_path = ''
  as $$
begin
  return net.http_post(
    url := (select decrypted_secret from vault.decrypted_secrets where name = 'alert_function'),
    headers := jsonb_build_object('content-type', 'application/json', 'x-alerts-key',
      (select decrypted_secret from vault.decrypted_secrets where name = 'alerts_key')));
end $$;

-- Calls the function after a new alert. An error becomes a warning: without pg_net or vault the quote is still stored,
-- and the desk shows that no alerts are sent.
create function private.alerts_call_function() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  perform private.call_for_alerts();
  return null;
exception when others then
  raise warning 'The function that sends alerts could not be called: %', sqlerrm;
  return null;
end $$;

create function private.keep_calling_for_alerts() returns void
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_sender set
    answered = coalesce((select coalesce(r.status_code::text, r.error_msg, 'no answer') from net._http_response as r
                         where r.id = call), answered),
    called_at = now(),
    call = private.call_for_alerts();
end $$;

-- Starts the regular calls of the function; supabase/functions/alert/calls.sql runs it. Only hosted projects have the
-- extensions that it needs.
create function private.start_alert_calls(address text, key text) returns void
  -- The search path is 'extensions', because `create extension` installs into the first schema of the path.
  language plpgsql set search_path = 'extensions'
  as $calls$
declare
  secret record;
begin
  create extension if not exists pg_net;
  create extension if not exists pg_cron;
  for secret in values ('alert_function', address), ('alerts_key', key) loop
    if exists (select from vault.secrets where name = secret.column1) then
      perform vault.update_secret(id, secret.column2) from vault.secrets where name = secret.column1;
    else
      perform vault.create_secret(secret.column2, secret.column1);
    end if;
  end loop;
  create or replace trigger alerts_call after insert on public.alerts
    for each statement execute function private.alerts_call_function();
  perform cron.schedule('alerts', '30 seconds', 'select private.keep_calling_for_alerts()');
end $calls$;

-- 5. Functions that requests may not call ---------------------------------------------------------------------------

-- PostgreSQL grants every new function to PUBLIC, so these grants are revoked. Grants to named roles stay.
revoke execute on all functions in schema private from public;
