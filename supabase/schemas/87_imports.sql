-- Leads and milestones from files of the team.

-- 1. Leads ----------------------------------------------------------------------------------------------------------

-- Imported leads keep the date, status and outcome of the file, promise no answer and alert nobody.

-- Secret from which the ids of imported leads are computed. A phone that knows an id may read the quote, so nobody must
-- be able to compute an id from a name and a phone number alone. The first import makes the row.
create table private.import_secret (
  only_one boolean not null default true,
  secret   uuid    not null default gen_random_uuid(),
  constraint import_secret_pkey primary key (only_one),
  constraint import_secret_only_one_check check (only_one)
);
revoke all on private.import_secret from public, anon, authenticated, service_role;
alter table private.import_secret enable row level security;

-- Requests to import at most a hundred leads each. A trigger stores the leads, and returns the row with the outcome of
-- each; the row is then deleted.
create table public.lead_imports (
  id       uuid    not null default gen_random_uuid(),
  leads    jsonb   not null,
  -- True for a trial, which stores nothing and returns what would happen.
  is_trial boolean not null default false,
  -- Results of the leads: quote_id, outcome, and the violated constraint if refused. Outcomes: 'stored', 'there' (the
  -- id was stored before), 'same' (an equal request of that day was stored before), 'erased', 'refused'.
  outcomes jsonb   not null default '[]',
  constraint lead_imports_pkey primary key (id)
);

-- Returns the id for a lead that has none in the file: two leads with the same contact, cargo and day are the same
-- lead.
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
    insert into public.quotes (id, created_at, promised_at, nombre, empresa, email, telefono, peso, tipo_carga,
                               promociones, reemplaza, igual, origen, more, importada)
      values (lead_id, came, came + private.answer_promise(), lead ->> 'nombre', lead ->> 'empresa',
              lower(btrim(lead ->> 'email')), lead ->> 'telefono',
              (lead ->> 'peso')::integer, lead ->> 'tipo_carga', coalesce((lead ->> 'promociones')::boolean, false),
              lead ->> 'reemplaza', lead ->> 'igual', coalesce(lead ->> 'origen', 'importada'),
              -- All other values of the lead are optional fields.
              jsonb_strip_nulls(lead - array['id', 'created_at', 'nombre', 'empresa', 'email', 'telefono', 'peso', 'tipo_carga',
                'promociones', 'reemplaza', 'igual', 'origen', 'status', 'assignee_name', 'replaced_by', 'lost_reason']),
              now());
    -- updated_at is the date of the lead: with the present time, open desks would load thousands of old leads as
    -- changes.
    insert into public.quote_desk (quote_id, status, assignee_name, asked_at, replaced_by, lost_reason, imported,
                                   happened, updated_at)
      values (lead_id, coalesce(lead ->> 'status', 'nueva'), nullif(left(btrim(lead ->> 'assignee_name'), 100), ''),
              came, (lead ->> 'replaced_by')::uuid, lead ->> 'lost_reason', true, 'importada', came);
    if is_trial then raise sqlstate 'PTRYT'; end if;
  end if;
  return jsonb_build_object('quote_id', lead_id, 'outcome', outcome);
exception
  -- A trial raises this exception itself: PostgreSQL then undoes the inserts above.
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
  -- Callers other than staff get no error here, because PostgreSQL checks the policy after this trigger, and the policy
  -- refuses them.
  if current_setting('role', true) = 'authenticated' and not private.is_staff() then return new; end if;
  perform set_config('app.is_trial', new.is_trial::text, true);
  -- The secret is made here and not in import_lead, because a trial undoes everything that import_lead makes.
  insert into private.import_secret default values on conflict do nothing;
  for lead in select value from jsonb_array_elements(new.leads) loop
    new.outcomes := new.outcomes || private.import_lead(lead, new.is_trial);
  end loop;
  -- The leads are removed before PostgreSQL writes the row, so that their personal data never reach this table on disk.
  new.leads := '[]';
  return new;
end $$;
create trigger lead_imports_heed before insert on public.lead_imports
  for each row execute function private.lead_imports_heed();

