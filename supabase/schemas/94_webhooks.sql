-- Webhooks, which report the events of a quote to other programs. In the transaction of a change, a trigger queues a
-- row for each receiver; server/webhooks sends the rows. The queue has no data of the customer, because the body is
-- made when it is sent.

-- 1. Receivers and deliveries ---------------------------------------------------------------------------------------

create table public.webhooks (
  id          integer     not null generated always as identity,
  url         text        not null,
  -- Host in the URL. The desk shows only the host, because the rest of a URL often contains a secret.
  host        text        not null generated always as (substring(url from '^https?://([^/?#]+)')) stored,
  events      text[]      not null,
  -- True if 'quote.received' includes name, company, e-mail, phone and the optional fields.
  has_contact boolean     not null default false,
  -- True if 'offer.accepted' and 'shipment.booked' include the offer as a ONE Record.
  has_one_record boolean  not null default false,
  -- Key with which the bodies are signed. Requests may store a key, but not read one.
  secret      text        not null,
  created_at  timestamptz not null default now(),
  constraint webhooks_pkey primary key (id),
  constraint webhooks_url_check check (url ~ '^https?://[^@/?#[:space:]]+([/?#][!-~]*)?$' and char_length(url) <= 1000),
  constraint webhooks_events_check check (cardinality(events) > 0 and events <@ array['quote.received', 'quote.answered',
    'offer.accepted', 'shipment.booked', 'shipment.milestone', 'quote.lost', 'quote.erased']),
  constraint webhooks_secret_check check (secret ~ '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$')
);

-- Deliveries: a row for each event and receiver, kept for 30 days. quote_id has no foreign key, because 'quote.erased'
-- is sent after the quote is erased.
create table public.webhook_deliveries (
  id         bigint      not null generated always as identity,
  webhook_id integer     not null,
  -- Computed from the event: if a restored server sends the same event again, the receiver knows the id already.
  event_id   uuid        not null,
  event      text        not null,
  quote_id   uuid        not null,
  folio      text        not null,
  -- Id of the answer or milestone of the event; for a lost quote, the reason.
  ref        text,
  at         timestamptz not null,
  day        date        not null,
  state      text        not null default 'waiting',
  attempts   integer     not null default 0,
  -- Time of the next attempt. While the state is 'sending', another sender may take over from this time.
  next_at    timestamptz default now(),
  -- Last attempt: its time, the status of the response, and the first characters of a refusing response or the reason
  -- why no response came.
  tried_at   timestamptz,
  status     integer,
  response_text text,
  constraint webhook_deliveries_pkey primary key (id),
  constraint webhook_deliveries_once unique (webhook_id, event_id),
  constraint webhook_deliveries_webhook foreign key (webhook_id) references public.webhooks on delete cascade,
  constraint webhook_deliveries_state_check check (state in ('waiting', 'sending', 'delivered', 'aside', 'erased')),
  constraint webhook_deliveries_next_check check ((next_at is null) = (state in ('delivered', 'aside', 'erased')))
);
create index webhook_deliveries_open on public.webhook_deliveries (webhook_id, id) where state in ('waiting', 'sending');
create index webhook_deliveries_lane on public.webhook_deliveries (webhook_id, quote_id, id) where state in ('waiting', 'sending');
create index webhook_deliveries_of_quote on public.webhook_deliveries (quote_id);
create index webhook_deliveries_day on public.webhook_deliveries (day);
create index webhook_deliveries_aside on public.webhook_deliveries (id) where state = 'aside';

-- 2. Events ---------------------------------------------------------------------------------------------------------

-- Queues the webhook of a change. The lead's row is locked, so the events of a quote are queued in the order of its
-- changes.
create function private.quote_desk_webhooks() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  quote constant uuid := case tg_op when 'DELETE' then old.quote_id else new.quote_id end;
  event text;
  ref text;
