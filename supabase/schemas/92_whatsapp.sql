-- WhatsApp: the customers' numbers and users, and the progress of each message. 95_alert_sending.sql claims the messages.

-- 1. Customers ------------------------------------------------------------------------------------------------------

-- Digits of a number with its country code. Ten digits are a Mexican number without one; WhatsApp may write a 1 after
-- Mexico's 52. Null if it cannot be a number.
create function private.whatsapp_number(phone text) returns text
  language sql immutable set search_path = ''
  as $$
    select case when digits ~ '^521[0-9]{10}$' then '52' || right(digits, 10)
                when digits ~ '^[0-9]{10}$' and btrim(phone) not like '+%' then '52' || digits
                when digits ~ '^[1-9][0-9]{7,14}$' then digits end
    from (select regexp_replace(private.digits(phone), '^00', '') as digits) as bare
  $$;

-- WhatsApp user of a quote's sender, as far as WhatsApp has told: its messages and confirmations name both the number
-- and the user id, but a user may hide the number.
create table public.whatsapp_people (
  quote_id uuid not null,
  -- Id of the user for this business (BSUID), such as MX.1234.
  user_id  text,
  -- Number as WhatsApp writes it, which an answer must use too.
  wa_id    text,
  -- Time of the user's last message by WhatsApp's clock. Free text may be sent for a day after it.
  last_at  timestamptz,
  constraint whatsapp_people_pkey primary key (quote_id),
  constraint whatsapp_people_quote foreign key (quote_id) references public.quotes on delete cascade
);
create index whatsapp_people_user on public.whatsapp_people (user_id);
create index whatsapp_people_number on public.whatsapp_people (private.whatsapp_number('+' || wa_id));
alter table public.whatsapp_people enable row level security;
revoke all on public.whatsapp_people from public, anon, authenticated, service_role;
grant select on public.whatsapp_people to authenticated, service_role;
create policy "staff read the users of WhatsApp" on public.whatsapp_people for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- True if the sender of a quote wants WhatsApp: by the last choice; without one, for a day after an own message.
create function private.is_whatsapp_wanted(quote uuid) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select coalesce(
      (select wanted from public.whatsapp_choices where quote_id = quote order by created_at desc, id desc limit 1),
      exists (select from public.whatsapp_people where quote_id = quote and last_at > now() - interval '1 day'))
  $$;

-- Receiver of the messages about a quote. Null if its sender does not want them.
create function private.whatsapp_receiver(quote uuid) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select jsonb_build_object('number', '+' || number, 'user', user_id, 'window_until', last_at + interval '1 day')
    from (select coalesce(p.wa_id, private.whatsapp_number(q.telefono)) as number, p.user_id, p.last_at
          from public.quotes as q left join public.whatsapp_people as p on p.quote_id = q.id where q.id = quote) as person
    where coalesce(number, user_id) is not null and private.is_whatsapp_wanted(quote)
  $$;

-- Ties a quote to the WhatsApp user that a confirmation or message names.
create function private.meet_on_whatsapp(quote uuid, number text, user_id text, spoke_at timestamptz default null)
  returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.whatsapp_people as p (quote_id, wa_id, user_id, last_at)
      values (quote, nullif(meet_on_whatsapp.number, ''), nullif(meet_on_whatsapp.user_id, ''), spoke_at)
      on conflict (quote_id) do update set wa_id = coalesce(excluded.wa_id, p.wa_id),
        user_id = coalesce(excluded.user_id, p.user_id), last_at = greatest(excluded.last_at, p.last_at)
  $$;

-- 2. Progress of messages -------------------------------------------------------------------------------------------

-- WhatsApp recognises no repeat of a request, so each attempt is claimed once and stays 'sending' until WhatsApp's
-- answer, a confirmation or a refusal. An attempt without any of these is never repeated: after 15 minutes the team is
-- told.

-- True if a message may be sent now: WhatsApp takes messages, and the earlier ones about this quote are over.
create function private.is_whatsapp_due(message public.alert_messages, alert public.alerts, at timestamptz) returns boolean
  -- In plpgsql, because a later file creates alert_sender.
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  return message.delivery is null
     and not exists (select from public.alert_sender where whatsapp_rests_until > at)
     and not exists (select from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
                     where m.way = 'whatsapp' and a.quote_id = alert.quote_id and m.next_at is not null
                       and (a.due_at, a.id) < (alert.due_at, alert.id));
