-- Alerts to people who do not look at a page. What is to be said stands in a table, written in the transaction that is
-- its reason, and is sent afterwards: no push service delays a quote, and none that is down loses an alert.

-- 1. Tables -----------------------------------------------------------------------------------------------------

-- The key by which push services know this site (VAPID). It is made with the first start and kept with the data:
-- every device is bound to it.
create table public.push_keys (
  only_one    boolean not null default true,
  public_key  text    not null,
  private_key text    not null,
  constraint push_keys_pkey primary key (only_one),
  constraint push_keys_only_one_check check (only_one)
);

-- Where a colleague, or the sender of a quote, asked to be told.
create table public.push_devices (
  id         uuid        not null default gen_random_uuid(),
  endpoint   text        not null,
  p256dh     text        not null,
  auth       text        not null,
  quote_id   uuid,
  staff      uuid        default auth.uid(),
  created_at timestamptz not null default now(),
  constraint push_devices_pkey primary key (id),
  constraint push_devices_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint push_devices_once unique nulls not distinct (endpoint, quote_id),
  constraint push_devices_of_one_check check (num_nonnulls(quote_id, staff) = 1),
  -- Which hosts are push services is decided where it is sent: that list changes without a migration.
  constraint push_devices_endpoint_check check (endpoint ~ '^https://[!-~]+$' and char_length(endpoint) <= 1000),
  constraint push_devices_p256dh_check check (p256dh ~ '^B[A-Za-z0-9_-]{86}$'),
  constraint push_devices_auth_check check (auth ~ '^[A-Za-z0-9_-]{22}$')
);
create index push_devices_quote on public.push_devices (quote_id);

-- What is to be told, and from when. Which lead, which word: no person, no text.
create table public.alerts (
  id       bigint      not null generated always as identity,
  quote_id uuid        not null,
  kind     text        not null,
  -- The promise that it is about; a lead that is opened again has another one.
  asked_at timestamptz not null,
  -- The answer or reply that it is about.
  about    uuid,
  due_at   timestamptz not null,
  -- When it became messages, or was found to be over. Null: that is still to be done.
  spread_at timestamptz,
  constraint alerts_pkey primary key (id),
  constraint alerts_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint alerts_once unique nulls not distinct (quote_id, kind, asked_at, about),
  constraint alerts_kind_check check (kind in ('nueva', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                               'pregunta', 'aceptada', 'respuesta'))
);
create index alerts_due on public.alerts (due_at) where spread_at is null;

-- One for each device and, where it is configured, for the mailbox of the team.
create table public.alert_messages (
  -- Whoever received one may say that it was shown: the id is known to that device alone.
  id        uuid        not null default gen_random_uuid(),
  alert_id  bigint      not null,
  -- Null for the mailbox, and once the device is gone.
  device_id uuid,
  way       text        not null,
  attempts  integer     not null default 0,
  next_at   timestamptz,
  sent_at   timestamptz,
  shown_at  timestamptz,
  constraint alert_messages_pkey primary key (id),
  constraint alert_messages_alert foreign key (alert_id) references public.alerts on delete cascade,
  constraint alert_messages_device foreign key (device_id) references public.push_devices on delete set null,
  constraint alert_messages_way_check check (way in ('push', 'mail'))
);
create index alert_messages_next on public.alert_messages (next_at) where next_at is not null;
create index alert_messages_device on public.alert_messages (device_id);

-- 2. What has to be told ----------------------------------------------------------------------------------------

create function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promise constant timestamptz := new.asked_at + private.answer_promise();
begin
  if new.backlog then return null; end if;
  if tg_op = 'INSERT' then
    insert into public.alerts (quote_id, kind, asked_at, due_at) values (new.quote_id, 'nueva', new.asked_at, new.asked_at);
  elsif new.last_reply is distinct from old.last_reply then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      select new.quote_id, kind, new.asked_at, id, now() from public.quote_replies where id = new.last_reply;
  elsif new.last_answer is distinct from old.last_answer then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'respuesta', new.asked_at, new.last_answer, now());
  end if;
  if tg_op = 'INSERT' or new.asked_at <> old.asked_at then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      values (new.quote_id, 'quedan60', new.asked_at, promise - interval '60 minutes'),
             (new.quote_id, 'quedan30', new.asked_at, promise - interval '30 minutes'),
             (new.quote_id, 'quedan10', new.asked_at, promise - interval '10 minutes'),
             (new.quote_id, 'tarde', new.asked_at, promise)
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger quote_desk_alerts after insert or update on public.quote_desk
  for each row execute function private.quote_desk_alerts();

-- A colleague has one row for each device, a quote at most five. Sent again, it is the same one.
create function private.push_devices_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.quote_id is null then
    -- The device has the name of who sat down at it last.
    delete from public.push_devices where endpoint = new.endpoint and quote_id is null;
    return new;
  end if;
  new.staff := null;
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  -- To a phone, what is blocked is not there.
  if not found then raise foreign_key_violation using message = 'The quote of this device is not there'; end if;
  delete from public.push_devices where endpoint = new.endpoint and quote_id = new.quote_id;
  delete from public.push_devices where id in (
    select id from public.push_devices where quote_id = new.quote_id order by created_at desc, id offset 4);
  return new;
end $$;
create trigger push_devices_before_insert before insert on public.push_devices
  for each row execute function private.push_devices_before_insert();

-- 3. Sending ----------------------------------------------------------------------------------------------------

