import type { Answered, Asked, Caller } from './both.ts';

/** Request that the two servers answer differently, with the reason why the difference may stay. */
export interface Difference {
  readonly what: string;
  readonly example: Asked;
  readonly hosted: string;
  readonly embedded: string;
  readonly reason: string;
  /** Returns true for other requests that show the same difference as the example. */
  readonly when?: ((question: Asked) => boolean) | undefined;
}

const NEWER = 'hosted projects run 14, which answers as the embedded server does; npm has 12.0.2 at most';
const NOT_ASKED = 'no client of this product sends such a request, so the embedded server does not support it';
const GATEWAY = 'the gateway refuses the request, in the words of its documentation';
const TWO_FAULTS = 'refused either way; the two servers check such a request in another order';
const READ_LAST = 'refused either way; the embedded database reads this filter last, as above';

const isBoolean = ({ path }: Asked) =>
  /\b(open|reply_waiting|promociones|only_one|here|at_desk|peligrosa|is_\w+|by_\w+|llamada|enlace|entregada|unproven|wanted|whatsapp|has_contact|one|only_row)=/.test(
    path,
  );
const isTruth = ({ path }: Asked) => /=(not\.)?is\.(true|false)\b/.test(path);

const quote = {
  nombre: 'María',
  empresa: 'Diferencias',
  email: 'a@b.mx',
  telefono: '6645550175',
  peso: 7,
  tipo_carga: 'general',
};

interface More extends Pick<Asked, 'headers' | 'body'> {
  readonly when?: Difference['when'];
}

/** Describes a difference between the two servers. The example has the form `caller: METHOD path`. */
function differ(
  what: string,
  example: string,
  hosted: string,
  embedded: string,
  reason: string,
  { when, ...request }: More = {},
): Difference {
  const [, as, method, path] = /^([\w ]+): (\w+) (.*)$/.exec(example)!;
  return {
    what,
    example: { as: as as Caller, method: method!, path: path!, ...request },
    hosted,
    embedded,
    reason,
    when,
  };
}

