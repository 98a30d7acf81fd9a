import { randomUUID } from 'node:crypto';
import { drawsFrom } from '../chance.ts';
import { ALERT_TABLES, DESK_TABLES, DEVICE_KEYS } from './callers.ts';
import { sampleQuote } from './sample-quote.ts';

export interface OddRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Known {
  readonly token: string;
  readonly person: string;
  readonly quotes: readonly string[];
  readonly files: readonly string[];
}

const words = (text: string) => text.trim().split(/\s+/);

const NASTY = words(String.raw`
  null * " % %00 \u0000 [[[[[[ 1e999 -0 99999999999999999999 ../../etc/passwd __proto__ constructor 2026-13-45
  00000000-0000-0000-0000-000000000000`).concat(
  ['', "'; drop table quotes; --", 'a\u0000b', '\ud800'],
  ['🥭'.repeat(40), 'x'.repeat(3000), '('.repeat(500)],
);
/** Values that colleagues may write, and values that are nearly valid. */
const VALUES: readonly unknown[] = [
  words(`
    infinity -infinity NaN 0x10 1_000 0.005 1e5 10000-01-01 2026-12-01 9999-12-31 tomada ganada perdida
    nueva kilo total USD MXN https://push.example.com/x https://[`),
  ['0001-01-01 BC', '\u200b', '\r\n\r\n', ' ', `B${'A'.repeat(86)}`, 'A'.repeat(22)],
  [0, 0.005, 1.5, -1, 1e300, 4.1, 7, null, true, [], {}, [[[]]]],
].flat();
const COLUMNS = words(`
  id nombre email peso folio created_at color or and not.or select order limit offset on_conflict columns
  apikey quote_id answer_id kind status version due_at`);
const PRICE = { price: 4.1, price_for: 'kilo', currency: 'USD' };
const OPERATORS = ['eq', 'gte', 'in', 'is', 'like', 'match', 'fts', 'not.eq', 'cs', 'neq', ''];
const VISITORS_HEADERS = words(`
  prefer accept range authorization apikey content-type x-submission-id x-forwarded-for accept-profile
  cf-connecting-ip content-encoding expect`);
const VISITORS_VALUES = words(`
  return=representation resolution=ignore-duplicates,return=representation application/json a,b,c Bearer`);
const SITE_HEADERS = words('if-none-match if-modified-since if-range if-match host accept expect range cookie');
const SITE_VALUES = ['*', 'W/"x", "y"', 'Mon, 23 Nov 2026 00:00:00 GMT', 'bytes=5-2', ',,,', '100-continue'];
const SITE_METHODS = words('GET GET GET GET GET HEAD HEAD POST OPTIONS PROPFIND TRACE');
const ODD_PATHS = words(String.raw`
  * // /% /%ff /%c0%af /; /\..\.. /_headers /%5fheaders /assets /.git/config /__proto__ //elsewhere.example
  /${'x'.repeat(7000)}`);
const around = (file: string) => [
  `/${file}`,
  `/..${file}`,
  `/%2e%2e${file}`,
  `http://elsewhere.example${file}`,
  `${file}/`,
  `${file}%00`,
  `${file}.br`,
  `${file}?${'x'.repeat(3000)}`,
];

