-- Conversation about a quote: answers, offers, replies, and the record of answers that a phone has shown. Rows of the
-- conversation never change.

-- 1. Answers --------------------------------------------------------------------------------------------------------

create table public.quote_answers (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  created_at  timestamptz not null default now(),
  kind        text        not null,
  body        text        not null,
  -- The type has no precision: numeric(12,2) accepts NaN, and rounds the value before the check sees it.
  price       numeric,
  price_for   text,
  currency    text,
  valid_until date,
  -- Kilos a month for a price by the kilo; otherwise the weight of one shipment in kilos.
  kilos       integer,
  -- Lines whose sum is the price; null for an offer with only a total price.
  lines       jsonb,
  -- Value of the offer; for a price by the kilo, the value of one month.
  total       numeric generated always as (price * case price_for when 'kilo' then kilos else 1 end) stored,
  -- Pesos for one unit of the currency when the offer was made, with source and day of this rate. A trigger sets them.
  rate        numeric,
  rate_source text,
  rate_day    date,
  pesos       numeric generated always as (round(price * case price_for when 'kilo' then kilos else 1 end * rate, 2)) stored,
  -- Colleague who answered; null for an answer from the command line, which has no account.
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint quote_answers_pkey primary key (id),
  constraint quote_answers_of_quote unique (quote_id, id),
  constraint quote_answers_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_answers_kind_check check (kind in ('pregunta', 'oferta', 'mensaje')),
  constraint quote_answers_body_check check (body = btrim(body) and char_length(body) between 1 and 4000),
  constraint quote_answers_price_check check (
    price between 0.01 and 999999999.99 and scale(price) <= 2 and num_nulls(price, price_for, currency) in (0, 3)),
  constraint quote_answers_price_for_check check (price_for in ('kilo', 'total')),
  constraint quote_answers_currency_check check (currency in ('MXN', 'USD', 'CNY')),
  -- The upper limit refuses infinity, and years of five digits, which browsers cannot parse.
  constraint quote_answers_valid_until_check check (
    valid_until between (created_at at time zone 'America/Tijuana')::date and '9999-12-31'),
  constraint quote_answers_kilos_check check (kilos between 1 and 1000000),
  constraint quote_answers_offer_check check (case
    when kind = 'oferta' then num_nulls(price, valid_until, kilos) = 0
    else num_nonnulls(price, valid_until, kilos, lines) = 0 end),
  constraint quote_answers_lines_check check (
    lines is null or private.offer_sum(lines, price_for, kilos) is not distinct from price),
  constraint quote_answers_author_name_check check (author_name = btrim(author_name) and char_length(author_name) between 1 and 100),
  constraint quote_answers_seen_check check (private.is_seen(body) and private.is_seen(author_name))
);
create trigger quote_answers_fixed before update on public.quote_answers
  for each row execute function private.refuse_change();
create trigger quote_answers_price before insert on public.quote_answers
  for each row execute function private.quote_answers_price();

alter table public.quote_answers enable row level security;
revoke all on public.quote_answers from public, anon, authenticated, service_role;
grant select on public.quote_answers to authenticated, service_role;
grant insert (id, quote_id, body, price, price_for, currency, valid_until, kind, kilos, lines) on public.quote_answers
  to authenticated, service_role;
grant insert (author_name) on public.quote_answers to service_role;
-- Visitors may read all columns except the author's.
grant select (id, quote_id, created_at, body, price, price_for, currency, valid_until, kind, kilos, lines, total, rate,
              rate_source, rate_day, pesos) on public.quote_answers to anon;
create policy "staff read answers" on public.quote_answers for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff answer" on public.quote_answers for insert to authenticated with check ((select private.is_staff()));
create policy "a phone reads the answers to the quotes it presents" on public.quote_answers for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Answers that a phone has shown.
create table public.quote_seen (
  answer_id uuid        not null,
  quote_id  uuid        not null,
  seen_at   timestamptz not null default now(),
  constraint quote_seen_pkey primary key (answer_id),
  constraint quote_seen_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade
);
create index quote_seen_of_quote on public.quote_seen (quote_id, answer_id);
create trigger quote_seen_fixed before update on public.quote_seen
  for each row execute function private.refuse_change();

create function private.quote_seen_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  perform from public.quote_desk as d join public.quote_answers as a using (quote_id)
    where d.quote_id = new.quote_id and d.blocked_at is null and a.id = new.answer_id for no key update of d;
  if not found then raise foreign_key_violation using message = 'The answer that was seen is not there'; end if;
  return new;
end $$;
create trigger quote_seen_before_insert before insert on public.quote_seen
  for each row execute function private.quote_seen_before_insert();

create function private.quote_seen_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set last_seen = new.answer_id where quote_id = new.quote_id;
  return null;
