-- The law in operation: which notice a quote was sent under, consent to promotions that is withdrawn, and all that is
-- stored of one person, found, corrected, blocked and erased.

-- 1. The notice -------------------------------------------------------------------------------------------------------

-- The version of the notice that stood on the page. It comes in a header: a phone of an earlier release sends none, a
-- database of an earlier release does not ask, and a quote stays six fields.
alter table public.quotes
  add column aviso text,
  add constraint quotes_aviso_check check (aviso ~ '^[0-9a-f]{8}$');

create function private.quotes_notice() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  new.aviso := substring(nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-aviso' from '^[0-9a-f]{8}$');
  return new;
end $$;
-- Whoever was called by the sales team was shown none.
create trigger quotes_notice before insert on public.quotes
  for each row when (new.origen = 'formulario' and new.aviso is null) execute function private.quotes_notice();

-- 2. Promotions -------------------------------------------------------------------------------------------------------

create table public.promotion_withdrawals (
  id         uuid        not null default gen_random_uuid(),
  quote_id   uuid        not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint promotion_withdrawals_pkey primary key (id),
  constraint promotion_withdrawals_quote foreign key (quote_id) references public.quotes on delete cascade
);
create index promotion_withdrawals_of_quote on public.promotion_withdrawals (quote_id);

create function private.promotion_withdrawals_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  full_since timestamptz;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock makes the count exact.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this withdrawal is not there'; end if;
  if exists (select from public.promotion_withdrawals where id = new.id) then return new; end if;
  select created_at into full_since from public.promotion_withdrawals
    where quote_id = new.quote_id and created_at > now() - interval '1 hour' order by created_at desc offset 4 limit 1;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, 'Too many withdrawals of one quote within an hour');
  end if;
  perform private.require_room('replies');
  return new;
end $$;
create trigger promotion_withdrawals_before_insert before insert on public.promotion_withdrawals
  for each row execute function private.promotion_withdrawals_before_insert();
create trigger promotion_withdrawals_count after insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.count_sent('replies');

-- It is the person's consent and not the quote's: it ends with every quote of the same e-mail, each with its date.
create function private.promotion_withdrawals_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  with theirs as (
    update public.quotes as q set promociones = false
      from public.quotes as one
      where one.id = new.quote_id and q.promociones
        and (q.id = one.id or q.email is not null and q.email = one.email)
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

-- As before, with the withdrawals: whatever else was known stays known.
alter function private.unknown_submissions() rename to unknown_but_withdrawals;
create function private.unknown_submissions() returns setof uuid
  language sql stable security definer set search_path = ''
  as $$
    select shown from private.unknown_but_withdrawals() as shown
    where not exists (select from public.promotion_withdrawals where id = shown)
  $$;
create or replace view public.unknown_submissions with (security_invoker = true) as
  select id from private.unknown_submissions() as id;

-- 3. All of one person ------------------------------------------------------------------------------------------------

-- Who is asked about comes in a header, as JSON writes a text, so that no name or number stands in a log of addresses:
-- an e-mail, a phone, or ids of quotes.
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

-- When something was last said in it, by anybody: blocking is no word.
create function private.last_word(quote uuid) returns timestamptz
  language sql stable set search_path = ''
  as $$
    select max(at) from public.quote_events where quote_id = quote and code not in ('bloqueada', 'desbloqueada', 'borrada')
  $$;

-- What is blocked is theirs as well.
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

-- Every row of every table that is of these quotes, by what the tables themselves say: a column `quote_id`, or a key
-- that leads to a table which has one. One that is added later is among them without anybody's thinking of it.
create function private.person_rows() returns table (place text, kept jsonb)
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

create view public.person_quotes with (security_invoker = true) as select * from private.person_quotes();
create view public.person_rows with (security_invoker = true) as
  select place, kept, row_number() over (order by place, kept::text)::integer as number from private.person_rows();

-- Who agreed to promotions, when, under which notice, and since when no more.
create view public.promotion_consents with (security_invoker = true) as
  select q.id as quote_id, q.folio, q.email, q.nombre, q.empresa, q.created_at as given_at, w.created_at as withdrawn_at, q.aviso
  from public.quotes as q
  left join lateral (select min(created_at) as created_at from public.promotion_withdrawals where quote_id = q.id) as w on true
  where q.promociones or w.created_at is not null;

-- 4. Who may what -----------------------------------------------------------------------------------------------------

alter table public.promotion_withdrawals enable row level security;
revoke all on public.promotion_withdrawals, public.person_quotes, public.person_rows, public.promotion_consents
  from public, anon, authenticated, service_role;
revoke all on function private.quotes_notice(), private.promotion_withdrawals_before_insert(),
  private.promotion_withdrawals_heed(), private.unknown_but_withdrawals(), private.unknown_submissions(),
  private.asked_person(), private.quotes_of_person(), private.person_quotes(), private.last_word(uuid),
  private.person_rows() from public, anon, authenticated, service_role;
grant execute on function private.unknown_submissions() to anon;
grant select on public.unknown_submissions to anon;
grant execute on function private.person_quotes(), private.person_rows() to service_role;
grant select on public.person_quotes, public.person_rows, public.promotion_consents, public.promotion_withdrawals to service_role;
grant select (id, quote_id, created_at), insert (id, quote_id) on public.promotion_withdrawals to anon;
grant select on public.promotion_withdrawals to authenticated;
create policy "a phone withdraws consent by a quote that it presents" on public.promotion_withdrawals for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has withdrawn" on public.promotion_withdrawals for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read withdrawals" on public.promotion_withdrawals for select to authenticated
  using ((select private.is_staff()));
