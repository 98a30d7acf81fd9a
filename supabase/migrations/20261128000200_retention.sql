-- How long what nobody speaks of is kept (docs/decisions/0057-personal-data.md).

-- One step, so that nobody who asks for something waits for it; two that do so at once share the work.
create function private.retain(months integer, moment timestamptz default now())
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

-- In a hosted project, which has pg_cron by then, between two and five at night in Tijuana; 0: nothing goes by itself.
create function private.keep_retaining(months integer) returns void
  language plpgsql set search_path = ''
  as $$
begin
  perform cron.schedule('retention', '*/10 10-11 * * *', format('select private.retain(%s)', months));
  if months = 0 then perform cron.unschedule('retention'); end if;
end $$;

revoke all on function private.retain(integer, timestamptz), private.keep_retaining(integer)
  from public, anon, authenticated, service_role;