-- Deletes the requests of a statement, because they are stored only to return their outcomes.
create function private.imports_end() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  execute format('delete from %I.%I', tg_table_schema, tg_table_name);
  return null;
end $$;
create trigger lead_imports_end after insert on public.lead_imports
  for each statement execute function private.imports_end();

alter table public.lead_imports enable row level security;
revoke all on public.lead_imports from public, anon, authenticated, service_role;
grant select, insert (id, leads, is_trial) on public.lead_imports to authenticated, service_role;
create policy "staff import leads" on public.lead_imports for insert to authenticated
  with check ((select private.is_staff()));
create policy "staff read what became of an import" on public.lead_imports for select to authenticated
  using ((select private.is_staff()));

-- 2. Milestones -----------------------------------------------------------------------------------------------------

-- Requests to store milestones from a file, at most a hundred each. The rules of `shipment_steps` apply to each
-- milestone. A trigger replaces the milestones by their outcomes; the row is then deleted.
create table public.step_imports (
  id       uuid    not null default gen_random_uuid(),
  -- Rows of shipment_steps.
  steps    jsonb   not null,
  is_trial boolean not null default false,
  -- Results of the milestones: 'stored', 'there' (stored before), or the hint, constraint or SQLSTATE of a refusal.
  outcomes jsonb   not null default '[]',
  constraint step_imports_pkey primary key (id)
);

create function private.import_step(step jsonb) returns text
  language plpgsql security definer set search_path = ''
  as $$
declare
  why text;
begin
  insert into public.shipment_steps (id, quote_id, answer_id, step, at, word, waste, author_name)
    values ((step ->> 'id')::uuid, (step ->> 'quote_id')::uuid, (step ->> 'answer_id')::uuid, step ->> 'step',
            (step ->> 'at')::timestamptz, step ->> 'word', (step ->> 'waste')::numeric,
            coalesce(private.staff_name(), 'CSV'))
    on conflict (id) do nothing;
  return case when found then 'stored' else 'there' end;
exception when sqlstate 'PT409' then
  get stacked diagnostics why = pg_exception_hint;
  return why;
when integrity_constraint_violation or data_exception then
  get stacked diagnostics why = constraint_name;
  return coalesce(nullif(why, ''), sqlstate);
end $$;

-- Stores the milestones in their order. A trial removes them only at the end, so that each milestone is checked against
-- the earlier ones.
create function private.import_steps(steps jsonb, is_trial boolean) returns jsonb
  language plpgsql security definer set search_path = ''
  as $$
declare
  outcomes jsonb := '[]';
  step jsonb;
begin
  for step in select value from jsonb_array_elements(steps) loop
    outcomes := outcomes || to_jsonb(private.import_step(step));
  end loop;
  if is_trial then raise sqlstate 'PTRYT'; end if;
  return outcomes;
exception when sqlstate 'PTRYT' then
  return outcomes;
end $$;

create function private.step_imports_heed() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if jsonb_typeof(new.steps) <> 'array' or jsonb_array_length(new.steps) > 100 then
    raise sqlstate 'PT400' using message = 'A list of at most a hundred milestones is imported';
  end if;
  new.outcomes := '[]';
  -- Callers other than staff get no error here, because the policy refuses them after this trigger.
  if current_setting('role', true) = 'authenticated' and not private.is_staff() then return new; end if;
  new.outcomes := private.import_steps(new.steps, new.is_trial);
  new.steps := '[]';
  return new;
end $$;
create trigger step_imports_heed before insert on public.step_imports
  for each row execute function private.step_imports_heed();
create trigger step_imports_end after insert on public.step_imports
  for each statement execute function private.imports_end();

alter table public.step_imports enable row level security;
revoke all on public.step_imports from public, anon, authenticated, service_role;
grant select, insert (id, steps, is_trial) on public.step_imports to authenticated, service_role;
create policy "staff import milestones" on public.step_imports for insert to authenticated
  with check ((select private.is_staff()));
create policy "staff read what became of milestones" on public.step_imports for select to authenticated
  using ((select private.is_staff()));
