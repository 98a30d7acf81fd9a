-- Data for the desk's page: list of leads, search, history of an exporter, reminders, and the counts of leads that a
-- locked desk shows.

-- 1. The list -------------------------------------------------------------------------------------------------------

create view public.desk_leads with (security_invoker = true) as
  select d.quote_id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga,
         q.promociones, q.reemplaza,
         d.status, d.assignee, d.assignee_name, d.open, d.reply_waiting, d.asked_at,
         d.asked_at + d.promise as due_at,
         q.promised_at,
         d.first_answer_at, d.last_answer, d.last_reply, s.seen_at, d.replaced_by, d.blocked_at, d.version, d.updated_at,
         q.entregada,
         d.reply_verdict,
         -- Kind of the answer to which the customer's last reply refers.
         (select w.kind from public.quote_replies as r join public.quote_answers as w on w.id = r.answer_id
          where r.id = d.last_reply) as reply_to,
         d.lost_reason, d.news_at,
         a.price as accepted_price, a.price_for as accepted_price_for, a.currency as accepted_currency,
         a.kilos as accepted_kilos, a.valid_until as accepted_valid_until, d.accepted_state, d.accepted_reference, d.step,
         a.lines as accepted_lines, a.total as accepted_total, a.pesos as accepted_pesos,
         q.origen, q.igual, q.importada,
         f.value as offered, f.currency as offered_currency,
         q.more
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer
  left join public.quote_answers as a on a.id = d.accepted
  -- Value of the open or accepted offer; for a price by the kilo, the value of one month.
  left join lateral (
    select w.currency, w.total as value
    from public.quote_offers as o join public.quote_answers as w on w.id = o.answer_id
    where o.quote_id = d.quote_id
      and private.offer_state(o.state, w.valid_until, now()) in ('vigente', 'aceptada', 'reservada')
    order by w.created_at desc limit 1) as f on true;
revoke all on public.desk_leads from public, anon, authenticated, service_role;
grant select on public.desk_leads to authenticated, service_role;

-- 2. Search ---------------------------------------------------------------------------------------------------------

-- Returns the typed search words, from a header with a JSON string. They are not in the URL, because URLs are logged
-- and the words may be personal data.
create function private.typed_words() returns text[]
  language plpgsql stable set search_path = ''
  as $$