end $$;

-- Alerts the team about a message to a customer that could not be delivered.
create function private.alert_undelivered(message uuid, at timestamptz) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      select a.quote_id, 'rebotado', a.asked_at, a.about, alert_undelivered.at from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id where m.id = message and m.way in ('customer', 'whatsapp')
      on conflict do nothing
  $$;

-- Ends attempts that nobody confirmed, and messages that could not be sent for a day.
create function private.end_unconfirmed(at timestamptz) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  ended uuid;
begin
  for ended in
    update public.alert_messages as m set next_at = null, said = case when m.delivery is null then 'late' else 'unknown' end
      from public.alerts as a
      where a.id = m.alert_id and m.way = 'whatsapp' and m.next_at <= end_unconfirmed.at
        and (m.delivery is not null or a.due_at < end_unconfirmed.at - interval '1 day')
      returning m.id
  loop
    perform private.alert_undelivered(ended, end_unconfirmed.at);
  end loop;
end $$;

-- Stores what WhatsApp said about the last attempt: 'sent', 'delivered', 'read'; 'failed', 'again' (the attempt failed,
-- another follows), 'template' (only a template is taken), 'rest' (WhatsApp takes nothing, and the team must act), or
-- 'unsure' (the answer was lost). Progress never goes back, in whatever order it is reported.
create function private.settle_whatsapp(message uuid, at timestamptz, outcome text, again_at timestamptz, why text,
                                        code integer, external_id text)
  returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  steps constant text[] := array['sending', 'sent', 'failed', 'delivered', 'read'];
  present text;
begin
  select m.delivery into present from public.alert_messages as m where m.id = message for update;
  if outcome in ('sent', 'delivered', 'read') then
    update public.alert_messages as m set
        external_id = coalesce(settle_whatsapp.external_id, m.external_id),
        sent_at = coalesce(m.sent_at, settle_whatsapp.at), next_at = null
      where m.id = message;
    update public.alert_messages as m set delivery = outcome, delivery_at = settle_whatsapp.at, code = null, said = left(why, 100)
      where m.id = message and coalesce(array_position(steps, outcome) > array_position(steps, present), true);
    update public.alert_sender set whatsapp_rests_until = null, whatsapp_code = null where whatsapp_code is not null;
  elsif present in ('sending', 'sent') and outcome <> 'unsure' then
    update public.alert_messages as m set
        delivery = case outcome when 'failed' then 'failed' end, delivery_at = settle_whatsapp.at, sent_at = null,
        next_at = case when outcome = 'template' then settle_whatsapp.at when outcome <> 'failed' then again_at end,
        is_template = m.is_template or outcome = 'template',
        external_id = coalesce(settle_whatsapp.external_id, m.external_id),
        said = left(why, 100), code = settle_whatsapp.code
      where m.id = message;
    if outcome = 'failed' then perform private.alert_undelivered(message, settle_whatsapp.at); end if;
    if outcome = 'rest' then
      update public.alert_sender set whatsapp_rests_until = again_at, whatsapp_code = settle_whatsapp.code;
      insert into public.alerts (kind, asked_at, about, due_at)
        select 'sinwhatsapp', settle_whatsapp.at, gen_random_uuid(), settle_whatsapp.at
        where not exists (select from public.alerts where kind = 'sinwhatsapp' and due_at > settle_whatsapp.at - interval '1 day');
    end if;
  end if;
end $$;

-- 3. Phones ---------------------------------------------------------------------------------------------------------

-- Ways in which the presented quote can be answered: whether this server sends by WhatsApp, and the last choice.
create function private.customer_ways() returns table (whatsapp boolean, wanted boolean)
  language sql stable security definer set search_path = ''
  as $$
    select private.sends_by('whatsapp'),
      (select wanted from public.whatsapp_choices as c
       join public.quote_desk as d on d.quote_id = c.quote_id and d.blocked_at is null
       where c.quote_id = (private.presented_quote_ids())[1] order by c.created_at desc, c.id desc limit 1)
  $$;
grant execute on function private.customer_ways() to anon;

create view public.customer_ways with (security_invoker = true) as select * from private.customer_ways();

