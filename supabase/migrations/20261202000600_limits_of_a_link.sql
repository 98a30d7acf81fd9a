-- Limits of a link: the desk sees which replies came by one. The holder of a link cannot end the owner's device or the
-- consent of somebody else.

-- Mark of a reply from a phone that had opened a link, as the page says.
alter table public.quote_replies add column enlace boolean not null default false;
grant insert (enlace) on public.quote_replies to anon;

-- Five devices for each quote. The first one stays: it is the owner's, whoever else registers. Of the others the
-- oldest makes room.
create or replace function private.push_devices_before_insert() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if new.quote_id is null then
    -- A device belongs to the colleague who turned alerts on there last.
    delete from public.push_devices where endpoint = new.endpoint and quote_id is null;
    perform pg_advisory_xact_lock(hashtextextended(new.staff::text, 0));
    delete from public.push_devices where id in (
      select id from public.push_devices where quote_id is null and staff = new.staff
        order by answered_at desc, created_at desc, id offset 9);
    return new;
  end if;
  new.staff := null;
  if not private.may_speak_of(new.quote_id) then return new; end if;
  perform from public.quote_desk where quote_id = new.quote_id and blocked_at is null for no key update;
  if not found then raise foreign_key_violation using message = 'The quote of this device is not there'; end if;
  -- The list of receipts registers its device at each opening: a repeat writes and costs nothing.
  if exists (select from public.push_devices as d
             where (d.endpoint, d.p256dh, d.auth, d.quote_id) = (new.endpoint, new.p256dh, new.auth, new.quote_id)) then
    return null;
  end if;
  perform private.require_room('devices');
  delete from public.push_devices where endpoint = new.endpoint and quote_id = new.quote_id;
  delete from public.push_devices where id in (
    select id from (select id, created_at from public.push_devices where quote_id = new.quote_id
                    order by created_at, id offset 1) as later
      order by created_at desc, id desc offset 3);
  return new;
end $$;

-- Consent is the person's: it ends with the quotes whose ids are shown, and with those of the same e-mail and phone.
-- One of both is not enough, because anybody may write somebody else's e-mail into a quote of their own.
create or replace function private.promotion_withdrawals_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  with theirs as (
    update public.quotes as q set promociones = false
      where q.promociones and q.id in (
        select new.quote_id
        union all select unnest(private.presented_quote_ids())
        union all select k.quote_id from private.quote_keys as k
          join private.quote_keys as one on one.quote_id = new.quote_id and one.email = k.email and one.phone = k.phone)
      returning q.id
  )
  insert into public.promotion_withdrawals (quote_id, created_at)
    select id, new.created_at from theirs where id <> new.quote_id;
  return null;
end $$;
-- Withdrawals that follow from another one are not asked about again.
drop trigger promotion_withdrawals_before_insert on public.promotion_withdrawals;
create trigger promotion_withdrawals_before_insert before insert on public.promotion_withdrawals
  for each row when (pg_trigger_depth() = 0) execute function private.promotion_withdrawals_before_insert();
