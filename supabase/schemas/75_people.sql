-- Duties of the personal data law: withdrawal of consent, mail that a customer stops, all data about one person, and
-- retention.

-- 1. Promotions -----------------------------------------------------------------------------------------------------

create table public.promotion_withdrawals (
  id         uuid        not null default gen_random_uuid(),
  quote_id   uuid        not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint promotion_withdrawals_pkey primary key (id),
  constraint promotion_withdrawals_quote foreign key (quote_id) references public.quotes on delete cascade
);
create index promotion_withdrawals_of_quote on public.promotion_withdrawals (quote_id);

-- Checks a phone's message about a quote. Allows `tg_argv[0]` rows of this table about one quote within an hour.
create function private.phone_message_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  is_known boolean;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock keeps other requests from changing the count below.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this message is not there'; end if;
  execute format('select exists (select from public.%I where id = $1)', tg_table_name) into is_known using new.id;
  -- Choices that the server itself stores are never refused, for example after a customer wrote BAJA by WhatsApp.
  if is_known or coalesce(current_setting('role', true), '') <> 'anon' then return new; end if;
  perform private.require_hourly_room(tg_table_name, new.quote_id, tg_argv[0]::integer);
  perform private.require_room('replies');
  return new;
end $$;
-- The next two triggers check and count only rows that requests insert. The condition pg_trigger_depth() = 0 is false
-- for the rows that the trigger promotion_withdrawals_heed (below) inserts.
create trigger promotion_withdrawals_before_insert before insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.phone_message_before_insert('5');
create trigger promotion_withdrawals_count after insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.count_sent('replies');

-- Ends the person's consent to promotions, for the presented quote and for all quotes with the same e-mail and phone
-- number. The e-mail alone is not enough, because anybody can write another person's e-mail into a quote.
create function private.promotion_withdrawals_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  with theirs as (
    update public.quotes as q set promociones = false
      where q.promociones and q.id in (
        select new.quote_id
        union all select unnest(private.presented_quote_ids())
        union all select k.quote_id from private.quote_keys as k
          join private.quote_keys as one on one.quote_id = new.quote_id and one.email = k.email and one.phone = k.phone)
      returning q.id
  )
  insert into public.promotion_withdrawals (quote_id, created_at)
    select id, new.created_at from theirs where id <> new.quote_id;
  return null;
end $$;
create trigger promotion_withdrawals_heed after insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.promotion_withdrawals_heed();
create trigger promotion_withdrawals_fixed before update on public.promotion_withdrawals
  for each row execute function private.refuse_change();

alter table public.promotion_withdrawals enable row level security;
revoke all on public.promotion_withdrawals from public, anon, authenticated, service_role;
grant select (id, quote_id, created_at), insert (id, quote_id) on public.promotion_withdrawals to anon;
grant select on public.promotion_withdrawals to authenticated, service_role;
create policy "a phone withdraws consent by a quote that it presents" on public.promotion_withdrawals for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has withdrawn" on public.promotion_withdrawals for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read withdrawals" on public.promotion_withdrawals for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Consents to promotions, with the version of the privacy notice and the time at which they were withdrawn.
create view public.promotion_consents with (security_invoker = true) as
  select q.id as quote_id, q.folio, q.email, q.nombre, q.empresa, q.created_at as given_at, w.created_at as withdrawn_at, q.aviso
  from public.quotes as q
  left join lateral (select min(created_at) as created_at from public.promotion_withdrawals where quote_id = q.id) as w on true
  where q.promociones or w.created_at is not null;
revoke all on public.promotion_consents from public, anon, authenticated, service_role;
grant select on public.promotion_consents to service_role;

-- 2. Mail ------------------------------------------------------------------------------------------------------------

-- Quotes about which the customer wants no mail.
create table public.mail_stops (
  id         uuid        not null,
  quote_id   uuid        not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint mail_stops_pkey primary key (id),
  constraint mail_stops_quote foreign key (quote_id) references public.quotes on delete cascade
);
create index mail_stops_of_quote on public.mail_stops (quote_id);

create trigger mail_stops_before_insert before insert on public.mail_stops
  for each row execute function private.phone_message_before_insert('5');
create trigger mail_stops_count after insert on public.mail_stops
  for each row execute function private.count_sent('replies');
create trigger mail_stops_fixed before update on public.mail_stops
  for each row execute function private.refuse_change();

alter table public.mail_stops enable row level security;
revoke all on public.mail_stops from public, anon, authenticated, service_role;
grant select (id, quote_id, created_at), insert (id, quote_id) on public.mail_stops to anon;
grant select on public.mail_stops to authenticated, service_role;
create policy "a phone stops mail about a quote that it presents" on public.mail_stops for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what mail it has stopped" on public.mail_stops for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read who wants no mail" on public.mail_stops for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- 3. WhatsApp --------------------------------------------------------------------------------------------------------

