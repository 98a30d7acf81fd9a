-- That quotes came back from phones is told, whatever has become of the first of them: a correction that came back
-- right behind it may have closed it, and then nobody was told of the others.

-- As before, but for that.
create or replace function private.is_wanted(alert public.alerts, lead public.quote_desk, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case alert.kind
      when 'prueba' then true
      when 'nadie' then not private.is_anybody_reached(at)
      else lead.blocked_at is null and case alert.kind
        when 'respuesta' then lead.last_answer = alert.about
          and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
        when 'resultado' then lead.moved_offer = alert.about
        when 'pregunta' then lead.open and lead.last_reply = alert.about
        when 'aceptada' then lead.open and lead.last_reply = alert.about
        -- One says it for all that come back within ten minutes: it is told though its own lead was closed meanwhile.
        when 'recuperada' then true
        when 'recordar' then lead.status not in ('ganada', 'perdida')
          and exists (select from public.desk_reminders as r where r.quote_id = alert.quote_id and r.at = alert.due_at)
        -- After a pause several are due: the last of them says it all.
        else lead.open and not lead.backlog and lead.asked_at = alert.asked_at
          and not (alert.kind = 'nueva' and lead.assignee is not null)
          and not exists (select from public.alerts as later
                          where later.quote_id = alert.quote_id and later.asked_at = alert.asked_at and later.about is null
                            and later.kind <> 'recordar'
                            and later.due_at > alert.due_at and later.due_at <= is_wanted.at)
        end
      end
  $$;
