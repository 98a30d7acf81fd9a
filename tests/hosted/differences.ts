import type { Answered, Asked, Caller } from './both.ts';

/** Request that the two servers answer differently, with the reason why the difference may stay. */
export interface Difference {
  readonly what: string;
  readonly example: Asked;
  readonly hosted: string;
  readonly embedded: string;
  readonly reason: string;
}

const NEWER = 'hosted projects run 14, which answers as the embedded server does; npm has 12.0.2 at most';
const NOT_ASKED = 'no client of this product sends such a request, so the embedded server does not support it';
const GATEWAY = 'the gateway refuses the request, in the words of its documentation';
const NOT_PASSED_ON = 'refused either way; the embedded server does not ask the database';
const READ_LAST = 'refused either way; PGlite cannot read such a value, so this filter comes last';

const quote = {
  nombre: 'María',
  empresa: 'Diferencias',
  email: 'a@b.mx',
  telefono: '6645550175',
  peso: 7,
  tipo_carga: 'general',
};

/**
 * Describes a difference between the two servers. The example has the form `caller: METHOD path`, the answers the form
 * `hosted / embedded`.
 */
function differ(
  what: string,
  request: string,
  answers: string,
  reason: string,
  more: Pick<Asked, 'headers' | 'body'> = {},
): Difference {
  const [, as, method, path] = /^([\w ]+): (\w+) (.*)$/.exec(request)!;
  const [hosted, embedded] = answers.split(' / ') as [string, string];
  return { what, example: { as: as as Caller, method: method!, path: path!, ...more }, hosted, embedded, reason };
}

/** Differences that concern every request of a caller, whatever its path. */
export const OF_CALLERS: readonly Difference[] = [
  differ('no key', 'no key: GET quotes', '401 / 401 401', GATEWAY),
  differ('a key of another project', 'wrong key: GET quotes', '401 / 401 401', GATEWAY),
  differ(
    'a token that has expired',
    'expired token: GET quotes',
    '401 PGRST301 / 401 PGRST303',
    `since 13.0.0 (#3600): ${NEWER}`,
  ),
  differ(
    'a token signed with another key',
    'forged token: GET quotes',
    '401 PGRST301 / 401 PGRST301',
    `since 13.0.0 (#3600) with another text: ${NEWER}`,
  ),
];

