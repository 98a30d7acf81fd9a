-- Acceptances of an unknown answer bind nobody and have the verdict 'sinoferta'. A phone sends one after a restore, and
-- anybody can send the same: price and time are the sender's word.
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
  -- Answers without a kind, which the command line writes, are accepted without a verdict.
  if answer.id is not null and answer.kind is null then return new; end if;
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
