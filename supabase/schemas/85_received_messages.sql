-- Messages that customers send by e-mail or WhatsApp. The code of a channel calls receive_message for a message, and
-- attach_received_file for a file that arrives later. A message becomes a question about its quote, as if the phone had
-- sent it. If its quote is not certain, the message waits until a colleague assigns it to one.

-- 1. Tables ---------------------------------------------------------------------------------------------------------

create table public.received_messages (
  id              uuid        not null default gen_random_uuid(),
  channel         text        not null,
  -- Id that the provider gave the message: Message-ID of a mail, or WhatsApp's wamid.
  external_id     text        not null,
  -- E-mail or number of the sender, as the channel writes it.
  sender          text        not null,
  sender_name     text,
  -- Text of the message without quoted parts. `whole`: its complete text, if it differs.
  body            text        not null,
  whole           text,
  -- Times of arrival at the provider, and in this database.
  received_at     timestamptz not null default now(),
  stored_at       timestamptz not null default now(),
  quote_id        uuid,
  -- Quote that the message names. The sender may be somebody else than the exporter of that quote.
  suggested       uuid,
  -- True if the provider reports that the sender's address was forged.
  unproven        boolean     not null default false,
  -- Number of files that were not stored, because of their type or size, or because there were too many.
  unstored_files  integer     not null default 0,
  -- Number of further messages of this sender that were not stored, because too many came within an hour.
  more            integer     not null default 0,
  state           text        not null default 'pendiente',
  handled_at      timestamptz,
  handled_by      uuid,
  handled_by_name text,
  constraint received_messages_pkey primary key (id),
  constraint received_messages_once unique (channel, external_id),
  constraint received_messages_quote foreign key (quote_id) references public.quotes on delete cascade,
  constraint received_messages_suggested foreign key (suggested) references public.quotes on delete set null,
  constraint received_messages_channel_check check (channel in ('correo', 'whatsapp')),
  constraint received_messages_external_id_check check (char_length(external_id) between 1 and 1000),
  constraint received_messages_sender_check check (
    sender = lower(btrim(sender)) and char_length(sender) <= 320 and private.is_seen(sender)),
  constraint received_messages_sender_name_check check (char_length(sender_name) <= 100 and private.is_seen(sender_name)),
  constraint received_messages_body_check check (
    body = btrim(body) and char_length(body) <= 2000 and private.is_seen(body)),
  constraint received_messages_whole_check check (char_length(whole) <= 20000),
  constraint received_messages_state_check check (
    state in ('pendiente', 'asignado', 'descartado') and (state = 'asignado') = (quote_id is not null))
);
create index received_messages_of_quote on public.received_messages (quote_id) where quote_id is not null;
create index received_messages_suggested on public.received_messages (suggested) where suggested is not null;
create index received_messages_unassigned on public.received_messages (sender, stored_at) where quote_id is null;
create index received_messages_pending on public.received_messages (received_at) where state = 'pendiente';

-- Hashed ids of all messages that were ever received, even of erased ones. If a mailbox is read again, no message is
-- stored a second time.
create table private.received_ids (
  id bytea not null,
  constraint received_ids_pkey primary key (id)
);
revoke all on private.received_ids from public, anon, authenticated, service_role;

-- Files of messages that are not assigned to a quote. When a colleague assigns a message, its files move to
-- quote_files.
create table public.received_files (
  id         uuid    not null default gen_random_uuid(),
  message_id uuid    not null,
  nombre     text    not null,
  tipo       text    not null,
  bytes      integer not null,
  huella     text    not null,
  datos      bytea   not null,
  constraint received_files_pkey primary key (id),
  constraint received_files_once unique (message_id, huella),
  constraint received_files_message foreign key (message_id) references public.received_messages on delete cascade
);
-- Stored without compression, because images are compressed already.
alter table public.received_files alter column datos set storage external;

-- 2. Into a quote ---------------------------------------------------------------------------------------------------

