-- What is corrected back to what it was is no repeat: the quote in between was wrong, and ends only with the third.

-- One correction of each in a day: what two tabs make of the same one is a repeat as before.
drop index public.quotes_request_key;
create unique index quotes_request_key on public.quotes
  (email, tipo_carga, peso, telefono, nombre, empresa, coalesce(igual, ''), coalesce(reemplaza, ''),
   ((created_at at time zone 'America/Tijuana')::date));

-- As before, but that a correction repeats only a correction of the same quote.
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
               and (coalesce(other.igual, ''), coalesce(other.reemplaza, ''))
                 = (coalesce(new.igual, ''), coalesce(new.reemplaza, ''))
               and (other.created_at at time zone 'America/Tijuana')::date
                 = (new.created_at at time zone 'America/Tijuana')::date) then
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "quotes_request_key"', constraint = 'quotes_request_key';
  end if;
  if new.origen = 'formulario' then perform private.require_room('quotes'); end if;
  return new;
end $$;