end $$;
create trigger quote_seen_to_desk after insert on public.quote_seen
  for each row execute function private.quote_seen_to_desk();

alter table public.quote_seen enable row level security;
revoke all on public.quote_seen from public, anon, authenticated, service_role;
grant select on public.quote_seen to authenticated, service_role;
-- ON CONFLICT requires the right to read the key.
grant select (answer_id), insert (answer_id, quote_id) on public.quote_seen to anon;
create policy "staff read what was seen" on public.quote_seen for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone knows what it has shown" on public.quote_seen for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone says that it has shown an answer" on public.quote_seen for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));

-- 2. Offers ---------------------------------------------------------------------------------------------------------

-- True if an offer may change from one state to the other. src/lead/offer.ts has the same table; a test compares the
-- two.
create function private.offer_may(state text, next text) returns boolean
  language sql immutable parallel safe
  return (state, next) in (
    ('vigente', 'aceptada'), ('vigente', 'reemplazada'), ('vigente', 'retirada'), ('vigente', 'vencida'),
    -- The customer may have accepted in time while the phone had no signal, so the sales team decides.
    ('vencida', 'aceptada'),
    ('aceptada', 'reservada'), ('aceptada', 'sinespacio'));

-- Returns the state of an offer at a given time. The stored state does not change when the offer's last day passes.
create function private.offer_state(state text, last_day date, at timestamptz) returns text
  language sql immutable parallel safe
  return case when state = 'vigente' and (at at time zone 'America/Tijuana')::date > last_day then 'vencida' else state end;
grant execute on function private.offer_state(text, date, timestamptz) to anon, authenticated, service_role;

create table public.quote_offers (
  answer_id uuid        not null,
  quote_id  uuid        not null,
  state     text        not null default 'vigente',
  state_at  timestamptz not null default now(),
  -- Text of the sales team's last change of the offer (a reason or the next step), and the airline's reference.
  word      text,
  reference text,
  constraint quote_offers_pkey primary key (answer_id),
  constraint quote_offers_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint quote_offers_state_check check (state in ('vigente', 'reemplazada', 'retirada', 'vencida', 'aceptada', 'reservada', 'sinespacio'))
);
create index quote_offers_of_quote on public.quote_offers (quote_id);
-- Each quote has at most one open offer, and at most one accepted offer without an outcome (booked or no space).
create unique index quote_offers_standing on public.quote_offers (quote_id) where state = 'vigente';
create unique index quote_offers_accepted on public.quote_offers (quote_id) where state = 'aceptada';

alter table public.quote_offers enable row level security;
revoke all on public.quote_offers from public, anon, authenticated, service_role;
grant select on public.quote_offers to anon, authenticated, service_role;
create policy "staff read offers" on public.quote_offers for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone reads what became of the offers to the quotes it presents" on public.quote_offers for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Records an answer on its lead. Functions that write offers first update, and so lock, the row of quote_desk. An
-- acceptance, a withdrawal and a newer offer therefore run one after the other, without deadlock.
create function private.quote_answers_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set status = 'respondida', last_answer = new.id where quote_id = new.quote_id;
  if new.kind = 'oferta' then
    if exists (select from public.quote_desk where quote_id = new.quote_id and accepted_state in ('aceptada', 'reservada')) then
      raise sqlstate 'PT409' using message = 'An offer of this quote is accepted or booked', hint = 'accepted';
    end if;
    update public.quote_offers as o
      set state_at = now(),
          state = case private.offer_state(o.state, a.valid_until, now()) when 'vencida' then 'vencida' else 'reemplazada' end
      from public.quote_answers as a
      where o.quote_id = new.quote_id and o.state = 'vigente' and a.id = o.answer_id;
    insert into public.quote_offers (answer_id, quote_id) values (new.id, new.quote_id);
  end if;
  return null;
end $$;
create trigger quote_answers_to_desk after insert on public.quote_answers
  for each row execute function private.quote_answers_to_desk();

-- Changes of an offer by the sales team: confirming an acceptance that came too late, withdrawing or booking the offer,
-- or reporting that the airline has no space.
create table public.offer_moves (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  answer_id   uuid        not null,
  state       text        not null,
  word        text,
  reference   text,
  created_at  timestamptz not null default now(),
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint offer_moves_pkey primary key (id),
  constraint offer_moves_offer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint offer_moves_state_check check (state in ('aceptada', 'retirada', 'reservada', 'sinespacio')),
  constraint offer_moves_word_check check (
    word = btrim(word) and char_length(word) <= 500 and private.is_seen(word)
    and (word is not null or state in ('aceptada', 'sinespacio'))),
  constraint offer_moves_reference_check check (
    reference = btrim(reference) and char_length(reference) <= 40 and private.is_seen(reference)
    and (reference is null or state = 'reservada'))
);
create index offer_moves_of_quote on public.offer_moves (quote_id, created_at);
create trigger offer_moves_fixed before update on public.offer_moves
  for each row execute function private.refuse_change();