-- Stores a file among the files of a quote. Returns false if the rules of quote_files refuse it.
create function private.store_quote_file(quote uuid, name text, content bytea) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
declare
  headers constant text := current_setting('request.headers', true);
  hash constant text := encode(sha256(content), 'hex');
  file constant uuid := gen_random_uuid();
begin
  if exists (select from public.quote_files as f where f.quote_id = quote and f.huella = hash) then
    return true;
  end if;
  -- The triggers of quote_files check only requests with the quote's id in the header x-submission-id, so it is set
  -- here. app.room limits a request to one file; it is emptied, because a message may have several files.
  perform set_config('request.headers', json_build_object('x-submission-id', quote)::text, true),
          set_config('app.room', '', true);
  begin
    insert into public.quote_files (id, quote_id, nombre, tipo, bytes, huella)
      values (file, quote, name, private.file_type(content), octet_length(content), hash);
    insert into public.quote_file_parts (file_id, parte, base64)
      select file, parte, encode(substr(content, 1 + 65536 * parte, 65536), 'base64')
      from generate_series(0, (octet_length(content) - 1) / 65536) as parte;
    perform set_config('request.headers', coalesce(headers, ''), true);
    return true;
  -- The quote has too many files or is blocked, the space for files is used up, or the file has a type that is not
  -- accepted.
  exception when check_violation or not_null_violation or foreign_key_violation or sqlstate 'PGRST' then
    perform set_config('request.headers', coalesce(headers, ''), true);
    return false;
  end;
end $$;

-- Adds the message to the conversation, as a question of the customer.
create function private.ask_by_message(message public.received_messages, quote uuid, answer uuid default null) returns void
  language sql security definer set search_path = ''
  as $$
    insert into public.quote_replies (id, quote_id, answer_id, kind, body)
      select message.id, quote, (select a.id from public.quote_answers as a where a.id = answer and a.quote_id = quote),
             'pregunta', message.body
  $$;

-- Checks and completes the change when a colleague assigns or discards a message, or undoes one of these.
create function private.received_messages_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  file public.received_files;
begin
  if old.state = 'asignado' or old.state = 'descartado' and new.quote_id is not null then
    raise sqlstate 'PT409' using message = 'Somebody has handled this message', hint = 'handled';
  end if;
  new.state := case when new.quote_id is not null then 'asignado' else new.state end;
  new.handled_at := case when new.state <> 'pendiente' then now() end;
  new.handled_by := auth.uid();
  new.handled_by_name := private.staff_name();
  if new.quote_id is null then return new; end if;
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this message is not there'; end if;
  perform private.ask_by_message(new, new.quote_id);
  for file in delete from public.received_files where message_id = new.id returning * loop
    if not private.store_quote_file(new.quote_id, file.nombre, file.datos) then
      new.unstored_files := new.unstored_files + 1;
    end if;
  end loop;
  return new;
end $$;
create trigger received_messages_rules before update of quote_id, state on public.received_messages
  for each row execute function private.received_messages_rules();
create trigger received_messages_one after update on public.received_messages
  referencing new table as changed
  for each statement execute function private.quote_desk_one();

-- Alerts the team about received messages that belong to no known quote, at most once in ten minutes.
create function private.received_messages_alert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  perform private.alert_team('sinasignar', now(), interval '10 minutes');
  return null;
end $$;
create trigger received_messages_alert after insert on public.received_messages
  for each row when (new.state = 'pendiente') execute function private.received_messages_alert();

-- Records an erased message in the history. From there the server knows that it must remove the message's bytes from
-- the database's files, and erase the message again after a restore from backup.
create function private.received_messages_erased() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  insert into public.quote_events (quote_id, version, code) values (old.id, 1, 'borrada');
  return null;
end $$;
create trigger received_messages_erased after delete on public.received_messages
  for each row when (old.quote_id is null) execute function private.received_messages_erased();