-- What is to be sent at this moment; it is the caller's for two minutes. Who is to be told is decided here and not when
-- the alert was written: meanwhile somebody may have taken or answered the lead.
create function public.claim_alerts(at timestamptz, by_mail boolean)
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, due_at timestamptz, promised_at timestamptz, attempts integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  alert public.alerts;
  lead public.quote_desk;
  is_wanted boolean;
begin
  for alert in
    select * from public.alerts as a where a.spread_at is null and a.due_at <= claim_alerts.at
      order by a.due_at, a.id limit 100 for update skip locked
  loop
    select * into lead from public.quote_desk where quote_id = alert.quote_id;
    is_wanted := lead.blocked_at is null and case alert.kind
      when 'respuesta' then lead.last_answer = alert.about
        and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
      when 'pregunta' then lead.open and lead.last_reply = alert.about
      when 'aceptada' then lead.open and lead.last_reply = alert.about
      -- After a pause several are due: the last of them says it all.
      else lead.open and not lead.backlog and lead.asked_at = alert.asked_at
        and not (alert.kind = 'nueva' and lead.assignee is not null)
        and not exists (select from public.alerts as later
                        where later.quote_id = alert.quote_id and later.asked_at = alert.asked_at and later.about is null
                          and later.due_at > alert.due_at and later.due_at <= claim_alerts.at)
      end;
    if is_wanted then
      insert into public.alert_messages (alert_id, device_id, way, next_at)
        select alert.id, d.id, 'push', claim_alerts.at from public.push_devices as d
        where case when alert.kind = 'respuesta' then d.quote_id = alert.quote_id
                   else d.quote_id is null and (lead.assignee is null or d.staff = lead.assignee) end
        union all
        select alert.id, null, 'mail', claim_alerts.at where by_mail and alert.kind <> 'respuesta';
    end if;
    update public.alerts as a set spread_at = claim_alerts.at where a.id = alert.id;
  end loop;

  return query
    with taken as (
      select m.id from public.alert_messages as m where m.next_at <= claim_alerts.at
        order by m.next_at limit 50 for update skip locked
    ), claimed as (
      update public.alert_messages as m set attempts = m.attempts + 1, next_at = claim_alerts.at + interval '2 minutes'
        from taken where m.id = taken.id returning m.*
    )
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind, q.folio, a.due_at,
           a.asked_at + private.answer_promise(), c.attempts
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    join public.quotes as q on q.id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;

-- How it ended: sent, to be tried again, given up, or the device is gone for good.
create function public.settle_alert(message uuid, at timestamptz, outcome text, again_at timestamptz)
  returns void language plpgsql security definer set search_path = ''
  as $$
begin
  if outcome = 'gone' then
    delete from public.push_devices as d using public.alert_messages as m where m.id = message and d.id = m.device_id;
  end if;
  update public.alert_messages set
    sent_at = case when outcome = 'sent' then at else sent_at end,
    next_at = case when outcome = 'again' then again_at end
    where id = message;
end $$;

-- 4. What the desk counts ---------------------------------------------------------------------------------------

-- Of each lead: when the first alert left, was shown by a device, and when somebody took it.
create view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = a.id
  where a.kind <> 'respuesta' and m.sent_at is not null
  group by a.quote_id;

-- That a device has shown it: the first word counts.
create table public.alert_shown (
  message_id uuid not null,
  constraint alert_shown_pkey primary key (message_id),
  constraint alert_shown_message foreign key (message_id) references public.alert_messages on delete cascade
);
create function private.alert_shown_to_message() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_messages set shown_at = now() where id = new.message_id;
  return null;
end $$;
create trigger alert_shown_to_message after insert on public.alert_shown
  for each row execute function private.alert_shown_to_message();

-- 5. Who may what -----------------------------------------------------------------------------------------------

alter table public.push_keys enable row level security;
alter table public.push_devices enable row level security;
alter table public.alerts enable row level security;
alter table public.alert_messages enable row level security;
alter table public.alert_shown enable row level security;
revoke all on public.push_keys, public.push_devices, public.alerts, public.alert_messages, public.alert_shown,
  public.desk_alerts from public, anon, authenticated, service_role;
revoke all on sequence public.alerts_id_seq from public, anon, authenticated, service_role;
revoke all on function public.claim_alerts(timestamptz, boolean), public.settle_alert(uuid, timestamptz, text, timestamptz),
  private.quote_desk_alerts(), private.push_devices_before_insert(), private.alert_shown_to_message()
  from public, anon, authenticated, service_role;
grant execute on function public.claim_alerts(timestamptz, boolean), public.settle_alert(uuid, timestamptz, text, timestamptz)
  to service_role;

-- Column by column: nobody who asks over the network reads the other half of the key but the service role.
grant select (public_key) on public.push_keys to anon, authenticated;
grant select, insert on public.push_keys to service_role;
grant insert (endpoint, p256dh, auth, quote_id) on public.push_devices to anon;
grant insert (endpoint, p256dh, auth) on public.push_devices to authenticated;
grant select, delete on public.push_devices to service_role;
grant select on public.alerts, public.alert_messages, public.desk_alerts to authenticated, service_role;
grant insert (message_id) on public.alert_shown to anon;

create policy "everybody reads the public key" on public.push_keys for select to anon, authenticated using (true);
create policy "a phone is told about a quote it presents" on public.push_devices for insert to anon
  with check (staff is null and quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "staff are told by themselves" on public.push_devices for insert to authenticated
  with check ((select private.is_staff()) and quote_id is null and staff = (select auth.uid()));
create policy "staff read alerts" on public.alerts for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read what was sent" on public.alert_messages for select to authenticated
  using ((select private.is_staff()));
create policy "a device says what it has shown" on public.alert_shown for insert to anon with check (true);
