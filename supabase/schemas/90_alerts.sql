-- Alerts: devices, receivers, and the alerts that each change of a lead causes. 95_alert_sending.sql sends them after
-- the transaction, so that a push service that does not respond delays no quote.

-- 1. Devices --------------------------------------------------------------------------------------------------------

-- Key pair of this site for push services (VAPID). The first start makes it, and it never changes, because every device
-- is bound to it.
create table public.push_keys (
  only_one    boolean not null default true,
  public_key  text    not null,
  private_key text    not null,
  constraint push_keys_pkey primary key (only_one),
  constraint push_keys_only_one_check check (only_one)
);
alter table public.push_keys enable row level security;
revoke all on public.push_keys from public, anon, authenticated, service_role;
-- Requests may read the public key; only the service role may read the private one.
grant select (public_key) on public.push_keys to anon, authenticated;
grant select, insert on public.push_keys to service_role;
create policy "everybody reads the public key" on public.push_keys for select to anon, authenticated using (true);

-- Devices that get push messages. Each belongs to a colleague, or to the sender of a quote.
create table public.push_devices (
  id          uuid        not null default gen_random_uuid(),
  endpoint    text        not null,
  p256dh      text        not null,
  auth        text        not null,
  quote_id    uuid,
  staff       uuid        default auth.uid(),
  created_at  timestamptz not null default now(),
  -- Time at which the device last showed an alert or was registered again.
  answered_at timestamptz not null default now(),
  constraint push_devices_pkey primary key (id),
  constraint push_devices_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint push_devices_once unique nulls not distinct (endpoint, quote_id),
  constraint push_devices_of_one_check check (num_nonnulls(quote_id, staff) = 1),
  -- Any host is accepted here. The sending code has the list of push services, so that the list can change without a
  -- migration.
  constraint push_devices_endpoint_check check (endpoint ~ '^https://[!-~]+$' and char_length(endpoint) <= 1000),
  constraint push_devices_p256dh_check check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  constraint push_devices_auth_check check (auth ~ '^[A-Za-z0-9_-]{22}$')
);
create index push_devices_quote on public.push_devices (quote_id);

-- Limits the number of devices. A colleague has at most ten: the eleventh replaces the device that has shown no alert
-- for longest. A quote has at most five: the sixth replaces the second oldest, because the oldest is the sender's.
create function private.push_devices_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.quote_id is null then
    -- Colleagues may share a device. It belongs to the colleague who turned alerts on last.
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
  -- The page with the receipts registers its device each time it opens. If nothing has changed, no row is stored or
  -- counted.
  if exists (select from public.push_devices as d
             where (d.endpoint, d.p256dh, d.auth, d.quote_id) = (new.endpoint, new.p256dh, new.auth, new.quote_id)) then
    return null;
  end if;
  perform private.require_room('devices');
  delete from public.push_devices where endpoint = new.endpoint and quote_id = new.quote_id;
  delete from public.push_devices where id in (
    select id from (select id, created_at from public.push_devices where quote_id = new.quote_id
                    order by created_at, id offset 1) as later
      order by created_at desc, id desc offset 3);
  return new;
end $$;
create trigger push_devices_before_insert before insert on public.push_devices
  for each row execute function private.push_devices_before_insert();
create trigger push_devices_count after insert on public.push_devices
  for each row when (new.quote_id is not null) execute function private.count_sent('devices');