begin
  if tg_op = 'INSERT' then
    -- An imported lead causes no event, because nobody sent a request.
    if new.imported then return null; end if;
    event := 'quote.received';
  elsif tg_op = 'DELETE' then
    event := 'quote.erased';
    -- A delivery under way keeps its state, and the receiver gets 'quote.erased' afterwards. The text of a refusal is
    -- deleted, because it may repeat the customer's data.
    update public.webhook_deliveries as d set response_text = null,
        state = case d.state when 'waiting' then 'erased' else d.state end,
        next_at = case d.state when 'waiting' then null else d.next_at end
      where d.quote_id = quote;
  elsif new.last_answer is distinct from old.last_answer then
    event := 'quote.answered';
    ref := new.last_answer;
  elsif (new.accepted, new.accepted_state) is distinct from (old.accepted, old.accepted_state)
        and new.accepted_state in ('aceptada', 'reservada') then
    event := case new.accepted_state when 'aceptada' then 'offer.accepted' else 'shipment.booked' end;
    ref := new.accepted;
  elsif new.last_step is distinct from old.last_step then
    event := 'shipment.milestone';
    ref := new.last_step;
  elsif new.status = 'perdida' and old.status <> 'perdida' then
    event := 'quote.lost';
    ref := new.lost_reason;
  else
    return null;
  end if;
  insert into public.webhook_deliveries (webhook_id, event_id, event, quote_id, folio, ref, at, day)
    select w.id,
           -- The version is part of the event's id, because a quote can be lost twice for the same reason.
           md5(concat_ws(' ', event, quote, ref, case event when 'quote.lost' then new.version end))::uuid,
           event, quote, private.quote_folio(quote), ref, clock_timestamp(), (now() at time zone 'America/Tijuana')::date
    from public.webhooks as w where event = any (w.events) order by w.id
    on conflict do nothing;
  return null;
end $$;
create trigger quote_desk_webhooks after insert or update or delete on public.quote_desk
  for each row execute function private.quote_desk_webhooks();

-- Makes the body of a webhook. The body names the quote by folio and a hash of the id, as src/lead/quote-tag.ts does.
-- The id itself is not sent, because whoever knows it can open the quote.
create function private.webhook_body(delivery public.webhook_deliveries, has_contact boolean) returns text
  language plpgsql stable set search_path = ''
  as $$
declare
  facts jsonb := '{}';
begin
  -- The statement has no ELSE, so an event that it does not name is an error.
  case delivery.event
    when 'quote.received' then
      select jsonb_build_object('created_at', q.created_at, 'promised_at', q.promised_at, 'origen', q.origen,
               'peso', q.peso, 'tipo_carga', q.tipo_carga, 'reemplaza', q.reemplaza)
             || case when has_contact then jsonb_build_object('nombre', q.nombre, 'empresa', q.empresa,
               'email', q.email, 'telefono', q.telefono, 'more', q.more) else '{}' end
        into facts from public.quotes as q where q.id = delivery.quote_id;
    when 'quote.answered', 'offer.accepted', 'shipment.booked' then
      select jsonb_build_object('answer_id', a.id, 'kind', a.kind, 'price', a.price, 'price_for', a.price_for,
               'currency', a.currency, 'kilos', a.kilos, 'total', a.total, 'valid_until', a.valid_until)
             || case delivery.event when 'shipment.booked' then jsonb_build_object('reference', o.reference) else '{}' end
        into facts from public.quote_answers as a left join public.quote_offers as o on o.answer_id = a.id
        where a.id = delivery.ref::uuid;
    when 'shipment.milestone' then
      select jsonb_build_object('step_id', s.id, 'step', s.step, 'at', s.at, 'waste', s.waste, 'corrects', s.corrects)
        into facts from public.shipment_steps as s where s.id = delivery.ref::uuid;
    when 'quote.lost' then facts := jsonb_build_object('reason', delivery.ref);
    when 'quote.erased' then null;
  end case;
  return jsonb_build_object('type', delivery.event, 'timestamp', delivery.at, 'data',
    jsonb_build_object('folio', delivery.folio) || case when delivery.event = 'quote.erased' then '{}' else
      jsonb_build_object('tag', translate(encode(
        substring(sha256(convert_to('aeropuente ' || delivery.quote_id, 'UTF8')) from 1 for 15), 'base64'), '+/', '-_')) end
    || coalesce(facts, '{}'))::text;
