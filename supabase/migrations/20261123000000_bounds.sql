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
