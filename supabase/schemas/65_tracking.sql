-- Tracking of booked shipments: flights and milestones. Rows never change; a later row corrects an earlier one.

-- 1. Values ---------------------------------------------------------------------------------------------------------

-- Returns the time zone of an airport. src/lead/shipment.ts has the same table; a test compares the two.
create function private.zone_of(place text) returns text
  language sql immutable parallel safe
  return case place when 'AIFA' then 'America/Mexico_City' when 'CUN' then 'America/Cancun'
                    when 'CGO' then 'Asia/Shanghai' else 'America/Tijuana' end;

-- True for a valid air waybill number: eleven digits, of which the last is the seven-digit serial number modulo 7 (IATA
-- Resolution 600a).
create function private.is_waybill(digits text) returns boolean
  language sql immutable strict parallel safe
  return case when digits ~ '^[0-9]{11}$'
    then substring(digits from 4 for 7)::integer % 7 = right(digits, 1)::integer else false end;
grant execute on function private.zone_of(text), private.is_waybill(text) to authenticated, service_role;

-- Returns the position of a milestone in the journey; null for a milestone that can happen anywhere, such as a delay.
create function private.step_rank(step text) returns integer
  language sql immutable parallel safe
  return array_position(
    array['recolectada', 'recibida', 'envuelo', 'llegada', 'aduana', 'liberada', 'encamino', 'entregada'], step);

-- 2. Tables ---------------------------------------------------------------------------------------------------------

-- Flights of booked offers; the newest row of an offer is its current flight.
create table public.shipment_flights (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  answer_id   uuid        not null,
  flight      text        not null,
  flight_day  date        not null,
  origin      text        not null,
  -- Air waybill number: three digits of the airline, seven of the serial number, and the check digit.
  waybill     text,
  pickup_at   timestamptz,
  cutoff_at   timestamptz,
  departs_at  timestamptz,
  arrives_at  timestamptz,
  created_at  timestamptz not null default clock_timestamp(),
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint shipment_flights_pkey primary key (id),
  constraint shipment_flights_offer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint shipment_flights_flight_check check (flight ~ '^[A-Z0-9]{2}[0-9]{1,4}$'),
  constraint shipment_flights_origin_check check (origin in ('TIJ', 'AIFA', 'CUN')),
  constraint shipment_flights_waybill_check check (private.is_waybill(waybill)),
  constraint shipment_flights_day_check check ((departs_at at time zone private.zone_of(origin))::date = flight_day),
  constraint shipment_flights_order_check check (
    pickup_at <= cutoff_at and pickup_at <= departs_at and cutoff_at <= departs_at and departs_at < arrives_at),
  -- Refuses infinity, and a year that was mistyped.
  constraint shipment_flights_near_check check (
    flight_day between (created_at at time zone 'UTC')::date - 366 and (created_at at time zone 'UTC')::date + 366
    and pickup_at between flight_day - 31 and flight_day + 31 and cutoff_at between flight_day - 31 and flight_day + 31
    and arrives_at between flight_day - 31 and flight_day + 31)
);
create index shipment_flights_of_offer on public.shipment_flights (answer_id, created_at desc, id desc);
create trigger shipment_flights_fixed before update on public.shipment_flights
  for each row execute function private.refuse_change();

-- Milestones of booked offers. A row with the step 'anulada' cancels the milestone whose id is in `corrects`.
create table public.shipment_steps (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  answer_id   uuid        not null,
  step        text        not null,
  at          timestamptz not null default now(),
  -- Reason of a delay. The customer sees it.
  word        text,
  -- Percentage of the cargo that was spoiled, recorded at delivery.
  waste       numeric,
  corrects    uuid,
  created_at  timestamptz not null default clock_timestamp(),
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint shipment_steps_pkey primary key (id),
  constraint shipment_steps_once unique (corrects),
  constraint shipment_steps_offer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint shipment_steps_corrects foreign key (corrects) references public.shipment_steps on delete cascade,
  constraint shipment_steps_step_check check (step in ('recolectada', 'recibida', 'envuelo', 'llegada', 'aduana',
    'liberada', 'encamino', 'entregada', 'detenida', 'anulada')),
  constraint shipment_steps_word_check check (
    word = btrim(word) and char_length(word) <= 500 and private.is_seen(word)
    and (word is not null) = (step = 'detenida')),
  constraint shipment_steps_waste_check check (waste between 0 and 100 and scale(waste) <= 1 and (waste is null or step = 'entregada')),
  constraint shipment_steps_corrects_check check ((corrects is not null) = (step = 'anulada'))
);
create index shipment_steps_of_offer on public.shipment_steps (answer_id, at);
create index shipment_steps_of_quote on public.shipment_steps (quote_id);
create trigger shipment_steps_fixed before update on public.shipment_steps
  for each row execute function private.refuse_change();

