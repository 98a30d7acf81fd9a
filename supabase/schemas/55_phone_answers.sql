-- Answers in the form in which the customer's phone reads them.

-- True if this server sends messages in the given way, for example 'customer': mail to customers. The language is
-- plpgsql, which looks up a table only when it runs: a later file creates alert_sender.
create function private.sends_by(way text) returns boolean
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  return exists (select from public.alert_sender where way = any (ways));
end $$;
grant execute on function private.sends_by(text) to anon, authenticated, service_role;

-- Returns the shipment of a booked offer; null while flight and milestones are missing. `until` is the latest time of
-- the shipment: the phone keeps the quote's data until some time after it. In plpgsql, because a later file creates
-- desk_shipments.
create function private.track_of(answer uuid) returns jsonb
  language plpgsql stable security definer set search_path = ''
  as $$
begin
  return (
    select jsonb_build_object('flight', flight, 'day', flight_day, 'origin', origin, 'waybill', waybill,
             'pickup', pickup_at, 'cutoff', cutoff_at, 'departs', departs_at, 'arrives', arrives_at, 'changed', flight_at,
             'until', until, 'steps', steps)
    from public.desk_shipments where answer_id = track_of.answer and (flight is not null or steps <> '[]'));
end $$;
grant execute on function private.track_of(uuid) to anon, authenticated, service_role;

-- Answers for the phone, with the state of their offers. `offer` has facts that only the receipt shows: `accepted` is
-- the time at which the customer pressed the button, `received` the time at which the acceptance arrived, both by this
-- server's clock. `by_mail` is true if this server mails answers to customers.
create view public.quote_words with (security_invoker = true) as
  select a.id, a.quote_id, a.created_at, a.body, a.price, a.price_for, a.currency, a.valid_until, a.kind, a.kilos,
         private.offer_state(o.state, a.valid_until, now()) as state, o.state_at, o.word, o.reference,
         case a.kind when 'oferta' then jsonb_strip_nulls(jsonb_build_object(
           'lines', a.lines, 'total', a.total, 'pesos', a.pesos, 'rate', a.rate, 'source', a.rate_source, 'day', a.rate_day,
           'accepted', yes.pressed_at, 'received', yes.created_at)) end as offer,
         (select private.sends_by('customer')) as by_mail,
         case o.state when 'reservada' then private.track_of(a.id) end as track
  from public.quote_answers as a
  left join public.quote_offers as o on o.answer_id = a.id
  left join lateral (
    select r.pressed_at, r.created_at from public.quote_replies as r
    where r.quote_id = a.quote_id and r.answer_id = a.id and r.verdict in ('vale', 'vencida')
      and o.state in ('aceptada', 'reservada', 'sinespacio')
    order by r.created_at limit 1) as yes on true;
revoke all on public.quote_words from public, anon, authenticated, service_role;
grant select on public.quote_words to anon, authenticated, service_role;