-- 3. Receiving ------------------------------------------------------------------------------------------------------

-- Stores a message once, under an id that the caller makes. Outcomes: 'asignado' (it is a question about `quote`),
-- 'pendiente' (it waits for a colleague), 'repetido' (it was stored before; the id is null if it was erased in the
-- meantime), 'demasiados' (not stored, because the sender sent too many within an hour). `quote` is set only if channel
-- and sender prove that the message is about it. `answer`: the answer to which the message replies. `files`: objects
-- with `nombre` and `base64`.
create function public.receive_message(id uuid, channel text, external_id text, sender text, sender_name text, body text, whole text,
    received_at timestamptz, quote uuid default null, suggested uuid default null, answer uuid default null,
    unproven boolean default false, files json default '[]')
  returns table (message uuid, outcome text)
  language plpgsql security definer set search_path = ''
  as $$
#variable_conflict use_column
declare
  row public.received_messages;
  target uuid := receive_message.quote;
begin
  -- The lock keeps other messages from changing the counts below.
  perform pg_advisory_xact_lock(hashtextextended('received_messages', 0));
  delete from public.received_messages where state = 'descartado' and handled_at < now() - interval '30 days';
  insert into private.received_ids (id)
    values (sha256(convert_to(receive_message.channel || ' ' || receive_message.external_id, 'UTF8'))) on conflict do nothing;
  if not found then
    return query select (select m.id from public.received_messages as m
        where m.channel = receive_message.channel and m.external_id = receive_message.external_id), 'repetido';
    return;
  end if;
  row := (receive_message.id, receive_message.channel, receive_message.external_id, lower(btrim(receive_message.sender)),
    case when private.is_seen(receive_message.sender_name) then left(btrim(receive_message.sender_name), 100) end,
    case when private.is_seen(left(receive_message.body, 2000)) then btrim(left(btrim(receive_message.body), 2000)) else '…' end,
    left(coalesce(receive_message.whole, case when char_length(btrim(receive_message.body)) > 2000 then receive_message.body end), 20000),
    least(receive_message.received_at, now()), now(), null,
    coalesce(receive_message.suggested, target), receive_message.unproven, 0, 0, 'pendiente', null, null, null)::public.received_messages;
  if target is not null and (select count(*) from public.received_messages as m
                             where m.quote_id = target and m.stored_at > now() - interval '1 hour') < 10 then
    begin
      row.quote_id := target;
      row.state := 'asignado';
      row.suggested := null;
      perform private.ask_by_message(row, target, receive_message.answer);
    -- The quote is blocked or erased, or has too many questions.
    exception when foreign_key_violation or sqlstate 'PGRST' then
      row.quote_id := null;
      row.state := 'pendiente';
      row.suggested := coalesce(receive_message.suggested, target);
    end;
  end if;
  row.suggested := (select q.id from public.quotes as q where q.id = row.suggested);
  if row.quote_id is null and (
    (select count(*) from public.received_messages as m
     where m.sender = row.sender and m.quote_id is null and m.stored_at > now() - interval '1 hour') >= 20
    or (select count(*) from public.received_messages as m where m.state = 'pendiente') >= 500) then
    update public.received_messages as m set more = m.more + 1 where m.id = (
      select n.id from public.received_messages as n
      where n.sender = row.sender and n.quote_id is null order by n.stored_at desc limit 1);
    return query select null::uuid, 'demasiados';
    return;
  end if;
  insert into public.received_messages select row.*;
  perform public.attach_received_file(row.id, f.value ->> 'nombre', decode(f.value ->> 'base64', 'base64'))
    from json_array_elements(files) with ordinality as f (value, place) order by f.place;
  return query select row.id, row.state;
end $$;

