import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../server/database/database.ts';
import { serveWith } from '../../server/http.ts';
import { createRest, TABLES } from '../../server/rest/handler.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readLimits } from '../../server/settings.ts';
import { listening } from '../listening.ts';
import { askAsOwner, EMPTIED } from './callers.ts';
import { served } from './engines.ts';
import { exchange } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

const PUBLIC_KEY = 'aeropuente-public';
const secret = randomBytes(32);
const gate = createGate({ publishableKey: PUBLIC_KEY, secret });
const limits = readLimits({ LIMIT_REFUSED_PER_ADDRESS: '0', LIMIT_ROWS: '100' });

const engine = await served.open();
const server = createServer(serveWith(createRest(engine.database, gate, limits), { trustedProxies: 0 }));
const url = await listening(server);
const visitor = client(PUBLIC_KEY);
const sales = client(await gate.serviceKey());
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await engine.close();
});
beforeEach(() => owner(EMPTIED));

test('a visitor’s insert gets 201 and the stored row; the same insert again gets no row', async () => {
  const quote = sampleQuote();
  const send = () => visitor.from('quotes').upsert(quote, { onConflict: 'id', ignoreDuplicates: true }).select();
  const { status, data } = await send();
  expect([status, data]).toMatchObject([201, [quote]]);
  expect(data![0].created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+\+00:00$/);
  expect(await send()).toMatchObject({ status: 201, data: [], error: null });
});

test('a visitor’s insert gets no data of an existing row, and no body unless asked for', async () => {
  const quote = sampleQuote();
  expect(await (await post(quote)).text()).toBe('');
  const { status, error } = await visitor.from('quotes').insert(quote).select();
  expect(status).toBe(409);
  expect(error).toMatchObject({ code: '23505', message: expect.stringContaining('"quotes_pkey"'), details: null });
});

test.each<[change: object, status: number, code: string]>([
  [{ tipo_carga: 'peligrosa' }, 400, '23514'],
  ...['abc', '0x10', '1_000', '1e3', ' 16 ', 1.5].map((peso): [object, number, string] => [{ peso }, 400, '22P02']),
  [{ peso: 1e12 }, 400, '22003'],
  [{ id: 'not-a-uuid' }, 400, '22P02'],
  [{ nombre: null }, 400, '23502'],
  [{ nombre: 'a\u0000b' }, 400, '22P05'],
  [{ color: 'rojo' }, 400, 'PGRST204'],
  [{ created_at: '2020-01-01T00:00:00Z' }, 401, '42501'],
  [{ folio: 'AP-0000-0000' }, 400, '428C9'],
])('a visitor’s insert with %o gets the error %i %s', async (change, status, code) => {
  const quote = sampleQuote(change);
  const answer = await visitor.from('quotes').insert(quote).select();
  expect(answer).toMatchObject({ status, error: { code } });
  expect(JSON.stringify(answer.error)).not.toContain(quote.email);
  expect(await count()).toBe(0);
});

test('a visitor’s select returns a quote only if its id is in the request’s header', async () => {
  const quote = sampleQuote();
  for (const each of [quote, sampleQuote()]) await visitor.from('quotes').insert(each);
  expect(await visitor.from('quotes').select()).toMatchObject({ status: 200, data: [] });
  const presented = visitor.from('quotes').select('id').setHeader('x-submission-id', quote.id);
  expect(await presented).toMatchObject({ status: 200, data: [{ id: quote.id }] });
});