alter table public.push_devices enable row level security;
revoke all on public.push_devices from public, anon, authenticated, service_role;
grant insert (endpoint, p256dh, auth, quote_id) on public.push_devices to anon;
grant insert (endpoint, p256dh, auth) on public.push_devices to authenticated;
grant select, delete on public.push_devices to service_role;
create policy "a phone gets alerts about a quote it presents" on public.push_devices for insert to anon
  with check (staff is null and quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "staff get alerts on their own devices" on public.push_devices for insert to authenticated
  with check ((select private.is_staff()) and quote_id is null and staff = (select auth.uid())
              and not (select private.was_removed()));

-- 2. Recipients -----------------------------------------------------------------------------------------------------

create function private.is_reached(who uuid, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select not private.is_away(who, at)
       and exists (select from public.push_devices where staff = who and answered_at > at - interval '1 day')
  $$;

create function private.is_anybody_reached(at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.push_devices as d where d.quote_id is null and private.is_reached(d.staff, at))
  $$;

-- True if a colleague gets an alert of this kind. 'tarde' goes to everybody. 'quedan30' and 'quedan10' go to all
-- present colleagues. The other kinds go to the lead's owner; if alerts do not reach the owner, to all present
-- colleagues. If alerts reach no present colleague, everybody gets them.
create function private.gets_alert(who uuid, owner uuid, kind text, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case
      when kind = 'nadie' then false
      when kind = 'tarde' then true
      when kind not in ('quedan30', 'quedan10') and private.is_reached(owner, at) then who = owner
      else not private.is_away(who, at) or not private.is_anybody_reached(at)
    end
  $$;

-- Colleagues, each with the number of devices. The view runs with its owner's rights, because staff may not read the
-- devices.
create view public.desk_reach as
  select p.staff, p.name, not private.is_away(p.staff, now()) as here,
         p.left_at is null and p.seen_at > now() - interval '3 minutes' as at_desk,
         (select count(*)::integer from public.push_devices as d
          where d.staff = p.staff and d.answered_at > now() - interval '1 day') as devices
  from public.staff_presence as p
  where (select private.is_staff()) or (select current_setting('role')) in ('none', 'service_role');
revoke all on public.desk_reach from public, anon, authenticated, service_role;
grant select on public.desk_reach to authenticated, service_role;

-- 3. Alerts ---------------------------------------------------------------------------------------------------------

-- Test alerts. They are sent like alerts about a lead, but are not counted in any figure. Deleting a row deletes its
-- alert.
create table public.alert_tests (
  id       uuid        not null default gen_random_uuid(),
  -- Colleague whose devices get the test; null for all devices that would get an alert about a new lead.
  staff    uuid,
  asked_at timestamptz not null default now(),
  constraint alert_tests_pkey primary key (id)
);

-- True for alerts to the sender of a quote; all others go to the team.
create function private.is_for_customer(kind text) returns boolean
  language sql immutable set search_path = ''
  as $$ select kind in ('respuesta', 'resultado', 'paso', 'papeles') $$;

-- True for ways of sending that reach customers outside the page.
create function private.is_customer_way(way text) returns boolean
  language sql immutable set search_path = ''
  as $$ select way in ('customer', 'whatsapp') $$;

-- True for alerts about no lead: 'nadie' (no device gets alerts), 'sinasignar' (received messages wait for a lead),
-- 'sinwhatsapp' (WhatsApp accepts no messages), 'singuardar' (a webhook of WhatsApp cannot be stored) and 'sinwebhook' (a
-- webhook was set aside).
create function private.is_about_no_lead(kind text) returns boolean
  language sql immutable set search_path = ''
  as $$ select kind in ('nadie', 'sinasignar', 'sinwhatsapp', 'singuardar', 'sinwebhook') $$;

-- Alerts, mostly about leads, with the time at which each is due. Their receivers are chosen at that time.
create table public.alerts (
  id        bigint      not null generated always as identity,
  quote_id  uuid,
  test_id   uuid,
  kind      text        not null,
  -- asked_at of the lead when the alert was made. If the lead opens again later, it gets a later asked_at, and the
  -- alert is out of date.
  asked_at  timestamptz not null,
  -- Id of the answer, reply or offer that the alert is about; random for an alert about several leads.
  about     uuid,
  due_at    timestamptz not null,
  -- Time at which the messages of the alert were made, or the alert was dropped because it had become useless.
  spread_at timestamptz,
  -- Alert about several leads that is sent instead of this one.
  collected_in bigint,
  constraint alerts_pkey primary key (id),
  constraint alerts_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint alerts_test foreign key (test_id) references public.alert_tests on delete cascade,
  constraint alerts_collected_in foreign key (collected_in) references public.alerts on delete set null,
  constraint alerts_once unique nulls not distinct (quote_id, kind, asked_at, about),
  constraint alerts_kind_check check (kind in ('nueva', 'recuperada', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                               'pregunta', 'contesta', 'aceptada', 'respuesta', 'resultado', 'paso', 'papeles', 'prueba',
                                               'recordar', 'nadie', 'rebotado', 'sinasignar', 'sinwhatsapp', 'singuardar', 'sinwebhook')),
  -- An alert about several leads has no quote_id.
  constraint alerts_of_one_check check (case
    when private.is_about_no_lead(kind) then num_nonnulls(quote_id, test_id) = 0
    when kind in ('nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde')
      then test_id is null and (quote_id is not null or about is not null)
    else num_nonnulls(quote_id, test_id) = 1 end)
);
create index alerts_due on public.alerts (due_at) where spread_at is null;
create index alerts_of_test on public.alerts (test_id) where test_id is not null;
create index alerts_about_no_lead on public.alerts (kind, due_at) where quote_id is null;
create index alerts_collected_in on public.alerts (collected_in) where collected_in is not null;
create index alerts_new on public.alerts (asked_at) where kind = 'nueva';
create index alerts_recovered on public.alerts (due_at) where kind = 'recuperada';

-- Makes an alert to the team that is about no lead, at most once within `pause`.
create function private.alert_team(kind text, at timestamptz, pause interval) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alerts (kind, asked_at, about, due_at)
      select alert_team.kind, alert_team.at, gen_random_uuid(), alert_team.at
      where not exists (select from public.alerts as a
                        where a.kind = alert_team.kind and a.quote_id is null and a.due_at > alert_team.at - alert_team.pause)
  $$;

-- Messages of an alert: one for each device, and one each for the team's mailbox, the customer's e-mail and WhatsApp.
create table public.alert_messages (
  -- The id is a secret of the device, which receives it with the message and sends it back after showing the alert.
  id        uuid        not null default gen_random_uuid(),
  alert_id  bigint      not null,
  -- Device that gets the message; null for mail and WhatsApp, and after the device is deleted.
  device_id uuid,
  way       text        not null,
  attempts  integer     not null default 0,
  next_at   timestamptz,
  sent_at   timestamptz,
  shown_at  timestamptz,
  -- Status or error that the push service or mail server returned; 'over' for a message that had become useless.
  result    text,
  -- Columns for WhatsApp only: Meta's id of the message, the progress that Meta reports, and the error code. 'sending'
  -- means that an attempt has begun, and that WhatsApp has not reported its outcome.
  external_id text,
  delivery    text,
  delivery_at timestamptz,
  code        integer,
  -- True if the message had to be one of the approved templates, because the customer's last message is more than a day
  -- old.
  is_template boolean     not null default false,
  constraint alert_messages_pkey primary key (id),
  constraint alert_messages_alert foreign key (alert_id) references public.alerts on delete cascade,
  constraint alert_messages_device foreign key (device_id) references public.push_devices on delete set null,
  constraint alert_messages_way_check check (way in ('push', 'mail', 'customer', 'whatsapp')),
  constraint alert_messages_delivery_check check (delivery in ('sending', 'sent', 'failed', 'delivered', 'read'))
);
create index alert_messages_next on public.alert_messages (next_at) where next_at is not null;
create index alert_messages_device on public.alert_messages (device_id);
create index alert_messages_alert on public.alert_messages (alert_id);
create unique index alert_messages_external on public.alert_messages (external_id) where external_id is not null;

-- Reports by which devices say that they have shown a message.
create table public.alert_shown (
  message_id uuid not null,
  constraint alert_shown_pkey primary key (message_id),
  constraint alert_shown_message foreign key (message_id) references public.alert_messages on delete cascade
);

create function private.alert_shown_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not exists (select from public.alert_messages as m
                 join public.alerts as a on a.id = m.alert_id
                 left join public.quote_desk as d on d.quote_id = a.quote_id
                 where m.id = new.message_id and d.blocked_at is null) then
    raise foreign_key_violation using message = 'The alert that was shown is not there';
  end if;
  return new;
end $$;
create trigger alert_shown_before_insert before insert on public.alert_shown
  for each row execute function private.alert_shown_before_insert();

create function private.alert_shown_to_message() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_messages set shown_at = now() where id = new.message_id;
  update public.push_devices set answered_at = now()
    where id = (select device_id from public.alert_messages where id = new.message_id);
  return null;
end $$;
create trigger alert_shown_to_message after insert on public.alert_shown
  for each row execute function private.alert_shown_to_message();

-- Returns the time at which the alert for a new lead is due. The first five leads within ten minutes alert at once;
-- later ones wait at most five minutes and share an alert.
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

-- Makes the alerts for a change of a lead, in the same transaction as the change.
create function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promised constant timestamptz := new.asked_at + new.promise;
  is_recovered constant boolean := tg_op = 'INSERT'
    and exists (select from public.quotes where id = new.quote_id and entregada is not null);
  -- True for an old reply that a phone sent again to a restored server. Its reminders would be in the past.
  is_word_back constant boolean := tg_op = 'UPDATE' and new.happened = 'contestada' and new.asked_at < now();
  reply_kind text;
  last record;
begin
  -- An imported lead alerts nobody: it is old, and thousands may come at once.
  if tg_op = 'INSERT' and new.imported then return null; end if;
  -- A blocked lead causes no further messages. A message about several leads is still sent, because of the other leads.
  if new.blocked_at is not null then
    update public.alert_messages as m set next_at = null
      from public.alerts as a where a.quote_id = new.quote_id and m.alert_id = a.id and m.next_at is not null;
  end if;
  -- An alert that became due while the lead was blocked becomes due again when the block ends.
  if tg_op = 'UPDATE' and new.happened = 'desbloqueada' then
    update public.alerts set spread_at = null where quote_id = new.quote_id and spread_at >= old.blocked_at;
  end if;
  -- last_answer is compared, because the status may become 'respondida' without a new answer.
  if tg_op = 'UPDATE' and new.happened = 'respondida' and new.last_answer is distinct from old.last_answer then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'respuesta', new.asked_at, new.last_answer, greatest(now(), (
        select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
        where quote_id = new.quote_id and kind = 'respuesta')));
  end if;
  if tg_op = 'UPDATE' and new.happened in ('retirada', 'reservada', 'sinespacio') then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'resultado', new.asked_at, new.moved_offer, now()) on conflict do nothing;
  end if;
  if is_recovered then
    -- At most one alert 'recuperada' is made within ten minutes, because after a restore phones send many quotes at
    -- once.
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      select new.quote_id, 'recuperada', new.asked_at, now()
      where not exists (select from public.alerts where kind = 'recuperada' and due_at > now() - interval '10 minutes');
  elsif tg_op = 'INSERT' then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      values (new.quote_id, 'nueva', new.asked_at, private.new_lead_due(new.asked_at));
  elsif new.happened = 'contestada' then
    -- A reply to the team's own question gives 'contesta'. An acceptance that came too late books nothing, so the alert
    -- calls it a question.
    select case when r.kind = 'pregunta' and a.kind = 'pregunta' then 'contesta'
                when coalesce(r.verdict, 'vale') = 'vale' then r.kind else 'pregunta' end into reply_kind
      from public.quote_replies as r left join public.quote_answers as a on a.id = r.answer_id where r.id = new.last_reply;
    -- If an alert about an earlier reply is not sent yet, it covers this reply too, and gets the more urgent kind of
    -- the two: 'aceptada', then 'pregunta', then 'contesta'.
    update public.alerts
      set kind = case when reply_kind = 'aceptada' or kind = 'contesta' then reply_kind else kind end,
          about = new.last_reply, asked_at = new.asked_at
      where quote_id = new.quote_id and kind in ('pregunta', 'contesta', 'aceptada') and spread_at is null;
    if not found then
      select kind, due_at into last from public.alerts
        where old.reply_waiting and quote_id = new.quote_id and kind in ('pregunta', 'contesta', 'aceptada')
          and due_at > now() - interval '1 minute'
        order by due_at desc limit 1;
      if last.kind is distinct from reply_kind then
        insert into public.alerts (quote_id, kind, asked_at, about, due_at)
          values (new.quote_id, reply_kind, new.asked_at, new.last_reply, coalesce(last.due_at + interval '1 minute', now()));
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
create trigger quote_desk_alerts after insert or update on public.quote_desk
  for each row execute function private.quote_desk_alerts();

create function private.alert_tests_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- Tests that were interrupted are deleted after an hour.
  delete from public.alert_tests where asked_at < now() - interval '1 hour';
  insert into public.alerts (test_id, kind, asked_at, about, due_at)
    values (new.id, 'prueba', new.asked_at, new.id, new.asked_at);
  return null;
end $$;
create trigger alert_tests_alert after insert on public.alert_tests
  for each row execute function private.alert_tests_alert();

-- Times of the first sent and the first shown alert about each lead, including alerts about several leads.
create view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = coalesce(a.collected_in, a.id)
  where a.quote_id is not null and not private.is_for_customer(a.kind) and a.kind not in ('recordar', 'rebotado')
    and m.sent_at is not null
  group by a.quote_id;

-- Progress of a test alert: a row for each of its messages, or a single row while there are none.
create view public.alert_test_messages with (security_invoker = true) as
  select a.test_id, a.spread_at, m.id as message_id, m.way, m.device_id, m.attempts, m.next_at, m.sent_at, m.shown_at, m.result
  from public.alerts as a
  left join public.alert_messages as m on m.alert_id = a.id
  where a.test_id is not null;

-- Messages to customers by mail and WhatsApp, with their outcome.
create view public.desk_mails with (security_invoker = true) as
  select a.quote_id, a.about as answer_id, a.kind, m.way, m.attempts, m.next_at, m.sent_at, m.result, m.delivery,
         m.delivery_at, m.code
  from public.alert_messages as m
  join public.alerts as a on a.id = m.alert_id
  where private.is_customer_way(m.way);

alter table public.alerts enable row level security;
alter table public.alert_messages enable row level security;
alter table public.alert_shown enable row level security;
alter table public.alert_tests enable row level security;
revoke all on public.alerts, public.alert_messages, public.alert_shown, public.alert_tests, public.desk_alerts,
  public.desk_mails, public.alert_test_messages from public, anon, authenticated, service_role;
revoke all on sequence public.alerts_id_seq from public, anon, authenticated, service_role;
grant execute on function private.is_for_customer(text), private.is_customer_way(text) to authenticated, service_role;
grant select on public.alerts, public.alert_messages, public.desk_alerts, public.desk_mails to authenticated, service_role;
grant insert (message_id) on public.alert_shown to anon;
grant select, insert, delete on public.alert_tests to service_role;
grant select on public.alert_test_messages to service_role;
create policy "staff read alerts" on public.alerts for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read what was sent" on public.alert_messages for select to authenticated
  using ((select private.is_staff()));
create policy "a device says what it has shown" on public.alert_shown for insert to anon with check (true);