export const DIFFERENCES: readonly Difference[] = [
  differ('no key', 'no key: GET quotes', '401', '401 401', GATEWAY, { when: ({ as }) => as === 'no key' }),
  differ('a key of another project', 'wrong key: GET quotes', '401', '401 401', GATEWAY, {
    when: ({ as }) => as === 'wrong key',
  }),
  differ(
    'a token that has expired',
    'expired token: GET quotes',
    '401 PGRST301',
    '401 PGRST303',
    `since 13.0.0 (#3600): ${NEWER}`,
    { when: ({ as }) => as === 'expired token' },
  ),
  differ(
    'a token signed with another key',
    'forged token: GET quotes',
    '401 PGRST301',
    '401 PGRST301',
    `since 13.0.0 (#3600) with another text: ${NEWER}`,
    { when: ({ as }) => as === 'forged token' },
  ),
  differ('an unknown table', 'visitor: GET leads', '404 42P01', '404 PGRST205', `since 13.0.0 (#3697): ${NEWER}`),
  differ(
    'an unknown column in a row',
    'visitor: POST quotes',
    '400 PGRST204',
    '400 PGRST204',
    `since 12.0.3 (#3361) with another text: ${NEWER}`,
    { body: { ...quote, color: 'rojo' }, when: ({ method }) => method === 'POST' || method === 'PATCH' },
  ),
  differ(
    'a filter that is not a boolean, from a caller without the right to read',
    'visitor: GET desk_leads?open=eq.maybe',
    '400 22P02',
    '401 42501',
    'refused either way; PGlite cannot read such a value, so this filter comes last',
    { when: isBoolean },
  ),
  differ(
    'a filter that is not a boolean, from somebody signed in without that right',
    'a customer: GET quote_links?promociones=eq.maybe',
    '400 22P02',
    '403 42501',
    READ_LAST,
    { when: isBoolean },
  ),
  differ(
    'a filter that is not a boolean, ahead of one that is not a time',
    'ana: GET quote_desk?open=eq.maybe&asked_at=eq.never',
    '400 22P02',
    '400 22007',
    READ_LAST,
    { when: isBoolean },
  ),
  differ(
    'a filter that is not a boolean, ahead of an impossible date',
    'ana: GET quote_desk?open=eq.maybe&asked_at=eq.2020-13-01',
    '400 22P02',
    '400 22008',
    READ_LAST,
    { when: isBoolean },
  ),
  differ(
    'a filter that is not a boolean, ahead of a number that is too large',
    'ana: GET quotes?promociones=eq.maybe&peso=eq.2147483648',
    '400 22P02',
    '400 22003',
    READ_LAST,
    { when: isBoolean },
  ),
  differ(
    'a filter that is not a boolean, ahead of one that is not an id',
    'ana: GET desk_leads?reply_waiting=gte.maybe&quote_id=eq.',
    '400 22P02',
    '400 22P02',
    READ_LAST,
    { when: isBoolean },
  ),
  differ(
    'a text compared with false, ahead of an unknown column in the order',
    'service key: GET schema_version?version=is.false&version=is.true&order=version.desc,quote_id',
    '400 42804',
    '400 42703',
    TWO_FAULTS,
    { when: isTruth },
  ),
  differ(
    'a list compared with texts, ahead of the same list compared with false',
    'visitor with the older key: GET alert_sender?select=*&ways=in.(%22%22%2C7%2C%22null%22%2C%22true%22)&ways=is.false',
    '400 42704',
    '400 42804',
    TWO_FAULTS,
    { when: isTruth },
  ),
  differ(
    'a list of rows, also of a single one',
    'visitor: POST quotes',
    '201',
    '400 PGRST102',
    `a phone sends one; ${NOT_ASKED}`,
    { body: [quote] },
  ),
  differ(
    'an empty row',
    'visitor: POST quotes',
    '400 23502',
    '400 PGRST102',
    'a row with default values only is valid in no table, so the server refuses it itself',
    { body: {} },
  ),
  differ(
    'an unknown column beside an id that is no number',
    'visitor: POST webhooks',
    '400 PGRST204',
    '400 22P02',
    TWO_FAULTS,
    {
      body: { id: '4e38f647-8eb2-4804-8f93-e810e78d309b', quote_id: null, body: 'Llamar el lunes.', url: '"' },
      when: ({ method }) => method === 'POST',
    },
  ),
  differ(
    'a column of lists compared with a list',
    'ana: GET alert_sender?ways=in.(mail)',
    '400 42704',
    '400 22P02',
    NOT_ASKED,
    {
      when: ({ path }) => /\b(ways|events)=in\./.test(path),
    },
  ),
  differ(
    'a value that is a list or an object',
    'visitor: POST quotes',
    '201',
    '400 PGRST102',
    'nested values can keep PGlite busy for ever, and no column holds one',
    { body: { ...quote, nombre: ['María'] } },
  ),
  differ(
    'a number in a text, as `0x10`, `1_000` or `NaN`',
    'visitor: POST quotes',
    '201',
    '400 22P02',
    'PostgreSQL accepts it, but no client means such a number',
    { body: { ...quote, email: 'c@d.mx', peso: '0x10' } },
  ),
  differ(
    'a whole number written as `5.0`',
    'visitor: POST quotes',
    '400 22P02',
    '201',
    'the embedded server rewrites rows before the database reads them; no client writes it so',
    { body: JSON.stringify({ ...quote, peso: 5 }).replace(':5,', ':5.0,') },
  ),
  differ(
    'a body of more than 16 kB',
    'visitor: POST quotes',
    '400 23514',
    '413 413',
    'one machine needs this limit; a quote has under 1 kB',
    { body: { ...quote, nombre: 'x'.repeat(17_000) } },
  ),
  differ('CSV as the body', 'service key: POST quotes', '400 22P02', '400 PGRST102', NOT_ASKED, {
    headers: { 'content-type': 'text/csv' },
    body: 'peso\nx',
  }),
  differ(
    'CSV as the answer',
    'visitor: GET quotes',
    '200',
    '200',
    `the server always sends lists as JSON; ${NOT_ASKED}`,
    { headers: { accept: 'text/csv' } },
  ),
  differ('one object as the answer', 'visitor: GET quotes', '406 PGRST116', '406 PGRST107', NOT_ASKED, {
    headers: { accept: 'application/vnd.pgrst.object+json' },
  }),
  differ(
    'DELETE without the service key',
    'visitor: DELETE quotes?peso=eq.7',
    '401 42501',
    '405 PGRST117',
    'refused either way; the embedded server does not ask the database',
  ),
  differ(
    'PATCH of what nobody changes',
    'ana: PATCH quotes?peso=eq.7',
    '403 42501',
    '405 PGRST117',
    'refused either way; the embedded server does not ask the database',
    { body: { peso: 8 } },
  ),
  differ(
    'PATCH of every row',
    'service key: PATCH quote_desk',
    '204',
    '400 PGRST100',
    'the filter was probably forgotten; hosted projects refuse it too, by an extension that is in no package',
    { body: { blocked_at: '2026-01-01T00:00:00Z' } },
  ),
  differ('PUT, HEAD', 'visitor: HEAD quotes', '200', '405 PGRST117', NOT_ASKED),
  differ('tables that only the alerts read', 'ana: GET alerts?limit=0', '200', '404 PGRST205', NOT_ASKED),
  differ(
    'functions',
    'visitor: POST rpc/settle_alert',
    '404 PGRST202',
    '404 PGRST125',
    'the embedded server sends alerts itself',
    { body: {} },
  ),
  differ('a count', 'visitor: GET quotes', '200', '400 PGRST100', NOT_ASKED, { headers: { prefer: 'count=exact' } }),
  differ('an upsert that overwrites', 'visitor: POST quotes', '401 42501', '400 PGRST100', NOT_ASKED, {
    headers: { prefer: 'resolution=merge-duplicates' },
    body: quote,
  }),
  differ('only the headers of what was stored', 'service key: POST quotes', '400 23514', '400 PGRST100', NOT_ASKED, {
    headers: { prefer: 'return=headers-only' },
    body: { ...quote, peso: 0 },
  }),
  differ('a Range', 'visitor: GET quotes', '200', '400 PGRST100', NOT_ASKED, { headers: { range: '0-9' } }),
  differ(
    'patterns, negations, `or`, casts, aliases, embedded tables',
    'visitor: GET quotes?nombre=like.*a*',
    '200',
    '400 PGRST100',
    'a pattern from a visitor could keep the one database busy for ever; no client sends the rest',
  ),
  differ('a limit below 0', 'visitor: GET quotes?limit=-1', '416 PGRST103', '400 PGRST100', NOT_ASKED),
  differ(
    'an empty page after others',
    'visitor: GET quotes?limit=0&offset=5',
    '416 PGRST103',
    '200',
    `PostgREST takes it for a limit below 0; ${NOT_ASKED}`,
  ),
  differ(
    'another schema',
    'visitor: GET quotes',
    '406 PGRST106',
    '406 PGRST106',
    `since 13.0.7 with another text: ${NEWER}`,
    { headers: { 'accept-profile': 'private' } },
  ),
];

export const statusAndCode = ({ status, code }: Answered) => `${status} ${code}`.trim();