export const DIFFERENCES: readonly Difference[] = [
  ...OF_CALLERS,
  differ('an unknown table', 'visitor: GET leads', '404 42P01 / 404 PGRST205', `since 13.0.0 (#3697): ${NEWER}`),
  differ(
    'an unknown column in a row',
    'visitor: POST quotes',
    '400 PGRST204 / 400 PGRST204',
    `since 12.0.3 (#3361) with another text: ${NEWER}`,
    { body: { ...quote, color: 'rojo' } },
  ),
  differ(
    'a filter that is not a boolean, from a caller without the right to read',
    'visitor: GET desk_leads?open=eq.maybe',
    '400 22P02 / 401 42501',
    READ_LAST,
  ),
  differ(
    'a filter that is not a boolean, ahead of one that is not a time',
    'ana: GET quote_desk?open=eq.maybe&asked_at=eq.never',
    '400 22P02 / 400 22007',
    READ_LAST,
  ),
  differ(
    'a list of rows, also of a single one',
    'visitor: POST quotes',
    '201 / 400 PGRST102',
    `a phone sends one; ${NOT_ASKED}`,
    { body: [quote] },
  ),
  differ(
    'an empty row',
    'visitor: POST quotes',
    '400 23502 / 400 PGRST102',
    'a row with default values only is valid in no table, so the server refuses it itself',
    { body: {} },
  ),
  differ('a list in a filter', 'ana: GET alert_sender?ways=in.(mail)', '400 42704 / 400 22P02', NOT_ASKED),
  differ(
    'a value that is a list or an object',
    'visitor: POST quotes',
    '201 / 400 PGRST102',
    'nested values can keep PGlite busy for ever, and no column holds one',
    { body: { ...quote, nombre: ['María'] } },
  ),
  differ(
    'a number in a text, as `0x10`, `1_000` or `NaN`',
    'visitor: POST quotes',
    '201 / 400 22P02',
    'PostgreSQL accepts it, but no client means such a number',
    { body: { ...quote, email: 'c@d.mx', peso: '0x10' } },
  ),
  differ(
    'a whole number written as `5.0`',
    'visitor: POST quotes',
    '400 22P02 / 201',
    'the embedded server rewrites rows before the database reads them; no client writes it so',
    { body: JSON.stringify({ ...quote, peso: 5 }).replace(':5,', ':5.0,') },
  ),
  differ(
    'a body of more than 16 kB',
    'visitor: POST quotes',
    '400 23514 / 413 413',
    'one machine needs this limit; a quote has under 1 kB',
    { body: { ...quote, nombre: 'x'.repeat(17_000) } },
  ),
  differ('CSV as the body', 'service key: POST quotes', '400 22P02 / 400 PGRST102', NOT_ASKED, {
    headers: { 'content-type': 'text/csv' },
    body: 'peso\nx',
  }),
  differ('CSV as the answer', 'visitor: GET quotes', '200 / 200', `the server always sends JSON; ${NOT_ASKED}`, {
    headers: { accept: 'text/csv' },
  }),
  differ('one object as the answer', 'visitor: GET quotes', '406 PGRST116 / 406 PGRST107', NOT_ASKED, {
    headers: { accept: 'application/vnd.pgrst.object+json' },
  }),
  differ('DELETE by visitors', 'visitor: DELETE quotes?peso=eq.7', '401 42501 / 405 PGRST117', NOT_PASSED_ON),
  differ('PATCH of what nobody changes', 'ana: PATCH quotes?peso=eq.7', '403 42501 / 405 PGRST117', NOT_PASSED_ON, {
    body: { peso: 8 },
  }),
  differ(
    'PATCH of every row',
    'service key: PATCH quote_desk',
    '204 / 400 PGRST100',
    'the filter was probably forgotten; hosted projects refuse it too, by an extension that is in no package',
    { body: { blocked_at: '2026-01-01T00:00:00Z' } },
  ),
  differ('PUT, HEAD', 'visitor: HEAD quotes', '200 / 405 PGRST117', NOT_ASKED),
  differ('tables that only the alerts read', 'ana: GET alerts?limit=0', '200 / 404 PGRST205', NOT_ASKED),
  differ(
    'functions',
    'visitor: POST rpc/settle_alert',
    '404 PGRST202 / 404 PGRST125',
    'the embedded server sends alerts itself',
    { body: {} },
  ),
  differ('a count', 'visitor: GET quotes', '200 / 400 PGRST100', NOT_ASKED, { headers: { prefer: 'count=exact' } }),
  differ('an upsert that overwrites', 'visitor: POST quotes', '401 42501 / 400 PGRST100', NOT_ASKED, {
    headers: { prefer: 'resolution=merge-duplicates' },
    body: quote,
  }),
  differ('only the headers of what was stored', 'service key: POST quotes', '400 23514 / 400 PGRST100', NOT_ASKED, {
    headers: { prefer: 'return=headers-only' },
    body: { ...quote, peso: 0 },
  }),
  differ('a Range', 'visitor: GET quotes', '200 / 400 PGRST100', NOT_ASKED, { headers: { range: '0-9' } }),
  differ(
    'patterns, negations, `or`, casts, aliases, embedded tables',
    'visitor: GET quotes?nombre=like.*a*',
    '200 / 400 PGRST100',
    'a pattern from a visitor could keep the one database busy for ever; no client sends the rest',
  ),
  differ('a limit below 0', 'visitor: GET quotes?limit=-1', '416 PGRST103 / 400 PGRST100', NOT_ASKED),
  differ(
    'an empty page after others',
    'visitor: GET quotes?limit=0&offset=5',
    '416 PGRST103 / 200',
    `PostgREST takes it for a limit below 0; ${NOT_ASKED}`,
  ),
  differ(
    'another schema',
    'visitor: GET quotes',
    '406 PGRST106 / 406 PGRST106',
    `since 13.0.7 with another text: ${NEWER}`,
    { headers: { 'accept-profile': 'private' } },
  ),
];

export const statusAndCode = ({ status, code }: Answered) => `${status} ${code}`.trim();
