-- One exporter, one history: leads of the same phone or e-mail stand together, all of time is searched, and the same
-- request asked twice on one day is joined.

create schema if not exists extensions;
create extension if not exists pg_trgm with schema extensions;

-- 1. What a lead is found by --------------------------------------------------------------------------------------

-- As it is compared: without accents, in small letters.
create function private.plain(said text) returns text
  language sql immutable parallel safe
  return lower(regexp_replace(normalize(said, nfd), '[\u0300-\u036f]', '', 'g'));

create function private.digits(said text) returns text
  language sql immutable parallel safe
  return regexp_replace(said, '[^0-9]', '', 'g');

-- A table of its own, that nobody's grants reach: what is compared is no column of a quote, and its rows are narrow.
create table private.quote_keys (
  quote_id   uuid        not null,
  created_at timestamptz not null,
  -- The same with and without +52, 521 and 044. Null is nobody's.
  phone      text,
  email      text,
  words      text        not null,
  constraint quote_keys_pkey primary key (quote_id),
  constraint quote_keys_quote foreign key (quote_id) references public.quotes on delete cascade
);
revoke all on private.quote_keys from public, anon, authenticated, service_role;
alter table private.quote_keys enable row level security;

-- Of a set, so that it becomes part of the statement that asks it: else a million rows take five times as long.
create function private.quote_keys_of(quote public.quotes) returns setof private.quote_keys
  language sql stable
  begin atomic
    select quote.id, quote.created_at,
      case when char_length(private.digits(quote.telefono)) >= 7 then right(private.digits(quote.telefono), 10) end,
      lower(quote.email),
      private.plain(concat_ws(' ', quote.nombre, quote.empresa, quote.email, private.digits(quote.telefono),
                              quote.folio, replace(quote.folio, '-', '')));
  end;

insert into private.quote_keys select k.* from public.quotes as q cross join lateral private.quote_keys_of(q) as k;
create index quote_keys_created_at on private.quote_keys (created_at desc, quote_id);
create index quote_keys_phone on private.quote_keys (phone, created_at desc) where phone is not null;
create index quote_keys_email on private.quote_keys (email, created_at desc) where email is not null;
-- Written with each row: the list that is emptied now and then would hold up whoever comes when it is full.
create index quote_keys_words on private.quote_keys using gin (words extensions.gin_trgm_ops) with (fastupdate = off);

create function private.quotes_to_keys() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from private.quote_keys where quote_id = new.id;
  insert into private.quote_keys select k.* from private.quote_keys_of(new) as k;
  return null;
end $$;
create trigger quotes_to_keys after insert or update on public.quotes
  for each row execute function private.quotes_to_keys();

-- 2. Search of all time -------------------------------------------------------------------------------------------

-- What is looked for comes in a header, as JSON writes a text, so that no name or number stands in a log of addresses.
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

-- The newest fifty that have every word somewhere. A word that many have is among the newest; one that few have is
-- found by its trigrams: neither way looks at more than a part of a million.
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
    -- A backslash, a percent sign and an underscore are meant as they are.
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

-- Which they are, and no more: whoever asks then reads them as every other lead.
create view public.desk_search with (security_invoker = true) as
  select quote_id, created_at from private.found_leads();

-- 3. What one exporter asked before -------------------------------------------------------------------------------

-- As its owner, who alone reads the keys.
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

-- 4. The same request asked twice ---------------------------------------------------------------------------------

-- That one lead is joined to another. Nothing of it is kept but what it did.
create table public.quote_joins (
  id         uuid not null default gen_random_uuid(),
  quote_id   uuid not null,
  into_quote uuid not null,
  -- What its phone reads, which was promised an answer.
  word       text not null,
  constraint quote_joins_pkey primary key (id)
);

create function private.quote_joins_heed() returns trigger
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
  if joined.accepted_state in ('aceptada', 'reservada') or joined.status in ('ganada', 'perdida') then
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
create trigger quote_joins_heed after insert on public.quote_joins
  for each row execute function private.quote_joins_heed();

-- 5. Who may what -------------------------------------------------------------------------------------------------

alter table public.quote_joins enable row level security;
revoke all on public.quote_joins, public.desk_search, public.desk_history from public, anon, authenticated, service_role;
revoke all on function private.plain(text), private.digits(text), private.quote_keys_of(public.quotes),
  private.quotes_to_keys(), private.typed_words(), private.found_leads(), private.quote_joins_heed()
  from public, anon, authenticated, service_role;
grant execute on function private.found_leads() to authenticated;
grant select on public.desk_search, public.desk_history to authenticated;
grant insert (id, quote_id, into_quote, word) on public.quote_joins to authenticated;
create policy "staff join requests" on public.quote_joins for insert to authenticated with check ((select private.is_staff()));