-- 3. Rules ----------------------------------------------------------------------------------------------------------

-- Checks that the offer is booked, and that the caller is the lead's owner, a supervisor, or the command line. Locks
-- the lead first, as every function that writes offers does. Returns the time at which the offer was made.
create function private.require_booked(quote uuid, answer uuid) returns timestamptz
  language plpgsql set search_path = ''
  as $$
declare
  owner uuid;
  offered timestamptz;
begin
  select assignee into owner from public.quote_desk where quote_id = quote and blocked_at is null for no key update;
  select a.created_at into offered
    from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
    where o.quote_id = quote and o.answer_id = answer and o.state = 'reservada'
      and exists (select from public.quote_desk as d where d.quote_id = quote and d.blocked_at is null);
  if offered is null then
    raise sqlstate 'PT409' using message = 'No space is booked for this offer', hint = 'unbooked';
  end if;
  if current_setting('role', true) = 'authenticated' and owner is distinct from auth.uid() and not private.is_supervisor() then
    raise sqlstate 'PT409' using message = 'Only who has the lead says where the shipment is',
      hint = case when owner is null then 'unowned' else 'owned' end;
  end if;
  return offered;
end $$;

create function private.shipment_flights_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  last public.shipment_flights;
begin
  if exists (select from public.shipment_flights where id = new.id) then return new; end if;
  perform private.require_booked(new.quote_id, new.answer_id);
  select f.* into last from public.shipment_flights as f
    where f.answer_id = new.answer_id order by f.created_at desc, f.id desc limit 1;
  -- A colleague saves the same flight again after a lost response: it is stored once, and alerts the customer once.
  if (last.flight, last.flight_day, last.origin, last.waybill, last.pickup_at, last.cutoff_at, last.departs_at, last.arrives_at)
      is not distinct from
      (new.flight, new.flight_day, new.origin, new.waybill, new.pickup_at, new.cutoff_at, new.departs_at, new.arrives_at) then
    return null;
  end if;
  return new;
end $$;
create trigger shipment_flights_rules before insert on public.shipment_flights
  for each row execute function private.shipment_flights_rules();

-- Refuses a milestone that was recorded already, or whose time is in the future, before the offer, or against the order
-- of the journey. A milestone may be left out and recorded later.
create function private.shipment_steps_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  offered timestamptz;
  place constant integer := private.step_rank(new.step);
  other record;
begin
  if exists (select from public.shipment_steps where id = new.id) then return new; end if;
  offered := private.require_booked(new.quote_id, new.answer_id);
  if new.step = 'anulada' then
    new.at := now();
    if not exists (select from public.shipment_steps as s where s.id = new.corrects and s.answer_id = new.answer_id
                     and s.step <> 'anulada' and not exists (select from public.shipment_steps as c where c.corrects = s.id)) then
      raise sqlstate 'PT409' using message = 'That milestone is not there any more', hint = 'gone';
    end if;
    return new;
  end if;
  -- The clock of a colleague's computer may be a little fast.
  if new.at > now() + interval '2 minutes' then
    raise sqlstate 'PT409' using message = 'A milestone lies in the past', hint = 'future';
  end if;
  new.at := least(new.at, now());
  if not new.at >= offered then
    raise sqlstate 'PT409' using message = 'A shipment does not move before its offer', hint = 'early';
  end if;
  for other in
    select s.step, s.at, private.step_rank(s.step) as place from public.shipment_steps as s
      where s.answer_id = new.answer_id and s.step <> 'anulada'
        and not exists (select from public.shipment_steps as c where c.corrects = s.id)
  loop
    if other.step = new.step and (place is not null or other.at = new.at) then
      raise sqlstate 'PT409' using message = 'That milestone is said already', hint = 'repeated';
    end if;
    -- A delay has no fixed position in the journey, but it cannot come after the delivery.
    if coalesce(other.place < place, new.step = 'entregada') and other.at > new.at
       or coalesce(other.place > place, other.step = 'entregada') and other.at < new.at then
      raise sqlstate 'PT409' using message = format('That time does not fit %s', other.step), hint = 'order';
    end if;
  end loop;
  return new;
end $$;
create trigger shipment_steps_rules before insert on public.shipment_steps
  for each row execute function private.shipment_steps_rules();

