-- What may come with a quote beside the fields of the form: that its sender wants promotions, asked to be called, or
-- corrects a quote that was delivered. That one stays as it was; this one names its folio.
alter table public.quotes
  add column promociones boolean not null default false,
  add column llamada     boolean not null default false,
  add column reemplaza   text,
  add constraint quotes_reemplaza_check check (reemplaza ~ '^AP-[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$');
grant insert (promociones, llamada, reemplaza) on public.quotes to anon, authenticated;
