-- Agents work leads. A supervisor also hands them to others, exports, blocks, and sees everybody's figures.

-- As `role`, only the server writes it: app_metadata.supervisor = true.
-- Its names are looked up here and not when it runs: nobody but the owner may look into this schema.
create function private.is_supervisor() returns boolean
  language sql stable
  return private.is_staff() and coalesce(auth.jwt() #>> '{app_metadata,supervisor}' = 'true', false);
revoke all on function private.is_supervisor() from public;
grant execute on function private.is_supervisor() to authenticated, service_role;

-- 1. Whose a lead is ----------------------------------------------------------------------------------------------

create or replace function private.quote_desk_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  me constant uuid := auth.uid();
  answered constant boolean := new.last_answer is distinct from old.last_answer;
  -- The two hours of an acceptance end with what becomes of the offer, and with nothing else.
  is_accepted constant boolean := coalesce(old.accepted_state = 'aceptada', false);
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
    -- Who may, and whether it can be, was judged with the move itself.
    when new.happened in ('aceptada', 'retirada') then
      return new;
    when new.happened in ('reservada', 'sinespacio') then
      new.status := case new.happened when 'reservada' then 'ganada' else 'respondida' end;
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
    new.reply_waiting := is_accepted;
    return new;
  end if;

  -- Its owner is away, or gone (private.release_leads): nobody's grants let it come here by another way.
  if me is null and new.status = 'nueva' and not answered and current_setting('role', true) <> 'authenticated' then
    new.happened := 'liberada';
    new.assignee := null;
    new.assignee_name := null;
    return new;
  end if;
  -- Who has a lead may hand it to a colleague who is here; a supervisor may hand over any, one that nobody has included.
  if new.assignee is distinct from old.assignee and new.assignee <> me and not answered
     and (old.assignee = me or private.is_supervisor())
     and (new.status = old.status or old.assignee is null and new.status = 'tomada') then
    new.happened := 'traspasada';
    select name into new.assignee_name from public.staff_presence
      where staff = new.assignee and not private.is_away(staff, now());
    if not found then raise sqlstate 'PT409' using message = 'That colleague is not here', hint = 'away'; end if;
    return new;
  end if;
  if me is null or (new.assignee is distinct from old.assignee and new.assignee is distinct from me) then
    raise insufficient_privilege using message = 'A lead is taken by oneself, for oneself';
  end if;
  if old.assignee is null then
    if new.status <> 'tomada' then raise sqlstate 'PT409' using message = 'Take the lead first', hint = 'unowned'; end if;
  elsif old.assignee <> me then
    -- Taking over is saying so: one's own id as assignee, and nothing else in the same breath.
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
  if new.status = 'respondida' and new.last_answer is null then
    raise sqlstate 'PT409' using message = 'There is no answer yet', hint = 'unanswered';
  end if;
  if new.status <> 'perdida' then new.lost_reason := null; end if;
  -- Who answers, or says how it ended, has dealt with what was asked. Taking over has not.
  if old.assignee = me and new.status in ('respondida', 'ganada', 'perdida') then
    if is_accepted and not answered and new.happened <> 'relevada' then
      raise sqlstate 'PT409' using message = 'An accepted offer waits for what becomes of it', hint = 'accepted';
    end if;
    new.reply_waiting := is_accepted;
  end if;
  return new;
end $$;

-- 2. What is done beside the leads, and by whom -------------------------------------------------------------------

-- An export says how many rows left and which; the file itself is made by the page. The command line has no account.
create table public.desk_acts (
  id         uuid        not null default gen_random_uuid(),
  at         timestamptz not null default clock_timestamp(),
  kind       text        not null,
  staff      uuid        default auth.uid(),
  staff_name text        default private.staff_name(),
  rows       integer,
  what       text,
  -- Of a block. An id alone: it outlives an erased quote.
  quote_id   uuid,
  constraint desk_acts_pkey primary key (id),
  constraint desk_acts_kind_check check (kind in ('exporte', 'bloqueo')),
  constraint desk_acts_export_check check (case kind
    when 'exporte' then num_nulls(rows, what) = 0 and rows >= 0 and char_length(what) between 1 and 40
    else num_nulls(rows, what) = 2 end),
  constraint desk_acts_quote_check check ((kind = 'exporte') = (quote_id is null))
);
create index desk_acts_at on public.desk_acts (at, id);

create function private.desk_acts_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.kind = 'bloqueo' then
    update public.quote_desk set blocked_at = now() where quote_id = new.quote_id;
  end if;
  return null;
end $$;
create trigger desk_acts_heed after insert on public.desk_acts
  for each row execute function private.desk_acts_heed();

alter table public.desk_acts enable row level security;
revoke all on public.desk_acts from public, anon, authenticated, service_role;
revoke all on function private.desk_acts_heed() from public;
grant select on public.desk_acts to authenticated, service_role;
grant insert (id, kind, rows, what, quote_id) on public.desk_acts to authenticated, service_role;
create policy "supervisors read what was exported and blocked" on public.desk_acts for select to authenticated
  using ((select private.is_supervisor()));
create policy "supervisors export and block" on public.desk_acts for insert to authenticated
  with check ((select private.is_supervisor()));