/** Returns functions that make random odd requests, the same on every machine for a seed. */
export function createOddRequests(seed: number, { token, person, quotes, files }: Known) {
  const { whole, oneOf, sometimes } = drawsFrom(seed);
  const several = <Item>(most: number, make: () => Item) => Array.from({ length: whole(most + 1) }, make);

  /** Returns the text with parts removed, doubled, moved or replaced. */
  function mutated(text: string): string {
    let changed = text;
    for (let times = 1 + whole(4); times > 0; times -= 1) {
      const at = whole(changed.length + 1);
      const to = at + whole(8);
      const instead = ['', changed.slice(at, to).repeat(2), oneOf(NASTY), String.fromCharCode(whole(256))];
      changed = changed.slice(0, at) + oneOf(instead) + changed.slice(to);
    }
    return changed;
  }

  const encoded = (text: string) => encodeURI(text.toWellFormed()).replaceAll(/[?#]/g, '');
  const oddPath = (text: string) => `/${encoded(mutated(text)).replace(/^\//, '')}`;

  function oddQuery(): string {
    const parts = several(3, () => {
      const list = `in.(${NASTY.slice(0, whole(6)).join(',')})`;
      const value = oneOf([`${oneOf(OPERATORS)}.${oneOf(NASTY)}`, list, oneOf(NASTY)]);
      const name = oneOf([...COLUMNS, oneOf(NASTY)]);
      return `${encodeURIComponent(name.toWellFormed())}=${sometimes(0.9) ? encodeURIComponent(value.toWellFormed()) : escape(value)}`;
    });
    return parts.length > 0 ? `?${parts.join('&')}` : '';
  }

  /** Returns a JSON body in which up to `most` fields are changed. */
  function oddBody(row: Record<string, unknown>, most = 2): string {
    const odd = { ...row };
    for (const name of several(most, () => oneOf([...Object.keys(row), 'color', '__proto__'])))
      odd[name] = oneOf<unknown>([...NASTY, ...VALUES]);
    const text = JSON.stringify(sometimes(0.9) ? odd : oneOf<unknown>([[odd], [odd, row], null, 5]));
    return sometimes(0.8) ? text : mutated(text);
  }

  function oddHeaders(names: readonly string[], values: readonly string[]): Record<string, string> {
    const odd = several(2, () => [oneOf(names), oneOf([...values, oneOf(NASTY)])] as const);
    // Node refuses to send headers with characters other than printable ASCII and tab, so `?` replaces them. `bytes`
    // below can send such characters, because its bytes are written to the socket itself.
    return Object.fromEntries(odd.map(([name, value]) => [name, value.replaceAll(/[^\t\u0020-\u007e]/g, '?')]));
  }

  const asJson = { apikey: 'aeropuente-public', 'content-type': 'application/json' };
  const withBody = (method: string, body: () => string) => (/^(POST|PATCH|PUT)$/.test(method) ? { body: body() } : {});

  const doors = {
    visitor(): OddRequest {
      const method = oneOf(words('GET GET POST POST POST PATCH DELETE PUT HEAD OPTIONS'));
      const table = sometimes(0.7) ? 'quotes' : oneOf([...DESK_TABLES, ...ALERT_TABLES]);
      const path = (sometimes(0.85) ? `/rest/v1/${table}` : oddPath('/rest/v1/quotes')) + oddQuery();
      const quote_id = randomUUID();
      const ofTheDesk = oneOf<Record<string, unknown>>([
        { id: randomUUID(), quote_id, answer_id: randomUUID(), kind: 'aceptada', body: '' },
        { answer_id: randomUUID(), quote_id },
        { id: randomUUID(), quote_id, body: 'Sale el jueves.', ...PRICE },
        { status: 'tomada', assignee: randomUUID(), version: 1 },
      ]);
      const headers = { ...asJson, ...oddHeaders(VISITORS_HEADERS, VISITORS_VALUES) };
      return { method, path, headers, ...withBody(method, () => oddBody(sometimes(0.8) ? sampleQuote() : ofTheDesk)) };
    },

    /** Returns a request that writes a row as a colleague; most of these rows belong to an existing lead. */
    staff(): OddRequest {
      const quote_id = sometimes(0.9) ? oneOf(quotes) : randomUUID();
      const [table, row] = oneOf<readonly [string, Record<string, unknown>]>([
        ['quote_answers', { id: randomUUID(), quote_id, body: 'Sale.', ...PRICE, valid_until: '2026-12-01' }],
        ['quote_notes', { id: randomUUID(), quote_id, body: 'Llamar el lunes.' }],
        ['push_devices', { endpoint: `https://push.example.com/${whole(1e9)}`, ...DEVICE_KEYS }],
        ['quote_desk', { status: oneOf(['nueva', 'tomada', 'ganada', 'perdida']), assignee: oneOf([null, person]) }],
      ]);
      const isLead = table === 'quote_desk';
      const path = `/rest/v1/${table}${isLead ? `?quote_id=eq.${quote_id}` : sometimes(0.5) ? '?on_conflict=id' : ''}`;
      const headers = { ...asJson, authorization: `Bearer ${token}`, ...oddHeaders(['prefer'], VISITORS_VALUES) };
      return { method: isLead ? 'PATCH' : 'POST', path, headers, body: oddBody(row) };
    },

    signIn(): OddRequest {
      const method = oneOf(['GET', 'POST', 'POST', 'PUT', 'DELETE', 'HEAD']);
      const known = [
        'token?grant_type=refresh_token',
        'token?grant_type=x',
        'user',
        'logout?scope=others',
        'logout',
        'admin/users',
        `admin/users/${randomUUID()}`,
      ];
      // Sign-ins are rare, because the check of a password is slow on purpose.
      const place = sometimes(0.03) ? 'token?grant_type=password' : oneOf(known);
      const path = sometimes(0.8) ? `/auth/v1/${place}` : oddPath(`/auth/v1/${place}`);
      const row = {
        email: `${randomUUID()}@ejemplo.mx`,
        password: 'a password of some length',
        refresh_token: oneOf(NASTY),
      };
      const headers = { ...asJson, ...oddHeaders(['authorization', 'apikey', 'content-type'], VISITORS_VALUES) };
      return { method, path, headers, ...withBody(method, () => oddBody(row, 3)) };
    },

    watch(): OddRequest {
      const path = oneOf(['/healthz', '/backup']) + oneOf(['', '', '?x', '/', '%00', '/../healthz']);
      const headers = oddHeaders(['authorization', 'apikey', 'range', 'accept'], VISITORS_VALUES);
      return { method: oneOf(['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']), path, headers };
    },

    site(): OddRequest {
      const file = oneOf(files);
      const path = sometimes(0.5) ? file : oneOf([...ODD_PATHS, ...around(file), oddPath(file)]);
      const numbers = () => oneOf(['', '0', '1', '5', '-1', '0x1', '1e9', '99999999', '99999999999999999999']);
      const part = () => `${numbers()}-${numbers()}`;
      const range = `${oneOf(['bytes=', 'bytes=', 'bytes ', 'lines=', ''])}${several(3, part).join(oneOf([',', ', ', ';']))}`;
      const coding = () =>
        oneOf(['br', 'gzip', '*', 'identity', 'brrr']) + oneOf(['', ';q=0', ';q=1', ';q=x', ';', ';q=-1']);
      const headers = {
        range,
        'accept-encoding': several(3, coding).join(','),
        ...oddHeaders(SITE_HEADERS, SITE_VALUES),
      };
      return { method: oneOf(SITE_METHODS), path, headers };
    },
  };

  return {
    doors,
    /** Returns the bytes of a request, mostly with parts that no client would send. */
    bytes(): Buffer {
      if (sometimes(0.2)) return Buffer.from(Array.from({ length: whole(400) }, () => whole(256)));
      const { method, path, headers, body = '' } = oneOf(Object.values(doors))();
      const lines = Object.entries({ host: 'x', ...headers, 'content-length': String(body.length) });
      const head = [`${method} ${path} HTTP/1.1`, ...lines.map((line) => line.join(': '))].join('\r\n');
      return Buffer.from(mutated(`${head}\r\n\r\n${body}`));
    },
  };
}