-- Stores a file of a message: among the files of its quote, or until the message is assigned. Returns false if the file
-- is refused; the desk then shows that it is missing. `content` is null for a file that the channel refused before
-- reading it.
create function public.attach_received_file(message uuid, name text, content bytea) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
declare
  -- The end of a long name is kept, because it contains the extension.
  ending constant text := btrim(right(regexp_replace(btrim(name), '[[:cntrl:]/\\]', '_', 'g'), 120));
  shown constant text := case when private.is_seen(ending) then ending else 'archivo' end;
  owner public.received_messages;
  is_stored boolean := false;
begin
  select * into owner from public.received_messages where id = message for update;
  if not found then return false; end if;
  if private.file_type(content) is not null and octet_length(content) <= 10485760 then
    if owner.quote_id is not null then
      is_stored := private.store_quote_file(owner.quote_id, shown, content);
    elsif (select count(*) from public.received_files where message_id = message) < 5
      -- Files that belong to no quote get a quarter of the space reserved for files, so that strangers cannot use up
      -- the customers' space.
      and (select coalesce(sum(bytes), 0) + octet_length(content) from public.received_files)
          <= (select case file_bytes when 0 then 9e18 else file_bytes / 4 end from private.quote_limits) then
      insert into public.received_files (message_id, nombre, tipo, bytes, huella, datos)
        values (message, shown, private.file_type(content), octet_length(content), encode(sha256(content), 'hex'), content)
        on conflict do nothing;
      is_stored := true;
    end if;
  end if;
  if not is_stored then
    update public.received_messages set unstored_files = unstored_files + 1 where id = message;
  end if;
  return is_stored;
end $$;

-- 4. Rights ---------------------------------------------------------------------------------------------------------

-- Quotes to which a waiting message may belong: the quote that it names, then quotes with the sender's e-mail or
-- number. The view runs with its owner's rights, because staff may not read the search keys.
create view public.received_suggestions as
  select m.id as message_id, q.id as quote_id, q.folio, q.nombre, q.empresa, q.created_at, d.status,
         q.id = m.suggested is true as is_named
  from public.received_messages as m
  cross join lateral (
    select m.suggested as quote_id where m.suggested is not null
    union
    (select k.quote_id from private.quote_keys as k where m.channel = 'correo' and k.email = m.sender
       order by k.created_at desc limit 5)
    union
    (select k.quote_id from private.quote_keys as k
       where m.channel = 'whatsapp' and m.sender ~ '^\+?[0-9]{7,15}$' and k.phone = right(m.sender, 10)
       order by k.created_at desc limit 5)) as near
  join public.quote_desk as d on d.quote_id = near.quote_id and d.blocked_at is null
  join public.quotes as q on q.id = d.quote_id
  where (select private.is_staff()) and m.state = 'pendiente';

alter table public.received_messages enable row level security;
alter table public.received_files enable row level security;
revoke all on public.received_messages, public.received_files, public.received_suggestions
  from public, anon, authenticated, service_role;
grant select, update (quote_id, state) on public.received_messages to authenticated;
grant select (id, message_id, nombre, tipo, bytes, huella) on public.received_files to authenticated;
grant select on public.received_suggestions to authenticated;
grant select, delete, update (state) on public.received_messages to service_role;
revoke all on function public.receive_message(uuid, text, text, text, text, text, text, timestamptz, uuid, uuid, uuid, boolean, json),
  public.attach_received_file(uuid, text, bytea) from public, anon, authenticated, service_role;
grant execute on function public.receive_message(uuid, text, text, text, text, text, text, timestamptz, uuid, uuid, uuid, boolean, json),
  public.attach_received_file(uuid, text, bytea) to service_role;
create policy "staff read received messages" on public.received_messages for select to authenticated
  using ((select private.is_staff())
         and (quote_id is null or quote_id <> all ((select private.blocked_quotes())::uuid[])));
create policy "staff assign or discard received messages" on public.received_messages for update to authenticated
  using ((select private.is_staff())) with check ((select private.is_staff()));
create policy "staff read files of waiting messages" on public.received_files for select to authenticated
  using ((select private.is_staff()));