end $$;

-- Returns the rows of an accepted offer, from which server/webhooks makes a ONE Record. The contact is null if the
-- receiver gets no contact data. 'offer.accepted' has no shipment, even if the offer was booked before the delivery.
create function private.webhook_offer(delivery public.webhook_deliveries, has_contact boolean) returns jsonb
  language sql stable set search_path = ''
  as $$
    select jsonb_build_object('folio', delivery.folio, 'tipo_carga', q.tipo_carga, 'answer', to_jsonb(a), 'details', to_jsonb(d),
             'shipment', to_jsonb(s), 'contact', case when has_contact then jsonb_build_object(
               'nombre', q.nombre, 'empresa', q.empresa, 'email', q.email, 'telefono', q.telefono) end)
    from public.quote_answers as a
      join public.quotes as q on q.id = a.quote_id
      left join lateral (
        select * from public.quote_details where quote_id = a.quote_id order by pressed_at desc limit 1) as d on true
      left join public.desk_shipments as s on s.answer_id = a.id and delivery.event = 'shipment.booked'
    where a.id = delivery.ref::uuid and delivery.event in ('offer.accepted', 'shipment.booked')
  $$;

-- 3. Sending --------------------------------------------------------------------------------------------------------

-- Returns the deliveries that may be sent now: for each receiver and quote the earliest that has not ended. Deliveries
-- about blocked quotes wait.
create function private.due_webhooks(receiver integer, at timestamptz, most bigint) returns setof bigint
  language sql stable set search_path = ''
  as $$
    select d.id from public.webhook_deliveries as d
      where d.webhook_id = receiver and d.state in ('waiting', 'sending') and d.next_at <= due_webhooks.at
        and d.quote_id <> all (private.blocked_quotes())
        and not exists (select from public.webhook_deliveries as earlier
                        where earlier.webhook_id = receiver and earlier.quote_id = d.quote_id and earlier.id < d.id
                          and earlier.state in ('waiting', 'sending'))
      order by d.id limit most
  $$;