test('a method that a table does not offer gets 405 with the allowed methods', async () => {
  for (const [table, offered] of TABLES)
    for (const method of ['GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'HEAD'].filter((each) => !offered.includes(each))) {
      const { status, headers } = await fetch(`${url}/rest/v1/${table}`, { method, headers: { apikey: PUBLIC_KEY } });
      expect([table, method, status, headers.get('allow')]).toEqual([table, method, 405, offered.join(', ')]);
    }
});

// The server accepts the API key only in the header, because servers log URLs.
test.each([undefined, 'wrong', `${PUBLIC_KEY}x`, 'a.b.c'])('the wrong API key "%s" gets 401', async (apikey) => {
  const headers: HeadersInit = apikey ? { apikey } : {};
  expect((await fetch(`${url}/rest/v1/quotes?apikey=${PUBLIC_KEY}`, { headers })).status).toBe(401);
});

test('a malformed token gets the error PGRST301, an expired token PGRST303', async () => {
  const unsigned = `${encode({ alg: 'none' })}.${encode({ role: 'service_role' })}.`;
  for (const wrong of ['not.a.token', unsigned, await token({ role: 'service_role' }, randomBytes(32))])
    expect(await withToken(wrong)).toMatchObject({ status: 401, code: 'PGRST301' });
  const expired = await token({ role: 'authenticated', exp: Math.floor(Date.now() / 1000) - 3600 });
  expect(await withToken(expired)).toMatchObject({ status: 401, code: 'PGRST303' });
});

test.each(['postgres', 'anon"; reset role; --', ''])('a token for the role "%s" gets 403', async (role) => {
  expect(await withToken(await token({ role }))).toMatchObject({ status: 403, code: '42501' });
});

test.each(['', '{', '5', 'null', '[{},{}]', '{"id":1}{"id":2}'])('the body %s gets 400 PGRST102', async (body) => {
  expect(await answerTo(await post(body))).toMatchObject({ status: 400, code: 'PGRST102' });
});

test('a body with deeply nested values, which can block the database, gets 400', async () => {
  for (let depth = 6152; depth <= 6212; depth += 4) {
    const nested = `{"nombre":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(await answerTo(await post(nested))).toMatchObject({ status: 400, code: 'PGRST102' });
  }
  for (const value of ['{}', '[]', '["x"]', '1e999']) {
    expect(await answerTo(await post(`{"nombre":${value}}`))).toMatchObject({ status: 400, code: 'PGRST102' });
  }
  expect(await count()).toBe(0);
});

test.each([
  'nombre=match.^(.%2B)(.%2B)\\1\\2$',
  'nombre=not.imatch.a',
  `or=${'(or'.repeat(3500)}(nombre.eq.x)${')'.repeat(3500)}`,
  'or=(or(or(or(or(or(nombre.eq.x))))))',
  `select=${'*,'.repeat(2000)}*`,
])('a query that could block the database gets 400 (%.40s)', async (query) => {
  const response = await fetch(`${url}/rest/v1/quotes?${query}`, { headers: { apikey: PUBLIC_KEY } });
  expect(await answerTo(response)).toMatchObject({ status: 400, code: expect.stringMatching(/^(PGRST100|42703)$/) });
});

test('pages of other sites cannot use the REST interface (CORS)', async () => {
  const from = (method: string, headers: Record<string, string>) =>
    fetch(`${url}/rest/v1/quotes`, { method, headers: { origin: 'https://example.com', ...headers } });
  const preflight = await from('OPTIONS', { 'access-control-request-headers': 'apikey,x-submission-id' });
  const response = await from('GET', { apikey: PUBLIC_KEY });
  expect([preflight.status, response.status]).toEqual([401, 200]);
  for (const { headers } of [preflight, response])
    expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test.each([
  ['GET', { prefer: 'count=exact' }, 400, 'PGRST100'],
  ['GET', { range: '0-9' }, 400, 'PGRST100'],
  ['GET', { accept: 'application/vnd.pgrst.object+json' }, 406, 'PGRST107'],
  ['GET', { 'accept-profile': 'private' }, 406, 'PGRST106'],
  ['POST', { prefer: 'resolution=merge-duplicates' }, 400, 'PGRST100'],
  ['POST', { 'content-type': 'application/x-www-form-urlencoded' }, 400, 'PGRST102'],
])('the REST interface refuses %s with %o, and names the refused part', async (method, headers, status, code) => {
  const body = method === 'POST' ? '{"nombre":"X"}' : null;
  const all = { apikey: PUBLIC_KEY, 'content-type': 'application/json', ...headers } as Record<string, string>;
  const response = await fetch(`${url}/rest/v1/quotes`, { method, headers: all, body });
  expect(await answerTo(response)).toMatchObject({ status, code });
});

test.each(['', 'quotes/1', 'rpc/quotes', '..%2fquotes', 'quote_limits'])('the path %s gets 404', async (path) => {
  expect((await fetch(`${url}/rest/v1/${path}`, { headers: { apikey: PUBLIC_KEY } })).status).toBe(404);
});

test('a body above 16 kB is refused before its end; an incomplete body is not stored', async () => {
  expect((await post(sampleQuote({ nombre: 'x'.repeat(17_000) }))).status).toBe(413);
  const bytes = (length: number, body: string) =>
    `POST /rest/v1/quotes HTTP/1.1\r\nhost: x\r\napikey: ${PUBLIC_KEY}\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n\r\n${body}`;
  expect(await exchange(url, bytes(10_000_000, 'x'.repeat(20_000)))).toContain('413');
  const body = JSON.stringify(sampleQuote());
  const cut = connect(Number(new URL(url).port), '127.0.0.1', () => cut.end(bytes(body.length + 1, body)));
  await once(cut.resume(), 'close');
  expect((await post(sampleQuote())).status).toBe(201);
  expect(await count()).toBe(1);
});

test('an error of the database gets 500, and the log contains no data of the quote', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const transaction = () => Promise.reject(new Error('maria@berries.mx'));
  const broken = createRest({ transaction, close: async () => {} }, gate, limits);
  const request = new Request(`${url}/rest/v1/quotes`, { headers: { apikey: PUBLIC_KEY } });
  expect(await answerTo(await broken(request, ''))).toMatchObject({ status: 500, code: 'XX000' });
  expect(log.mock.calls.join()).toContain('Error while answering');
  expect(log.mock.calls.join()).not.toContain('maria');
});

test('a quote above the limit gets 429, even if the visitor claims another IP address', async () => {
  await owner('update private.quote_limits set per_address = 1');
  await post(sampleQuote());
  for (const posing of [{}, { 'cf-connecting-ip': '203.0.113.8' }]) {
    const response = await post(sampleQuote(), posing);
    expect(response.headers.get('retry-after')).toBe('300');
    expect(await answerTo(response)).toMatchObject({ status: 429, code: 'PT429' });
  }
});

describe('an unsupported query with the service key', () => {
  beforeEach(async () => void (await sales.from('quotes').insert(sampleQuote())));

  test.each([
    ['peso=mayor.100', 'PGRST100'],
    ['peso=100', 'PGRST100'],
    ['peso=not.eq.1', 'PGRST100'],
    ['peso=in.(1,(2))', 'PGRST100'],
    ['peso=in.1,2', 'PGRST100'],
    [`peso=in.(${Array.from({ length: 101 }, () => 1).join(',')})`, 'PGRST100'],
    ['peso=is.7', 'PGRST100'],
    ['order=peso.up', 'PGRST100'],
    ['limit=-1', 'PGRST100'],
    ['select=peso::text', '42703'],
    ['color=eq.rojo', '42703'],
    ['order=color', '42703'],
    ['peso=eq.1%00', '22021'],
    ['peso=eq.abc', '22P02'],
    ['promociones=eq.maybe', '22P02'],
    [`more=eq.${'['.repeat(7000)}`, 'PGRST100'],
    ['more=eq.x', '22P02'],
    ['%22%20or%20true--=eq.1', '42703'],
  ])('the query ?%s gets 400 %s', async (search, code) => {
    const response = await fetch(`${url}/rest/v1/quotes?${search}`, { headers: await salesHeaders() });
    expect(await answerTo(response)).toMatchObject({ status: 400, code });
  });
});

test('the service key can correct or erase one quote, not all quotes at once', async () => {
  const quote = sampleQuote();
  await visitor.from('quotes').insert(quote);
  const { id } = quote;
  expect(await withToken(await token({ role: 'authenticated' }), 'DELETE')).toMatchObject({ status: 405 });
  const correction = sales.from('quotes').update({ nombre: 'Otra' }).eq('id', id);
  expect(await correction).toMatchObject({ status: 204, data: null });
  for (const all of [sales.from('quotes').delete(), sales.from('quote_desk').update({ blocked_at: null })])
    expect(await all).toMatchObject({ status: 400, error: { code: 'PGRST100' } });
  const erase = () => sales.from('quotes').delete().eq('id', id).select('id');
  expect(await erase()).toMatchObject({ status: 409, error: { code: 'PT409' } });
  await sales.from('quote_desk').update({ blocked_at: new Date().toISOString() }).eq('quote_id', id);
  expect(await erase()).toMatchObject({ status: 200, data: [{ id }] });
});

const FREIGHT = { kind: 'flete', per: 'kilo', amount: 4.1 };
test.each<[changes: object, result: string]>([
  [{ price: '16' }, '16'],
  [{ price: '4.10' }, '4.10'],
  [{ price: 4.1, lines: [FREIGHT] }, '4.1'],
  ...['0x10', '0b1', '1_000', '1e3', 'NaN', 'Infinity', ' 16', '', '٣'].map((price): [object, string] => [
    { price },
    '22P02',
  ]),
  [{ price: 4.1, lines: [{ ...FREIGHT, amount: '4.1' }] }, '23514'],
  ...[[null], [[]], [{ kind: ['flete'] }]].map((lines): [object, string] => [{ price: 4.1, lines }, 'PGRST102']),
])('an offer with %j gives this stored price or error code: %s', async (changes, result) => {
  const quote = sampleQuote();
  await visitor.from('quotes').insert(quote);
  const priced = { price_for: 'kilo', currency: 'USD', kilos: 1, valid_until: '2999-01-01', ...changes };
  const offer = { quote_id: quote.id, kind: 'oferta', body: 'Sale.', ...priced };
  const { error } = await sales.from('quote_answers').insert(offer);
  const [stored] = await askAsOwner<{ price: string }>(engine, 'select price::text from public.quote_answers');
  expect(stored?.price ?? error?.code).toBe(result);
});

describe('a query with the service key', () => {
  const weights = [100, 200, 300, 400, 500];

  beforeEach(async () => {
    const quotes = weights.map((peso) =>
      sampleQuote({ peso, nombre: `Envío ${peso}`, empresa: peso > 300 ? 'Grande, S.A.' : 'Chica' }),
    );
    for (const quote of quotes) await sales.from('quotes').insert(quote);
  });

  const found = async (query: PromiseLike<{ data: unknown; error: unknown }>) => {
    const { data, error } = await query;
    expect(error).toBeNull();
    return (data as { peso: number }[]).map(({ peso }) => peso);
  };
  const quotes = () => sales.from('quotes').select('peso').order('peso');

  test('a query with the service key may use the filters that phone and desk use', async () => {
    expect(await found(quotes().eq('peso', 200))).toEqual([200]);
    expect(await found(quotes().gte('peso', 400))).toEqual([400, 500]);
    expect(await found(quotes().in('peso', [100, 500, 7]))).toEqual([100, 500]);
    expect(await found(quotes().in('nombre', ['Envío 100', 'Envío 200']))).toEqual([100, 200]);
    expect(await found(quotes().in('empresa', ['Grande, S.A.', 'x(y)']))).toEqual([400, 500]);
    expect(await found(quotes().in('nombre', []))).toEqual([]);
    expect(await found(quotes().is('folio', null))).toEqual([]);
    expect(await found(quotes().match({ peso: 300, empresa: 'Chica' }))).toEqual([300]);
    expect(await found(quotes().eq('nombre', "'; drop table quotes; --"))).toEqual([]);
    expect(await found(quotes().eq('nombre', 'Envío 300'))).toEqual([300]);
  });

  test('a query with the service key may choose columns, order and page', async () => {
    const { data } = await sales.from('quotes').select('peso, empresa').eq('peso', 100);
    expect(data).toEqual([{ peso: 100, empresa: 'Chica' }]);
    const ordered = sales.from('quotes').select('peso').order('empresa').order('peso', { ascending: false });
    expect(await found(ordered)).toEqual([300, 200, 100, 500, 400]);
    expect(await found(quotes().range(1, 2))).toEqual([200, 300]);
    const page = await fetch(`${url}/rest/v1/quotes?order=peso&offset=3`, { headers: await salesHeaders() });
    expect(page.headers.get('content-range')).toBe('3-4/*');
  });

  test('a query with the service key returns at most LIMIT_ROWS rows', async () => {
    await owner(`insert into public.quotes (nombre, empresa, email, telefono, peso, tipo_carga)
                 select 'A', 'B', 'a@b.mx', '6645550175', n, 'general' from generate_series(1001, 1110) n;`);
    for (const limit of [100, 5000]) {
      const { data } = await sales.from('quotes').select('id').limit(limit);
      expect(data).toHaveLength(100);
    }
  });
});

function client(key: string): SupabaseClient {
  return createClient(url, key, { auth: { persistSession: false, autoRefreshToken: false } });
}

function owner(script: string): Promise<void> {
  return engine.transaction((session) => session.run(script));
}

async function count(): Promise<number> {
  return (await sales.from('quotes').select('id')).data!.length;
}

function post(body: object | string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(`${url}/rest/v1/quotes`, {
    method: 'POST',
    headers: { apikey: PUBLIC_KEY, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function salesHeaders(): Promise<Record<string, string>> {
  return { apikey: await gate.serviceKey() };
}

async function withToken(bearer: string, method = 'GET') {
  const headers = { apikey: PUBLIC_KEY, authorization: `Bearer ${bearer}` };
  return answerTo(await fetch(`${url}/rest/v1/quotes`, { method, headers }));
}

async function answerTo(response: Response) {
  const body = await response.text();
  const { code } = (JSON.parse(body) ?? {}) as { code?: string };
  return { status: response.status, code, body };
}

function token(claims: object, signedWith = secret): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg: 'HS256' }).sign(signedWith);
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString('base64url');
}

test('the server limits the simultaneous requests of a visitor, not of a colleague', async () => {
  let release = () => {};
  let released: Promise<void> | undefined;
  const transaction: Database['transaction'] = async (...statements) => {
    await released;
    return engine.database.transaction(...statements);
  };
  const bounds = readLimits({ LIMIT_REFUSED_PER_ADDRESS: '0', LIMIT_READS_PER_ADDRESS: '2' });
  const rest = createRest({ ...engine.database, atOnce: 1, transaction }, gate, bounds);
  const read = (apikey: string, address: string) =>
    rest(new Request(`${url}/rest/v1/quotes`, { headers: { apikey } }), address);
  // The first request also reads the list of tables from the database, so it is sent before the measurement.
  await read(PUBLIC_KEY, '203.0.113.7');
  released = new Promise((resolve) => (release = resolve));
  const key = await gate.serviceKey();
  const reads = [
    ...[7, 7, 7, 8].map((host) => read(PUBLIC_KEY, `203.0.113.${host}`)),
    ...[7, 7, 7].map((host) => read(key, `203.0.113.${host}`)),
  ];
  await vi.waitUntil(() => rest.waiting() >= 5);
  release();
  expect((await Promise.all(reads)).map(({ status }) => status)).toEqual([200, 200, 503, 200, 200, 200, 200]);
});

test('the REST interface offers each table with the methods that the roles’ rights allow', async () => {
  const methods = { GET: 'select', POST: 'insert', PATCH: 'update', DELETE: 'delete' };
  const granted = await engine.transaction((session) =>
    session.query<{ name: string; methods: string[] }>(
      `select relname as name, array(select key from json_each_text($1::json), unnest(array['anon', 'authenticated', 'service_role']) as role
         where case value when 'delete' then has_table_privilege(role, c.oid, value) else has_any_column_privilege(role, c.oid, value) end
         group by key) as methods
       from pg_class as c where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') order by relname`,
      [JSON.stringify(methods)],
    ),
  );
  const without = (some: readonly string[] = [], others: readonly string[] = []) =>
    [...new Set(some).difference(new Set(others))].toSorted().join(' ');
  const differences = granted.map(({ name, methods: own }) => {
    const offered = TABLES.get(name);
    return [name, without(own, offered), without(offered, own)];
  });
  expect(differences.filter(([, reserved, ungranted]) => reserved || ungranted)).toEqual([
    ['alert_messages', 'GET', ''],
    ['alert_tests', 'DELETE GET', ''],
    ['alerts', 'GET', ''],
    ['lead_imports', 'GET', ''],
    ['push_devices', 'DELETE', ''],
    ['push_keys', 'POST', ''],
    ['quotes', 'DELETE PATCH', ''],
    ['received_messages', 'DELETE', ''],
    ['step_imports', 'GET', ''],
    ['webhooks', 'DELETE', ''],
    ['whatsapp_people', 'GET', ''],
  ]);
  expect(granted.map(({ name }) => name)).toEqual(expect.arrayContaining([...TABLES.keys()]));
});

test('a request leaves no settings in the database connection for the next request', async () => {
  await visitor.from('quotes').insert(sampleQuote());
  const sql = `select current_user = session_user as own, current_setting('search_path') as path,
    concat(current_setting('request.jwt.claims', true), current_setting('request.method', true),
           current_setting('request.path', true), current_setting('request.headers', true)) as request`;
  const [left] = await engine.database.transaction<{ own: boolean; path: string; request: string }>([
    { sql, parameters: [] },
  ]);
  expect(left).toMatchObject({ own: true, request: '' });
  expect(left!.path).not.toContain('extensions');
});