-- Window of free text to the sender of a quote, for the desk.
create view public.desk_whatsapp with (security_invoker = true) as
  select q.id as quote_id, private.is_whatsapp_wanted(q.id) as wanted, p.last_at + interval '1 day' as window_until,
         private.sends_by('whatsapp') as is_on
  from public.quotes as q left join public.whatsapp_people as p on p.quote_id = q.id;
grant execute on function private.is_whatsapp_wanted(uuid) to authenticated, service_role;
revoke all on public.customer_ways, public.desk_whatsapp from public, anon, authenticated, service_role;
grant select on public.customer_ways to anon;
grant select on public.desk_whatsapp to authenticated, service_role;

-- 4. Webhooks -------------------------------------------------------------------------------------------------------

-- Requests of WhatsApp, stored as they came and answered at once. Their work follows; then the row goes.
create table public.whatsapp_hooks (
  id       bigint      not null generated always as identity,
  came_at  timestamptz not null default now(),
  raw      text        not null,
  attempts integer     not null default 0,
  next_at  timestamptz default now(),
  constraint whatsapp_hooks_pkey primary key (id)
);
create index whatsapp_hooks_next on public.whatsapp_hooks (next_at) where next_at is not null;
alter table public.whatsapp_hooks enable row level security;
revoke all on public.whatsapp_hooks from public, anon, authenticated, service_role;
revoke all on sequence public.whatsapp_hooks_id_seq from public, anon, authenticated, service_role;

create function public.store_whatsapp_hook(raw text) returns void
  language sql security definer set search_path = ''
  as $$ insert into public.whatsapp_hooks (raw) values (store_whatsapp_hook.raw) $$;

-- Webhooks to work on, reserved for the caller for a minute, oldest first.
create function public.claim_whatsapp_hooks(at timestamptz) returns table (id bigint, raw text)
  language sql security definer set search_path = ''
  as $$
    delete from public.whatsapp_hooks where came_at < claim_whatsapp_hooks.at - interval '7 days';
    with taken as (
      select h.id from public.whatsapp_hooks as h where h.next_at <= claim_whatsapp_hooks.at
        order by h.id limit 20 for update skip locked
    )
    update public.whatsapp_hooks as h set attempts = h.attempts + 1, next_at = claim_whatsapp_hooks.at + interval '1 minute'
      from taken where h.id = taken.id returning h.id, h.raw;
  $$;

-- Confirmation of WhatsApp about an attempt: its id, or the message and number of the attempt, which came along.
create function private.hear_whatsapp_status(item jsonb) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  message record;
begin
  select m.id, a.quote_id, a.about into message from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
    where m.way = 'whatsapp' and (m.external_id = item ->> 'id'
      or m.id = (item ->> 'message')::uuid and m.attempts = (item ->> 'attempt')::integer);
  if not found then return; end if;
  if item ->> 'outcome' in ('delivered', 'read') then
    perform private.meet_on_whatsapp(message.quote_id, item ->> 'number', item ->> 'user');
  end if;
  perform private.settle_whatsapp(message.id, (item ->> 'at')::timestamptz, item ->> 'outcome',
    (item ->> 'again_at')::timestamptz, item ->> 'why', (item ->> 'code')::integer, item ->> 'id');
end $$;

-- Applies what a webhook reports. An item that fails does not stop the others; the whole webhook is worked on again
-- later, which changes nothing for the items that are stored.
create function public.finish_whatsapp_hook(hook bigint, at timestamptz, items jsonb) returns integer
  language plpgsql security definer set search_path = ''
  as $$
declare
  item jsonb;
  failures integer := 0;
begin
  for item in select value from jsonb_array_elements(items) loop
    begin
      perform private.hear_whatsapp_status(item);
    exception when others then
      failures := failures + 1;
    end;
  end loop;
  if failures = 0 then
    delete from public.whatsapp_hooks where id = hook;
  else
    update public.whatsapp_hooks set next_at = case when attempts < 20 then
        finish_whatsapp_hook.at + least(interval '1 hour', interval '1 second' * 2 ^ attempts) end
      where id = hook;
  end if;
  return failures;
end $$;

revoke all on function public.store_whatsapp_hook(text), public.claim_whatsapp_hooks(timestamptz),
  public.finish_whatsapp_hook(bigint, timestamptz, jsonb) from public, anon, authenticated, service_role;
grant execute on function public.store_whatsapp_hook(text), public.claim_whatsapp_hooks(timestamptz),
  public.finish_whatsapp_hook(bigint, timestamptz, jsonb) to service_role;
