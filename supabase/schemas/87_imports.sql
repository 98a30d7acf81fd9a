-- Leads from a file of the team. They keep date, status and outcome of the file, promise no answer and alert nobody.

-- Secret from which the ids of imported leads are computed: with the id a phone may read its quote, so nobody may be
-- able to compute it from a name and a phone number. The first import makes the row.
create table private.import_secret (
  only_one boolean not null default true,
  secret   uuid    not null default gen_random_uuid(),
  constraint import_secret_pkey primary key (only_one),
  constraint import_secret_only_one_check check (only_one)
);
revoke all on private.import_secret from public, anon, authenticated, service_role;
alter table private.import_secret enable row level security;

-- Requests to import leads, each with at most a hundred. A trigger stores the leads, replaces them by what became of
-- each, and deletes the row.
create table public.lead_imports (
  id       uuid    not null default gen_random_uuid(),
  leads    jsonb   not null,
  -- True to learn what would happen, without storing anything.
  is_trial boolean not null default false,
  -- Results, one for each lead: quote_id, outcome ('stored', 'there', 'same', 'erased' or 'refused') and the violated
  -- constraint.
  outcomes jsonb   not null default '[]',
  constraint lead_imports_pkey primary key (id)
);

-- Id of a lead without an id of its own: the same contact and cargo of the same day is the same lead.
create function private.imported_id(lead jsonb) returns uuid
  language sql stable security definer set search_path = ''
  as $$
    select left(encode(sha256(convert_to(secret::text || jsonb_build_array(
      private.plain(lead ->> 'nombre'), private.plain(lead ->> 'empresa'), lower(lead ->> 'email'), private.digits(lead ->> 'telefono'),
      lead ->> 'peso', lead ->> 'tipo_carga', lead ->> 'created_at')::text, 'UTF8')), 'hex'), 32)::uuid
    from private.import_secret
  $$;

create function private.import_lead(lead jsonb, is_trial boolean) returns jsonb
  language plpgsql security definer set search_path = ''
  as $$
declare
  lead_id uuid;
  came timestamptz;
  outcome text := 'stored';
  refusal text;
begin
  lead_id := coalesce((lead ->> 'id')::uuid, private.imported_id(lead));
  came := coalesce((lead ->> 'created_at')::timestamptz, now());
  if came > now() + interval '1 day' or came < '2000-01-01Z' then
    raise check_violation using constraint = 'lead_imports_day';
  end if;
  if exists (select from public.quotes where id = lead_id) then
    outcome := 'there';
  elsif exists (select from public.quote_events where quote_id = lead_id and code = 'borrada') then
    outcome := 'erased';
  else
    insert into public.quotes (id, created_at, nombre, empresa, email, telefono, peso, tipo_carga, promociones, reemplaza,
                               igual, origen, more, importada)
      values (lead_id, came, lead ->> 'nombre', lead ->> 'empresa', lead ->> 'email', lead ->> 'telefono',
              (lead ->> 'peso')::integer, lead ->> 'tipo_carga', coalesce((lead ->> 'promociones')::boolean, false),
              lead ->> 'reemplaza', lead ->> 'igual', coalesce(lead ->> 'origen', 'importada'),
              -- The other values are optional fields.
              jsonb_strip_nulls(lead - array['id', 'created_at', 'nombre', 'empresa', 'email', 'telefono', 'peso', 'tipo_carga',
                'promociones', 'reemplaza', 'igual', 'origen', 'status', 'assignee_name', 'replaced_by', 'lost_reason']),
              now());
    -- updated_at is the date of the lead, so that open desks do not load thousands of old leads as news.
    insert into public.quote_desk (quote_id, status, assignee_name, asked_at, replaced_by, lost_reason, imported,
                                   happened, updated_at)
      values (lead_id, coalesce(lead ->> 'status', 'nueva'), nullif(left(btrim(lead ->> 'assignee_name'), 100), ''),
              came, (lead ->> 'replaced_by')::uuid, lead ->> 'lost_reason', true, 'importada', came);
    if is_trial then raise sqlstate 'PTRYT'; end if;
  end if;
  return jsonb_build_object('quote_id', lead_id, 'outcome', outcome);
exception
  -- Undoes the insert of a trial.
  when sqlstate 'PTRYT' then
    return jsonb_build_object('quote_id', lead_id, 'outcome', 'stored');
  when unique_violation then
    return jsonb_build_object('quote_id', lead_id, 'outcome', 'same');
  when integrity_constraint_violation or data_exception then
    get stacked diagnostics refusal = constraint_name;
    return jsonb_build_object('quote_id', lead_id, 'outcome', 'refused', 'refusal', coalesce(nullif(refusal, ''), sqlstate));
end $$;

create function private.lead_imports_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
declare
  lead jsonb;
begin
  if jsonb_typeof(new.leads) <> 'array' or jsonb_array_length(new.leads) > 100 then
    raise sqlstate 'PT400' using message = 'A list of at most a hundred leads is imported';
  end if;
  new.outcomes := '[]';
  -- The policy refuses other callers, after this trigger.
  if current_setting('role', true) = 'authenticated' and not private.is_staff() then return new; end if;
  -- The secret is made here, because a trial undoes what import_lead makes.
  insert into private.import_secret default values on conflict do nothing;
  for lead in select value from jsonb_array_elements(new.leads) loop
    new.outcomes := new.outcomes || private.import_lead(lead, new.is_trial);
  end loop;
  -- Personal data of the request reach no file of this table.
  new.leads := '[]';
  return new;
end $$;
create trigger lead_imports_heed before insert on public.lead_imports
  for each row execute function private.lead_imports_heed();

create function private.lead_imports_end() returns trigger
  language plpgsql security definer set search_path = ''
  as $$ begin delete from public.lead_imports; return null; end $$;
create trigger lead_imports_end after insert on public.lead_imports
  for each statement execute function private.lead_imports_end();

alter table public.lead_imports enable row level security;
revoke all on public.lead_imports from public, anon, authenticated, service_role;
grant select, insert (id, leads, is_trial) on public.lead_imports to authenticated, service_role;
create policy "staff import leads" on public.lead_imports for insert to authenticated
  with check ((select private.is_staff()));
create policy "staff read what became of an import" on public.lead_imports for select to authenticated
  using ((select private.is_staff()));
