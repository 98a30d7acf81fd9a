-- An offer binds. What is answered is a question, a message or an offer; an offer has a life; what a phone accepts is
-- the one that stands, or is kept as what was said and binds nobody; and what became of it is said.

-- 0. What is asked -------------------------------------------------------------------------------------------------

-- Kilos a month and a shipment are two things: what one shipment weighs, where its sender measured it.
alter table public.quotes
  add column embarque integer,
  add constraint quotes_embarque_check check (embarque between 1 and 1000000);
grant insert (embarque) on public.quotes to anon, authenticated;

-- 1. What is answered ---------------------------------------------------------------------------------------------

alter table public.quote_answers
  -- Null: of a release that knew one kind, which stays readable and acceptable as it was.
  add column kind text,
  -- What the price is for: kilos a month where it is by the kilo, the kilos of one shipment where it is for all.
  add column kilos integer,
  add constraint quote_answers_kind_check check (kind in ('pregunta', 'oferta', 'mensaje')),
  add constraint quote_answers_kilos_check check (kilos between 1 and 1000000),
  add constraint quote_answers_offer_check check (case
    when kind = 'oferta' then num_nulls(price, valid_until, kilos) = 0
    when kind is null then kilos is null
    else num_nonnulls(price, valid_until, kilos) = 0 end);
grant insert (kind, kilos) on public.quote_answers to authenticated, service_role;
grant select (kind, kilos) on public.quote_answers to anon;

-- 2. The life of an offer -----------------------------------------------------------------------------------------

-- src/lead/offer.ts has the same; a test compares the two, pair by pair.
create function private.offer_may(state text, next text) returns boolean
  language sql immutable parallel safe
  return (state, next) in (
    ('vigente', 'aceptada'), ('vigente', 'reemplazada'), ('vigente', 'retirada'), ('vigente', 'vencida'),
    -- Accepted in time by a phone without signal: the desk says so.
    ('vencida', 'aceptada'),
    ('aceptada', 'reservada'), ('aceptada', 'sinespacio'));

-- Nobody has to write that a day is over.
create function private.offer_state(state text, last_day date, at timestamptz) returns text
  language sql immutable parallel safe
  return case when state = 'vigente' and (at at time zone 'America/Tijuana')::date > last_day then 'vencida' else state end;
revoke all on function private.offer_may(text, text), private.offer_state(text, date, timestamptz) from public;
grant execute on function private.offer_state(text, date, timestamptz) to anon, authenticated, service_role;

create table public.quote_offers (
  answer_id uuid        not null,
  quote_id  uuid        not null,
  state     text        not null default 'vigente',
  state_at  timestamptz not null default now(),
  -- Of the last move of the sales team: why, or what comes next, and the airline's reference.
  word      text,
  reference text,
  constraint quote_offers_pkey primary key (answer_id),
  constraint quote_offers_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint quote_offers_state_check check (state in ('vigente', 'reemplazada', 'retirada', 'vencida', 'aceptada', 'reservada', 'sinespacio'))
);
create index quote_offers_of_quote on public.quote_offers (quote_id);
-- One stands, and one at most waits for what becomes of it.
create unique index quote_offers_standing on public.quote_offers (quote_id) where state = 'vigente';
create unique index quote_offers_accepted on public.quote_offers (quote_id) where state = 'aceptada';

-- What the sales team did with an offer. Said is said.
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
create trigger offer_moves_fixed before update on public.offer_moves for each row execute function private.refuse_change();

alter table public.quote_replies
  -- Seconds between the press and this request, as the phone counts them, and when that was by this clock.
  add column hace integer,
  add column pressed_at timestamptz,
  -- What an acceptance is worth; null for questions, and for answers that are no offers of this release.
  add column verdict text,
  add constraint quote_replies_hace_check check (hace >= 0),
  add constraint quote_replies_verdict_check check (verdict in ('vale', 'repetida', 'vencida', 'reemplazada', 'retirada', 'sinoferta'));
grant insert (hace) on public.quote_replies to anon;

alter table public.quote_desk
  -- The offer that was accepted, where it stands now, and what the last reply is worth: read with each lead.
  add column accepted uuid,
  add column accepted_state text,
  add column accepted_reference text,
  add column reply_verdict text,
  add column moved_offer uuid,
  add column moved_to text,
  add column lost_reason text,
  add constraint quote_desk_lost_reason_check check (
    lost_reason in ('precio', 'tiempo', 'espacio', 'documentos', 'silencio', 'otro') and (lost_reason is null or status = 'perdida'));
