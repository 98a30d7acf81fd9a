-- What a change of a lead is, is decided once, and the promise that a word was given is kept with it.

-- 1. What happened ------------------------------------------------------------------------------------------------

-- Before the change is judged: the code under which the trail will have it.
create function private.desk_change(before public.quote_desk, after public.quote_desk) returns text
  language sql immutable set search_path = ''
  as $$
    select case
      when after.blocked_at is distinct from before.blocked_at
        then case when after.blocked_at is null then 'desbloqueada' else 'bloqueada' end
      when after.last_reply is distinct from before.last_reply then 'contestada'
      when after.last_seen is distinct from before.last_seen then 'vista'
      when after.replaced_by is distinct from before.replaced_by then 'reemplazada'
      when before.assignee <> after.assignee then 'relevada'
      when after.status = 'nueva' then 'soltada'
      else after.status
    end
  $$;
revoke all on function private.desk_change(public.quote_desk, public.quote_desk) from public;

-- 2. What was promised --------------------------------------------------------------------------------------------

alter table public.quote_desk
  -- The last change, for the triggers that follow on it.
  add column happened text not null default 'creada',
  -- The promise in force when the quote came, and when the word came that is waited for: another one holds from then on.
  add column first_promise interval not null default private.answer_promise(),
  add column promise interval not null default private.answer_promise();

create or replace view public.desk_leads with (security_invoker = true) as
  select d.quote_id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga,
         q.promociones, q.llamada, q.reemplaza,
         d.status, d.assignee, d.assignee_name, d.open, d.backlog, d.before_desk, d.reply_waiting, d.asked_at,
         d.asked_at + d.promise as due_at,
         q.created_at + d.first_promise as promised_at,
         d.first_answer_at, d.last_answer, d.last_reply, s.seen_at, d.replaced_by, d.blocked_at, d.version, d.updated_at,
         q.entregada
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer;

-- 3. The three that follow a change -------------------------------------------------------------------------------

drop trigger quote_desk_rules_again on public.quote_desk;
drop function private.quote_desk_rules_again();

create or replace function private.quote_desk_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  me constant uuid := auth.uid();
  answered constant boolean := new.last_answer is distinct from old.last_answer;
begin
  new.version := old.version + 1;
  -- Never earlier than what a reader of changes has seen of this row, even after waiting for a lock.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
  new.happened := private.desk_change(old, new);

  case
    when new.happened in ('bloqueada', 'desbloqueada') then
      if old.blocked_at is not null and new.blocked_at is not null then return null; end if;
      new.blocked_at := case when new.blocked_at is not null then now() end;
      return new;
    when new.happened = 'contestada' then
      new.reply_waiting := true;
      if not old.open or old.backlog then
        -- What was asked of a server that has lost it since was asked then.
        select coalesce(entregada, now()) into new.asked_at from public.quote_replies where id = new.last_reply;
        new.promise := private.answer_promise();
      end if;
      return new;
    when new.happened = 'vista' then
      return new;
    when new.happened = 'reemplazada' then
      new.reply_waiting := false;
      return new;
    else null;
  end case;

  if answered and old.blocked_at is not null then
    raise sqlstate 'PT409' using message = 'This quote is blocked', hint = 'blocked';
  end if;
  if answered then new.first_answer_at := coalesce(old.first_answer_at, now()); end if;

  -- The command line answers whoever has the lead. Its grants let nothing else of it come here.
  if answered and current_setting('role', true) = 'service_role' then
    new.reply_waiting := false;
    return new;
  end if;

  if me is null or (new.assignee is distinct from old.assignee and new.assignee is distinct from me) then
    raise insufficient_privilege using message = 'A lead is taken by oneself, for oneself';
  end if;
  if old.assignee is null then
    if new.status <> 'tomada' then raise sqlstate 'PT409' using message = 'Take the lead first', hint = 'unowned'; end if;
  elsif old.assignee <> me then
    -- Taking over is saying so: one's own id as assignee, and nothing else in the same breath.
    if new.happened <> 'relevada' or new.status <> old.status or answered then
      raise sqlstate 'PT409' using message = 'Somebody else has this lead', hint = 'owned';
    end if;
  end if;

  if new.status = 'nueva' then
    new.assignee := null;
    new.assignee_name := null;
  else
    new.assignee := me;
    new.assignee_name := private.staff_name();
  end if;
  if new.status = 'respondida' and new.last_answer is null then
    raise sqlstate 'PT409' using message = 'There is no answer yet', hint = 'unanswered';
  end if;
  -- Who answers, or says how it ended, has dealt with what was asked. Taking over has not.
  if old.assignee = me and new.status in ('respondida', 'ganada', 'perdida') then new.reply_waiting := false; end if;
  return new;
end $$;

create or replace function private.quote_desk_record() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op = 'DELETE' then
    insert into public.quote_events (quote_id, version, code, actor)
      values (old.quote_id, old.version + 1, 'borrada', auth.uid());
    return null;
  end if;
  insert into public.quote_events (quote_id, version, code, actor, ref)
    values (new.quote_id, new.version, new.happened, auth.uid(), case new.happened
      when 'contestada' then new.last_reply
      when 'vista' then new.last_seen
      when 'reemplazada' then new.replaced_by
      when 'relevada' then old.assignee
      when 'respondida' then new.last_answer end);
  return null;
end $$;

