-- Bounds to what can be stored. Rows that are there already stay as they are, said is said: the checks are for new
-- ones, and whoever shows a row finds words for any.

-- 1. Only what can be shown ---------------------------------------------------------------------------------------

-- Something that is seen: no space, no control, nothing that Unicode has a font leave out, no empty pattern of Braille.
-- By code points, because classes of characters depend on the locale. src/quote/bounds.ts has the same; a test compares
-- the two, character by character.
create function private.is_seen(words text) returns boolean
  language sql immutable strict parallel safe
  return words ~ '[^\u0001-\u0020\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]';
revoke all on function private.is_seen(text) from public;
grant execute on function private.is_seen(text) to anon, authenticated, service_role;

alter table public.quotes
  add constraint quotes_seen_check
    check (private.is_seen(nombre) and private.is_seen(empresa) and private.is_seen(telefono)) not valid;

-- A column of two decimals would round what has more before any check sees it, and take NaN, which is above all numbers.
alter table public.quote_answers
  alter column price type numeric,
  drop constraint quote_answers_price_check,
  drop constraint quote_answers_valid_until_check,
  add constraint quote_answers_price_check check (
    price between 0.01 and 999999999.99 and scale(price) <= 2 and num_nulls(price, price_for, currency) in (0, 3)) not valid,
  -- Infinity is a date as well, and a year of five digits is none to a browser.
  add constraint quote_answers_valid_until_check check (
    valid_until between (created_at at time zone 'America/Tijuana')::date and '9999-12-31') not valid,
  add constraint quote_answers_seen_check check (private.is_seen(body) and private.is_seen(author_name)) not valid;
alter table public.quote_replies
  add constraint quote_replies_seen_check check (kind = 'aceptada' and body = '' or private.is_seen(body)) not valid;
alter table public.quote_notes
  add constraint quote_notes_seen_check check (private.is_seen(body)) not valid;

