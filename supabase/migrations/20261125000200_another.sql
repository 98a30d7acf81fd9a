-- 'Otra igual': the same again, and meant. `igual` is the folio of the quote that was copied.

alter table public.quotes
  add column igual text,
  add constraint quotes_igual_check check (igual ~ '^AP-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$');
grant insert (igual) on public.quotes to anon, authenticated, service_role;

-- One copy of each in a day: what two tabs, or two phones, make of the same one is a repeat as before.
drop index public.quotes_request_key;
create unique index quotes_request_key on public.quotes
  (email, tipo_carga, peso, telefono, nombre, empresa, coalesce(igual, ''), ((created_at at time zone 'America/Tijuana')::date));

-- As before, but that a copy repeats only a copy of the same quote.
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
               and coalesce(other.igual, '') = coalesce(new.igual, '')
               and (other.created_at at time zone 'America/Tijuana')::date
                 = (new.created_at at time zone 'America/Tijuana')::date) then
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "quotes_request_key"', constraint = 'quotes_request_key';
  end if;
  if new.origen = 'formulario' then perform private.require_room('quotes'); end if;
  return new;
end $$;

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
         q.embarque, q.origen, q.igual
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer
  left join public.quote_answers as a on a.id = d.accepted;
