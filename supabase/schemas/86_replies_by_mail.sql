-- Replies by mail: the number of the last mail read in each mailbox, the quotes that a mail names, and mails that could
-- not be delivered.

-- Number of the last mail that was read in a mailbox. If uid_validity changes, the mailbox has given its mails new
-- numbers, and last_uid has become invalid.
create table private.mailboxes (
  name         text        not null,
  uid_validity bigint      not null,
  last_uid     bigint      not null,
  read_at      timestamptz not null default now(),
  constraint mailboxes_pkey primary key (name)
);
revoke all on private.mailboxes from public, anon, authenticated, service_role;

-- Index of the tag that identifies a quote in the address for replies. src/lead/mail-tag.ts computes the same; a test
-- compares the two.
create index quotes_mail_tag on public.quotes (substring(sha256('\x6d61696c20'::bytea || uuid_send(id)) for 10));

-- Finds the quotes that a mail names: by the tag in the recipient's address, by the id of an earlier mail about the
-- quote, or by the folio. server/channels/mail-match.ts chooses one of them.
create function private.mail_candidates(tags text[], ids uuid[], folios text[])
  returns table (evidence text, quote_id uuid, folio text, email text, answer uuid)
  -- The generic plan is forced, because planning each call takes longer than reading the rows.
  language plpgsql stable security definer set search_path = '' set plan_cache_mode = force_generic_plan
  as $$
#variable_conflict use_column
begin
  return query
    with named as (
      select 'tag' as evidence, q.id, null::uuid as answer
        from unnest(tags) as tag
        join public.quotes as q on substring(sha256('\x6d61696c20'::bytea || uuid_send(q.id)) for 10) = decode(tag, 'hex')
      union all
      select 'id', a.quote_id, a.about from public.alert_messages as m
        join public.alerts as a on a.id = m.alert_id where m.id = any (ids) and m.way = 'customer'
      union all
      select 'folio', q.id, null from public.quotes as q where q.folio = any (folios)
    )
    select n.evidence, q.id, q.folio, q.email, n.answer from named as n
      join public.quotes as q on q.id = n.id
      join public.quote_desk as d on d.quote_id = q.id and d.blocked_at is null
      order by array_position(array['tag', 'id', 'folio'], n.evidence), q.created_at desc
      limit 50;
end $$;

-- Records that a mail to a customer could not be delivered, and alerts the team. Returns false for an unknown mail.
create function private.bounce_mail(message uuid, why text) returns boolean
  language plpgsql security definer set search_path = ''
  as $$
begin
  update public.alert_messages set sent_at = null, next_at = null, result = left(why, 100)
    where id = message and way = 'customer';
  if not found then return false; end if;
  perform private.alert_undelivered(message, now());
  return true;
end $$;
