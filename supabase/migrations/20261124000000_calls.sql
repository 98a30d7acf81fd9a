-- Leads that came by a call, a message or a fair. The sales team writes what is known of them; a phone always says all.

alter table public.quotes
  add column origen text not null default 'formulario',
  alter column empresa drop not null,
  alter column email drop not null,
  alter column peso drop not null,
  alter column tipo_carga drop not null,
  add constraint quotes_origen_check check (origen in ('formulario', 'llamada', 'whatsapp', 'feria', 'otro')),
  add constraint quotes_whole_check check (origen <> 'formulario' or num_nulls(empresa, email, peso, tipo_carga) = 0);

grant insert (origen) on public.quotes to authenticated, service_role;
alter policy "anyone may submit a quote" on public.quotes to anon with check (origen = 'formulario');
create policy "whoever is signed in may too, and staff by other ways" on public.quotes for insert to authenticated
  with check (origen = 'formulario' or (select private.is_staff()));

-- As before, but that a lead of the sales team's own is counted against nobody's limit.
create or replace function private.quotes_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A list of guesses would be answered row by row.
  if current_setting('role', true) in ('anon', 'authenticated') and nullif(current_setting('app.quote_id', true), '') is not null then
    raise sqlstate 'PT400' using message = 'One quote in each request';
  end if;
  new.email := lower(btrim(new.email));
  -- One send of the same id at a time: a parallel re-send could lose the race on the other key and be told, wrongly,
  -- that the quote is a repeat. The note lets RETURNING show this row. Both end with the transaction.
  perform pg_advisory_xact_lock(hashtextextended('public.quotes ' || new.id::text, 0));
  perform set_config('app.quote_id', new.id::text, true);

  -- A quote that is sent again costs nothing and never locks anyone out.
  if exists (select from public.quotes where id = new.id) then return new; end if;

  if exists (select from public.quotes as other
             where (other.email, other.tipo_carga, other.peso, other.telefono, other.nombre, other.empresa)
                 = (new.email, new.tipo_carga, new.peso, new.telefono, new.nombre, new.empresa)
               and (other.created_at at time zone 'America/Tijuana')::date
                 = (new.created_at at time zone 'America/Tijuana')::date) then
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "quotes_request_key"', constraint = 'quotes_request_key';
  end if;
  if new.origen = 'formulario' then perform private.require_room('quotes'); end if;
  return new;
end $$;
drop trigger quotes_limit on public.quotes;
create trigger quotes_limit after insert on public.quotes
  for each row when (new.origen = 'formulario') execute function private.count_sent('quotes');

create or replace view public.desk_leads with (security_invoker = true) as
  select d.quote_id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga,
         q.promociones, q.llamada, q.reemplaza,
         d.status, d.assignee, d.assignee_name, d.open, d.backlog, d.before_desk, d.reply_waiting, d.asked_at,
         d.asked_at + d.promise as due_at,
         q.created_at + d.first_promise as promised_at,
         d.first_answer_at, d.last_answer, d.last_reply, s.seen_at, d.replaced_by, d.blocked_at, d.version, d.updated_at,
         q.entregada,
         d.reply_verdict, d.lost_reason,
         a.price as accepted_price, a.price_for as accepted_price_for, a.currency as accepted_currency,
         a.kilos as accepted_kilos, a.valid_until as accepted_valid_until, d.accepted_state, d.accepted_reference,
         q.embarque, q.origen
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer
  left join public.quote_answers as a on a.id = d.accepted;