-- Records the change on the lead, and alerts the customer. Alerts are at least a minute apart, and each covers all
-- changes before it. A milestone that is cancelled before its alert was sent causes no alert.
create function private.shipment_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_table_name = 'shipment_flights' then
    update public.quote_desk set last_flight = new.id where quote_id = new.quote_id;
    -- Two days before the cut-off, the customer is reminded of missing shipping documents.
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      select d.quote_id, 'papeles', d.asked_at, new.id, greatest(now(), new.cutoff_at - interval '2 days')
      from public.quote_desk as d where d.quote_id = new.quote_id and new.cutoff_at > now();
  else
    update public.quote_desk set last_step = new.id, step = (
      select s.step from public.shipment_steps as s
        where s.quote_id = new.quote_id and s.step <> 'anulada'
          and not exists (select from public.shipment_steps as c where c.corrects = s.id)
        order by s.at desc, private.step_rank(s.step) desc nulls first limit 1)
      where quote_id = new.quote_id;
    if new.step = 'anulada' and not exists (
      select from public.alerts where quote_id = new.quote_id and about = new.corrects and spread_at is not null) then
      return null;
    end if;
  end if;
  insert into public.alerts (quote_id, kind, asked_at, about, due_at)
    select d.quote_id, 'paso', d.asked_at, new.id, greatest(now(), (
      select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
      where quote_id = new.quote_id and kind = 'paso'))
    from public.quote_desk as d where d.quote_id = new.quote_id;
  return null;
end $$;
create trigger shipment_flights_to_desk after insert on public.shipment_flights
  for each row execute function private.shipment_to_desk();
create trigger shipment_steps_to_desk after insert on public.shipment_steps
  for each row execute function private.shipment_to_desk();

-- 4. Rights ---------------------------------------------------------------------------------------------------------

alter table public.shipment_flights enable row level security;
alter table public.shipment_steps enable row level security;
revoke all on public.shipment_flights, public.shipment_steps from public, anon, authenticated, service_role;
grant select on public.shipment_flights, public.shipment_steps to authenticated, service_role;
grant insert (id, quote_id, answer_id, flight, flight_day, origin, waybill, pickup_at, cutoff_at, departs_at, arrives_at)
  on public.shipment_flights to authenticated, service_role;
grant insert (id, quote_id, answer_id, step, at, word, waste, corrects) on public.shipment_steps
  to authenticated, service_role;
grant insert (author_name) on public.shipment_steps to service_role;
create policy "staff read flights" on public.shipment_flights for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff write flights" on public.shipment_flights for insert to authenticated
  with check ((select private.is_staff()));
create policy "staff read milestones" on public.shipment_steps for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff write milestones" on public.shipment_steps for insert to authenticated
  with check ((select private.is_staff()));

-- 5. Shipments ------------------------------------------------------------------------------------------------------

-- Booked shipments with their flight, and their milestones in order, without the cancelled ones.
create view public.desk_shipments with (security_invoker = true) as
  select o.quote_id, o.answer_id, q.folio, d.assignee, o.state_at as booked_at,
         f.waybill, f.flight, f.flight_day, f.origin, f.pickup_at, f.cutoff_at, f.departs_at, f.arrives_at,
         f.created_at as flight_at, coalesce(s.steps, '[]') as steps, s.flown_at, s.landed_at, s.delivered_at, s.waste,
         greatest(s.last_at, f.created_at, f.departs_at, f.arrives_at) as until
  from public.quote_offers as o
  join public.quote_desk as d on d.quote_id = o.quote_id and d.blocked_at is null
  join public.quotes as q on q.id = o.quote_id
  left join lateral (
    select * from public.shipment_flights where answer_id = o.answer_id order by created_at desc, id desc limit 1) as f on true
  left join lateral (
    select jsonb_agg(jsonb_build_object('id', e.id, 'step', e.step, 'at', e.at, 'word', e.word, 'waste', e.waste)
             order by e.at, private.step_rank(e.step) nulls last, e.created_at) as steps,
           max(e.at) filter (where e.step = 'envuelo') as flown_at,
           max(e.at) filter (where e.step = 'llegada') as landed_at,
           max(e.at) filter (where e.step = 'entregada') as delivered_at,
           max(e.waste) as waste, max(e.created_at) as last_at
    from public.shipment_steps as e
    where e.answer_id = o.answer_id and e.step <> 'anulada'
      and not exists (select from public.shipment_steps as c where c.corrects = e.id)) as s on true
  where o.state = 'reservada';
revoke all on public.desk_shipments from public, anon, authenticated, service_role;
grant select on public.desk_shipments to authenticated, service_role;
grant execute on function private.step_rank(text) to authenticated, service_role;
