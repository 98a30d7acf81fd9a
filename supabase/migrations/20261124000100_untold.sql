-- Where nobody looks: a locked desk goes on counting, and a team that no alert reaches is told so by mail.

-- 1. A locked desk ------------------------------------------------------------------------------------------------

-- What a desk drew when it locked itself. It opens no lead: it counts them, for twelve hours, or until its person goes.
create table public.desk_watches (
  secret  uuid        not null,
  staff   uuid        not null default auth.uid(),
  made_at timestamptz not null default now(),
  constraint desk_watches_pkey primary key (secret)
);

create function private.desk_watches_end() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from public.desk_watches where made_at <= now() - interval '12 hours';
  return null;
end $$;
create trigger desk_watches_end after insert on public.desk_watches
  for each statement execute function private.desk_watches_end();

-- Presented in a header: an address would stand in logs.
create function private.watched_leads() returns table (open integer, late integer, newest timestamptz)
  language sql stable security definer set search_path = ''
  as $$
    select count(d.quote_id)::integer,
           (count(d.quote_id) filter (where d.asked_at + d.promise < now()))::integer, max(d.asked_at)
    from public.desk_watches as w
    join public.staff_presence as p on p.staff = w.staff and (p.left_at is null or p.left_at < w.made_at)
    left join public.quote_desk as d on d.open and not d.backlog and d.blocked_at is null
    where w.secret::text = nullif(current_setting('request.headers', true), '')::jsonb ->> 'x-watch'
      and w.made_at > now() - interval '12 hours'
    group by w.secret
  $$;
create view public.desk_watch with (security_invoker = true) as
  select open, late, newest from private.watched_leads();

alter table public.desk_watches enable row level security;
revoke all on public.desk_watches, public.desk_watch from public, anon, authenticated, service_role;
revoke all on function private.desk_watches_end(), private.watched_leads() from public, anon, authenticated, service_role;
grant insert (secret) on public.desk_watches to authenticated;
grant select on public.desk_watch to anon;
grant execute on function private.watched_leads() to anon;
create policy "a desk that locks itself goes on counting" on public.desk_watches for insert to authenticated
  with check ((select private.is_staff()) and staff = (select auth.uid()));

-- 2. Nobody is reached --------------------------------------------------------------------------------------------

alter table public.alerts
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check check (kind in ('nueva', 'recuperada', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                                   'pregunta', 'aceptada', 'respuesta', 'resultado', 'prueba', 'recordar',
                                                   'nadie')),
  drop constraint alerts_of_one_check,
  -- That nobody is reached is of no lead.
  add constraint alerts_of_one_check check (num_nonnulls(quote_id, test_id) = case kind when 'nadie' then 0 else 1 end);
create index alerts_nobody on public.alerts (due_at) where kind = 'nadie';

create function private.is_anybody_reached(at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select exists (select from public.push_devices as d where d.quote_id is null and private.is_reached(d.staff, at))
  $$;

-- Once a day at most, whoever looks for what is due finds that there is nobody to be told.
create function private.alert_nobody() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A team that has opened no desk yet is told of each lead by mail, or not at all, as it chose.
  if not private.is_anybody_reached(now()) and exists (select from public.staff_presence)
     and not exists (select from public.alerts where kind = 'nadie' and due_at > now() - interval '1 day') then
    insert into public.alerts (kind, asked_at, due_at) values ('nadie', now(), now()) on conflict do nothing;
  end if;
  return null;
end $$;
create trigger alert_nobody after update of ran_at on public.alert_sender
  for each row execute function private.alert_nobody();

-- As before, with that.
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

-- As before, but that no device is told what no device hears.
create or replace function private.is_told(who uuid, owner uuid, kind text, at timestamptz) returns boolean
  language sql stable security definer set search_path = ''
  as $$
    select case
      when kind = 'nadie' then false
      when kind = 'tarde' then true
      when kind not in ('quedan30', 'quedan10') and private.is_reached(owner, at) then who = owner
      else not private.is_away(who, at) or not private.is_anybody_reached(at)
    end
  $$;

-- As before, of what is about a lead.
create or replace view public.desk_alerts with (security_invoker = true) as
  select a.quote_id, min(m.sent_at) as sent_at, min(m.shown_at) as shown_at,
         (select min(e.at) from public.quote_events as e where e.quote_id = a.quote_id and e.code = 'tomada') as taken_at
  from public.alerts as a
  join public.alert_messages as m on m.alert_id = a.id
  where a.kind not in ('respuesta', 'prueba', 'recordar', 'nadie') and m.sent_at is not null
  group by a.quote_id;

revoke all on function private.is_anybody_reached(timestamptz), private.alert_nobody()
  from public, anon, authenticated, service_role;