-- A name that nobody can see would refuse every answer of its owner, and one that was cut off at a space too.
-- Its names are looked up here and not when it runs: nobody but the owner may look into this schema.
create or replace function private.staff_name() returns text
  language sql stable
  return (
    select btrim(left(btrim(name), 100))
    from unnest(array[auth.jwt() #>> '{app_metadata,name}', auth.jwt() ->> 'email']) with ordinality as _(name, place)
    where private.is_seen(name) order by place limit 1
  );

-- 2. Not too many -------------------------------------------------------------------------------------------------

-- Quotes, replies and devices are counted each on its own, by the same two figures of private.quote_limits. That an
-- answer was seen needs no bound: there is one look for each answer.
alter table private.quote_sends add column kind text not null default 'quotes'
  constraint quote_sends_kind_check check (kind in ('quotes', 'replies', 'devices'));
drop index private.quote_sends_address, private.quote_sends_network;
create index quote_sends_kind on private.quote_sends (kind, at);
create index quote_sends_address on private.quote_sends (kind, address, at);
create index quote_sends_network on private.quote_sends (kind, network, at);

create function private.refuse_until_hour_after(sent timestamptz, said text) returns void
  language plpgsql set search_path = ''
  as $$
begin
  raise sqlstate 'PGRST' using
    message = json_build_object('code', 'PT429', 'message', said, 'details', null, 'hint', 'Retry later')::text,
    -- Five minutes at the most: the owner may have raised the limit by then.
    detail = json_build_object('status', 429, 'headers', json_build_object('Retry-After',
      least(300, ceil(extract(epoch from sent - (now() - interval '1 hour')))::int)::text))::text;
end $$;

-- Asked before anything is written: what is refused must not fill the disk.
create function private.require_room(what text) returns void
  language plpgsql set search_path = ''
  as $$
declare
  limits private.quote_limits;
  visitor constant bytea := sha256(convert_to(private.visitor_address(), 'UTF8'));
  visitor_network constant bytea := sha256(convert_to(private.visitor_network(), 'UTF8'));
  hour_ago constant timestamptz := now() - interval '1 hour';
  full_since timestamptz;
begin
  select * into limits from private.quote_limits;
  -- The oldest of the last `bound` sends: once it is an hour old there is room again.
  if limits.per_address > 0 and visitor is not null then
    select at into full_since from private.quote_sends
      where kind = what and address = visitor and at > hour_ago order by at desc offset limits.per_address - 1 limit 1;
    if full_since is null and visitor_network is not null then
      select at into full_since from private.quote_sends
        where kind = what and network = visitor_network and at > hour_ago
        order by at desc offset 4 * limits.per_address - 1 limit 1;
    end if;
  end if;
  if full_since is null and limits.overall > 0 then
    select at into full_since from private.quote_sends
      where kind = what and at > hour_ago order by at desc offset limits.overall - 1 limit 1;
  end if;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, format('Too many %s within an hour', what));
  end if;
end $$;

-- After it: only what was stored counts.
create function private.count_sent() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  delete from private.quote_sends where ctid = any (array(
    select ctid from private.quote_sends where at <= now() - interval '1 hour' limit 100 for update skip locked));
  insert into private.quote_sends (kind, address, network) values (tg_argv[0],
    sha256(convert_to(private.visitor_address(), 'UTF8')), sha256(convert_to(private.visitor_network(), 'UTF8')));
  return null;
end $$;
drop trigger quotes_limit on public.quotes;
drop function private.quotes_limit();
create trigger quotes_limit after insert on public.quotes
  for each row execute function private.count_sent('quotes');
create trigger quote_replies_count after insert on public.quote_replies
  for each row execute function private.count_sent('replies');
create trigger push_devices_count after insert on public.push_devices
  for each row when (new.quote_id is not null) execute function private.count_sent('devices');

-- As before, but that who has sent too much is found out by the function above.
create or replace function private.quotes_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  -- A list of guesses would be answered row by row.
  if current_setting('role', true) in ('anon', 'authenticated') and nullif(current_setting('app.quote_id', true), '') is not null then
    raise sqlstate 'PT400' using message = 'One quote in each request';
  end if;
  new.email := lower(btrim(new.email));
  -- One send of the same id at a time: a parallel re-send could lose the race on the other key and be told, wrongly,
  -- that the quote is a repeat. The note lets RETURNING show this row. Both end with the transaction.
  perform pg_advisory_xact_lock(hashtextextended('public.quotes ' || new.id::text, 0));
  perform set_config('app.quote_id', new.id::text, true);

  -- A quote that is sent again costs nothing and never locks anyone out.
  if exists (select from public.quotes where id = new.id) then return new; end if;

  if exists (select from public.quotes as other
             where (other.email, other.tipo_carga, other.peso, other.telefono, other.nombre, other.empresa)
                 = (new.email, new.tipo_carga, new.peso, new.telefono, new.nombre, new.empresa)
               and (other.created_at at time zone 'America/Tijuana')::date
                 = (new.created_at at time zone 'America/Tijuana')::date) then
    raise unique_violation using
      message = 'duplicate key value violates unique constraint "quotes_request_key"', constraint = 'quotes_request_key';
  end if;
  perform private.require_room('quotes');
  return new;
end $$;

-- May this request speak of the quote at all? Where it may not, the policy refuses it, whether the quote is there or not.
create function private.may_speak_of(quote_id uuid) returns boolean
  language sql stable set search_path = ''
  as $$
    select coalesce(current_setting('role', true), '') not in ('anon', 'authenticated')
           or coalesce(quote_id = any (private.presented_quote_ids()), false)
  $$;

-- Twenty an hour to one quote, and no more from one address, or from all, than quotes.
create or replace function private.quote_replies_limit() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  full_since timestamptz;
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  -- One question for a quote that is blocked and for one that never was, so that they are told in the same words. Its
  -- lock makes the count exact.
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this reply is not there'; end if;
  if exists (select from public.quote_replies where id = new.id) then return new; end if;
  select created_at into full_since from public.quote_replies
    where quote_id = new.quote_id and created_at > now() - interval '1 hour' order by created_at desc offset 19 limit 1;
  if full_since is not null then
    perform private.refuse_until_hour_after(full_since, 'Too many replies to one quote within an hour');
  end if;
  perform private.require_room('replies');
  return new;
end $$;

create or replace function private.push_devices_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.quote_id is null then
    -- The device has the name of who sat down at it last.
    delete from public.push_devices where endpoint = new.endpoint and quote_id is null;
    return new;
  end if;
  new.staff := null;
  if not private.may_speak_of(new.quote_id) then return new; end if;
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this device is not there'; end if;
  -- A list of receipts says it again for each of them, each time that it is opened: that writes and costs nothing.
  if exists (select from public.push_devices as d
             where (d.endpoint, d.p256dh, d.auth, d.quote_id) = (new.endpoint, new.p256dh, new.auth, new.quote_id)) then
    return null;
  end if;
  perform private.require_room('devices');
  delete from public.push_devices where endpoint = new.endpoint and quote_id = new.quote_id;
  delete from public.push_devices where id in (
    select id from public.push_devices where quote_id = new.quote_id order by created_at desc, id offset 4);
  return new;
end $$;

-- Words to one lead that come within a minute are told once: who has been alerted reads all of them. A reply that
-- accepts is told though a question was told before, a minute after it. With each answer this begins anew.
create or replace function private.quote_desk_alerts() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  promise constant timestamptz := new.asked_at + private.answer_promise();
  said text;
  last record;
begin
  -- What is on its way about a lead that is blocked goes no further.
  if new.blocked_at is not null then
    update public.alert_messages as m set next_at = null
      from public.alerts as a where a.quote_id = new.quote_id and m.alert_id = a.id and m.next_at is not null;
  end if;
  if new.backlog then return null; end if;
  if tg_op = 'INSERT' then
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
  elsif new.last_answer is distinct from old.last_answer then
    insert into public.alerts (quote_id, kind, asked_at, about, due_at)
      values (new.quote_id, 'respuesta', new.asked_at, new.last_answer, greatest(now(), (
        select max(case when spread_at is null then due_at else due_at + interval '1 minute' end) from public.alerts
        where quote_id = new.quote_id and kind = 'respuesta')));
  end if;
  if tg_op = 'INSERT' or new.asked_at <> old.asked_at then
    insert into public.alerts (quote_id, kind, asked_at, due_at)
      values (new.quote_id, 'quedan60', new.asked_at, promise - interval '60 minutes'),
             (new.quote_id, 'quedan30', new.asked_at, promise - interval '30 minutes'),
             (new.quote_id, 'quedan10', new.asked_at, promise - interval '10 minutes'),
             (new.quote_id, 'tarde', new.asked_at, promise)
      on conflict do nothing;
  end if;
  return null;
end $$;

revoke all on function private.refuse_until_hour_after(timestamptz, text), private.require_room(text), private.count_sent(),
  private.may_speak_of(uuid) from public;

-- 3. What is blocked is nobody's ----------------------------------------------------------------------------------

-- A phone that sends its quote again is told that it was stored before, blocked or not: turned away, it would go on for
-- ever, and say that the trouble is ours. The rule for reading judges the row that is sent as well, and a row that is
-- there already is not given back.
alter policy "a request sees the quote it submits or presents" on public.quotes
  using (id = nullif(current_setting('app.quote_id', true), '')::uuid
         or (id = any ((select private.presented_quote_ids())::uuid[])
             and id <> all ((select private.blocked_quotes())::uuid[])));

alter policy "a phone knows what it has shown" on public.quote_seen
  using (quote_id = any ((select private.presented_quote_ids())::uuid[])
         and quote_id <> all ((select private.blocked_quotes())::uuid[]));

create function private.quote_seen_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not private.may_speak_of(new.quote_id) then return new; end if;
  perform from public.quote_desk as d join public.quote_answers as a using (quote_id)
    where d.quote_id = new.quote_id and d.blocked_at is null and a.id = new.answer_id for no key update of d;
  if not found then raise foreign_key_violation using message = 'The answer that was seen is not there'; end if;
  return new;
end $$;
create trigger quote_seen_before_insert before insert on public.quote_seen
  for each row execute function private.quote_seen_before_insert();

create function private.alert_shown_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if not exists (select from public.alert_messages as m
                 join public.alerts as a on a.id = m.alert_id
                 join public.quote_desk as d on d.quote_id = a.quote_id
                 where m.id = new.message_id and d.blocked_at is null) then
    raise foreign_key_violation using message = 'The alert that was shown is not there';
  end if;
  return new;
end $$;
create trigger alert_shown_before_insert before insert on public.alert_shown
  for each row execute function private.alert_shown_before_insert();

-- As before, but that a correction does not reach what is blocked.
create or replace function private.quotes_to_desk() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into public.quote_desk (quote_id, asked_at) values (new.id, new.created_at);
  -- A correction ends the wait of the quote that it corrects, if its sender shows that one's id as well: a folio is
  -- said over the phone, and whoever heard one must not end a lead.
  if new.reemplaza is not null then
    update public.quote_desk set replaced_by = new.id
      where quote_id = (select id from public.quotes
                        where folio = new.reemplaza and id <> new.id and private.may_speak_of(id)
                          and id <> all (private.blocked_quotes())
                        order by created_at desc limit 1);
  end if;
  return null;
end $$;

revoke all on function private.quote_seen_before_insert(), private.alert_shown_before_insert() from public;

-- 4. Two quotes of one folio -------------------------------------------------------------------------------------

-- As before, and with the id, of which the sender makes a mark of its own for each quote.
drop function public.claim_alerts(timestamptz, boolean);
create function public.claim_alerts(at timestamptz, by_mail boolean)
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
           a.asked_at + private.answer_promise(), c.attempts
    from claimed as c
    join public.alerts as a on a.id = c.alert_id
    join public.quotes as q on q.id = a.quote_id
    left join public.push_devices as d on d.id = c.device_id;
end $$;
revoke all on function public.claim_alerts(timestamptz, boolean) from public, anon, authenticated, service_role;
grant execute on function public.claim_alerts(timestamptz, boolean) to service_role;
