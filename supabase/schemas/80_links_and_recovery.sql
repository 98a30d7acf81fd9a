-- Links that open a quote on another phone, and recovery of the rows that a restored server has lost.

-- 1. Links ----------------------------------------------------------------------------------------------------------

-- A link contains half of sha256(id) or, after the customer has revoked links, half of sha256(id, id of the last
-- revocation). Phone and desk compute the link from the id (src/lead/quote-link.ts). The id cannot be computed from a
-- link.
create index quotes_link on public.quotes (substring(sha256(uuid_send(id)) for 16));

-- Revocations of links; each makes the earlier link invalid. quote_id has no foreign key: unknown_submissions must find
-- the revocation even after its quote was erased.
create table public.quote_link_closings (
  id         uuid        not null,
  quote_id   uuid        not null,
  created_at timestamptz not null default clock_timestamp(),
  constraint quote_link_closings_pkey primary key (id)
);
create index quote_link_closings_of_quote on public.quote_link_closings (quote_id, created_at desc, id desc);
create index quote_link_closings_link on public.quote_link_closings (substring(sha256(uuid_send(quote_id) || uuid_send(id)) for 16));

create trigger quote_link_closings_before_insert before insert on public.quote_link_closings
  for each row execute function private.phone_message_before_insert('20');
create trigger quote_link_closings_count after insert on public.quote_link_closings
  for each row execute function private.count_sent('replies');
create trigger quote_link_closings_fixed before update or delete on public.quote_link_closings
  for each row execute function private.refuse_change();

alter table public.quote_link_closings enable row level security;
revoke all on public.quote_link_closings from public, anon, authenticated, service_role;
grant select (id, quote_id, created_at), insert (id, quote_id) on public.quote_link_closings to anon;
grant select on public.quote_link_closings to authenticated;
create policy "a phone closes the link of a quote that it presents" on public.quote_link_closings for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has closed" on public.quote_link_closings for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read which links were closed" on public.quote_link_closings for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

-- Returns the quotes that a request presents, by id or by a valid link. `igual` is included, because the phone that
-- opened the link may have to send the quote again to a restored server: without `igual`, that server would refuse a
-- deliberate copy as a repeated quote.
create function private.linked_quotes()
  returns table (id uuid, created_at timestamptz, promised_at timestamptz, closing uuid, nombre text, empresa text, email text, telefono text,
                 peso integer, tipo_carga text, promociones boolean, reemplaza text, igual text, more jsonb)
  language sql stable security definer set search_path = ''
  as $$
    select q.id, q.created_at, q.promised_at, closed.id, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga, q.promociones,
           q.reemplaza, q.igual, q.more
    from (select shown as quote_id, shown from unnest(private.presented_quote_ids()) as shown
          union all
          select f.id, shown from unnest(private.presented_quote_ids()) as shown
            join public.quotes as f on substring(sha256(uuid_send(f.id)) for 16) = uuid_send(shown)
          union all
          select c.quote_id, shown from unnest(private.presented_quote_ids()) as shown
            join public.quote_link_closings as c
              on substring(sha256(uuid_send(c.quote_id) || uuid_send(c.id)) for 16) = uuid_send(shown)) as found
    join public.quotes as q on q.id = found.quote_id
    join public.quote_desk as d on d.quote_id = q.id and d.blocked_at is null
    left join lateral (select c.id from public.quote_link_closings as c where c.quote_id = q.id
                       order by c.created_at desc, c.id desc limit 1) as closed on true
    where q.id = found.shown
       or uuid_send(found.shown) = substring(sha256(uuid_send(q.id) || coalesce(uuid_send(closed.id), '')) for 16)
  $$;
grant execute on function private.linked_quotes() to anon;

create view public.quote_links with (security_invoker = true) as
  select id, created_at, promised_at, closing, nombre, empresa, email, telefono, peso, tipo_carga, promociones, reemplaza,
         igual, more
  from private.linked_quotes();
revoke all on public.quote_links from public, anon, authenticated, service_role;
grant select on public.quote_links to anon;

-- 2. Recovery -------------------------------------------------------------------------------------------------------

-- Returns the presented ids that this server does not know. After a restore from an older backup, phones send the rows
-- with these ids again, up to 30 days later. An erased quote counts as known, because its history remains.
create function private.unknown_submissions() returns setof uuid
  language sql stable security definer set search_path = ''
  as $$
    select shown from unnest(private.presented_quote_ids()) as shown
    where not exists (select from public.quotes where id = shown)
      and not exists (select from public.quote_replies where id = shown)
      and not exists (select from public.quote_link_closings where id = shown)
      and not exists (select from public.quote_details where id = shown)
      and not exists (select from public.shipment_papers where id = shown)
      and not exists (select from public.quote_files where id = shown and whole_at is not null)
      and not exists (select from public.promotion_withdrawals where id = shown)
      and not exists (select from public.mail_stops where id = shown)
      and not exists (select from public.whatsapp_choices where id = shown)
      and not exists (select from public.quote_events where quote_id = shown)
      and not exists (select from public.quote_events where ref = shown and code = 'contestada')
  $$;
grant execute on function private.unknown_submissions() to anon;

create view public.unknown_submissions with (security_invoker = true) as
  select id from private.unknown_submissions() as id;
revoke all on public.unknown_submissions from public, anon, authenticated, service_role;
grant select on public.unknown_submissions to anon;
