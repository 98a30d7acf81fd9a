import type { Answered, Asked } from './both.ts';

/** What the two answer differently, and why that is left so. */
export interface Difference {
  readonly what: string;
  readonly example: Asked;
  /** Status and code. */
  readonly hosted: string;
  readonly embedded: string;
  readonly reason: string;
  /** Where other requests are answered so too, which of them. */
  readonly when?: (asked: Asked) => boolean;
}

const NEWER = 'hosted projects have 14, which says what the embedded server says; 12.0.2 is the newest that npm has';
const NOT_ASKED = 'nobody of ours asks it, and what is not asked is refused by name';
const GATEWAY = 'it is the gateway that answers, in the words of its documentation';

const BOOLEAN = /\b(open|reply_waiting|promociones|llamada|only_one|here|at_desk|peligrosa)=/;

const visitor = { as: 'visitor' } as const;
const service = { as: 'service key' } as const;
const quote = {
  nombre: 'María',
  empresa: 'Diferencias',
  email: 'a@b.mx',
  telefono: '6645550175',
  peso: 7,
  tipo_carga: 'general',
};

export const DIFFERENCES: readonly Difference[] = [
  {
    what: 'no key',
    example: { as: 'no key', method: 'GET', path: 'quotes' },
    hosted: '401',
    embedded: '401 401',
    reason: GATEWAY,
    when: ({ as }) => as === 'no key',
  },
  {
    what: 'a key of another project',
    example: { as: 'wrong key', method: 'GET', path: 'quotes' },
    hosted: '401',
    embedded: '401 401',
    reason: GATEWAY,
    when: ({ as }) => as === 'wrong key',
  },
  {
    what: 'a token that has expired',
    example: { as: 'expired token', method: 'GET', path: 'quotes' },
    hosted: '401 PGRST301',
    embedded: '401 PGRST303',
    reason: `since 13.0.0 (#3600): ${NEWER}`,
    when: ({ as }) => as === 'expired token',
  },
  {
    what: 'a token that somebody else signed',
    example: { as: 'forged token', method: 'GET', path: 'quotes' },
    hosted: '401 PGRST301',
    embedded: '401 PGRST301',
    reason: `since 13.0.0 (#3600) in other words: ${NEWER}`,
    when: ({ as }) => as === 'forged token',
  },
  {
    what: 'a table that is not there',
    example: { ...visitor, method: 'GET', path: 'leads' },
    hosted: '404 42P01',
    embedded: '404 PGRST205',
    reason: `since 13.0.0 (#3697): ${NEWER}`,
  },
  {
    what: 'a column that is not there, in a row',
    example: { ...visitor, method: 'POST', path: 'quotes', body: { ...quote, color: 'rojo' } },
    hosted: '400 PGRST204',
    embedded: '400 PGRST204',
    reason: `since 12.0.3 (#3361) in other words: ${NEWER}`,
    when: ({ method }) => method === 'POST' || method === 'PATCH',
  },
  {
    what: 'a filter that is no boolean, of whoever may not read at all',
    example: { ...visitor, method: 'GET', path: 'desk_leads?open=eq.maybe' },
    hosted: '400 22P02',
    embedded: '401 42501',
    reason: 'refused either way; PGlite takes no such value, so that the database reads it last',
    when: ({ path }) => BOOLEAN.test(path),
  },
  {
    what: 'a filter that is no boolean, of somebody signed in who may not read it',
    example: { as: 'a customer', method: 'GET', path: 'quote_links?llamada=eq.maybe' },
    hosted: '400 22P02',
    embedded: '403 42501',
    reason: 'refused either way; the database reads it last, as above',
    when: ({ path }) => BOOLEAN.test(path),
  },
  {
    what: 'a filter that is no boolean, ahead of one that is no moment',
    example: { as: 'ana', method: 'GET', path: 'quote_desk?open=eq.maybe&asked_at=eq.never' },
    hosted: '400 22P02',
    embedded: '400 22007',
    reason: 'refused either way; the database reads it last, as above',
    when: ({ path }) => BOOLEAN.test(path),
  },
  {
    what: 'a filter that is no boolean, ahead of a day that no calendar has',
    example: { as: 'ana', method: 'GET', path: 'quote_desk?open=eq.maybe&asked_at=eq.2020-13-01' },
    hosted: '400 22P02',
    embedded: '400 22008',
    reason: 'refused either way; the database reads it last, as above',
    when: ({ path }) => BOOLEAN.test(path),
  },
  {
    what: 'a filter that is no boolean, ahead of a number that is too great',
    example: { as: 'ana', method: 'GET', path: 'quotes?promociones=eq.maybe&peso=eq.2147483648' },
    hosted: '400 22P02',
    embedded: '400 22003',
    reason: 'refused either way; the database reads it last, as above',
    when: ({ path }) => BOOLEAN.test(path),
  },
  {
    what: 'a filter that is no boolean, ahead of one that is no id',
    example: { as: 'ana', method: 'GET', path: 'desk_leads?reply_waiting=gte.maybe&quote_id=eq.' },
    hosted: '400 22P02',
    embedded: '400 22P02',
    reason: 'refused either way; the database reads it last, as above',
    when: ({ path }) => BOOLEAN.test(path),
  },
  {
    what: 'a list of rows, be it of one',
    example: { ...visitor, method: 'POST', path: 'quotes', body: [quote] },
    hosted: '201',
    embedded: '400 PGRST102',
    reason: `a phone sends one; ${NOT_ASKED}`,
  },
  {
    what: 'an empty row',
    example: { ...visitor, method: 'POST', path: 'quotes', body: {} },
    hosted: '400 23502',
    embedded: '400 PGRST102',
    reason: 'no table has a row of defaults alone: refused before the database is asked',
  },
  {
    what: 'a value that is a list or an object',
    example: { ...visitor, method: 'POST', path: 'quotes', body: { ...quote, nombre: ['María'] } },
    hosted: '201',
    embedded: '400 PGRST102',
    reason: 'nested values can keep PGlite busy for ever; no column holds one',
  },
  {
    what: 'a number in a text, as `0x10`, `1_000` or `NaN`',
    example: { ...visitor, method: 'POST', path: 'quotes', body: { ...quote, email: 'c@d.mx', peso: '0x10' } },
    hosted: '201',
    embedded: '400 22P02',
    reason: 'PostgreSQL reads it, and nobody means it',
  },
  {
    what: 'a whole number written as `5.0`',
    example: {
      ...visitor,
      method: 'POST',
      path: 'quotes',
      body: JSON.stringify({ ...quote, peso: 5 }).replace(':5,', ':5.0,'),
    },
    hosted: '400 22P02',
    embedded: '201',
    reason: 'rows are written anew before the database reads them, and no client writes it so',
  },
  {
    what: 'a body of more than 16 kB',
    example: { ...visitor, method: 'POST', path: 'quotes', body: { ...quote, nombre: 'x'.repeat(17_000) } },
    hosted: '400 23514',
    embedded: '413 413',
    reason: 'a bound that one machine needs; a quote has under 1 kB',
  },
  {
    what: 'CSV as the body',
    example: { ...service, method: 'POST', path: 'quotes', headers: { 'content-type': 'text/csv' }, body: 'peso\nx' },
    hosted: '400 22P02',
    embedded: '400 PGRST102',
    reason: NOT_ASKED,
  },
  {
    what: 'CSV as the answer',
    example: { ...visitor, method: 'GET', path: 'quotes', headers: { accept: 'text/csv' } },
    hosted: '200',
    embedded: '200',
    reason: `a list comes as JSON whatever is accepted; ${NOT_ASKED}`,
  },
  {
    what: 'one object as the answer',
    example: { ...visitor, method: 'GET', path: 'quotes', headers: { accept: 'application/vnd.pgrst.object+json' } },
    hosted: '406 PGRST116',
    embedded: '406 PGRST107',
    reason: NOT_ASKED,
  },
  {
    what: 'DELETE, of whoever is not the service key',
    example: { ...visitor, method: 'DELETE', path: 'quotes?peso=eq.7' },
    hosted: '401 42501',
    embedded: '405 PGRST117',
    reason: 'refused either way; the embedded server does not ask the database',
  },
  {
    what: 'PATCH of what nobody changes',
    example: { as: 'ana', method: 'PATCH', path: 'quotes?peso=eq.7', body: { peso: 8 } },
    hosted: '403 42501',
    embedded: '405 PGRST117',
    reason: 'refused either way; the embedded server does not ask the database',
  },
  {
    what: 'PATCH of every row',
    example: { ...service, method: 'PATCH', path: 'quote_desk', body: { blocked_at: '2026-01-01T00:00:00Z' } },
    hosted: '204',
    embedded: '400 PGRST100',
    reason: 'a filter that was forgotten; hosted projects refuse it too, with an extension that is not to be had',
  },
  {
    what: 'PUT, HEAD',
    example: { ...visitor, method: 'HEAD', path: 'quotes' },
    hosted: '200',
    embedded: '405 PGRST117',
    reason: NOT_ASKED,
  },
  {
    what: 'tables that only the alerts read',
    example: { as: 'ana', method: 'GET', path: 'alerts?limit=0' },
    hosted: '200',
    embedded: '404 PGRST205',
    reason: NOT_ASKED,
  },
  {
    what: 'functions',
    example: { ...visitor, method: 'POST', path: 'rpc/settle_alert', body: {} },
    hosted: '404 PGRST202',
    embedded: '404 PGRST125',
    reason: 'what sends alerts is inside the embedded server',
  },
  {
    what: 'a count',
    example: { ...visitor, method: 'GET', path: 'quotes', headers: { prefer: 'count=exact' } },
    hosted: '200',
    embedded: '400 PGRST100',
    reason: NOT_ASKED,
  },
  {
    what: 'an upsert that overwrites',
    example: {
      ...visitor,
      method: 'POST',
      path: 'quotes',
      headers: { prefer: 'resolution=merge-duplicates' },
      body: quote,
    },
    hosted: '401 42501',
    embedded: '400 PGRST100',
    reason: NOT_ASKED,
  },
  {
    what: 'only the headers of what was stored',
    example: {
      ...service,
      method: 'POST',
      path: 'quotes',
      headers: { prefer: 'return=headers-only' },
      body: { ...quote, peso: 0 },
    },
    hosted: '400 23514',
    embedded: '400 PGRST100',
    reason: NOT_ASKED,
  },
  {
    what: 'a Range',
    example: { ...visitor, method: 'GET', path: 'quotes', headers: { range: '0-9' } },
    hosted: '200',
    embedded: '400 PGRST100',
    reason: NOT_ASKED,
  },
  {
    what: 'patterns, negations, `or`, casts, aliases, embedded tables',
    example: { ...visitor, method: 'GET', path: 'quotes?nombre=like.*a*' },
    hosted: '200',
    embedded: '400 PGRST100',
    reason:
      'a pattern of a visitor would keep one database busy for as long as the visitor likes; the rest nobody asks',
  },
  {
    what: 'a limit below 0',
    example: { ...visitor, method: 'GET', path: 'quotes?limit=-1' },
    hosted: '416 PGRST103',
    embedded: '400 PGRST100',
    reason: NOT_ASKED,
  },
  {
    what: 'a page of 0 rows behind others',
    example: { ...visitor, method: 'GET', path: 'quotes?limit=0&offset=5' },
    hosted: '416 PGRST103',
    embedded: '200',
    reason: `PostgREST takes it for a limit below 0; ${NOT_ASKED}`,
  },
  {
    what: 'another schema',
    example: { ...visitor, method: 'GET', path: 'quotes', headers: { 'accept-profile': 'private' } },
    hosted: '406 PGRST106',
    embedded: '406 PGRST106',
    reason: `since 13.0.7 in other words: ${NEWER}`,
  },
];

export const said = ({ status, code }: Answered) => `${status} ${code}`.trim();