create or replace function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promised constant timestamptz := new.asked_at + new.promise;
  is_recovered constant boolean := tg_op = 'INSERT'
    and exists (select from public.quotes where id = new.quote_id and entregada is not null);
  said text;
  last record;
begin
  -- What is on its way about a lead that is blocked goes no further.
  if new.blocked_at is not null then
    update public.alert_messages as m set next_at = null
      from public.alerts as a where a.quote_id = new.quote_id and m.alert_id = a.id and m.next_at is not null;
  end if;
  -- A colleague may say that it is answered without another answer.
  if tg_op = 'UPDATE' and new.happened = 'respondida' and new.last_answer is distinct from old.last_answer then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'respuesta', new.asked_at, new.last_answer, greatest(now(), (
        select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
        where quote_id = new.quote_id and kind = 'respuesta')));
  end if;
  if new.backlog then return null; end if;
  if is_recovered then
    -- After a restore many come at once.
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      select new.quote_id, 'recuperada', new.asked_at, now()
      where not exists (select from public.alerts where kind = 'recuperada' and due_at > now() - interval '10 minutes');
  elsif tg_op = 'INSERT' then
    insert into public.alerts (quote_id, kind, asked_at, due_at) values (new.quote_id, 'nueva', new.asked_at, new.asked_at);
  elsif new.happened = 'contestada' then
    select kind into said from public.quote_replies where id = new.last_reply;
    -- One that was not told yet tells of both, and that one of them accepts is the greater word.
    update public.alerts
      set kind = case said when 'aceptada' then said else kind end, about = new.last_reply, asked_at = new.asked_at
      where quote_id = new.quote_id and kind in ('pregunta', 'aceptada') and spread_at is null;
    if not found then
      select kind, due_at into last from public.alerts
        where old.reply_waiting and quote_id = new.quote_id and kind in ('pregunta', 'aceptada')
          and due_at > now() - interval '1 minute'
        order by due_at desc limit 1;
      if last.kind is distinct from said then
        insert into public.alerts (quote_id, kind, asked_at, about, due_at)
          values (new.quote_id, said, new.asked_at, new.last_reply, coalesce(last.due_at + interval '1 minute', now()));
      end if;
    end if;
  end if;
  if tg_op = 'INSERT' or new.asked_at <> old.asked_at then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      select new.quote_id, kind, new.asked_at, promised - ahead
      from (values ('quedan60', interval '60 minutes'), ('quedan30', interval '30 minutes'),
                   ('quedan10', interval '10 minutes'), ('tarde', interval '0')) as clock (kind, ahead)
      where not is_recovered or promised - ahead > now()
      on conflict do nothing;
  end if;
  return null;
end $$;

-- As before, and until when an answer is promised is what was promised to that lead.
create or replace function public.claim_alerts(at timestamptz, by_mail boolean)
  returns table (message_id uuid, way text, endpoint text, p256dh text, auth text, device_id uuid,
                 kind text, folio text, quote_id uuid, due_at timestamptz, promised_at timestamptz, attempts integer)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  alert public.alerts;
  lead public.quote_desk;
  is_wanted boolean;
begin
  for alert in
    select * from public.alerts as a where a.spread_at is null and a.due_at <= claim_alerts.at
      order by a.due_at, a.id limit 100 for update skip locked
  loop
    select * into lead from public.quote_desk where quote_id = alert.quote_id;
    is_wanted := lead.blocked_at is null and case alert.kind
      when 'respuesta' then lead.last_answer = alert.about
        and not exists (select from public.quote_seen as s where s.answer_id = alert.about)
      when 'pregunta' then lead.open and lead.last_reply = alert.about
      when 'aceptada' then lead.open and lead.last_reply = alert.about
      -- After a pause several are due: the last of them says it all.
      else lead.open and not lead.backlog and lead.asked_at = alert.asked_at
        and not (alert.kind = 'nueva' and lead.assignee is not null)
        and not exists (select from public.alerts as later
                        where later.quote_id = alert.quote_id and later.asked_at = alert.asked_at and later.about is null
                          and later.due_at > alert.due_at and later.due_at <= claim_alerts.at)
      end;
    if is_wanted then
      insert into public.alert_messages (alert_id, device_id, way, next_at)
        select alert.id, d.id, 'push', claim_alerts.at from public.push_devices as d
        where case when alert.kind = 'respuesta' then d.quote_id = alert.quote_id
                   else d.quote_id is null and (lead.assignee is null or d.staff = lead.assignee) end
        union all
        select alert.id, null, 'mail', claim_alerts.at where by_mail and alert.kind <> 'respuesta';
    end if;
    update public.alerts as a set spread_at = claim_alerts.at where a.id = alert.id;
  end loop;

  return query
    with taken as (
      select m.id from public.alert_messages as m where m.next_at <= claim_alerts.at
        order by m.next_at limit 50 for update skip locked
    ), claimed as (
      update public.alert_messages as m set attempts = m.attempts + 1, next_at = claim_alerts.at + interval '2 minutes'
        from taken where m.id = taken.id returning m.*
    )
    select c.id, c.way, d.endpoint, d.p256dh, d.auth, d.id, a.kind, q.folio, q.id, a.due_at,
           a.asked_at + desk.promise, c.attempts
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    join public.quotes as q on q.id = a.quote_id
    join public.quote_desk as desk on desk.quote_id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;
