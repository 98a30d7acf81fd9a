-- Nor is a request joined into one that has ended: its phone would wait for an answer that nobody is asked for.
create or replace function private.quote_joins_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  joined public.quote_desk;
  stays public.quote_desk;
begin
  delete from public.quote_joins where id = new.id;
  -- In one order, so that two which join each other do not wait in a circle.
  perform from public.quote_desk where quote_id in (new.quote_id, new.into_quote) order by quote_id for no key update;
  select * into joined from public.quote_desk where quote_id = new.quote_id and blocked_at is null;
  select * into stays from public.quote_desk where quote_id = new.into_quote and blocked_at is null;
  -- The same press once more, where the answer to the first was lost.
  if joined.replaced_by = stays.quote_id then return null; end if;
  if not exists (
    select from private.quote_keys as one join private.quote_keys as other
      on one.quote_id <> other.quote_id and (one.phone = other.phone or one.email = other.email)
        and (one.created_at at time zone 'America/Tijuana')::date = (other.created_at at time zone 'America/Tijuana')::date
    where one.quote_id = joined.quote_id and other.quote_id = stays.quote_id) then
    raise sqlstate 'PT409' using message = 'Only requests of one exporter and one day are joined', hint = 'apart';
  end if;
  if joined.replaced_by is not null or stays.replaced_by is not null then
    raise sqlstate 'PT409' using message = 'One of them was replaced already', hint = 'replaced';
  end if;
  if joined.accepted_state in ('aceptada', 'reservada')
     or array[joined.status, stays.status] && array['ganada', 'perdida'] then
    raise sqlstate 'PT409' using message = 'What was agreed or has ended is not joined', hint = 'accepted';
  end if;
  -- The rules of the desk judge who may: nobody's is taken, and a colleague's refuses the answer.
  if joined.assignee is null then
    update public.quote_desk set status = 'tomada' where quote_id = joined.quote_id;
  end if;
  insert into public.quote_answers (id, quote_id, body, kind) values (new.id, joined.quote_id, new.word, 'mensaje');
  update public.quote_desk set replaced_by = stays.quote_id where quote_id = joined.quote_id;
  return null;
end $$;