-- Consents to WhatsApp about a quote, and their withdrawals; the last row of a quote applies. Writing BAJA also
-- withdraws.
create table public.whatsapp_choices (
  id         uuid        not null,
  quote_id   uuid        not null,
  wanted     boolean     not null,
  -- Version of the privacy notice that the page showed when it asked for the consent.
  aviso      text,
  created_at timestamptz not null default clock_timestamp(),
  constraint whatsapp_choices_pkey primary key (id),
  constraint whatsapp_choices_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint whatsapp_choices_aviso_check check (aviso ~ '^[0-9a-f]{8}$')
);
create index whatsapp_choices_of_quote on public.whatsapp_choices (quote_id, created_at desc, id desc);
create trigger whatsapp_choices_before_insert before insert on public.whatsapp_choices
  for each row execute function private.phone_message_before_insert('10');
create trigger whatsapp_choices_count after insert on public.whatsapp_choices
  for each row when (current_setting('role', true) = 'anon') execute function private.count_sent('replies');
create trigger whatsapp_choices_fixed before update on public.whatsapp_choices
  for each row execute function private.refuse_change();

alter table public.whatsapp_choices enable row level security;
revoke all on public.whatsapp_choices from public, anon, authenticated, service_role;
grant select (id, quote_id, wanted, created_at), insert (id, quote_id, wanted, aviso) on public.whatsapp_choices to anon;
grant select on public.whatsapp_choices to authenticated, service_role;
create policy "a phone chooses WhatsApp for a quote that it presents" on public.whatsapp_choices for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has chosen" on public.whatsapp_choices for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read who wants WhatsApp" on public.whatsapp_choices for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- 4. One person -----------------------------------------------------------------------------------------------------

