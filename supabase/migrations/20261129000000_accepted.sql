-- What is lost can be won: an offer that stood is accepted after all, or another answer is given. And what was accepted
-- waits for what becomes of it, also where its quote is corrected. And what was answered while nobody had it stays answered
-- when somebody takes it, or is handed it: as 'tomada' it was open again on the clock of its first question, late, and
-- everybody was alerted.

-- As before, but that a lead has no reason to be lost any more once it is not (booked, without space, or answered from
-- the command line), and that a correction does not end the wait of an acceptance.
create or replace function private.quote_desk_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  me constant uuid := auth.uid();
  answered constant boolean := new.last_answer is distinct from old.last_answer;
  -- The two hours of an acceptance end with what becomes of the offer, and with nothing else.
  is_accepted constant boolean := coalesce(old.accepted_state = 'aceptada', false);
  -- The command line answers what nobody has: nothing is owed there to whoever asked.
  is_dealt_with constant boolean := old.assignee is null and old.status = 'respondida' and not old.reply_waiting;
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
      new.reply_waiting := is_accepted;
      return new;
    -- Who may, and whether it can be, was judged with the move itself.
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
  if answered then new.first_answer_at := coalesce(old.first_answer_at, now()); end if;

  -- The command line answers whoever has the lead. Its grants let nothing else of it come here.
  if answered and current_setting('role', true) = 'service_role' then
    new.lost_reason := null;
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