declare
  typed constant text := left(btrim(
    (('["' || (nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-search') || '"]')::jsonb) ->> 0), 100);
begin
  if typed ~ '^[0-9[:space:]()+.-]+$' then return array[right(private.digits(typed), 10)]; end if;
  return (select coalesce(array_agg(word), '{}')
          from (select word from regexp_split_to_table(private.plain(typed), '[[:space:]]+') as word limit 6) as few);
end $$;

-- Finds the newest fifty leads that contain every word. The newest 5000 rows are tried first, which is enough for
-- frequent words. For rare words the trigram index follows. Either way only a small part of a million rows is read.
create function private.found_leads() returns setof private.quote_keys
  language plpgsql stable security definer set search_path = '' set enable_seqscan = off set jit = off
  as $$
declare
  word text;
  condition text := 'true';
  is_long boolean := false;
begin
  if not private.is_staff() then return; end if;
  foreach word in array private.typed_words() loop
    condition := condition || format(' and words like %L', '%' || regexp_replace(word, '([\\%_])', '\\\1', 'g') || '%');
    is_long := is_long or char_length(word) >= 3 and extensions.show_trgm(word) <> '{}';
  end loop;
  if not is_long then return; end if;
  return query execute format($query$
    with newest as materialized (
      select * from (select * from private.quote_keys order by created_at desc limit 5000) as k where %1$s limit 50
    ), rest as materialized (
      select * from private.quote_keys where (select count(*) from newest) < 50 and %1$s
    )
    select f.* from (select * from newest where (select count(*) from newest) = 50 union all select * from rest) as f
      where f.quote_id <> all ((select private.blocked_quotes())::uuid[])
      order by f.created_at desc limit 50 $query$, condition);
end $$;
grant execute on function private.found_leads() to authenticated;

-- Ids of the leads that the search finds. The desk then reads these leads from desk_leads.
create view public.desk_search with (security_invoker = true) as
  select quote_id, created_at from private.found_leads();
revoke all on public.desk_search from public, anon, authenticated, service_role;
grant select on public.desk_search to authenticated;

-- Other quotes with the same phone number or e-mail. The view runs with its owner's rights, because staff may not read
-- the search keys.
create view public.desk_history as
  select k.quote_id as of_quote, d.quote_id, q.folio, q.created_at, d.status, d.assignee, d.lost_reason, d.replaced_by,
         d.accepted_state, a.price, a.price_for, a.currency, a.kilos, a.valid_until,
         private.offer_state(a.state, a.valid_until, now()) as state
  from private.quote_keys as k
  cross join lateral (
    (select quote_id from private.quote_keys where phone = k.phone order by created_at desc limit 50)
    union
    (select quote_id from private.quote_keys where email = k.email order by created_at desc limit 50)) as same
  join public.quote_desk as d on d.quote_id = same.quote_id and d.quote_id <> k.quote_id and d.blocked_at is null
  join public.quotes as q on q.id = d.quote_id
  left join lateral (
    select w.price, w.price_for, w.currency, w.kilos, w.valid_until, o.state
    from public.quote_answers as w left join public.quote_offers as o on o.answer_id = w.id
    where w.quote_id = d.quote_id and w.price is not null order by w.created_at desc limit 1) as a on true
  where (select private.is_staff()) and k.quote_id <> all ((select private.blocked_quotes())::uuid[]);
revoke all on public.desk_history from public, anon, authenticated, service_role;
grant select on public.desk_history to authenticated;

-- 3. Reminders ------------------------------------------------------------------------------------------------------

-- Times at which the owners of leads want to be reminded of them.
create table public.desk_reminders (
  quote_id uuid        not null,
  staff    uuid        not null,
  at       timestamptz not null,
  why      text        not null,
  made_at  timestamptz not null default now(),
  constraint desk_reminders_pkey primary key (quote_id),
  constraint desk_reminders_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint desk_reminders_why_check check (why in ('fecha', 'vence')),
  constraint desk_reminders_at_check check (at > made_at and at <= made_at + interval '8784 hours')
);

-- Returns the time for a reminder about the open offer: 09:00 on the offer's last day. Null if no offer is open.
create function private.offer_expires(quote uuid) returns timestamptz
  language sql stable security definer set search_path = ''
  as $$
    select (a.valid_until + time '09:00') at time zone 'America/Tijuana'
    from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
    where o.quote_id = quote and private.offer_state(o.state, a.valid_until, now()) = 'vigente'
  $$;

create function private.desk_reminders_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  lead record;
begin
  select assignee, status into lead from public.quote_desk
    where quote_id = new.quote_id and blocked_at is null for no key update;
  if lead.assignee is null or lead.assignee is distinct from auth.uid() then
    raise sqlstate 'PT409' using message = 'Only who has the lead is reminded of it',
      hint = case when lead.assignee is null then 'unowned' else 'owned' end;
  end if;
  if lead.status in ('ganada', 'perdida') then
    raise sqlstate 'PT409' using message = 'The lead is closed', hint = 'closed';
  end if;
  if new.why = 'vence' then
    new.at := private.offer_expires(new.quote_id);
    if new.at is null then raise sqlstate 'PT409' using message = 'No offer stands', hint = 'nooffer'; end if;
  end if;
  new.staff := auth.uid();
  new.made_at := now();
  return new;
end $$;
-- This trigger checks changes by requests. It skips changes by the trigger quote_offers_remind.
create trigger desk_reminders_rules before insert or update on public.desk_reminders
  for each row when (pg_trigger_depth() = 0) execute function private.desk_reminders_rules();

create function private.desk_reminders_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op <> 'INSERT' then
    delete from public.alerts where quote_id = old.quote_id and kind = 'recordar' and spread_at is null;
  end if;
  if tg_op <> 'DELETE' then
    insert into public.alerts (quote_id, kind, asked_at, due_at) values (new.quote_id, 'recordar', new.at, new.at)
      on conflict do nothing;
  end if;
  return null;
end $$;
create trigger desk_reminders_alert after insert or update or delete on public.desk_reminders
  for each row execute function private.desk_reminders_alert();

-- When an offer changes, moves the reminder 'vence' to the last day of the open offer, or deletes it if no offer is
-- open.
create function private.quote_offers_remind() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  expires constant timestamptz := private.offer_expires(new.quote_id);
begin
  if new.state = 'reemplazada' then return null; end if;
  if expires between now() + interval '1 minute' and now() + interval '8784 hours' then
    update public.desk_reminders set at = expires, made_at = now()
      where quote_id = new.quote_id and why = 'vence' and at <> expires;
  else
    delete from public.desk_reminders where quote_id = new.quote_id and why = 'vence' and at > now();
  end if;
  return null;
end $$;
create trigger quote_offers_remind after insert or update of state on public.quote_offers
  for each row execute function private.quote_offers_remind();

alter table public.desk_reminders enable row level security;
revoke all on public.desk_reminders from public, anon, authenticated, service_role;
grant select, delete, insert (quote_id, at, why), update (at, why) on public.desk_reminders to authenticated;
grant select on public.desk_reminders to service_role;
create policy "staff read reminders" on public.desk_reminders for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff set reminders" on public.desk_reminders for insert to authenticated
  with check ((select private.is_staff()));
create policy "who has a lead changes its reminder" on public.desk_reminders for update to authenticated
  using ((select private.is_staff()) and exists (
    select from public.quote_desk as d where d.quote_id = desk_reminders.quote_id and d.assignee = (select auth.uid())))
  with check ((select private.is_staff()));
create policy "who has a lead removes its reminder" on public.desk_reminders for delete to authenticated
  using ((select private.is_staff()) and exists (
    select from public.quote_desk as d where d.quote_id = desk_reminders.quote_id and d.assignee = (select auth.uid())));

-- 4. A locked desk --------------------------------------------------------------------------------------------------

-- Secrets of locked desks. A locked desk can read the counts of leads with its secret for twelve hours, or until the
-- colleague ends the shift.
create table public.desk_watches (
  secret  uuid        not null,
  staff   uuid        not null default auth.uid(),
  made_at timestamptz not null default now(),
  constraint desk_watches_pkey primary key (secret)
);

create function private.desk_watches_end() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from public.desk_watches where made_at <= now() - interval '12 hours';
  return null;
end $$;
create trigger desk_watches_end after insert on public.desk_watches
  for each statement execute function private.desk_watches_end();

-- Counts leads for a locked desk. The secret is in a header, because URLs are logged.
create function private.watched_leads() returns table (open integer, late integer, newest timestamptz)
  language sql stable security definer set search_path = ''
  as $$
    select count(d.quote_id)::integer,
           (count(d.quote_id) filter (where d.asked_at + d.promise < now()))::integer, max(d.asked_at)
    from public.desk_watches as w
    join public.staff_presence as p on p.staff = w.staff and (p.left_at is null or p.left_at < w.made_at)
    left join public.quote_desk as d on d.open and d.blocked_at is null
    where w.secret::text = nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-watch'
      and w.made_at > now() - interval '12 hours'
    group by w.secret
  $$;
grant execute on function private.watched_leads() to anon;

create view public.desk_watch with (security_invoker = true) as
  select open, late, newest from private.watched_leads();

alter table public.desk_watches enable row level security;
revoke all on public.desk_watches, public.desk_watch from public, anon, authenticated, service_role;
grant insert (secret) on public.desk_watches to authenticated;
grant select on public.desk_watch to anon;
create policy "a desk that locks itself goes on counting" on public.desk_watches for insert to authenticated
  with check ((select private.is_staff()) and staff = (select auth.uid()));
