-- The phones are the last copy. A server that was brought back from an older backup has lost what came since; the phones
-- still have it for 30 days, ask what is not known here, and send that again as it was.

-- When a server that has lost it since first had it, as its phone says.
alter table public.quotes add column entregada timestamptz;
alter table public.quote_replies add column entregada timestamptz;
grant insert (entregada) on public.quotes, public.quote_replies to anon;

-- Events outlive what is erased, and know it by its id.
create index quote_events_about on public.quote_events (ref) where code = 'contestada';

-- Of the ids that a request presents, those of no quote and no reply that was ever here. What is blocked or erased is known.
create function private.unknown_submissions() returns setof uuid
  language sql stable security definer set search_path = ''
  as $$
    select shown from unnest(private.presented_quote_ids()) as shown
    where not exists (select from public.quotes where id = shown)
      and not exists (select from public.quote_replies where id = shown)
      and not exists (select from public.quote_events where quote_id = shown)
      and not exists (select from public.quote_events where ref = shown and code = 'contestada')
  $$;
create view public.unknown_submissions with (security_invoker = true) as
  select id from private.unknown_submissions() as id;
revoke all on public.unknown_submissions from public, anon, authenticated, service_role;
revoke all on function private.unknown_submissions() from public;
grant select on public.unknown_submissions to anon;
grant execute on function private.unknown_submissions() to anon;

-- A phone forgets after 30 days what was delivered; its clock may be wrong.
create function private.first_delivery(said timestamptz) returns timestamptz
  language sql stable set search_path = ''
  as $$ select greatest(least(said, now()), now() - interval '31 days') $$;
revoke all on function private.first_delivery(timestamptz) from public;

-- By its name ahead of quotes_before_insert, which compares days.
create function private.quotes_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- What was erased does not come back, however often a phone sends it; to the phone it is delivered.
  if exists (select from public.quote_events where quote_id = new.id and code = 'borrada') then return null; end if;
  if new.entregada is not null then
    new.entregada := private.first_delivery(new.entregada);
    new.created_at := new.entregada;
  end if;
  return new;
end $$;
create trigger quotes_again before insert on public.quotes
  for each row execute function private.quotes_again();

create function private.quote_replies_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.entregada is null then return new; end if;
  new.entregada := private.first_delivery(new.entregada);
  new.created_at := new.entregada;
  if exists (select from public.quote_answers where quote_id = new.quote_id and id = new.answer_id) then
    if new.kind = 'aceptada' then new.body := ''; end if;
  else
    -- The answer is lost as well. What the phone had accepted stands in the body.
    new.answer_id := null;
  end if;
  return new;
end $$;
create trigger quote_replies_again before insert on public.quote_replies
  for each row execute function private.quote_replies_again();

alter table public.quote_replies
  drop constraint quote_replies_accepted_check,
  add constraint quote_replies_accepted_check check (kind <> 'aceptada' or answer_id is not null or entregada is not null);

-- What was asked then is not asked now. By its name behind quote_desk_rules.
create function private.quote_desk_rules_again() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.last_reply is distinct from old.last_reply and new.asked_at <> old.asked_at then
    select coalesce(entregada, new.asked_at) into new.asked_at from public.quote_replies where id = new.last_reply;
  end if;
  return new;
end $$;
create trigger quote_desk_rules_again before update on public.quote_desk
  for each row execute function private.quote_desk_rules_again();
revoke all on function private.quotes_again(), private.quote_replies_again(), private.quote_desk_rules_again() from public;

-- One alert says that quotes came back; of the clock's those follow that still lie ahead. And the phone of a lead of
-- before the desk is told of its answer as any other's is; only the team is not called for it.
alter table public.alerts
  drop constraint alerts_kind_check,
  add constraint alerts_kind_check check (kind in ('nueva', 'recuperada', 'quedan60', 'quedan30', 'quedan10', 'tarde',
                                                   'pregunta', 'aceptada', 'respuesta'));
create or replace function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promise constant timestamptz := new.asked_at + private.answer_promise();
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
  if tg_op = 'UPDATE' and new.last_answer is distinct from old.last_answer then
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
  elsif new.last_reply is distinct from old.last_reply then
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
      select new.quote_id, kind, new.asked_at, promise - ahead
      from (values ('quedan60', interval '60 minutes'), ('quedan30', interval '30 minutes'),
                   ('quedan10', interval '10 minutes'), ('tarde', interval '0')) as clock (kind, ahead)
      where not is_recovered or promise - ahead > now()
      on conflict do nothing;
  end if;
  return null;
end $$;

create or replace view public.desk_leads with (security_invoker = true) as
  select d.quote_id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga,
         q.promociones, q.llamada, q.reemplaza,
         d.status, d.assignee, d.assignee_name, d.open, d.backlog, d.before_desk, d.reply_waiting, d.asked_at,
         d.asked_at + private.answer_promise() as due_at,
         q.created_at + private.answer_promise() as promised_at,
         d.first_answer_at, d.last_answer, d.last_reply, s.seen_at, d.replaced_by, d.blocked_at, d.version, d.updated_at,
         q.entregada
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer;