grant update (lost_reason) on public.quote_desk to authenticated;

alter table public.quote_events
  drop constraint quote_events_code_check,
  add constraint quote_events_code_check check (code in ('creada', 'tomada', 'relevada', 'soltada', 'respondida', 'vista',
    'contestada', 'reemplazada', 'ganada', 'perdida', 'bloqueada', 'desbloqueada', 'borrada',
    'aceptada', 'retirada', 'reservada', 'sinespacio', 'traspasada', 'liberada'));
alter table public.alerts
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check check (kind in ('nueva', 'recuperada', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                                   'pregunta', 'aceptada', 'respuesta', 'resultado'));

-- 3. What happens -------------------------------------------------------------------------------------------------

-- The row of the desk is locked first, by whoever comes: an acceptance, a withdrawal and a newer offer are judged one
-- by one, and never wait for each other in a circle.
create or replace function private.quote_answers_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set status = 'respondida', last_answer = new.id where quote_id = new.quote_id;
  if new.kind = 'oferta' then
    if exists (select from public.quote_desk where quote_id = new.quote_id and accepted_state = 'aceptada') then
      raise sqlstate 'PT409' using message = 'An accepted offer waits for what becomes of it', hint = 'accepted';
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

-- Behind quote_replies_limit, which has locked the row of the desk.
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
    coalesce(new.entregada, now()) - least(coalesce(new.hace, 0), 31 * 86400) * interval '1 second');
  if answer.kind is null then return new; end if;
  select private.offer_state(state, answer.valid_until, coalesce(new.entregada, now())) into stands
    from public.quote_offers where answer_id = new.answer_id;
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

create or replace function private.quote_replies_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- Whoever accepts the same offer twice, from a phone without signal, asks for nothing new.
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
     -- Another one stands meanwhile, or was accepted: that one counts.
     or new.state = 'aceptada' and exists (
       select from public.quote_offers where quote_id = new.quote_id and state = 'aceptada') then
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
        accepted_reference = case new.state when 'retirada' then accepted_reference else new.reference end
    where quote_id = new.quote_id;
  return new;
end $$;
create trigger offer_moves_rules before insert on public.offer_moves
  for each row execute function private.offer_moves_rules();

create or replace function private.desk_change(before public.quote_desk, after public.quote_desk) returns text
  language sql immutable set search_path = ''
  as $$
    select case
      when after.blocked_at is distinct from before.blocked_at
        then case when after.blocked_at is null then 'desbloqueada' else 'bloqueada' end
      when after.last_reply is distinct from before.last_reply then 'contestada'
      when after.last_seen is distinct from before.last_seen then 'vista'
      when after.replaced_by is distinct from before.replaced_by then 'reemplazada'
      when (after.moved_offer, after.moved_to) is distinct from (before.moved_offer, before.moved_to) then after.moved_to
      when before.assignee <> after.assignee then 'relevada'
      when after.status = 'nueva' then 'soltada'
      else after.status
    end
  $$;

create or replace function private.quote_desk_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  me constant uuid := auth.uid();
  answered constant boolean := new.last_answer is distinct from old.last_answer;
  -- The two hours of an acceptance end with what becomes of the offer, and with nothing else.
  is_accepted constant boolean := coalesce(old.accepted_state = 'aceptada', false);
