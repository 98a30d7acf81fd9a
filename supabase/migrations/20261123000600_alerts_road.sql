-- Whether alerts are sent at all: who sends them says each time that it has looked, and a test goes the way of a lead.

-- 1. Who sends ----------------------------------------------------------------------------------------------------

create table public.alert_sender (
  only_one  boolean     not null default true,
  -- When a sender last asked for what is due.
  ran_at    timestamptz,
  -- Of a hosted project: when its database last called the function, by which request, and what the call before that
  -- was answered with: a status, or why nothing was answered.
  called_at timestamptz,
  call      bigint,
  answered  text,
  constraint alert_sender_pkey primary key (only_one),
  constraint alert_sender_only_one_check check (only_one)
);
insert into public.alert_sender default values;

-- 2. A test of the road -------------------------------------------------------------------------------------------

-- It is no lead and in no figure, and goes with its row.
create table public.alert_tests (
  id       uuid        not null default gen_random_uuid(),
  -- Whose devices are told; null: all that a new lead is told to.
  staff    uuid,
  asked_at timestamptz not null default now(),
  constraint alert_tests_pkey primary key (id)
);
alter table public.alerts
  alter column quote_id drop not null,
  add column test_id uuid,
  add constraint alerts_test foreign key (test_id) references public.alert_tests on delete cascade,
  add constraint alerts_of_one_check check (num_nonnulls(quote_id, test_id) = 1),
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check check (kind in ('nueva', 'recuperada', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                                   'pregunta', 'aceptada', 'respuesta', 'resultado', 'prueba'));
create index alerts_of_test on public.alerts (test_id) where test_id is not null;
-- What the push service or the mail server said: a status, or that it was not reached.
alter table public.alert_messages add column said text;

create function private.alert_tests_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- Of one that was broken off.
  delete from public.alert_tests where asked_at < now() - interval '1 hour';
  insert into public.alerts (test_id, kind, asked_at, about, due_at)
    values (new.id, 'prueba', new.asked_at, new.id, new.asked_at);
  return null;
end $$;
create trigger alert_tests_alert after insert on public.alert_tests
  for each row execute function private.alert_tests_alert();

-- 3. Sending ------------------------------------------------------------------------------------------------------

-- As before, but that it notes that somebody asked, and that a sender says which kinds it has words for: one of an
-- earlier release says nothing, and is given those that there were before.
drop function public.claim_alerts(timestamptz, boolean);
create function public.claim_alerts(at timestamptz, by_mail boolean,
                                    kinds text[] default '{nueva,recuperada,quedan60,quedan30,quedan10,tarde,pregunta,aceptada,respuesta,resultado}')
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  alert public.alerts;
  lead public.quote_desk;
  is_wanted boolean;
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
    is_wanted := alert.kind = 'prueba' or lead.blocked_at is null and case alert.kind
      when 'respuesta' then lead.last_answer = alert.about
        and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
      when 'resultado' then lead.moved_offer = alert.about
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

-- As before, with what was said.
drop function public.settle_alert(uuid, timestamptz, text, timestamptz);
create function public.settle_alert(message uuid, at timestamptz, outcome text, again_at timestamptz, why text default null)
  returns void language plpgsql security definer set search_path = ''
  as $$
begin
  if outcome = 'gone' then
    delete from public.push_devices as d using public.alert_messages as m where m.id = message and d.id = m.device_id;
  end if;
  update public.alert_messages set
    sent_at = case when outcome = 'sent' then at else sent_at end,
    next_at = case when outcome = 'again' then again_at end,
    said = left(why, 100)
    where id = message;
end $$;

create or replace function private.alert_shown_before_insert() returns trigger
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

create or replace view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = a.id
  where a.kind not in ('respuesta', 'prueba') and m.sent_at is not null
  group by a.quote_id;

-- How far a test has come: one row for each message, and one before there is any.
create view public.alert_test_messages with (security_invoker = true) as
  select a.test_id, a.spread_at, m.id as message_id, m.way, m.device_id, m.attempts, m.next_at, m.sent_at, m.shown_at, m.said
  from public.alerts as a
  left join public.alert_messages as m on m.alert_id = a.id
  where a.test_id is not null;

-- 4. How a hosted project calls its function ----------------------------------------------------------------------

-- Extensions of a hosted project: nothing of them is looked at before this is run (supabase/functions/alert/calls.sql).
create function private.start_alert_calls(address text, key text) returns void
  -- An extension has to be recorded in some schema.
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
  -- What called it before, with a key that opened the whole project.
  drop function if exists private.alerts_call(), private.call_alert_function();
  delete from vault.secrets where name = 'alert_key';
end $calls$;

-- pg_net sends after the commit, and only then: it delays no quote.
create function private.call_for_alerts() returns bigint
  language plpgsql security definer set search_path = ''
  as $$
begin
  return net.http_post(
    url := (select decrypted_secret from vault.decrypted_secrets where name = 'alert_function'),
    headers := jsonb_build_object('content-type', 'application/json', 'x-alerts-key',
      (select decrypted_secret from vault.decrypted_secrets where name = 'alerts_key')));
end $$;

-- It notes nothing: leads that come at the same time would wait for each other.
create function private.alerts_call_function() returns trigger
  language plpgsql security definer set search_path = ''
  as $$ begin perform private.call_for_alerts(); return null; end $$;

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

-- 5. Who may what -------------------------------------------------------------------------------------------------

alter table public.alert_sender enable row level security;
alter table public.alert_tests enable row level security;
revoke all on public.alert_sender, public.alert_tests, public.alert_test_messages
  from public, anon, authenticated, service_role;
revoke all on function public.claim_alerts(timestamptz, boolean, text[]),
  public.settle_alert(uuid, timestamptz, text, timestamptz, text),
  private.alert_tests_alert(), private.start_alert_calls(text, text), private.call_for_alerts(),
  private.alerts_call_function(), private.keep_calling_for_alerts()
  from public, anon, authenticated, service_role;
grant execute on function public.claim_alerts(timestamptz, boolean, text[]),
  public.settle_alert(uuid, timestamptz, text, timestamptz, text) to service_role;
grant select on public.alert_sender to authenticated, service_role;
grant select, insert, delete on public.alert_tests to service_role;
grant select on public.alert_test_messages to service_role;

create policy "staff read whether alerts are sent" on public.alert_sender for select to authenticated
  using ((select private.is_staff()));
