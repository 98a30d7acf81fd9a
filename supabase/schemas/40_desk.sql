-- Leads: status, owner and deadline of each quote, the history of changes, notes, and joined leads. The database checks
-- all rules, so clients need not check them.

-- 1. Tables ---------------------------------------------------------------------------------------------------------

create table public.quote_desk (
  quote_id           uuid        not null,
  status             text        not null default 'nueva',
  assignee           uuid,
  assignee_name      text,
  -- Arrival of the question that waits for an answer: the quote itself, or the reply that opened the lead again.
  asked_at           timestamptz not null,
  first_answer_at    timestamptz,
  last_answer        uuid,
  last_reply         uuid,
  last_seen          uuid,
  reply_waiting      boolean     not null default false,
  -- Quote that replaces this quote: a correction, or the target of a join. No foreign key is set, because quotes may be
  -- erased.
  replaced_by        uuid,
  blocked_at         timestamptz,
  version            integer     not null default 1,
  updated_at         timestamptz not null default clock_timestamp(),
  -- True for a lead from a file. Its exporter has asked for no price here, so it has no deadline until the exporter writes.
  imported           boolean     not null default false,
  open               boolean     not null generated always as
                       (reply_waiting or (status in ('nueva', 'tomada') and replaced_by is null and not imported)) stored,
  -- Code of the last change. Triggers that run afterwards read it.
  happened           text        not null default 'creada',
  -- Time allowed for an answer, as it was promised when the waiting question arrived.
  promise            interval    not null default private.answer_promise(),
  -- Accepted offer with its state, and the effect of the last reply (quote_replies.verdict). They are copied from other
  -- tables to make the list of leads fast.
  accepted           uuid,
  accepted_state     text,
  accepted_reference text,
  reply_verdict      text,
  moved_offer        uuid,
  moved_to           text,
  lost_reason        text,
  -- Time at which the server got the exporter's last reply, file, shipment details or correction.
  news_at            timestamptz,
  -- Ids of the last change of the flight and of the last change of the milestones, and the milestone that the shipment
  -- has reached.
  last_flight        uuid,
  last_step          uuid,
  step               text,
  constraint quote_desk_pkey primary key (quote_id),
  constraint quote_desk_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_desk_status_check check (status in ('nueva', 'tomada', 'respondida', 'ganada', 'perdida')),
  -- New leads have no owner. A taken lead has one unless it was imported. An answered lead may have none, because the
  -- command line answers without taking a lead.
  constraint quote_desk_owner_check check (case status when 'nueva' then assignee is null
                                                       when 'tomada' then assignee is not null or imported else true end),
  constraint quote_desk_answered_check check (status <> 'respondida' or last_answer is not null or imported),
  constraint quote_desk_lost_reason_check check (
    lost_reason in ('precio', 'tiempo', 'espacio', 'documentos', 'silencio', 'otro') and (lost_reason is null or status = 'perdida'))
);
-- The index has all rows: for PostgREST's condition `open is true` the planner would not use a partial index `where
-- open`.
create index quote_desk_open on public.quote_desk (open, asked_at, quote_id);
create index quote_desk_changes on public.quote_desk (updated_at, quote_id);
create index quote_desk_blocked on public.quote_desk (quote_id) where blocked_at is not null;

-- History: a row for each version of a lead. It has no foreign keys, because it outlives an erased quote.
create table public.quote_events (
  id       bigint      not null generated always as identity,
  at       timestamptz not null default clock_timestamp(),
  quote_id uuid        not null,
  version  integer     not null,
  code     text        not null,
  actor    uuid,
  ref      uuid,
  constraint quote_events_pkey primary key (id),
  constraint quote_events_code_check check (code in ('creada', 'tomada', 'relevada', 'soltada', 'respondida', 'vista',
    'contestada', 'reemplazada', 'ganada', 'perdida', 'bloqueada', 'desbloqueada', 'borrada',
    'aceptada', 'retirada', 'reservada', 'sinespacio', 'traspasada', 'liberada', 'novedad', 'vuelo', 'paso', 'importada'))
);
create index quote_events_of_quote on public.quote_events (quote_id, id);
create index quote_events_about on public.quote_events (ref) where code = 'contestada';

create trigger quote_events_fixed before update or delete on public.quote_events
  for each row execute function private.refuse_change();
create trigger quote_events_kept before truncate on public.quote_events
  for each statement execute function private.refuse_change();

create table public.quote_notes (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  created_at  timestamptz not null default now(),
  body        text        not null,
  author      uuid        not null default auth.uid(),
  author_name text        default private.staff_name(),
  constraint quote_notes_pkey primary key (id),
  constraint quote_notes_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_notes_body_check check (body = btrim(body) and char_length(body) between 1 and 4000),
  constraint quote_notes_seen_check check (private.is_seen(body))
);
create index quote_notes_of_quote on public.quote_notes (quote_id, created_at);
create trigger quote_notes_fixed before update on public.quote_notes
  for each row execute function private.refuse_change();

-- 2. A change of a lead ---------------------------------------------------------------------------------------------

-- Returns the code under which the history records a change.
create function private.desk_change(before public.quote_desk, after public.quote_desk) returns text
  language sql immutable set search_path = ''
  as $$
    select case
      when after.blocked_at is distinct from before.blocked_at
        then case when after.blocked_at is null then 'desbloqueada' else 'bloqueada' end
      when after.last_reply is distinct from before.last_reply then 'contestada'
      when after.last_seen is distinct from before.last_seen then 'vista'
      when after.news_at is distinct from before.news_at then 'novedad'
      when after.replaced_by is distinct from before.replaced_by then 'reemplazada'
      when after.last_flight is distinct from before.last_flight then 'vuelo'
      when after.last_step is distinct from before.last_step then 'paso'
      when (after.moved_offer, after.moved_to) is distinct from (before.moved_offer, before.moved_to) then after.moved_to
      when before.assignee <> after.assignee then 'relevada'
      when after.status = 'nueva' then 'soltada'
      else after.status
    end
  $$;

create function private.quote_desk_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  me constant uuid := auth.uid();
  answered constant boolean := new.last_answer is distinct from old.last_answer;
  -- True if the customer has accepted an offer, and the team has not recorded yet whether it is booked. The lead stays
  -- open until then.
  is_accepted constant boolean := coalesce(old.accepted_state = 'aceptada', false);
  -- True if the lead has no owner and was answered from the command line. Taking such a lead must not change its
  -- status.
  is_dealt_with constant boolean := old.assignee is null and old.status = 'respondida' and not old.reply_waiting;
begin
  new.version := old.version + 1;
  -- clock_timestamp() is used, because now() is the start of the transaction, which may have waited for a lock since
  -- then. Desks read rows changed after the newest change that they have, and would miss a row with an earlier time.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');
  new.happened := private.desk_change(old, new);

  case
    when new.happened in ('bloqueada', 'desbloqueada') then
      if old.blocked_at is not null and new.blocked_at is not null then return null; end if;
      new.blocked_at := case when new.blocked_at is not null then now() end;
      return new;
    when new.happened = 'contestada' then
      new.reply_waiting := true;
      new.news_at := now();
      if not old.open then
        -- After a restore from backup, a phone sends an old reply again. The team's deadline to answer the reply still
        -- counts from the first delivery.
        select coalesce(entregada, now()) into new.asked_at from public.quote_replies where id = new.last_reply;
        new.promise := private.answer_promise();
      end if;
      return new;
    when new.happened in ('vista', 'novedad', 'vuelo', 'paso') then
      return new;
    when new.happened = 'reemplazada' then
      new.reply_waiting := is_accepted;
      return new;
    -- The trigger private.offer_moves_rules has checked these two changes already, so the rules below do not apply.
    when new.happened in ('aceptada', 'retirada') then
      return new;
    when new.happened in ('reservada', 'sinespacio') then
      new.status := case new.happened when 'reservada' then 'ganada' else 'respondida' end;
      new.lost_reason := null;
      new.reply_waiting := false;
      return new;
    else null;
  end case;

  if answered and old.blocked_at is not null then
    raise sqlstate 'PT409' using message = 'This quote is blocked', hint = 'blocked';
  end if;
  if answered then
    new.first_answer_at := coalesce(old.first_answer_at, now());
    -- A message about a booked shipment leaves the lead won.
    if old.status = 'ganada' and old.accepted_state = 'reservada' then new.status := 'ganada'; end if;
  end if;

  -- The command line may answer any lead. Apart from answers, the command line has no right to change the status.
  if answered and current_setting('role', true) = 'service_role' then
    new.lost_reason := null;
    new.reply_waiting := is_accepted;
    return new;
  end if;

  -- This change comes from private.release_leads, which takes a lead from an owner who is away or was removed. No other
  -- caller without a signed-in user has the right to change a lead's status.
  if me is null and new.status = 'nueva' and not answered and current_setting('role', true) <> 'authenticated' then
    new.happened := 'liberada';
    new.assignee := null;
    new.assignee_name := null;
    return new;
  end if;
  -- Owners may hand over their own leads to a present colleague, supervisors any lead.
  if new.assignee is distinct from old.assignee and new.assignee <> me and not answered
     and (old.assignee = me or private.is_supervisor())
     and (new.status = old.status or old.assignee is null and new.status = 'tomada') then
    new.happened := 'traspasada';
    select name into new.assignee_name from public.staff_presence
      where staff = new.assignee and not private.is_away(staff, now());
    if not found then raise sqlstate 'PT409' using message = 'That colleague is not here', hint = 'away'; end if;
    if is_dealt_with then new.status := old.status; end if;
    return new;
  end if;
  if me is null or (new.assignee is distinct from old.assignee and new.assignee is distinct from me) then
    raise insufficient_privilege using message = 'A lead is taken by oneself, for oneself';
  end if;
  if old.assignee is null then
    if new.status <> 'tomada' then raise sqlstate 'PT409' using message = 'Take the lead first', hint = 'unowned'; end if;
    if is_dealt_with then new.status := old.status; end if;
  elsif old.assignee <> me then
    -- A request that takes over a colleague's lead may change only the owner.
    if (new.happened <> 'relevada' or new.status <> old.status or answered)
       and not (new.happened = 'soltada' and private.is_supervisor()) then
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
  -- A lead needs an answer to become 'respondida'. A lead that was imported as 'respondida' has none and stays valid.
  if new.status = 'respondida' and old.status <> 'respondida' and new.last_answer is null then
    raise sqlstate 'PT409' using message = 'There is no answer yet', hint = 'unanswered';
  end if;
  if new.status <> 'perdida' then new.lost_reason := null; end if;
  -- A customer's reply no longer waits (`reply_waiting`) when the lead's owner answers or closes the lead, but still
  -- waits when a colleague takes the lead over. An accepted offer waits until its booking is decided.
  if old.assignee = me and new.status in ('respondida', 'ganada', 'perdida') then
    if is_accepted and not answered and new.happened <> 'relevada' then
      raise sqlstate 'PT409' using message = 'An accepted offer waits for what becomes of it', hint = 'accepted';
    end if;
    new.reply_waiting := is_accepted;
  end if;
  return new;
end $$;
create trigger quote_desk_rules before update on public.quote_desk
  for each row execute function private.quote_desk_rules();

create function private.quote_desk_record() returns trigger
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
      when 'liberada' then old.assignee
      when 'traspasada' then new.assignee
      when 'respondida' then new.last_answer
      when 'aceptada' then new.moved_offer
      when 'retirada' then new.moved_offer
      when 'reservada' then new.moved_offer
      when 'sinespacio' then new.moved_offer
      when 'vuelo' then new.last_flight
      when 'paso' then new.last_step end);
  return null;
end $$;
create trigger quote_desk_record after insert or update or delete on public.quote_desk
  for each row execute function private.quote_desk_record();

-- Limits a request of the desk to one lead: otherwise a PATCH whose filter matches all leads could take them all.
create function private.quote_desk_one() returns trigger
  language plpgsql set search_path = '' as $$
begin
  if current_user = 'authenticated' and (select count(*) from changed) > 1 then
    raise sqlstate 'PT400' using message = 'One lead in each change';
  end if;
  return null;
end $$;
create trigger quote_desk_one after update on public.quote_desk
  referencing new table as changed
  for each statement execute function private.quote_desk_one();

-- 3. Leads come and go ----------------------------------------------------------------------------------------------

-- Returns the ids of blocked quotes, which only the service role may read. The list is short, and a policy reads it
-- once in each statement.
create function private.blocked_quotes() returns uuid[]
  language sql stable security definer set search_path = ''
  as $$ select coalesce(array_agg(quote_id), '{}') from public.quote_desk where blocked_at is not null $$;
grant execute on function private.blocked_quotes() to anon, authenticated;

create function private.quotes_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into public.quote_desk (quote_id, asked_at, news_at)
    values (new.id, new.created_at, case when new.reemplaza is not null then new.created_at end);
  -- A correction replaces the corrected quote only if the request presents the id of that quote. Its folio is not
  -- enough, because others may hear it over the phone.
  if new.reemplaza is not null then
    update public.quote_desk set replaced_by = new.id
      where quote_id = (select id from public.quotes
                        where folio = new.reemplaza and id <> new.id and private.may_speak_of(id)
                          and id <> all (private.blocked_quotes())
                        order by created_at desc limit 1);
  end if;
  return null;
end $$;
create trigger quotes_to_desk after insert on public.quotes
  for each row when (new.importada is null) execute function private.quotes_to_desk();

-- Records on the lead when the exporter last sent shipment details, the state of a shipping document, or a complete
-- file.
create function private.desk_news() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set news_at = clock_timestamp() where quote_id = new.quote_id;
  return null;
end $$;

-- Takes the open leads from a colleague, so that others can take them; won and lost leads keep their owner.
create function private.release_leads(owner uuid) returns void
  language sql security definer set search_path = ''
  as $$
    update public.quote_desk set status = 'nueva'
      where assignee = owner and open and status in ('tomada', 'respondida') and blocked_at is null
  $$;

create function private.release_absent(at timestamptz) returns void
  language sql security definer set search_path = ''
  as $$
    select private.release_leads(staff) from public.staff_presence as p
      where seen_at <= at - interval '12 hours'
        and exists (select from public.quote_desk
                    where assignee = p.staff and open and status in ('tomada', 'respondida') and blocked_at is null)
  $$;

-- Requests of the desk to join one lead to another lead. A trigger acts on the row and deletes it.
create table public.quote_joins (
  id         uuid not null default gen_random_uuid(),
  quote_id   uuid not null,
  into_quote uuid not null,
  -- Text of the answer that the phone of the joined lead shows, because its sender was promised an answer too.
  word       text not null,
  constraint quote_joins_pkey primary key (id)
);

-- Joins two leads. Refuses if one of them is closed, because the phone of the joined lead would wait for an answer that
-- never comes.
create function private.quote_joins_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  joined public.quote_desk;
  stays public.quote_desk;
begin
  delete from public.quote_joins where id = new.id;
  -- Locks both rows in the order of their ids. Otherwise merging A into B and B into A at once could deadlock.
  perform from public.quote_desk where quote_id in (new.quote_id, new.into_quote) order by quote_id for no key update;
  select * into joined from public.quote_desk where quote_id = new.quote_id and blocked_at is null;
  select * into stays from public.quote_desk where quote_id = new.into_quote and blocked_at is null;
  -- The leads may be joined already, because the desk sends the request again if the response was lost.
  if joined.replaced_by = stays.quote_id then return null; end if;
  if not exists (
    select from private.quote_keys as one join private.quote_keys as other
      on one.quote_id <> other.quote_id and (one.phone = other.phone or one.email = other.email)
        and (one.created_at at time zone 'America/Tijuana')::date = (other.created_at at time zone 'America/Tijuana')::date
    where one.quote_id = joined.quote_id and other.quote_id = stays.quote_id) then
    raise sqlstate 'PT409' using message = 'Only requests of one exporter and one day are joined', hint = 'apart';
  end if;
  if joined.replaced_by is not null or stays.replaced_by is not null then
    raise sqlstate 'PT409' using message = 'One of them was replaced already', hint = 'replaced';
  end if;
  if joined.accepted_state in ('aceptada', 'reservada')
     or array[joined.status, stays.status] && array['ganada', 'perdida'] then
    raise sqlstate 'PT409' using message = 'What was agreed or has ended is not joined', hint = 'accepted';
  end if;
  -- A lead without an owner is taken first, because only its owner may answer. If a colleague owns the lead, the
  -- trigger quote_desk_rules refuses the answer below.
  if joined.assignee is null then
    update public.quote_desk set status = 'tomada' where quote_id = joined.quote_id;
  end if;
  insert into public.quote_answers (id, quote_id, body, kind) values (new.id, joined.quote_id, new.word, 'mensaje');
  update public.quote_desk set replaced_by = stays.quote_id where quote_id = joined.quote_id;
  return null;
end $$;
create trigger quote_joins_heed after insert on public.quote_joins
  for each row execute function private.quote_joins_heed();

-- 4. Rights ---------------------------------------------------------------------------------------------------------

-- `(select …)` makes PostgreSQL read the header once for all rows. app.quote_id has no `(select …)`, because it changes
-- with each inserted row. That condition ignores blocks: a phone that sends a blocked quote again must get 'stored', so
-- that it stops sending.
create policy "a request sees the quote it submits or presents" on public.quotes for select to anon, authenticated
  using (id = nullif(current_setting('app.quote_id', true), '')::uuid
         or (id = any ((select private.presented_quote_ids())::uuid[])
             and id <> all ((select private.blocked_quotes())::uuid[])));
create policy "staff read every quote" on public.quotes for select to authenticated
  using ((select private.is_staff()) and id <> all ((select private.blocked_quotes())::uuid[]));

alter table public.quote_desk enable row level security;
alter table public.quote_events enable row level security;
alter table public.quote_notes enable row level security;
alter table public.quote_joins enable row level security;
revoke all on public.quote_desk, public.quote_events, public.quote_notes, public.quote_joins
  from public, anon, authenticated, service_role;
revoke all on sequence public.quote_events_id_seq from public, anon, authenticated, service_role;
grant select on public.quote_desk, public.quote_events, public.quote_notes to authenticated, service_role;
grant update (status, assignee, lost_reason) on public.quote_desk to authenticated;
grant update (blocked_at) on public.quote_desk to service_role;
grant insert (id, quote_id, body) on public.quote_notes to authenticated;
grant insert (id, quote_id, into_quote, word) on public.quote_joins to authenticated;

create policy "staff read the desk" on public.quote_desk for select to authenticated
  using ((select private.is_staff()) and blocked_at is null);
create policy "staff work on the desk" on public.quote_desk for update to authenticated
  using ((select private.is_staff()) and blocked_at is null) with check ((select private.is_staff()));
create policy "staff read events" on public.quote_events for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read notes" on public.quote_notes for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff note" on public.quote_notes for insert to authenticated
  with check ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff join requests" on public.quote_joins for insert to authenticated
  with check ((select private.is_staff()));
