-- An acceptance that came too late and holds after all, by the desk's word, waits for what becomes of it, also where its
-- question was dealt with before: it was binding, closed, on no clock, and nobody was alerted. And one that a server lost
-- and got again says when it was pressed by the seconds since, which are counted to this request and not to the first.

-- As before, but for what becomes of the wait.
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
        accepted_reference = case new.state when 'retirada' then accepted_reference else new.reference end,
        reply_waiting = reply_waiting or new.state = 'aceptada',
        -- The clock of what is open goes on.
        asked_at = case when new.state = 'aceptada' and (not open or backlog) then now() else asked_at end,
        promise = case when new.state = 'aceptada' and (not open or backlog) then private.answer_promise() else promise end
    where quote_id = new.quote_id;
  return new;
end $$;

-- As before, but for when it was pressed.
create or replace function private.quote_replies_verdict() returns trigger
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
  if answer.kind is null then return new; end if;
  select private.offer_state(state, answer.valid_until, now()) into stands
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
