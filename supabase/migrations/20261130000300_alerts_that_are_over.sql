-- As before, but that what is tried again goes no further once it is no longer true: after a push service had been down
-- for an hour a colleague read that ten minutes were left, over that the time was up.
create or replace function public.claim_alerts(at timestamptz, by_mail boolean,
                                    kinds text[] default '{nueva,recuperada,quedan60,quedan30,quedan10,tarde,pregunta,aceptada,respuesta,resultado}')
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  alert public.alerts;
  lead public.quote_desk;
begin
  -- One that is being noted by another need not wait for it.
  update public.alert_sender set ran_at = now()
    where only_one in (select s.only_one from public.alert_sender as s for update skip locked);
  perform private.release_absent(claim_alerts.at);
  for alert in
    select * from public.alerts as a
      where a.spread_at is null and a.due_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
      order by a.due_at, a.id limit 100 for update skip locked
  loop
    select * into lead from public.quote_desk where quote_id = alert.quote_id;
    if private.is_wanted(alert, lead, claim_alerts.at) then
      insert into public.alert_messages (alert_id, device_id, way, next_at)
        select alert.id, d.id, 'push', claim_alerts.at from public.push_devices as d
        where case when alert.kind in ('respuesta', 'resultado') then d.quote_id = alert.quote_id
                   when alert.kind = 'prueba' then d.quote_id is null
                     and d.staff = coalesce((select t.staff from public.alert_tests as t where t.id = alert.test_id), d.staff)
                   else d.quote_id is null and private.is_told(d.staff, lead.assignee, alert.kind, claim_alerts.at) end
        union all
        select alert.id, null, 'mail', claim_alerts.at
        where by_mail and alert.kind not in ('respuesta', 'resultado')
          and not exists (select from public.alert_tests as t where t.id = alert.test_id and t.staff is not null);
    end if;
    update public.alerts as a set spread_at = claim_alerts.at where a.id = alert.id;
  end loop;

  -- What is tried again was judged when it was new: a later alert, or an answer, may have come since.
  with over as (
    select m.id from public.alert_messages as m
      join public.alerts as a on a.id = m.alert_id
      left join public.quote_desk as desk on desk.quote_id = a.quote_id
      where m.next_at <= claim_alerts.at and m.attempts > 0 and a.kind = any (claim_alerts.kinds)
        and not private.is_wanted(a, desk, claim_alerts.at)
      for update of m skip locked
  )
  update public.alert_messages as m set next_at = null, said = 'over' from over where m.id = over.id;

  return query
    with taken as (
      select m.id from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id
        where m.next_at <= claim_alerts.at and a.kind = any (claim_alerts.kinds)
        order by m.next_at limit 50 for update of m skip locked
    ), claimed as (
      update public.alert_messages as m set attempts = m.attempts + 1, next_at = claim_alerts.at + interval '2 minutes'
        from taken where m.id = taken.id returning m.*
    )
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind, coalesce(q.folio, ''), coalesce(q.id, a.test_id), a.due_at,
           a.asked_at + coalesce(desk.promise, interval '0'), c.attempts
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    left join public.quotes as q on q.id = a.quote_id
    left join public.quote_desk as desk on desk.quote_id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;