begin
  new.version := old.version + 1;
  -- Never earlier than what a reader of changes has seen of this row, even after waiting for a lock.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
  new.happened := private.desk_change(old, new);

  case
    when new.happened in ('bloqueada', 'desbloqueada') then
      if old.blocked_at is not null and new.blocked_at is not null then return null; end if;
      new.blocked_at := case when new.blocked_at is not null then now() end;
      return new;
    when new.happened = 'contestada' then
      new.reply_waiting := true;
      if not old.open or old.backlog then
        -- What was asked of a server that has lost it since was asked then.
        select coalesce(entregada, now()) into new.asked_at from public.quote_replies where id = new.last_reply;
        new.promise := private.answer_promise();
      end if;
      return new;
    when new.happened = 'vista' then
      return new;
    when new.happened = 'reemplazada' then
      new.reply_waiting := false;
      return new;
    -- Who may, and whether it can be, was judged with the move itself.
    when new.happened in ('aceptada', 'retirada') then
      return new;
    when new.happened in ('reservada', 'sinespacio') then
      new.status := case new.happened when 'reservada' then 'ganada' else 'respondida' end;
      new.reply_waiting := false;
      return new;
    else null;
  end case;

  if answered and old.blocked_at is not null then
    raise sqlstate 'PT409' using message = 'This quote is blocked', hint = 'blocked';
  end if;
  if answered then new.first_answer_at := coalesce(old.first_answer_at, now()); end if;

  -- The command line answers whoever has the lead. Its grants let nothing else of it come here.
  if answered and current_setting('role', true) = 'service_role' then
    new.reply_waiting := is_accepted;
    return new;
  end if;

  -- Its owner is away, or gone (private.release_leads): nobody's grants let it come here by another way.
  if me is null and new.status = 'nueva' and not answered and current_setting('role', true) <> 'authenticated' then
    new.happened := 'liberada';
    new.assignee := null;
    new.assignee_name := null;
    return new;
  end if;
  -- Who has a lead may hand it to a colleague who is here.
  if old.assignee = me and new.happened = 'relevada' and new.status = old.status and not answered then
    new.happened := 'traspasada';
    select name into new.assignee_name from public.staff_presence
      where staff = new.assignee and not private.is_away(staff, now());
    if not found then raise sqlstate 'PT409' using message = 'That colleague is not here', hint = 'away'; end if;
    return new;
  end if;
  if me is null or (new.assignee is distinct from old.assignee and new.assignee is distinct from me) then
    raise insufficient_privilege using message = 'A lead is taken by oneself, for oneself';
  end if;
  if old.assignee is null then
    if new.status <> 'tomada' then raise sqlstate 'PT409' using message = 'Take the lead first', hint = 'unowned'; end if;
  elsif old.assignee <> me then
    -- Taking over is saying so: one's own id as assignee, and nothing else in the same breath.
    if new.happened <> 'relevada' or new.status <> old.status or answered then
      raise sqlstate 'PT409' using message = 'Somebody else has this lead', hint = 'owned';
    end if;
  end if;

  if new.status = 'nueva' then
    new.assignee := null;
    new.assignee_name := null;
  else
    new.assignee := me;
    new.assignee_name := private.staff_name();
  end if;
  if new.status = 'respondida' and new.last_answer is null then
    raise sqlstate 'PT409' using message = 'There is no answer yet', hint = 'unanswered';
  end if;
  if new.status <> 'perdida' then new.lost_reason := null; end if;
  -- Who answers, or says how it ended, has dealt with what was asked. Taking over has not.
  if old.assignee = me and new.status in ('respondida', 'ganada', 'perdida') then
    if is_accepted and not answered and new.happened <> 'relevada' then
      raise sqlstate 'PT409' using message = 'An accepted offer waits for what becomes of it', hint = 'accepted';
    end if;
    new.reply_waiting := is_accepted;
  end if;
  return new;
end $$;

create or replace function private.quote_desk_record() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' then
    insert into public.quote_events (quote_id, version, code, actor)
      values (old.quote_id, old.version + 1, 'borrada', auth.uid());
    return null;
  end if;
  insert into public.quote_events (quote_id, version, code, actor, ref)
    values (new.quote_id, new.version, new.happened, auth.uid(), case new.happened
      when 'contestada' then new.last_reply
      when 'vista' then new.last_seen
      when 'reemplazada' then new.replaced_by
      when 'relevada' then old.assignee
      when 'liberada' then old.assignee
      when 'traspasada' then new.assignee
      when 'respondida' then new.last_answer
      when 'aceptada' then new.moved_offer
      when 'retirada' then new.moved_offer
      when 'reservada' then new.moved_offer
      when 'sinespacio' then new.moved_offer end);
  return null;
end $$;

revoke all on function private.quote_replies_verdict(), private.offer_moves_rules() from public;

-- 4. Whom it is told ----------------------------------------------------------------------------------------------

create or replace function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promised constant timestamptz := new.asked_at + new.promise;
  is_recovered constant boolean := tg_op = 'INSERT'
    and exists (select from public.quotes where id = new.quote_id and entregada is not null);
  said text;
  last record;
