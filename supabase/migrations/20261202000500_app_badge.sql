-- Number on the icon of an installed page, sent with each alert. On a phone: quotes with an answer that the page has
-- not shown, as the page counts them. On a colleague's device: leads without an answer that are theirs or nobody's.
create function private.app_badge(device uuid) returns integer
  language sql stable set search_path = ''
  as $$
    select case when d.quote_id is null then
        (select count(*) from public.quote_desk as l
           where l.open and not l.backlog and l.blocked_at is null and coalesce(l.assignee, d.staff) = d.staff)
      else
        (select count(distinct a.quote_id) from public.push_devices as o
           join public.quote_desk as l on l.quote_id = o.quote_id and l.blocked_at is null
           join public.quote_answers as a on a.quote_id = o.quote_id
           where o.endpoint = d.endpoint
             and not exists (select from public.quote_seen as s where s.answer_id = a.id)
             and not exists (select from public.quote_replies as r where r.answer_id = a.id))
      end::integer
    from public.push_devices as d where d.id = app_badge.device
  $$;

-- Messages to be sent, each with that number.
alter function public.claim_alerts(timestamptz, boolean, text[]) set schema private;
create function public.claim_alerts(at timestamptz, by_mail boolean,
                                    kinds text[] default '{nueva,recuperada,quedan60,quedan30,quedan10,tarde,pregunta,aceptada,respuesta,resultado}')
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer,
                 leads integer, badge integer)
  language sql security definer set search_path = ''
  as $$
    select c.*, private.app_badge(c.device_id)
    from private.claim_alerts(claim_alerts.at, claim_alerts.by_mail, claim_alerts.kinds) as c
  $$;

revoke all on function private.app_badge(uuid) from public;
revoke all on function private.claim_alerts(timestamptz, boolean, text[]) from public, anon, authenticated, service_role;
revoke all on function public.claim_alerts(timestamptz, boolean, text[]) from public, anon, authenticated, service_role;
grant execute on function public.claim_alerts(timestamptz, boolean, text[]) to service_role;
