-- The desk. Leads are taken and answered by staff (app_metadata.role = staff); the phone that knows the id of a quote
-- reads its answers, says that it has shown them, and replies. Every rule that must hold is here, and in no client.

comment on column public.quotes.peso is 'Kilos a month, as the form asks for; not the weight of one shipment.';

-- How soon every word that is asked gets its answer. src/content/claims.ts says the same; a test compares them.
create function private.answer_promise() returns interval
  language sql immutable parallel safe
  return interval '2 hours';
revoke all on function private.answer_promise() from public;
grant execute on function private.answer_promise() to authenticated, service_role;

-- The name that a colleague reads. Only the server writes app_metadata; user_metadata would be the user's own word.
create function private.staff_name() returns text
  language sql stable set search_path = ''
  as $$ select left(btrim(coalesce(auth.jwt() #>> '{app_metadata,name}', auth.jwt() ->> 'email')), 100) $$;
revoke all on function private.staff_name() from public;
grant execute on function private.staff_name() to authenticated, service_role;

-- 1. Tables -----------------------------------------------------------------------------------------------------

create table public.quote_desk (
  quote_id        uuid        not null,
  status          text        not null default 'nueva',
  assignee        uuid,
  assignee_name   text,
  -- When the word that is waited for was asked: with the quote, or with the reply that opened it again. Until when
  -- it is promised follows from this, and is stored nowhere.
  asked_at        timestamptz not null,
  first_answer_at timestamptz,
  last_answer     uuid,
  last_reply      uuid,
  last_seen       uuid,
  reply_waiting   boolean     not null default false,
  -- The quote that corrects this one. An id alone: it may be erased.
  replaced_by     uuid,
  -- Stored when nobody could have answered here: it counts in no figure of kept promises.
  before_desk     boolean     not null default false,
  blocked_at      timestamptz,
  version         integer     not null default 1,
  updated_at      timestamptz not null default clock_timestamp(),
  open            boolean     not null generated always as
                    (reply_waiting or (status in ('nueva', 'tomada') and replaced_by is null)) stored,
  -- Listed below what is promised now.
  backlog         boolean     not null generated always as (before_desk and not reply_waiting) stored,
  constraint quote_desk_pkey primary key (quote_id),
  constraint quote_desk_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_desk_status_check check (status in ('nueva', 'tomada', 'respondida', 'ganada', 'perdida')),
  -- One that was answered from the command line may have no owner.
  constraint quote_desk_owner_check check (case status when 'nueva' then assignee is null
                                                       when 'tomada' then assignee is not null else true end),
  constraint quote_desk_answered_check check (status <> 'respondida' or last_answer is not null)
);
-- No partial index: `where open` is proved by `open = true`, but not by PostgREST's open=is.true.
create index quote_desk_open on public.quote_desk (open, backlog, asked_at, quote_id);
create index quote_desk_changes on public.quote_desk (updated_at, quote_id);
create index quote_desk_blocked on public.quote_desk (quote_id) where blocked_at is not null;

create table public.quote_answers (
  id          uuid          not null default gen_random_uuid(),
  quote_id    uuid          not null,
  created_at  timestamptz   not null default now(),
  body        text          not null,
  price       numeric(12,2),
  price_for   text,
  currency    text,
  valid_until date,
  -- Null when it was given from the command line, which knows a name at most.
  author      uuid          default auth.uid(),
  author_name text          default private.staff_name(),
  constraint quote_answers_pkey primary key (id),
  constraint quote_answers_of_quote unique (quote_id, id),
  constraint quote_answers_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_answers_body_check check (body = btrim(body) and char_length(body) between 1 and 4000),
  constraint quote_answers_price_check check (price > 0 and num_nulls(price, price_for, currency) in (0, 3)),
  constraint quote_answers_price_for_check check (price_for in ('kilo', 'total')),
  constraint quote_answers_currency_check check (currency in ('MXN', 'USD', 'CNY')),
  constraint quote_answers_valid_until_check check (valid_until >= (created_at at time zone 'America/Tijuana')::date),
  constraint quote_answers_author_name_check check (author_name = btrim(author_name) and char_length(author_name) between 1 and 100)
);

create table public.quote_replies (
  id         uuid        not null,
  quote_id   uuid        not null,
  answer_id  uuid,
  kind       text        not null,
  body       text        not null default '',
  created_at timestamptz not null default now(),
  constraint quote_replies_pkey primary key (id),
  constraint quote_replies_quote foreign key (quote_id) references public.quotes on delete cascade,
  -- Both columns: a reply cannot speak of the answer to somebody else's quote.
  constraint quote_replies_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade,
  constraint quote_replies_kind_check check (kind in ('aceptada', 'pregunta')),
  -- What is accepted is one answer with its price, not whatever came last.
  constraint quote_replies_accepted_check check (kind <> 'aceptada' or answer_id is not null),
  constraint quote_replies_body_check check (body = btrim(body) and char_length(body) <= 2000 and (kind = 'aceptada' or body <> ''))
);
create index quote_replies_of_quote on public.quote_replies (quote_id, answer_id);

-- That a phone has shown an answer.
create table public.quote_seen (
  answer_id uuid        not null,
  quote_id  uuid        not null,
  seen_at   timestamptz not null default now(),
  constraint quote_seen_pkey primary key (answer_id),
  constraint quote_seen_answer foreign key (quote_id, answer_id) references public.quote_answers (quote_id, id) on delete cascade
);
create index quote_seen_of_quote on public.quote_seen (quote_id, answer_id);

create table public.quote_notes (
  id          uuid        not null default gen_random_uuid(),
  quote_id    uuid        not null,
  created_at  timestamptz not null default now(),
  body        text        not null,
  author      uuid        not null default auth.uid(),
  author_name text        default private.staff_name(),
  constraint quote_notes_pkey primary key (id),
  constraint quote_notes_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint quote_notes_body_check check (body = btrim(body) and char_length(body) between 1 and 4000)
);
create index quote_notes_of_quote on public.quote_notes (quote_id, created_at);

-- One for each version of a row of the desk. Ids and codes, and no foreign key: they outlive an erased quote.
create table public.quote_events (
  id       bigint      not null generated always as identity,
  at       timestamptz not null default clock_timestamp(),
  quote_id uuid        not null,
  version  integer     not null,
  code     text        not null,
  actor    uuid,
  ref      uuid,
  constraint quote_events_pkey primary key (id),
  constraint quote_events_code_check check (code in ('creada', 'tomada', 'relevada', 'soltada', 'respondida', 'vista', 'contestada',
                                                     'reemplazada', 'ganada', 'perdida', 'bloqueada', 'desbloqueada', 'borrada'))
);
create index quote_events_of_quote on public.quote_events (quote_id, id);

-- Ahead of the triggers, which would take twice as long.
insert into public.quote_desk (quote_id, asked_at, before_desk) select id, created_at, true from public.quotes;
insert into public.quote_events (quote_id, version, code) select quote_id, version, 'creada' from public.quote_desk;

-- 2. Rules ------------------------------------------------------------------------------------------------------

-- Every change of a row of the desk comes through here: what staff write (status and assignee only), an answer, a
-- reply, a look, a correction, a block. The row is locked, so `old` is the truth, and two are judged one by one.
create function private.quote_desk_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  me constant uuid := auth.uid();
  answered constant boolean := new.last_answer is distinct from old.last_answer;
begin
  new.version := old.version + 1;
  -- Never earlier than what a reader of changes has seen of this row, even after waiting for a lock.
  new.updated_at := greatest(clock_timestamp(), old.updated_at + interval '1 microsecond');

  if new.blocked_at is distinct from old.blocked_at then
    if old.blocked_at is not null and new.blocked_at is not null then return null; end if;
    new.blocked_at := case when new.blocked_at is not null then now() end;
    return new;
  end if;
  if new.last_reply is distinct from old.last_reply then
    new.reply_waiting := true;
    if not old.open or old.backlog then new.asked_at := now(); end if;
    return new;
  end if;
  if new.last_seen is distinct from old.last_seen then return new; end if;
  if new.replaced_by is distinct from old.replaced_by then
    new.reply_waiting := false;
    return new;
  end if;

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
    if new.assignee <> me or new.status <> old.status or answered then
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
create trigger quote_desk_rules before update on public.quote_desk
  for each row execute function private.quote_desk_rules();

create function private.quote_desk_record() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  happened text;
  about uuid;
begin
  if tg_op = 'INSERT' then
    happened := 'creada';
  elsif tg_op = 'DELETE' then
    happened := 'borrada';
  elsif new.blocked_at is distinct from old.blocked_at then
    happened := case when new.blocked_at is null then 'desbloqueada' else 'bloqueada' end;
  elsif new.last_reply is distinct from old.last_reply then
    happened := 'contestada';
    about := new.last_reply;
  elsif new.last_seen is distinct from old.last_seen then
    happened := 'vista';
    about := new.last_seen;
  elsif new.replaced_by is distinct from old.replaced_by then
    happened := 'reemplazada';
    about := new.replaced_by;
  elsif old.assignee <> new.assignee then
    happened := 'relevada';
    about := old.assignee;
  else
    happened := case new.status when 'nueva' then 'soltada' else new.status end;
    about := case new.status when 'respondida' then new.last_answer end;
  end if;
  insert into public.quote_events (quote_id, version, code, actor, ref)
    values (coalesce(new.quote_id, old.quote_id), coalesce(new.version, old.version + 1), happened, auth.uid(), about);
  return null;
end $$;
create trigger quote_desk_record after insert or update or delete on public.quote_desk
  for each row execute function private.quote_desk_record();

create function private.quotes_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  is_visitor constant boolean := current_setting('role', true) in ('anon', 'authenticated');
begin
  insert into public.quote_desk (quote_id, asked_at) values (new.id, new.created_at);
  -- A correction ends the wait of the quote that it corrects, if its sender shows that one's id as well: a folio is
  -- said over the phone, and whoever heard one must not end a lead.
  if new.reemplaza is not null then
    update public.quote_desk set replaced_by = new.id
      where quote_id = (select id from public.quotes
                        where folio = new.reemplaza and id <> new.id
                          and (not is_visitor or id = any (private.presented_quote_ids()))
                        order by created_at desc limit 1);
  end if;
  return null;
end $$;
create trigger quotes_to_desk after insert on public.quotes
  for each row execute function private.quotes_to_desk();

-- Mexican law wants what is to be erased blocked first.
create function private.quotes_before_delete() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not exists (select from public.quote_desk where quote_id = old.id and blocked_at is not null) then
    raise sqlstate 'PT409' using message = 'Only a quote that was blocked is erased', hint = 'unblocked';
  end if;
  return old;
end $$;
create trigger quotes_before_delete before delete on public.quotes
  for each row execute function private.quotes_before_delete();

-- AFTER INSERT: an answer, a reply or a look that is sent again (stopped by ON CONFLICT before) is judged no second time.
create function private.quote_answers_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set status = 'respondida', last_answer = new.id where quote_id = new.quote_id;
  return null;
end $$;
create trigger quote_answers_to_desk after insert on public.quote_answers
  for each row execute function private.quote_answers_to_desk();

-- Before it is written: what is refused must not fill the disk. The row's lock makes the count exact.
create function private.quote_replies_limit() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  hour_ago constant timestamptz := now() - interval '1 hour';
  full_since timestamptz;
begin
  if exists (select from public.quote_replies where id = new.id) then return new; end if;
  -- To a phone, what is blocked is not there.
  if exists (select from public.quote_desk where quote_id = new.quote_id and blocked_at is not null) then
    raise foreign_key_violation using message = 'The quote of this reply is not there';
  end if;
  perform from public.quote_desk where quote_id = new.quote_id for no key update;
  select created_at into full_since from public.quote_replies
    where quote_id = new.quote_id and created_at > hour_ago order by created_at desc offset 19 limit 1;
  if full_since is not null then
    raise sqlstate 'PGRST' using
      message = json_build_object('code', 'PT429', 'message', 'Too many replies to one quote within an hour',
                                  'details', null, 'hint', 'Retry later')::text,
      detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After',
        least(300, ceil(extract(epoch from full_since - hour_ago))::int)::text))::text;
  end if;
  return new;
end $$;
create trigger quote_replies_limit before insert on public.quote_replies
  for each row execute function private.quote_replies_limit();

create function private.quote_replies_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set last_reply = new.id where quote_id = new.quote_id;
  return null;
end $$;
create trigger quote_replies_to_desk after insert on public.quote_replies
  for each row execute function private.quote_replies_to_desk();

create function private.quote_seen_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.quote_desk set last_seen = new.answer_id where quote_id = new.quote_id;
  return null;
end $$;
create trigger quote_seen_to_desk after insert on public.quote_seen
  for each row execute function private.quote_seen_to_desk();

-- What was said stays said: it goes only with the quote that it belongs to. Events go with nothing. These stop the
-- service role and the owner as well.
create function private.refuse_change() returns trigger
  language plpgsql set search_path = ''
  as $$ begin raise insufficient_privilege using message = format('%s of %s is not possible', lower(tg_op), tg_table_name); end $$;
create trigger quote_answers_fixed before update on public.quote_answers for each row execute function private.refuse_change();
create trigger quote_replies_fixed before update on public.quote_replies for each row execute function private.refuse_change();
create trigger quote_seen_fixed before update on public.quote_seen for each row execute function private.refuse_change();
create trigger quote_notes_fixed before update on public.quote_notes for each row execute function private.refuse_change();
create trigger quote_events_fixed before update or delete on public.quote_events for each row execute function private.refuse_change();
create trigger quote_events_kept before truncate on public.quote_events for each statement execute function private.refuse_change();

revoke all on function private.quote_desk_rules(), private.quote_desk_record(), private.quotes_to_desk(),
  private.quotes_before_delete(), private.quote_answers_to_desk(), private.quote_replies_limit(),
  private.quote_replies_to_desk(), private.quote_seen_to_desk(), private.refuse_change() from public;

-- 3. What the desk's page lists ---------------------------------------------------------------------------------

create view public.desk_leads with (security_invoker = true) as
  select d.quote_id, q.folio, q.created_at, q.nombre, q.empresa, q.email, q.telefono, q.peso, q.tipo_carga,
         q.promociones, q.llamada, q.reemplaza,
         d.status, d.assignee, d.assignee_name, d.open, d.backlog, d.before_desk, d.reply_waiting, d.asked_at,
         d.asked_at + private.answer_promise() as due_at,
         -- The first promise, which no reply moves.
         q.created_at + private.answer_promise() as promised_at,
         d.first_answer_at, d.last_answer, d.last_reply, s.seen_at, d.replaced_by, d.blocked_at, d.version, d.updated_at
  from public.quote_desk as d
  join public.quotes as q on q.id = d.quote_id
  left join public.quote_seen as s on s.answer_id = d.last_answer;

-- 4. Who may what -----------------------------------------------------------------------------------------------

-- What is blocked is there for the service role alone. One list for a whole statement; there are never many.
create function private.blocked_quotes() returns uuid[]
  language sql stable security definer set search_path = ''
  as $$ select coalesce(array_agg(quote_id), '{}') from public.quote_desk where blocked_at is not null $$;
revoke all on function private.blocked_quotes() from public;
grant execute on function private.blocked_quotes() to anon, authenticated;

alter policy "a request sees the quote it submits or presents" on public.quotes
  using ((id = nullif(current_setting('app.quote_id', true), '')::uuid
          or id = any ((select private.presented_quote_ids())::uuid[]))
         and id <> all ((select private.blocked_quotes())::uuid[]));
alter policy "staff read every quote" on public.quotes
  using ((select private.is_staff()) and id <> all ((select private.blocked_quotes())::uuid[]));

alter table public.quote_desk enable row level security;
alter table public.quote_answers enable row level security;
alter table public.quote_replies enable row level security;
alter table public.quote_seen enable row level security;
alter table public.quote_notes enable row level security;
alter table public.quote_events enable row level security;
revoke all on public.quote_desk, public.quote_answers, public.quote_replies, public.quote_seen, public.quote_notes,
  public.quote_events, public.desk_leads from public, anon, authenticated, service_role;
revoke all on sequence public.quote_events_id_seq from public, anon, authenticated, service_role;
grant select on public.quote_desk, public.quote_answers, public.quote_replies, public.quote_seen, public.quote_notes,
  public.quote_events, public.desk_leads to authenticated, service_role;

grant update (status, assignee) on public.quote_desk to authenticated;
grant insert (id, quote_id, body, price, price_for, currency, valid_until) on public.quote_answers to authenticated;
grant insert (id, quote_id, body) on public.quote_notes to authenticated;

grant update (blocked_at) on public.quote_desk to service_role;
grant insert (id, quote_id, body, price, price_for, currency, valid_until, author_name) on public.quote_answers to service_role;

-- Column by column: an exporter learns what was answered, and not by whom.
grant select (id, quote_id, created_at, body, price, price_for, currency, valid_until) on public.quote_answers to anon;
grant select on public.quote_replies to anon;
grant insert (id, quote_id, answer_id, kind, body) on public.quote_replies to anon;
-- ON CONFLICT reads the key.
grant select (answer_id), insert (answer_id, quote_id) on public.quote_seen to anon;

create policy "staff read the desk" on public.quote_desk for select to authenticated
  using ((select private.is_staff()) and blocked_at is null);
create policy "staff work on the desk" on public.quote_desk for update to authenticated
  using ((select private.is_staff()) and blocked_at is null) with check ((select private.is_staff()));
create policy "staff read answers" on public.quote_answers for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff answer" on public.quote_answers for insert to authenticated with check ((select private.is_staff()));
create policy "staff read replies" on public.quote_replies for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read what was seen" on public.quote_seen for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read notes" on public.quote_notes for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff note" on public.quote_notes for insert to authenticated
  with check ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "staff read events" on public.quote_events for select to authenticated
  using ((select private.is_staff()) and quote_id <> all ((select private.blocked_quotes())::uuid[]));

create policy "a phone reads the answers to the quotes it presents" on public.quote_answers for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone reads the replies to the quotes it presents" on public.quote_replies for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));
create policy "a phone replies to a quote it presents" on public.quote_replies for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone knows what it has shown" on public.quote_seen for select to anon
  using (quote_id = any ((select private.presented_quote_ids())::uuid[]));
create policy "a phone says that it has shown an answer" on public.quote_seen for insert to anon
  with check (quote_id = any ((select private.presented_quote_ids())::uuid[]));