begin
  -- What is on its way about a lead that is blocked goes no further.
  if new.blocked_at is not null then
    update public.alert_messages as m set next_at = null
      from public.alerts as a where a.quote_id = new.quote_id and m.alert_id = a.id and m.next_at is not null;
  end if;
  -- A colleague may say that it is answered without another answer.
  if tg_op = 'UPDATE' and new.happened = 'respondida' and new.last_answer is distinct from old.last_answer then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'respuesta', new.asked_at, new.last_answer, greatest(now(), (
        select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
        where quote_id = new.quote_id and kind = 'respuesta')));
  end if;
  -- What became of an offer.
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
    insert into public.alerts (quote_id, kind, asked_at, due_at) values (new.quote_id, 'nueva', new.asked_at, new.asked_at);
  elsif new.happened = 'contestada' then
    -- What binds nobody is asked, and not agreed.
    select case when coalesce(verdict, 'vale') = 'vale' then kind else 'pregunta' end into said
      from public.quote_replies where id = new.last_reply;
    -- One that was not told yet tells of both, and that one of them accepts is the greater word.
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
      where not is_recovered or promised - ahead > now()
      on conflict do nothing;
  end if;
  return null;
end $$;

create or replace function public.claim_alerts(at timestamptz, by_mail boolean)
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
  perform private.release_absent(claim_alerts.at);
  for alert in
    select * from public.alerts as a where a.spread_at is null and a.due_at <= claim_alerts.at
      order by a.due_at, a.id limit 100 for update skip locked
  loop
    select * into lead from public.quote_desk where quote_id = alert.quote_id;
    is_wanted := lead.blocked_at is null and case alert.kind
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
                   else d.quote_id is null and private.is_told(d.staff, lead.assignee, alert.kind, claim_alerts.at) end
        union all
        select alert.id, null, 'mail', claim_alerts.at where by_mail and alert.kind not in ('respuesta', 'resultado');
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
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind, q.folio, q.id, a.due_at,
           a.asked_at + desk.promise, c.attempts
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    join public.quotes as q on q.id = a.quote_id
    join public.quote_desk as desk on desk.quote_id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;

-- 5. What is read -------------------------------------------------------------------------------------------------

-- What a phone reads of the answers to its quotes, with where each offer stands.
create view public.quote_words with (security_invoker = true) as
  select a.id, a.quote_id, a.created_at, a.body, a.price, a.price_for, a.currency, a.valid_until, a.kind, a.kilos,
         private.offer_state(o.state, a.valid_until, now()) as state, o.state_at, o.word, o.reference
  from public.quote_answers as a
  left join public.quote_offers as o on o.answer_id = a.id;

create or replace view public.desk_leads with (security_invoker = true) as
  select d.quote_id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga,
         q.promociones, q.llamada, q.reemplaza,
         d.status, d.assignee, d.assignee_name, d.open, d.backlog, d.before_desk, d.reply_waiting, d.asked_at,
         d.asked_at + d.promise as due_at,
         q.created_at + d.first_promise as promised_at,
         d.first_answer_at, d.last_answer, d.last_reply, s.seen_at, d.replaced_by, d.blocked_at, d.version, d.updated_at,
         q.entregada,
         d.reply_verdict, d.lost_reason,
         a.price as accepted_price, a.price_for as accepted_price_for, a.currency as accepted_currency,
         a.kilos as accepted_kilos, a.valid_until as accepted_valid_until, d.accepted_state, d.accepted_reference,
         q.embarque
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer
  left join public.quote_answers as a on a.id = d.accepted;

alter table public.quote_offers enable row level security;
alter table public.offer_moves enable row level security;
revoke all on public.quote_offers, public.offer_moves, public.quote_words from public, anon, authenticated, service_role;
grant select on public.quote_offers, public.quote_words to anon, authenticated, service_role;
grant select on public.offer_moves to authenticated, service_role;
grant insert (id, quote_id, answer_id, state, word, reference) on public.offer_moves to authenticated;

create policy "a phone reads what became of the offers to the quotes it presents" on public.quote_offers for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read offers" on public.quote_offers for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read moves" on public.offer_moves for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff move an offer" on public.offer_moves for insert to authenticated with check ((select private.is_staff()));
