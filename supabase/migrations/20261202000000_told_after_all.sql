-- A word that could not be told at once is told: another one within the same minute, which is told with it, made it look
-- as if it had been. What was blocked and is not any more is told of what fell due meanwhile. A word that a restored server
-- gets back rings nobody for a clock that ran out long ago. And a late acceptance overwrites no booking.

-- As before, but that a word is over with a later alert, or an end, and not with a later word.
create or replace function private.is_wanted(alert public.alerts, lead public.quote_desk, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case alert.kind
      when 'prueba' then true
      when 'nadie' then not private.is_anybody_reached(at)
      else lead.blocked_at is null and case alert.kind
        when 'respuesta' then lead.last_answer = alert.about
          and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
        when 'resultado' then lead.moved_offer = alert.about
        when 'pregunta' then lead.open
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.kind in ('pregunta', 'aceptada')
                            and later.due_at > alert.due_at)
        when 'aceptada' then lead.open and (lead.last_reply = alert.about or lead.accepted_state = 'aceptada')
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.kind = 'aceptada' and later.due_at > alert.due_at)
        -- One says it for all that come back within ten minutes: it is told though its own lead was closed meanwhile.
        when 'recuperada' then true
        when 'recordar' then lead.status not in ('ganada', 'perdida')
          and exists (select from public.desk_reminders as r where r.quote_id = alert.quote_id and r.at = alert.due_at)
        -- After a pause several are due: the last of them says it all.
        else lead.open and not lead.backlog and lead.asked_at = alert.asked_at
          and not (alert.kind = 'nueva' and lead.assignee is not null)
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.asked_at = alert.asked_at and later.about is null
                            and later.kind <> 'recordar'
                            and later.due_at > alert.due_at and later.due_at <= is_wanted.at)
        end
      end
  $$;

-- As before, but for what was blocked, and for a word that comes back.
create or replace function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promised constant timestamptz := new.asked_at + new.promise;
  is_recovered constant boolean := tg_op = 'INSERT'
    and exists (select from public.quotes where id = new.quote_id and entregada is not null);
  -- A word that an earlier server had, too, is told once, and not by a clock that ran out meanwhile.
  is_word_back constant boolean := tg_op = 'UPDATE' and new.happened = 'contestada' and new.asked_at < now();
  said text;
  last record;
begin
  -- What is on its way about a lead that is blocked goes no further.
  if new.blocked_at is not null then
    update public.alert_messages as m set next_at = null
      from public.alerts as a where a.quote_id = new.quote_id and m.alert_id = a.id and m.next_at is not null;
  end if;
  -- What fell due meanwhile was told to nobody: it is judged anew, and the last of the clock says it all.
  if tg_op = 'UPDATE' and new.happened = 'desbloqueada' then
    update public.alerts set spread_at = null where quote_id = new.quote_id and spread_at >= old.blocked_at;
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
      where promised - ahead > now() or not (is_recovered or is_word_back)
      on conflict do nothing;
  end if;
  return null;
end $$;

-- As before, but that a booking counts, too.
create or replace function private.offer_moves_rules() returns trigger
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
     -- Another one was accepted, or is booked: that one counts.
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
        -- The clock of what is open goes on.
        asked_at = case when new.state = 'aceptada' and (not open or backlog) then now() else asked_at end,
        promise = case when new.state = 'aceptada' and (not open or backlog) then private.answer_promise() else promise end
    where quote_id = new.quote_id;
  return new;
end $$;

-- As before, but for a list.
create or replace function private.require_room(what text) returns void
  language plpgsql set search_path = ''
  as $$
declare
  limits private.quote_limits;
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  visitor_network constant bytea := sha256(convert_to(private.visitor_network(), 'UTF8'));
  hour_ago constant timestamptz := now() - interval '1 hour';
  full_since timestamptz;
begin
  -- What one request says is counted when it has ended: of a list, which a hosted project takes, nothing would be.
  if current_setting('role', true) in ('anon', 'authenticated') and current_setting('app.room', true) = what then
    raise sqlstate 'PT400' using message = format('One of %s in each request', what);
  end if;
  perform set_config('app.room', what, true);
  select * into limits from private.quote_limits;
  -- The oldest of the last `bound` sends: once it is an hour old there is room again.
  if limits.per_address > 0 and visitor is not null then
    select at into full_since from private.quote_sends
      where kind = what and address = visitor and at > hour_ago order by at desc offset limits.per_address - 1 limit 1;
    if full_since is null and visitor_network is not null then
      select at into full_since from private.quote_sends
        where kind = what and network = visitor_network and at > hour_ago
        order by at desc offset 4 * limits.per_address - 1 limit 1;
    end if;
  end if;
  if full_since is null and limits.overall > 0 then
    select at into full_since from private.quote_sends
      where kind = what and at > hour_ago order by at desc offset limits.overall - 1 limit 1;
  end if;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, format('Too many %s within an hour', what));
  end if;
end $$;

-- As before, but by arrival too.
create or replace function private.quote_replies_limit() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  full_since timestamptz;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- One question for a quote that is blocked and for one that never was, so that they are told in the same words. Its
  -- lock makes the count exact.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this reply is not there'; end if;
  if exists (select from public.quote_replies where id = new.id) then return new; end if;
  select created_at into full_since from public.quote_replies
    where quote_id = new.quote_id and created_at > now() - interval '1 hour' order by created_at desc offset 19 limit 1;
  if full_since is null then
    -- And by their arrival: what an earlier server had, too, has the hour of then.
    select at into full_since from public.quote_events
      where quote_id = new.quote_id and code = 'contestada' and at > now() - interval '1 hour' order by id desc offset 19 limit 1;
  end if;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, 'Too many replies to one quote within an hour');
  end if;
  perform private.require_room('replies');
  return new;
end $$;

-- As before, but that what became of an offer is told to its phone alone, and counts for no colleague.
create or replace view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = a.id
  where a.kind not in ('respuesta', 'resultado', 'prueba', 'recordar', 'nadie') and m.sent_at is not null
  group by a.quote_id;