-- Returns deliveries to send now, at most `most` at a time for each receiver, and reserves them for the caller for
-- `lease`.
create function public.claim_webhooks(at timestamptz, lease interval, most integer)
  returns table (id bigint, event_id uuid, event text, folio text, url text, host text, secret text, body text,
                 offer jsonb, attempts integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
begin
  -- Senders choose deliveries one after the other: at the same time, two senders would not see each other's choice.
  perform pg_advisory_xact_lock(hashtextextended('webhooks', 0));
  delete from public.webhook_deliveries as d
    where d.day < (claim_webhooks.at - interval '30 days')::date and d.state in ('delivered', 'aside', 'erased');
  -- A sender may have stopped during a delivery, and the quote was then erased. Such deliveries end here.
  update public.webhook_deliveries as d set state = 'erased', next_at = null
    where d.state = 'sending' and d.next_at <= claim_webhooks.at and d.event <> 'quote.erased'
      and not exists (select from public.quotes as q where q.id = d.quote_id);
  return query
    with room as (
      select w.id, claim_webhooks.most - count(d.id) as free from public.webhooks as w
        left join public.webhook_deliveries as d
          on d.webhook_id = w.id and d.state = 'sending' and d.next_at > claim_webhooks.at
        group by w.id
    ), taken as (
      select due.id from room
        cross join lateral private.due_webhooks(room.id, claim_webhooks.at, greatest(room.free, 0)) as due (id)
    ), claimed as (
      update public.webhook_deliveries as d set state = 'sending', attempts = d.attempts + 1,
          tried_at = claim_webhooks.at, next_at = claim_webhooks.at + claim_webhooks.lease
        from taken where d.id = taken.id returning d.*
    )
    select c.id, c.event_id, c.event, c.folio, w.url, w.host, w.secret,
           private.webhook_body(c::public.webhook_deliveries, w.has_contact),
           case when w.has_one_record then private.webhook_offer(c::public.webhook_deliveries, w.has_contact) end, c.attempts
    from claimed as c join public.webhooks as w on w.id = c.webhook_id order by c.id;
end $$;

-- Stores the outcome of an attempt. If `again_at` is null, a failed delivery gets the state 'aside': no further
-- attempt. If another sender has claimed the delivery in the meantime, the outcome is ignored.
create function public.settle_webhook(delivery bigint, attempt integer, is_delivered boolean, again_at timestamptz,
                                      status integer, response_text text) returns void
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  ended public.webhook_deliveries;
begin
  select * into ended from public.webhook_deliveries as d
    where d.id = delivery and d.attempts = attempt and d.state = 'sending' for update;
  if not found then return; end if;
  ended.state := case when is_delivered then 'delivered'
    when ended.event <> 'quote.erased' and not exists (select from public.quotes where id = ended.quote_id) then 'erased'
    when again_at is null then 'aside' else 'waiting' end;
  update public.webhook_deliveries as d set state = ended.state,
      next_at = case ended.state when 'waiting' then again_at end,
      status = settle_webhook.status,
      response_text = case when exists (select from public.quotes where id = ended.quote_id) then left(settle_webhook.response_text, 200) end
    where d.id = delivery;
  if ended.state = 'aside' then
    -- With the lock, two deliveries that get the state 'aside' at the same time cause a single alert.
    perform pg_advisory_xact_lock(hashtextextended('webhooks aside', 0));
    perform private.alert_team('sinwebhook', now(), interval '1 day');
  end if;
end $$;
revoke all on function public.claim_webhooks(timestamptz, interval, integer),
  public.settle_webhook(bigint, integer, boolean, timestamptz, integer, text) from public, anon, authenticated, service_role;

-- 4. Rights ---------------------------------------------------------------------------------------------------------

-- Colleagues send a delivery again by setting its state to 'waiting'. This trigger refuses any other change, and skips
-- deliveries about an erased quote.
create function private.webhook_deliveries_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if coalesce(current_setting('role', true), 'none') not in ('authenticated', 'service_role') then return new; end if;
  if new.state <> 'waiting' then
    raise sqlstate 'PT400' using message = 'A delivery can only be sent again';
  end if;
  if old.state = 'sending' or old.event <> 'quote.erased'
     and not exists (select from public.quotes where id = old.quote_id) then
    return null;
  end if;
  new.attempts := 0;
  new.next_at := now();
  return new;
end $$;
-- This trigger checks changes by requests. It skips changes by the trigger quote_desk_webhooks, which runs when a quote
-- is erased.
create trigger webhook_deliveries_again before update on public.webhook_deliveries
  for each row when (pg_trigger_depth() = 0) execute function private.webhook_deliveries_again();

alter table public.webhooks enable row level security;
alter table public.webhook_deliveries enable row level security;
revoke all on public.webhooks, public.webhook_deliveries from public, anon, authenticated, service_role;
revoke all on sequence public.webhooks_id_seq, public.webhook_deliveries_id_seq from public, anon, authenticated, service_role;
grant select (id, host, events, has_contact, has_one_record, created_at) on public.webhooks to authenticated, service_role;
grant select (url), insert (url, events, has_contact, has_one_record, secret), delete on public.webhooks to service_role;
grant select, update (state) on public.webhook_deliveries to authenticated, service_role;
create policy "supervisors read receivers" on public.webhooks for select to authenticated
  using ((select private.is_supervisor()));
create policy "supervisors read deliveries" on public.webhook_deliveries for select to authenticated
  using ((select private.is_supervisor()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "supervisors send again" on public.webhook_deliveries for update to authenticated
  using ((select private.is_supervisor()) and quote_id <> all ((select private.blocked_quotes())::uuid[]))
  with check ((select private.is_supervisor()));
