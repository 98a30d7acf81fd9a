-- What is shipped, said after the receipt: each saying is a row, and the one that was pressed last counts.

create table public.quote_details (
  id           uuid        not null,
  quote_id     uuid        not null,
  created_at   timestamptz not null default clock_timestamp(),
  -- Seconds since it was pressed: a phone without signal sends several at once, in any order.
  hace         integer,
  pressed_at   timestamptz not null default clock_timestamp(),
  producto     text,
  empaque      text,
  piezas       integer,
  largo        integer,
  ancho        integer,
  alto         integer,
  kilos        integer,
  lista        date,
  salida       text,
  temperatura  text,
  incoterm     text,
  peligrosa    boolean,
  documentos   text,
  constraint quote_details_pkey primary key (id),
  constraint quote_details_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_details_hace_check check (hace >= 0),
  constraint quote_details_producto_check check (
    producto = btrim(producto) and char_length(producto) <= 100 and private.is_seen(producto)),
  constraint quote_details_empaque_check check (empaque in ('cajas', 'tarimas')),
  constraint quote_details_piezas_check check (piezas between 1 and 100000),
  constraint quote_details_largo_check check (largo between 1 and 2000),
  constraint quote_details_ancho_check check (ancho between 1 and 2000),
  constraint quote_details_alto_check check (alto between 1 and 2000),
  constraint quote_details_kilos_check check (kilos between 1 and 1000000),
  constraint quote_details_lista_check check (lista between '2000-01-01' and '9999-12-31'),
  constraint quote_details_salida_check check (
    salida = btrim(salida) and char_length(salida) <= 100 and private.is_seen(salida)),
  constraint quote_details_temperatura_check check (temperatura in ('COL', 'CRT', 'ERT', 'FRO')),
  constraint quote_details_incoterm_check check (
    incoterm in ('EXW', 'FCA', 'FAS', 'FOB', 'CFR', 'CIF', 'CPT', 'CIP', 'DAP', 'DPU', 'DDP')),
  -- Words of a list that a newer page may know more of.
  constraint quote_details_documentos_check check (documentos ~ '^[a-z]{1,20}(,[a-z]{1,20}){0,19}$')
);
create index quote_details_of_quote on public.quote_details (quote_id, pressed_at desc);

create function private.quote_details_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  full_since timestamptz;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- The lock makes the count exact, and lets no offer come between.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of these details is not there'; end if;
  if exists (select from public.quote_details where id = new.id) then return new; end if;
  if exists (select from public.quote_offers as o join public.quote_answers as a on a.id = o.answer_id
             where o.quote_id = new.quote_id
               and private.offer_state(o.state, a.valid_until, now()) in ('vigente', 'aceptada', 'reservada')) then
    raise check_violation using message = 'An offer stands for this quote: its details do not change';
  end if;
  select created_at into full_since from public.quote_details
    where quote_id = new.quote_id and created_at > now() - interval '1 hour' order by created_at desc offset 19 limit 1;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, 'Too many details of one quote within an hour');
  end if;
  perform private.require_room('replies');
  new.pressed_at := clock_timestamp() - least(coalesce(new.hace, 0), 31 * 86400) * interval '1 second';
  return new;
end $$;
create trigger quote_details_before_insert before insert on public.quote_details
  for each row execute function private.quote_details_before_insert();
create trigger quote_details_count after insert on public.quote_details
  for each row execute function private.count_sent('replies');
create trigger quote_details_fixed before update on public.quote_details
  for each row execute function private.refuse_change();

-- As before, with the details.
create or replace function private.unknown_submissions() returns setof uuid
  language sql stable security definer set search_path = ''
  as $$
    select shown from unnest(private.presented_quote_ids()) as shown
    where not exists (select from public.quotes where id = shown)
      and not exists (select from public.quote_replies where id = shown)
      and not exists (select from public.quote_link_closings where id = shown)
      and not exists (select from public.quote_details where id = shown)
      and not exists (select from public.quote_events where quote_id = shown)
      and not exists (select from public.quote_events where ref = shown and code = 'contestada')
  $$;

alter table public.quote_details enable row level security;
revoke all on public.quote_details from public, anon, authenticated, service_role;
revoke all on function private.quote_details_before_insert() from public, anon, authenticated, service_role;
grant select on public.quote_details to anon, authenticated, service_role;
grant insert (id, quote_id, hace, producto, empaque, piezas, largo, ancho, alto, kilos, lista, salida, temperatura,
              incoterm, peligrosa, documentos) on public.quote_details to anon;
create policy "a phone says what is shipped by a quote that it presents" on public.quote_details for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone reads the details of the quotes it presents" on public.quote_details for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read details" on public.quote_details for select to authenticated
  using ((select private.is_staff()));
