-- WhatsApp: customers' numbers and user ids, and the progress of each message. 95_alert_sending.sql chooses the
-- messages to send.

-- 1. Customers ------------------------------------------------------------------------------------------------------

-- Returns the digits of a phone number with its country code; null if the text cannot be a phone number. Ten digits
-- without a code are taken for a Mexican number; WhatsApp may write a 1 after Mexico's code 52.
create function private.whatsapp_number(phone text) returns text
  language sql immutable set search_path = ''
  as $$
    select case when digits ~ '^521[0-9]{10}$' then '52' || right(digits, 10)
                when digits ~ '^[0-9]{10}$' and btrim(phone) not like '+%' then '52' || digits
                when digits ~ '^[1-9][0-9]{7,14}$' then digits end
    from (select regexp_replace(private.digits(phone), '^00', '') as digits) as bare
  $$;

-- WhatsApp user who sent a quote, as far as known. Messages and confirmations of WhatsApp name the number and the user
-- id; the number is missing if the user hides it.
create table public.whatsapp_people (
  quote_id uuid not null,
  -- Id of the user for this business (WhatsApp's BSUID), such as MX.1234.
  user_id  text,
  -- Number as WhatsApp writes it. Messages to the user must use the same form.
  wa_id    text,
  -- Time of the user's last message, by WhatsApp's clock. For a day after it, WhatsApp accepts free text to the user.
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

-- True if the sender of a quote wants messages by WhatsApp. The sender's last choice decides; without a choice,
-- WhatsApp is wanted for a day after the sender's last message there.
create function private.is_whatsapp_wanted(quote uuid) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select coalesce(
      (select wanted from public.whatsapp_choices where quote_id = quote order by created_at desc, id desc limit 1),
      exists (select from public.whatsapp_people where quote_id = quote and last_at > now() - interval '1 day'))
  $$;

-- Returns the number and user id to which messages about a quote go; null if its sender does not want them.
create function private.whatsapp_receiver(quote uuid) returns jsonb
  language sql stable security definer set search_path = ''
  as $$
    select jsonb_build_object('number', '+' || number, 'user', user_id, 'window_until', last_at + interval '1 day')
    from (select coalesce(p.wa_id, private.whatsapp_number(q.telefono)) as number, p.user_id, p.last_at
          from public.quotes as q left join public.whatsapp_people as p on p.quote_id = q.id where q.id = quote) as person
    where coalesce(number, user_id) is not null and private.is_whatsapp_wanted(quote)
  $$;

-- Stores which WhatsApp user sent a quote, when a message or a confirmation names the user.
create function private.meet_on_whatsapp(quote uuid, number text, user_id text, written_at timestamptz default null)
  returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.whatsapp_people as p (quote_id, wa_id, user_id, last_at)
      values (quote, nullif(meet_on_whatsapp.number, ''), nullif(meet_on_whatsapp.user_id, ''), written_at)
      on conflict (quote_id) do update set wa_id = coalesce(excluded.wa_id, p.wa_id),
        user_id = coalesce(excluded.user_id, p.user_id), last_at = greatest(excluded.last_at, p.last_at)
  $$;

-- 2. Progress of messages -------------------------------------------------------------------------------------------

-- WhatsApp does not notice if the same message is sent twice. Each attempt is therefore claimed once, and stays
-- 'sending' until WhatsApp responds, confirms or refuses it. An attempt without any of these is never repeated; after
-- 15 minutes the team gets an alert.

-- True if a message may be sent now: WhatsApp accepts messages, and every earlier message about this quote is sent or
-- given up.
create function private.is_whatsapp_due(message public.alert_messages, alert public.alerts, at timestamptz) returns boolean
  -- plpgsql looks up a table only when it runs: a later file creates alert_sender.
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
        join public.alerts as a on a.id = m.alert_id where m.id = message and private.is_customer_way(m.way)
      on conflict do nothing
  $$;

-- Ends attempts that WhatsApp never confirmed, and messages that could not be sent within a day, and alerts the team.
create function private.end_unconfirmed(at timestamptz) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  ended uuid;
begin
  for ended in
    update public.alert_messages as m set next_at = null, result = case when m.delivery is null then 'late' else 'unknown' end
      from public.alerts as a
      where a.id = m.alert_id and m.way = 'whatsapp' and m.next_at <= end_unconfirmed.at
        and (m.delivery is not null or a.due_at < end_unconfirmed.at - interval '1 day')
      returning m.id
  loop
    perform private.alert_undelivered(ended, end_unconfirmed.at);
  end loop;
end $$;

-- Stores the outcome of the last attempt to send a message: 'sent', 'delivered', 'read', 'failed', 'again' (it failed,
-- and another attempt follows), 'template' (WhatsApp accepts only a template), 'rest' (WhatsApp accepts nothing until
-- the team acts), or 'unsure' (the response was lost). Reports may come in any order; a message never goes back to an
-- earlier step.
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
    -- A late report 'sent' after a failed attempt is ignored, because the report would cancel the next attempt.
    update public.alert_messages as m set
        external_id = coalesce(settle_whatsapp.external_id, m.external_id),
        sent_at = coalesce(m.sent_at, settle_whatsapp.at), next_at = null,
        delivery = outcome, delivery_at = settle_whatsapp.at, code = null, result = left(why, 100)
      where m.id = message and array_position(steps, outcome) > array_position(steps, coalesce(present, 'failed'));
  elsif present in ('sending', 'sent') and outcome <> 'unsure' then
    update public.alert_messages as m set
        delivery = case outcome when 'failed' then 'failed' end, delivery_at = settle_whatsapp.at, sent_at = null,
        next_at = case when outcome = 'template' then settle_whatsapp.at when outcome <> 'failed' then again_at end,
        is_template = m.is_template or outcome = 'template',
        external_id = coalesce(settle_whatsapp.external_id, m.external_id),
        result = left(why, 100), code = settle_whatsapp.code
      where m.id = message;
    if outcome = 'failed' then perform private.alert_undelivered(message, settle_whatsapp.at); end if;
    if outcome = 'rest' then
      update public.alert_sender set whatsapp_rests_until = again_at, whatsapp_code = settle_whatsapp.code;
      perform private.alert_team('sinwhatsapp', settle_whatsapp.at, interval '1 day');
    end if;
  end if;
end $$;

-- 3. Phones ---------------------------------------------------------------------------------------------------------

-- Tells a phone how its quote can be answered: whether this server sends by WhatsApp, and the sender's last choice.
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

-- Time until which WhatsApp accepts free text to the sender of a quote, for the desk.
create view public.desk_whatsapp with (security_invoker = true) as
  select q.id as quote_id, private.is_whatsapp_wanted(q.id) as wanted, p.last_at + interval '1 day' as window_until,
         private.sends_by('whatsapp') as is_on
  from public.quotes as q left join public.whatsapp_people as p on p.quote_id = q.id;
grant execute on function private.is_whatsapp_wanted(uuid) to authenticated, service_role;
revoke all on public.customer_ways, public.desk_whatsapp from public, anon, authenticated, service_role;
grant select on public.customer_ways to anon;
grant select on public.desk_whatsapp to authenticated, service_role;

-- 4. Webhooks -------------------------------------------------------------------------------------------------------

-- Webhooks of WhatsApp, stored unchanged, so that each gets its response at once. A row is processed later, and then
-- deleted.
create table public.whatsapp_hooks (
  id       bigint      not null generated always as identity,
  came_at  timestamptz not null default now(),
  raw      text        not null,
  attempts integer     not null default 0,
  next_at  timestamptz not null default now(),
  constraint whatsapp_hooks_pkey primary key (id)
);
create index whatsapp_hooks_next on public.whatsapp_hooks (next_at);
alter table public.whatsapp_hooks enable row level security;
revoke all on public.whatsapp_hooks from public, anon, authenticated, service_role;
revoke all on sequence public.whatsapp_hooks_id_seq from public, anon, authenticated, service_role;
-- `aeropuente doctor` counts the rows with this role. The embedded server reads the content with its own role.
grant select (id, attempts) on public.whatsapp_hooks to service_role;

create function public.store_whatsapp_hook(raw text) returns void
  language sql security definer set search_path = ''
  as $$ insert into public.whatsapp_hooks (raw) values (store_whatsapp_hook.raw) $$;

create function private.whatsapp_hook_pause(attempts integer) returns interval
  language sql immutable set search_path = ''
  as $$ select interval '1 second' * least(3600, 2 ^ attempts) $$;

-- Returns webhooks to process, oldest first, and reserves them for the caller for a minute or longer. After ten
-- attempts, which take 17 minutes, the team gets an alert. Attempts continue for a week, because a newer release may
-- succeed.
create function public.claim_whatsapp_hooks(at timestamptz) returns table (id bigint, raw text)
  language sql security definer set search_path = ''
  as $$
    delete from public.whatsapp_hooks where came_at < claim_whatsapp_hooks.at - interval '7 days';
    select private.alert_team('singuardar', claim_whatsapp_hooks.at, interval '1 day')
      where exists (select from public.whatsapp_hooks where attempts >= 10);
    with taken as (
      select h.id from public.whatsapp_hooks as h where h.next_at <= claim_whatsapp_hooks.at
        order by h.id limit 20 for update skip locked
    ), claimed as (
      update public.whatsapp_hooks as h set attempts = h.attempts + 1,
          next_at = claim_whatsapp_hooks.at + greatest(interval '1 minute', private.whatsapp_hook_pause(h.attempts))
        from taken where h.id = taken.id returning h.id, h.raw
    )
    select c.id, c.raw from claimed as c order by c.id;
  $$;

-- Applies WhatsApp's report about a message. The report names the message by WhatsApp's id, or by our id and the number
-- of the attempt, which WhatsApp sends back.
create function private.store_whatsapp_status(item jsonb) returns void
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

-- WhatsApp user who sent a received message, by number and user id. When a colleague assigns the message to a quote,
-- this user becomes the WhatsApp user of the quote (whatsapp_people).
create table public.whatsapp_senders (
  message_id uuid not null,
  user_id    text,
  wa_id      text,
  constraint whatsapp_senders_pkey primary key (message_id),
  constraint whatsapp_senders_message foreign key (message_id) references public.received_messages on delete cascade
);

-- Pictures and PDFs of received messages that must still be fetched from WhatsApp, which keeps them for a week.
create table public.whatsapp_media (
  id         bigint      not null generated always as identity,
  message_id uuid        not null,
  media_id   text        not null,
  name       text        not null,
  created_at timestamptz not null default now(),
  attempts   integer     not null default 0,
  next_at    timestamptz not null default now(),
  constraint whatsapp_media_pkey primary key (id),
  constraint whatsapp_media_message foreign key (message_id) references public.received_messages on delete cascade
);
create index whatsapp_media_next on public.whatsapp_media (next_at);
create index whatsapp_media_of_message on public.whatsapp_media (message_id);
alter table public.whatsapp_senders enable row level security;
alter table public.whatsapp_media enable row level security;
revoke all on public.whatsapp_senders, public.whatsapp_media from public, anon, authenticated, service_role;
revoke all on sequence public.whatsapp_media_id_seq from public, anon, authenticated, service_role;

-- Returns the quotes of a WhatsApp user, if the customer has allowed WhatsApp for the quote or wrote there about it. If
-- the quote's WhatsApp user id is stored and `user_id` is given, these ids must be equal; otherwise the phone numbers.
-- The ids come first, because a phone number may have a new owner.
create function private.quotes_on_whatsapp(number text, user_id text)
  returns table (quote_id uuid, by_user boolean, is_open boolean, created_at timestamptz)
  language sql stable security definer set search_path = ''
  as $$
    with near as (
      select p.quote_id from public.whatsapp_people as p
        where p.user_id = quotes_on_whatsapp.user_id
           or private.whatsapp_number('+' || p.wa_id) = private.whatsapp_number('+' || number)
      union
      select k.quote_id from private.quote_keys as k where k.phone = right(number, 10)
    )
    select q.id, coalesce(p.user_id = quotes_on_whatsapp.user_id, false),
           d.status not in ('ganada', 'perdida') and d.replaced_by is null, q.created_at
    from near
    join public.quotes as q on q.id = near.quote_id
    join public.quote_desk as d on d.quote_id = q.id and d.blocked_at is null
    left join public.whatsapp_people as p on p.quote_id = q.id
    where case when p.user_id is not null and quotes_on_whatsapp.user_id <> '' then p.user_id = quotes_on_whatsapp.user_id
            else private.whatsapp_number('+' || number)
              in (private.whatsapp_number('+' || p.wa_id), private.whatsapp_number(q.telefono)) end
      and coalesce((select c.wanted from public.whatsapp_choices as c where c.quote_id = q.id
                    order by c.created_at desc, c.id desc limit 1), p.quote_id is not null)
  $$;

-- Withdraws the consent of a user who wrote BAJA or STOP. Returns false if the user has given no consent and belongs to
-- no quote (whatsapp_people). The caller then stores the text like any other message.
create function private.stop_whatsapp(number text, user_id text, written_at timestamptz) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into public.whatsapp_choices (id, quote_id, wanted)
    select gen_random_uuid(), t.quote_id, false from private.quotes_on_whatsapp(number, user_id) as t
    -- A customer's message 'BAJA' (stop) does not end a consent given after that message. The clocks of WhatsApp and of
    -- this server may differ, hence the tolerance of a minute.
    where not exists (select from public.whatsapp_choices as c
                      where c.quote_id = t.quote_id and c.created_at > written_at + interval '1 minute');
  return found or exists (
    select from public.whatsapp_people as p
      where p.user_id = stop_whatsapp.user_id
         or private.whatsapp_number('+' || p.wa_id) = private.whatsapp_number('+' || number));
end $$;

-- Stores a message of a WhatsApp user. If it is certain which quote is meant, the message becomes a question about it;
-- otherwise a colleague assigns it.
create function private.store_whatsapp_message(item jsonb) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  its_number constant text := item ->> 'number';
  its_user constant text := item ->> 'user';
  written_at constant timestamptz := item ->> 'at';
  quoted record;
  target uuid;
  likely uuid;
  stored record;
  file jsonb;
begin
  if (item ->> 'stops')::boolean and private.stop_whatsapp(its_number, its_user, written_at) then return; end if;
  select a.quote_id, a.about into quoted from public.alert_messages as m join public.alerts as a on a.id = m.alert_id
    where m.external_id = item ->> 'quoted';
  -- Chooses the quote of the message to which the user replies; otherwise the only open quote with the user's id;
  -- otherwise the only open quote with the user's number.
  select case when bool_or(t.quote_id = quoted.quote_id) then quoted.quote_id
              when count(*) filter (where t.by_user and t.is_open) = 1 then (array_agg(t.quote_id) filter (where t.by_user and t.is_open))[1]
              when count(*) filter (where t.is_open) = 1 then (array_agg(t.quote_id) filter (where t.is_open))[1] end,
         (array_agg(t.quote_id order by t.is_open desc, t.created_at desc))[1]
    into target, likely from private.quotes_on_whatsapp(its_number, its_user) as t;
  select r.message, r.outcome into stored from public.receive_message(gen_random_uuid(), 'whatsapp', item ->> 'id',
    coalesce('+' || private.whatsapp_number('+' || its_number), its_user), item ->> 'name', item ->> 'body', null,
    written_at, target, likely, case when target = quoted.quote_id then quoted.about end) as r;
  if stored.outcome not in ('asignado', 'pendiente') then return; end if;
  insert into public.whatsapp_senders (message_id, user_id, wa_id) values (stored.message, its_user, its_number);
  for file in select value from jsonb_array_elements(item -> 'files') loop
    if (file ->> 'taken')::boolean then
      insert into public.whatsapp_media (message_id, media_id, name) values (stored.message, file ->> 'id', file ->> 'name');
    else
      perform public.attach_received_file(stored.message, file ->> 'name', null);
    end if;
  end loop;
  perform private.meet_on_whatsapp(m.quote_id, its_number, its_user, written_at)
    from public.received_messages as m where m.id = stored.message and m.quote_id is not null;
  -- WhatsApp accepts free text to this user for a day after any message, so the new time applies to all their quotes.
  update public.whatsapp_people as p set last_at = greatest(p.last_at, written_at)
    where p.quote_id in (select t.quote_id from private.quotes_on_whatsapp(its_number, its_user) as t);
end $$;

-- Stores which WhatsApp user sent a quote, after a colleague has assigned a message of the user to the quote.
create function private.received_messages_meet() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  perform private.meet_on_whatsapp(new.quote_id, s.wa_id, s.user_id, new.received_at)
    from public.whatsapp_senders as s where s.message_id = new.id;
  return null;
end $$;
create trigger received_messages_meet after update of quote_id on public.received_messages
  for each row when (new.quote_id is not null) execute function private.received_messages_meet();

-- Returns a file to fetch, and reserves it for the caller for two minutes. It is a single file, because each may take a
-- minute.
create function public.claim_whatsapp_media(at timestamptz) returns table (id bigint, media_id text, name text, attempts integer)
  language sql security definer set search_path = ''
  as $$
    with taken as (
      select f.id from public.whatsapp_media as f where f.next_at <= claim_whatsapp_media.at
        order by f.id limit 1 for update skip locked
    )
    update public.whatsapp_media as f set attempts = f.attempts + 1, next_at = claim_whatsapp_media.at + interval '2 minutes'
      from taken where f.id = taken.id returning f.id, f.media_id, f.name, f.attempts;
  $$;

-- Stores a fetched file. If `base64` is null, the fetch has failed and is repeated at `again_at`, until the file is a
-- week old. If `again_at` is null too, the fetch is not repeated, and the desk shows that the file is missing.
create function public.finish_whatsapp_media(media bigint, at timestamptz, base64 text, again_at timestamptz) returns void
  language plpgsql security definer set search_path = ''
  as $$
declare
  file public.whatsapp_media;
begin
  select * into file from public.whatsapp_media where id = media for update;
  if not found then return; end if;
  if base64 is null and again_at < file.created_at + interval '7 days' then
    update public.whatsapp_media set next_at = again_at where id = media;
    return;
  end if;
  delete from public.whatsapp_media where id = media;
  perform public.attach_received_file(file.message_id, file.name, decode(base64, 'base64'));
end $$;

-- Applies the items of a webhook. An item that fails does not stop the others: the whole webhook is processed again
-- later, which changes nothing for the items that were stored.
create function public.finish_whatsapp_hook(hook bigint, at timestamptz, items jsonb) returns integer
  language plpgsql security definer set search_path = ''
  as $$
declare
  item jsonb;
  failures integer := 0;
begin
  for item in select value from jsonb_array_elements(items) loop
    begin
      if item ->> 'kind' = 'status' then
        perform private.store_whatsapp_status(item);
      elsif item ->> 'kind' = 'message' then
        perform private.store_whatsapp_message(item);
      else
        -- WhatsApp has given the user another id.
        update public.whatsapp_people as p set user_id = item ->> 'user' where p.user_id = item ->> 'was';
      end if;
    exception when others then
      raise warning 'An event of WhatsApp could not be stored: %', sqlerrm;
      failures := failures + 1;
    end;
  end loop;
  if failures = 0 then
    delete from public.whatsapp_hooks where id = hook;
  else
    update public.whatsapp_hooks
      set next_at = finish_whatsapp_hook.at + private.whatsapp_hook_pause(attempts)
      where id = hook;
  end if;
  return failures;
end $$;

revoke all on function public.store_whatsapp_hook(text), public.claim_whatsapp_hooks(timestamptz),
  public.finish_whatsapp_hook(bigint, timestamptz, jsonb), public.claim_whatsapp_media(timestamptz),
  public.finish_whatsapp_media(bigint, timestamptz, text, timestamptz) from public, anon, authenticated, service_role;
grant execute on function public.store_whatsapp_hook(text), public.claim_whatsapp_hooks(timestamptz),
  public.finish_whatsapp_hook(bigint, timestamptz, jsonb), public.claim_whatsapp_media(timestamptz),
  public.finish_whatsapp_media(bigint, timestamptz, text, timestamptz) to service_role;
