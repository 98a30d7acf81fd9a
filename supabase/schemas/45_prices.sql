-- Prices: rules for the lines of an offer, exchange rates, and the team's templates.

-- 1. Lines ----------------------------------------------------------------------------------------------------------

-- Returns the sum of the lines of an offer; null if a line breaks a rule. For a price by the kilo, all amounts must be
-- by the kilo. src/lead/offer-lines.ts computes the same; a test compares the two. Amounts have at most two decimals,
-- so no sum is rounded.
create function private.offer_sum(lines jsonb, price_for text, kilos integer) returns numeric
  language sql immutable parallel safe
  return (
    select case when count(*) between 1 and 12 and bool_and((
             amount between 0.01 and 999999999.99 and scale(trim_scale(amount)) <= 2
             and kind in ('flete', 'combustible', 'seguridad', 'manejo', 'aduana', 'entrega', 'otro')
             and (per = 'dia') = (line ? 'days') and (per <> 'dia' or days between 1 and 365 and scale(days) = 0)
             and (per = 'kilo' or price_for = 'total' and per in ('embarque', 'dia'))
             and (not line ? 'name' or kind = 'otro' and name = btrim(name) and char_length(name) between 1 and 40 and private.is_seen(name))
             and line - '{kind,per,amount,days,name}'::text[] = '{}') is true)
           then sum(amount * case when per = 'dia' then days when per = 'kilo' and price_for = 'total' then kilos else 1 end) end
    from (select line, line ->> 'kind' as kind, line ->> 'per' as per,
                 case jsonb_typeof(line -> 'amount') when 'number' then (line ->> 'amount')::numeric end as amount,
                 case jsonb_typeof(line -> 'days') when 'number' then (line ->> 'days')::numeric end as days,
                 case jsonb_typeof(line -> 'name') when 'string' then line ->> 'name' end as name
          -- An entry that is not an object is replaced by an empty object, which breaks the rules above, so the sum is
          -- null.
          from (select case jsonb_typeof(entry) when 'object' then entry else '{}' end as line
                from jsonb_array_elements(case jsonb_typeof(lines) when 'array' then lines else '[]' end) as entry) as entries) as parts);

grant execute on function private.offer_sum(jsonb, text, integer) to authenticated, service_role;

-- 2. Exchange rates -------------------------------------------------------------------------------------------------

-- Pesos for one unit of another currency, as the team recorded them. Rows never change; the newest row applies.
create table public.exchange_rates (
  id          uuid        not null default gen_random_uuid(),
  created_at  timestamptz not null default now(),
  currency    text        not null,
  -- The type has no precision: numeric(12,6) accepts NaN, and rounds the value before the check sees it.
  pesos       numeric     not null,
  source      text        not null,
  -- Day of the rate, by Tijuana's date.
  day         date        not null,
  author      uuid        default auth.uid(),
  author_name text        default private.staff_name(),
  constraint exchange_rates_pkey primary key (id),
  constraint exchange_rates_currency_check check (currency in ('USD', 'CNY')),
  constraint exchange_rates_pesos_check check (pesos between 0.0001 and 9999.9999 and scale(pesos) <= 4),
  constraint exchange_rates_source_check check (
    source = btrim(source) and char_length(source) between 1 and 60 and private.is_seen(source)),
  constraint exchange_rates_day_check check (day between '2020-01-01' and (created_at at time zone 'America/Tijuana')::date)
);
create index exchange_rates_newest on public.exchange_rates (currency, created_at desc);
create trigger exchange_rates_fixed before update on public.exchange_rates
  for each row execute function private.refuse_change();

alter table public.exchange_rates enable row level security;
revoke all on public.exchange_rates from public, anon, authenticated, service_role;
grant select, insert (id, currency, pesos, source, day) on public.exchange_rates to authenticated;
grant select on public.exchange_rates to service_role;
create policy "staff read exchange rates" on public.exchange_rates for select to authenticated
  using ((select private.is_staff()));
