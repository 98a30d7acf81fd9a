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