create function private.offer_moves_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  owner uuid;
  stands text;
begin
  if exists (select from public.offer_moves where id = new.id) then return new; end if;
  select assignee into owner from public.quote_desk
    where quote_id = new.quote_id and blocked_at is null for no key update;
  if owner is null or owner is distinct from auth.uid() then
    raise sqlstate 'PT409' using message = 'Only who has the lead says what becomes of an offer',
      hint = case when owner is null then 'unowned' else 'owned' end;
  end if;
  select private.offer_state(o.state, a.valid_until, now()) into stands
    from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
    where o.quote_id = new.quote_id and o.answer_id = new.answer_id;
  if not coalesce(private.offer_may(stands, new.state), false)
     or new.state = 'aceptada' and not exists (
       select from public.quote_replies as r join public.quote_answers as a on a.id = r.answer_id
       where r.answer_id = new.answer_id and r.verdict = 'vencida'
         and (r.pressed_at at time zone 'America/Tijuana')::date <= a.valid_until)
     -- A quote can have only one offer that is accepted or booked.
     or new.state = 'aceptada' and exists (
       select from public.quote_offers where quote_id = new.quote_id and state in ('aceptada', 'reservada')) then
    raise sqlstate 'PT409' using message = format('The offer is %s', coalesce(stands, 'not there')), hint = 'moved';
  end if;
  if new.state = 'aceptada' then
    update public.quote_offers set state = 'reemplazada', state_at = now() where quote_id = new.quote_id and state = 'vigente'
      and answer_id <> new.answer_id;
  end if;
  update public.quote_offers set state = new.state, state_at = now(), word = new.word, reference = new.reference
    where answer_id = new.answer_id;
  update public.quote_desk
    set moved_offer = new.answer_id, moved_to = new.state,
        accepted = case new.state when 'retirada' then accepted else new.answer_id end,
        accepted_state = case new.state when 'retirada' then accepted_state else new.state end,
        accepted_reference = case new.state when 'retirada' then accepted_reference else new.reference end,
        reply_waiting = reply_waiting or new.state = 'aceptada',
        -- If the lead is closed, the acceptance opens it with a new deadline. An open lead keeps its deadline.
        asked_at = case when new.state = 'aceptada' and not open then now() else asked_at end,
        promise = case when new.state = 'aceptada' and not open then private.answer_promise() else promise end
    where quote_id = new.quote_id;
  return new;
end $$;
create trigger offer_moves_rules before insert on public.offer_moves
  for each row execute function private.offer_moves_rules();

alter table public.offer_moves enable row level security;
revoke all on public.offer_moves from public, anon, authenticated, service_role;
grant select on public.offer_moves to authenticated, service_role;
grant insert (id, quote_id, answer_id, state, word, reference) on public.offer_moves to authenticated;
create policy "staff read moves" on public.offer_moves for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff move an offer" on public.offer_moves for insert to authenticated with check ((select private.is_staff()));

-- 3. Replies --------------------------------------------------------------------------------------------------------

create table public.quote_replies (
  id         uuid        not null,
  quote_id   uuid        not null,
  answer_id  uuid,
  kind       text        not null,
  body       text        not null default '',
  created_at timestamptz not null default now(),
  -- Time by which an answer to the question is promised.
  promised_at timestamptz not null default now(),
  -- Time of first delivery according to the phone, if this server lost the reply and the phone sent it again.
  entregada  timestamptz,
  -- `hace`: seconds between the press of the button and this request, by the phone's clock. `pressed_at`: time of the
  -- press by the server's clock, computed from `hace`.
  hace       integer,
  pressed_at timestamptz,
  -- Effect of an acceptance, set by a trigger: 'vale' (accepted), 'repetida' (accepted before), 'vencida' (too late),
  -- 'reemplazada' (a newer offer exists), 'retirada' (withdrawn), 'sinoferta' (no such offer). Null for questions.
  verdict    text,
  -- True if the phone opened the quote by a shared link.
  enlace     boolean     not null default false,
  constraint quote_replies_pkey primary key (id),
  constraint quote_replies_quote foreign key (quote_id) references public.quotes on delete cascade,
  -- The key has two columns, so that the answer must belong to the same quote as the reply.
  constraint quote_replies_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint quote_replies_kind_check check (kind in ('aceptada', 'pregunta')),
  -- An acceptance names the accepted answer, unless the server lost this answer and was restored.
  constraint quote_replies_accepted_check check (kind <> 'aceptada' or answer_id is not null or entregada is not null),
  constraint quote_replies_body_check check (body = btrim(body) and char_length(body) <= 2000 and (kind = 'aceptada' or body <> '')),
  constraint quote_replies_seen_check check (kind = 'aceptada' and body = '' or private.is_seen(body)),
  constraint quote_replies_hace_check check (hace >= 0),
  constraint quote_replies_verdict_check check (verdict in ('vale', 'repetida', 'vencida', 'reemplazada', 'retirada', 'sinoferta'))
);
create index quote_replies_of_quote on public.quote_replies (quote_id, answer_id);
create trigger quote_replies_fixed before update on public.quote_replies
  for each row execute function private.refuse_change();

