-- The database counts exported leads. An export names its leads by id; the act keeps the readable ones, and `rows` is
-- their number. The command line, with the service key, counts its own rows.
alter table public.desk_acts add column leads uuid[],
  add constraint desk_acts_leads_check check (leads is null or (kind = 'exporte' and cardinality(leads) <= 300));
revoke insert (rows) on public.desk_acts from authenticated;
grant insert (leads) on public.desk_acts to authenticated, service_role;

-- The trigger runs with the caller's rights: a lead hidden from the caller is not counted.
create function private.desk_acts_count() returns trigger
  language plpgsql set search_path = ''
  as $$
begin
  if new.kind = 'exporte' and (current_user = 'authenticated' or new.leads is not null) then
    select coalesce(array_agg(quote_id), '{}') into new.leads
      from public.desk_leads where quote_id = any (new.leads);
    new.rows := cardinality(new.leads);
  end if;
  return new;
end $$;
revoke all on function private.desk_acts_count() from public;
create trigger desk_acts_count before insert on public.desk_acts
  for each row execute function private.desk_acts_count();