create policy "staff enter exchange rates" on public.exchange_rates for insert to authenticated
  with check ((select private.is_staff()));

-- Adds the newest exchange rate to a new offer, and a price if the offer has only lines.
create function private.quote_answers_price() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  new.price := coalesce(new.price, private.offer_sum(new.lines, new.price_for, new.kilos));
  select r.pesos, r.source, r.day into new.rate, new.rate_source, new.rate_day
    from public.exchange_rates as r where r.currency = new.currency order by r.created_at desc limit 1;
  return new;
end $$;

-- 3. Templates ------------------------------------------------------------------------------------------------------

create table public.desk_templates (
  id              uuid        not null default gen_random_uuid(),
  name            text        not null,
  -- Text with placeholders in braces. The desk replaces them by values of the lead.
  body            text        not null,
  body_en         text,
  kind            text        not null,
  -- Lines of an offer, the unit of its price, and its currency.
  lines           jsonb,
  price_for       text,
  currency        text,
  place           integer     not null,
  changed_by      uuid,
  changed_by_name text,
  changed_at      timestamptz not null default now(),
  constraint desk_templates_pkey primary key (id),
  constraint desk_templates_name_check check (name = btrim(name) and char_length(name) between 1 and 60 and private.is_seen(name)),
  constraint desk_templates_body_check check (char_length(body) between 1 and 4000 and private.is_seen(body)),
  constraint desk_templates_body_en_check check (char_length(body_en) between 1 and 4000 and private.is_seen(body_en)),
  -- An answer made from the template has both texts, separated by an empty line.
  constraint desk_templates_both_check check (char_length(body) + 2 + char_length(body_en) <= 4000),
  constraint desk_templates_kind_check check (kind in ('pregunta', 'oferta', 'mensaje')),
  constraint desk_templates_lines_check check (num_nulls(lines, price_for, currency) = 3 or kind = 'oferta'
    and private.offer_sum(lines, price_for, 1) is not null and price_for in ('kilo', 'total') and currency in ('MXN', 'USD', 'CNY')),
  constraint desk_templates_place_check check (place between 0 and 1000000)
);

create function private.desk_templates_rules() returns trigger
  language plpgsql security definer set search_path = ''
  as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock(hashtext('desk_templates'));
    if (select count(*) from public.desk_templates) >= 100 then
      raise sqlstate 'PT409' using message = 'There are a hundred templates', hint = 'many';
    end if;
  -- A template that is only moved to another place keeps its author.
  elsif (new.name, new.body, new.body_en, new.kind, new.lines, new.price_for, new.currency)
      is not distinct from (old.name, old.body, old.body_en, old.kind, old.lines, old.price_for, old.currency) then
    return new;
  end if;
  new.changed_by := auth.uid();
  new.changed_by_name := private.staff_name();
  new.changed_at := now();
  return new;
end $$;
create trigger desk_templates_rules before insert or update on public.desk_templates
  for each row execute function private.desk_templates_rules();

alter table public.desk_templates enable row level security;
revoke all on public.desk_templates from public, anon, authenticated, service_role;
grant select, delete, insert (id, name, body, body_en, kind, lines, price_for, currency, place),
  update (name, body, body_en, kind, lines, price_for, currency, place) on public.desk_templates to authenticated;
grant select on public.desk_templates to service_role;
create policy "staff read templates" on public.desk_templates for select to authenticated
  using ((select private.is_staff()));
create policy "who manages templates adds them" on public.desk_templates for insert to authenticated
  with check ((select private.manages_templates()));
create policy "who manages templates changes them" on public.desk_templates for update to authenticated
  using ((select private.manages_templates())) with check ((select private.manages_templates()));
create policy "who manages templates removes them" on public.desk_templates for delete to authenticated
  using ((select private.manages_templates()));