-- Sets the times of a reply. A reply that a phone sends again, after a restore from backup, keeps the time of its first
-- delivery. Runs before the triggers `limit` and `verdict`: PostgreSQL runs triggers in the order of their names.
create function private.quote_replies_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.entregada is not null then
    new.entregada := private.first_delivery(new.entregada);
    new.created_at := new.entregada;
  end if;
  new.promised_at := new.created_at + private.answer_promise();
  if new.entregada is null then return new; end if;
  if exists (select from public.quote_answers where quote_id = new.quote_id and id = new.answer_id) then
    if new.kind = 'aceptada' then new.body := ''; end if;
  else
    -- A server restored from an old backup may not have the answer. The text that the customer accepted is in `body`.
    new.answer_id := null;
  end if;
  return new;
end $$;
create trigger quote_replies_again before insert on public.quote_replies
  for each row execute function private.quote_replies_again();

create function private.quote_replies_limit() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  full_since timestamptz;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- A blocked quote is refused with the same message as an unknown one. The lock keeps other requests from changing the
  -- count below.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this reply is not there'; end if;
  if exists (select from public.quote_replies where id = new.id) then return new; end if;
  perform private.require_hourly_room('quote_replies', new.quote_id, 20);
  -- Replies that are sent again to a restored server keep their old created_at, so replies are also counted by the time
  -- of their arrival.
  select at into full_since from public.quote_events
    where quote_id = new.quote_id and code = 'contestada' and at > now() - interval '1 hour' order by id desc offset 19 limit 1;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, 'Too many replies to one quote within an hour');
  end if;
  perform private.require_room('replies');
  return new;
end $$;
create trigger quote_replies_limit before insert on public.quote_replies
  for each row execute function private.quote_replies_limit();

-- Sets the effect of an acceptance. After a restore, a phone may accept an answer that the server no longer has. Nobody
-- can check the price and time of that answer, so the acceptance has no effect ('sinoferta').
create function private.quote_replies_verdict() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  answer public.quote_answers;
  stands text;
begin
  if new.kind <> 'aceptada' or exists (select from public.quote_replies where id = new.id)
     or not private.may_speak_of(new.quote_id) then
    return new;
  end if;
  select * into answer from public.quote_answers where quote_id = new.quote_id and id = new.answer_id;
  new.pressed_at := greatest(answer.created_at,
    least(new.entregada, now() - least(coalesce(new.hace, 0), 31 * 86400) * interval '1 second'));
  select private.offer_state(state, answer.valid_until, now()) into stands
    from public.quote_offers where answer_id = answer.id;
  new.verdict := case when stands is null then 'sinoferta'
                      when stands = 'vigente' then 'vale'
                      when stands in ('aceptada', 'reservada', 'sinespacio') then 'repetida'
                      else stands end;
  if new.verdict = 'vale' then
    update public.quote_offers set state = 'aceptada', state_at = now() where answer_id = new.answer_id;
  end if;
  return new;
end $$;
create trigger quote_replies_verdict before insert on public.quote_replies
  for each row execute function private.quote_replies_verdict();

create trigger quote_replies_count after insert on public.quote_replies
  for each row execute function private.count_sent('replies');

create function private.quote_replies_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A second acceptance of the same offer does not open the lead again.
  if new.verdict is distinct from 'repetida' then
    update public.quote_desk
      set last_reply = new.id, reply_verdict = new.verdict,
          accepted = case new.verdict when 'vale' then new.answer_id else accepted end,
          accepted_state = case new.verdict when 'vale' then 'aceptada' else accepted_state end,
          accepted_reference = case new.verdict when 'vale' then null else accepted_reference end
      where quote_id = new.quote_id;
  end if;
  return null;
end $$;
create trigger quote_replies_to_desk after insert on public.quote_replies
  for each row execute function private.quote_replies_to_desk();

alter table public.quote_replies enable row level security;
revoke all on public.quote_replies from public, anon, authenticated, service_role;
grant select on public.quote_replies to anon, authenticated, service_role;
grant insert (id, quote_id, answer_id, kind, body, entregada, hace, enlace) on public.quote_replies to anon;
create policy "staff read replies" on public.quote_replies for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone reads the replies to the quotes it presents" on public.quote_replies for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone replies to a quote it presents" on public.quote_replies for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
