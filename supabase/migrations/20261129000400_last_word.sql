-- What is said in a note, in details, by a file or a reminder is said, though it is no event of the desk.

-- As before, with those.
create or replace function private.last_word(quote uuid) returns timestamptz
  language sql stable set search_path = ''
  as $$
    select greatest(
      (select max(at) from public.quote_events
       where quote_id = quote and code not in ('bloqueada', 'desbloqueada', 'borrada')),
      (select max(created_at) from public.quote_notes where quote_id = quote),
      (select max(created_at) from public.quote_details where quote_id = quote),
      (select max(created_at) from public.quote_files where quote_id = quote),
      (select made_at from public.desk_reminders where quote_id = quote))
  $$;

-- As before, but that what somebody is to be reminded of is not blocked before.
create or replace function private.retain(months integer, moment timestamptz default now())
  returns table (blocked integer, erased integer, is_over boolean)
  language plpgsql set search_path = ''
  as $$
declare
  at_once constant integer := 200;
  too_old constant timestamptz := moment - make_interval(months => retain.months);
begin
  with old as (
    select d.quote_id from public.quote_desk as d
      where d.blocked_at is null and private.last_word(d.quote_id) < too_old
        and not exists (select from public.desk_reminders as r where r.quote_id = d.quote_id and r.at > moment)
      order by d.quote_id limit at_once for update of d skip locked)
  update public.quote_desk set blocked_at = now() where quote_id in (select quote_id from old);
  get diagnostics blocked = row_count;
  -- What was blocked just now is not old enough; src/content/legal.ts says for how long it may still be asked for.
  with old as (
    select d.quote_id from public.quote_desk as d
      where d.blocked_at < moment - interval '3 months' and private.last_word(d.quote_id) < too_old
      order by d.quote_id limit at_once for update of d skip locked)
  delete from public.quotes where id in (select quote_id from old);
  get diagnostics erased = row_count;
  is_over := greatest(blocked, erased) < at_once;
  return next;
end $$;