-- Returns the person asked for, from a header with a JSON string: an e-mail, a phone number, or ids of quotes. The
-- value is not in the URL, because URLs are logged.
create function private.asked_person() returns text
  language sql stable set search_path = ''
  as $$
    select lower(btrim((('["' || (nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-person') || '"]')::jsonb) ->> 0))
  $$;

create function private.quotes_of_person() returns setof uuid
  language plpgsql stable security definer set search_path = ''
  as $$
declare
  asked constant text := private.asked_person();
begin
  if asked ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(,[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})*$' then
    return query select unnest(string_to_array(asked, ',')::uuid[]);
  elsif asked like '%@%' then
    return query select k.quote_id from private.quote_keys as k where k.email = asked;
  elsif char_length(private.digits(asked)) >= 7 then
    return query select k.quote_id from private.quote_keys as k where k.phone = right(private.digits(asked), 10);
  end if;
end $$;

-- Returns the time of the last activity on a quote. Notes, states of shipping documents, incomplete files and reminders
-- are not in the history (quote_events), so their tables are read too.
create function private.last_word(quote uuid) returns timestamptz
  language sql stable set search_path = ''
  as $$
    select greatest(
      (select max(at) from public.quote_events
       where quote_id = quote and code not in ('bloqueada', 'desbloqueada', 'borrada')),
      (select max(created_at) from public.quote_notes where quote_id = quote),
      (select max(created_at) from public.shipment_papers where quote_id = quote),
      (select max(created_at) from public.quote_files where quote_id = quote),
      (select made_at from public.desk_reminders where quote_id = quote))
  $$;

-- Finds the person's quotes, also blocked ones, because the right to see one's own data includes them.
create function private.person_quotes()
  returns table (quote_id uuid, folio text, created_at timestamptz, nombre text, empresa text, email text, telefono text,
                 promociones boolean, promociones_retirada timestamptz, aviso text, blocked_at timestamptz, last_word timestamptz)
  language sql stable security definer set search_path = ''
  as $$
    select q.id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.promociones,
           (select min(w.created_at) from public.promotion_withdrawals as w where w.quote_id = q.id),
           q.aviso, d.blocked_at, private.last_word(q.id)
    from private.quotes_of_person() as theirs
    join public.quotes as q on q.id = theirs
    join public.quote_desk as d on d.quote_id = q.id
  $$;
grant execute on function private.person_quotes() to service_role;

create view public.person_quotes with (security_invoker = true) as select * from private.person_quotes();

-- Returns all rows that belong to the person's quotes. The function searches every table with a column `quote_id` or a
-- foreign key to such a table, so a new table needs no change here.
create function private.person_rows() returns table (place text, contents jsonb)
  language plpgsql stable security definer set search_path = ''
  as $$
declare
  ids constant uuid[] := array(select private.quotes_of_person());
  step record;
begin
  for step in
    with recursive tables as (
      select c.oid, c.oid = 'public.quotes'::regclass or exists (
               select from pg_catalog.pg_attribute as a where a.attrelid = c.oid and a.attname = 'quote_id' and not a.attisdropped) as is_near
      from pg_catalog.pg_class as c
      where c.relkind = 'r' and c.relnamespace in ('public'::regnamespace, 'private'::regnamespace)
    ), reached as (
      select t.oid, case t.oid when 'public.quotes'::regclass then 'id = any ($1)' else 'quote_id = any ($1)' end collate "C" as condition,
             array[t.oid] as path
      from tables as t where t.is_near
      union all
      select k.conrelid, pg_catalog.format('(%s) in (select %s from %s where %s)',
               (select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by n.place)
                from unnest(k.conkey) with ordinality as n (number, place)
                join pg_catalog.pg_attribute as a on a.attrelid = k.conrelid and a.attnum = n.number),
               (select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname), ', ' order by n.place)
                from unnest(k.confkey) with ordinality as n (number, place)
                join pg_catalog.pg_attribute as a on a.attrelid = k.confrelid and a.attnum = n.number),
               k.confrelid::regclass, r.condition) collate "C",
             r.path || k.conrelid
      from reached as r
      join pg_catalog.pg_constraint as k on k.contype = 'f' and k.confrelid = r.oid
      join tables as t on t.oid = k.conrelid and not t.is_near
      where k.conrelid <> all (r.path)
    )
    select r.oid::regclass::text as name, pg_catalog.string_agg(distinct r.condition, ' or ') as condition
    from reached as r group by r.oid order by 1
  loop
    return query execute pg_catalog.format('select %L::text, to_jsonb(t) from %s as t where %s', step.name, step.name, step.condition)
      using ids;
  end loop;
end $$;
grant execute on function private.person_rows() to service_role;

create view public.person_rows with (security_invoker = true) as
  select place, contents, row_number() over (order by place, contents::text)::integer as number from private.person_rows();

-- Returns the person's messages by mail or WhatsApp that belong to no quote yet, with their files.
create function private.person_messages() returns table (place text, contents jsonb)
  language plpgsql stable security definer set search_path = ''
  as $$
declare
  asked constant text := private.asked_person();
begin
  return query
    with theirs as (
      select m.* from public.received_messages as m
        where m.quote_id is null and case when asked like '%@%' then m.sender = asked
          else asked ~ '^[0-9[:space:]()+.-]+$' and char_length(private.digits(asked)) >= 7
               and m.sender !~ '[^+0-9]' and right(private.digits(m.sender), 10) = right(private.digits(asked), 10) end
    )
    select 'public.received_messages'::text, to_jsonb(t) from theirs as t
    union all
    select 'public.received_files'::text, to_jsonb(f) from public.received_files as f
      join theirs as t on t.id = f.message_id
    union all
    select 'public.whatsapp_senders'::text, to_jsonb(s) from public.whatsapp_senders as s
      join theirs as t on t.id = s.message_id
    union all
    select 'public.whatsapp_media'::text, to_jsonb(f) from public.whatsapp_media as f
      join theirs as t on t.id = f.message_id;
end $$;
grant execute on function private.person_messages() to service_role;

create view public.person_messages with (security_invoker = true) as
  select place, contents, row_number() over (order by place desc, contents::text)::integer as number from private.person_messages();

revoke all on public.person_quotes, public.person_rows, public.person_messages from public, anon, authenticated, service_role;
grant select on public.person_quotes, public.person_rows, public.person_messages to service_role;

-- 5. Retention ------------------------------------------------------------------------------------------------------

-- Blocks quotes without activity for `months` months and without a reminder, and erases quotes that were blocked three
-- months ago. Also erases received messages of that age that nobody has assigned to a quote.
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
        and not exists (select from public.desk_reminders as r where r.quote_id = d.quote_id and r.at > moment)
      order by d.quote_id limit at_once for update of d skip locked)
  update public.quote_desk set blocked_at = now() where quote_id in (select quote_id from old);
  get diagnostics blocked = row_count;
  -- src/content/legal.ts promises that the person may still ask for the data during these three months.
  with old as (
    select d.quote_id from public.quote_desk as d
      where d.blocked_at < moment - interval '3 months' and private.last_word(d.quote_id) < too_old
      order by d.quote_id limit at_once for update of d skip locked)
  delete from public.quotes where id in (select quote_id from old);
  get diagnostics erased = row_count;
  delete from public.received_messages where quote_id is null and stored_at < too_old;
  is_over := greatest(blocked, erased) < at_once;
  return next;
end $$;

-- Schedules retention on a hosted project with pg_cron, between 10:00 and 12:00 UTC, when it is night in Tijuana. With
-- zero months, removes the schedule.
create function private.keep_retaining(months integer) returns void
  language plpgsql set search_path = ''
  as $$
begin
  perform cron.schedule('retention', '*/10 10-11 * * *', format('select private.retain(%s)', months));
  if months = 0 then perform cron.unschedule('retention'); end if;
end $$;
