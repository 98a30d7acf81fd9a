import { randomBytes, randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { SignJWT } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serveWith } from '../../server/http.ts';
import { createRest } from '../../server/rest/handler.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readLimits } from '../../server/settings.ts';
import { claims } from '../../src/content/claims.ts';
import { listening } from '../listening.ts';
import { askAsOwner, asOwner } from './callers.ts';
import { served, type Engine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

const PUBLIC_KEY = 'aeropuente-public';
const WHAT_A_PHONE_READS = 'id,quote_id,created_at,body,price,price_for,currency,valid_until,kind,kilos';
const OFFER = { kind: 'oferta', price_for: 'kilo', currency: 'USD', kilos: 100, valid_until: '2999-01-01' };
const secret = randomBytes(32);
const gate = createGate({ publishableKey: PUBLIC_KEY, secret });
const limits = readLimits({ LIMIT_REFUSED_PER_ADDRESS: '0', LIMIT_READS_PER_ADDRESS: '1000' });

let engine: Engine;
let server: Server;
let url: string;
let phone: SupabaseClient;
let sales: SupabaseClient;
let ana: SupabaseClient;
let beto: SupabaseClient;
const anaId = randomUUID();
const betoId = randomUUID();

beforeAll(async () => {
  engine = await served.open();
  await asOwner(engine, 'update private.quote_limits set per_address = 0, overall = 0');
  server = createServer(serveWith(createRest(engine.database, gate, limits), { trustedProxies: 0 }));
  url = await listening(server);
  const options = { persistSession: false, autoRefreshToken: false };
  phone = createClient(url, PUBLIC_KEY, { auth: options });
  sales = createClient(url, await gate.serviceKey(), { auth: options });
  ana = signedIn(await tokenOf(anaId, { role: 'staff', name: 'Ana' }));
  beto = signedIn(await tokenOf(betoId, { role: 'staff', name: 'Beto' }));
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await engine.close();
});

const ONCE = { onConflict: 'id', ignoreDuplicates: true };
const refused = (status: number, code: string) => ({ status, error: { code } });

async function rows<Row = Record<string, unknown>>(query: PromiseLike<{ data: unknown; error: unknown }>) {
  const { data, error } = await query;
  expect(error).toBeNull();
  return data as Row[];
}
async function send(changes: object = {}) {
  const quote = sampleQuote(changes);
  await rows(phone.from('quotes').upsert(quote, ONCE).select());
  return quote.id;
}
const lead = async (id: string) => (await rows(ana.from('desk_leads').select('*').eq('quote_id', id)))[0]!;
const change = (who: SupabaseClient, id: string, version: unknown, changes: object) =>
  who.from('quote_desk').update(changes).eq('quote_id', id).eq('version', version).select();
const answer = (who: SupabaseClient, quote_id: string, more: object = {}) =>
  who
    .from('quote_answers')
    .upsert({ id: randomUUID(), quote_id, kind: 'mensaje', body: 'Sale el jueves.', ...more }, ONCE)
    .select();
const reply = (quote_id: string, more: object = {}, presented = quote_id) =>
  phone
    .from('quote_replies')
    .upsert({ id: randomUUID(), quote_id, answer_id: null, kind: 'pregunta', body: '¿Y el viernes?', ...more }, ONCE)
    .setHeader('x-submission-id', presented)
    .select();

test('a quote is sent, listed, taken, answered, read, seen, accepted and won', async () => {
  const [id, other] = [await send(), await send()];
  const listed = await rows(
    ana.from('desk_leads').select('*').is('open', true).order('asked_at').order('quote_id').limit(50),
  );
  expect(listed.map(({ quote_id }) => quote_id)).toEqual([id, other]);
  const { version, created_at, due_at } = listed[0]! as { version: number; created_at: string; due_at: string };
  expect(Date.parse(due_at) - Date.parse(created_at)).toBe(claims.responseHours * 3_600_000);

  expect(await rows(change(ana, id, version, { status: 'tomada' }))).toMatchObject([{ assignee_name: 'Ana' }]);
  expect(await rows(change(beto, id, version, { status: 'tomada' }))).toEqual([]);
  expect(await change(beto, id, version + 1, { status: 'tomada' })).toMatchObject({
    status: 409,
    error: { code: 'PT409', hint: 'owned' },
  });
  expect(await answer(beto, id)).toMatchObject(refused(409, 'PT409'));

  const offer = {
    ...OFFER,
    id: randomUUID(),
    price: 4.1,
    body: '🥭'.repeat(4000),
  };
  expect(await rows(answer(ana, id, offer))).toMatchObject([{ author: anaId, author_name: 'Ana' }]);
  expect(await rows(answer(ana, id, offer))).toEqual([]);

  const read = () => phone.from('quote_answers').select(WHAT_A_PHONE_READS).order('created_at');
  expect(await rows(read().setHeader('x-submission-id', `${id},${other}`))).toMatchObject([{ quote_id: id, ...offer }]);
  expect(await rows(read())).toEqual([]);
  expect(await phone.from('quote_answers').select('*').setHeader('x-submission-id', id)).toMatchObject(
    refused(401, '42501'),
  );

  const seen = () =>
    phone
      .from('quote_seen')
      .upsert({ answer_id: offer.id, quote_id: id }, { onConflict: 'answer_id', ignoreDuplicates: true })
      .setHeader('x-submission-id', id);
  for (let attempt = 0; attempt < 2; attempt++) expect(await seen()).toMatchObject({ status: 201, error: null });
  expect((await lead(id))['seen_at']).not.toBeNull();

  const accepted = { id: randomUUID(), kind: 'aceptada', body: '', answer_id: offer.id };
  expect(await rows(reply(id, accepted))).toHaveLength(1);
  expect(await rows(reply(id, accepted))).toEqual([]);
  const changed = await rows(
    beto.from('desk_leads').select('*').gte('updated_at', created_at).order('updated_at').limit(500),
  );
  expect(changed.at(-1)).toMatchObject({ quote_id: id, reply_waiting: true, open: true, due_at: expect.any(String) });
  const [taken] = await rows(change(beto, id, changed.at(-1)!['version'], { assignee: betoId }));
  await rows(beto.from('quote_notes').upsert({ id: randomUUID(), quote_id: id, body: 'Acepta' }, ONCE).select());
  expect(taken).toMatchObject({ assignee: betoId });
  const booking = { id: randomUUID(), quote_id: id, answer_id: offer.id, state: 'reservada', word: 'Sale el jueves.' };
  await rows(beto.from('offer_moves').upsert(booking, ONCE).select());
  expect(await lead(id)).toMatchObject({ status: 'ganada' });
  for (const table of ['quote_answers', 'quote_replies', 'quote_notes'])
    expect(await rows(ana.from(table).select('*').eq('quote_id', id).order('created_at')), table).toHaveLength(1);
  const events = await rows(ana.from('quote_events').select('*').eq('quote_id', id).order('id'));
  expect(events.map(({ code }) => code)).toEqual([
    'creada',
    'tomada',
    'respondida',
    'vista',
    'contestada',
    'relevada',
    'reservada',
  ]);
});

test('refuses a reply with 409 without its quote, 401 unpresented, 400 without an answer', async () => {
  const [absent, id] = [randomUUID(), await send()];
  expect(await reply(absent)).toMatchObject(refused(409, '23503'));
  expect(await reply(id, {}, absent)).toMatchObject(refused(401, '42501'));
  expect(await reply(id, { kind: 'aceptada', body: '' })).toMatchObject(refused(400, '23514'));
});

describe('a price', () => {
  const priced = (price: unknown) => ({ ...OFFER, price });

  test.each(['0x10', '0b1', '1_000', '1e3', 'NaN', 'Infinity', ' 16', '', '٣'])(
    'written as %j is refused with 400 22P02, for everybody',
    async (price) => {
      const id = await send();
      for (const who of [ana, sales]) expect(await answer(who, id, priced(price))).toMatchObject(refused(400, '22P02'));
    },
  );

  test.each([
    ['16', '16'],
    ['4.10', '4.10'],
    [4.1, '4.1'],
  ])('written as %j is stored unchanged', async (price, stored) => {
    const id = await send();
    expect(await rows(answer(sales, id, priced(price)))).toHaveLength(1);
    const [row] = await askAsOwner(engine, 'select price::text from public.quote_answers where quote_id = $1', [id]);
    expect(row).toEqual({ price: stored });
  });
});

describe('the service key', () => {
  test('answers, blocks, unblocks and erases; nobody else does', async () => {
    const id = await send();
    expect(await rows(answer(sales, id, { author_name: 'Ana' }))).toMatchObject([{ author: null }]);
    const block = (who: SupabaseClient, blocked_at: string | null) =>
      who.from('quote_desk').update({ blocked_at }).eq('quote_id', id).select('quote_id');
    const erase = (who: SupabaseClient) => who.from('quotes').delete().eq('id', id).select('id');
    for (const who of [ana, phone]) {
      expect((await block(who, new Date().toISOString())).error).toMatchObject({ code: '42501' });
      expect(await erase(who)).toMatchObject(refused(405, 'PGRST117'));
    }
    expect(await erase(sales)).toMatchObject(refused(409, 'PT409'));
    expect(await block(sales, new Date().toISOString())).toMatchObject({ status: 200, data: [{ quote_id: id }] });
    expect(await lead(id)).toBeUndefined();
    // Without reading it back, and never for every row.
    const unblock = () => sales.from('quote_desk').update({ blocked_at: null });
    expect(await unblock()).toMatchObject(refused(400, 'PGRST100'));
    expect(await unblock().eq('quote_id', id)).toMatchObject({ status: 204, data: null });
    expect(await lead(id)).toMatchObject({ quote_id: id, blocked_at: null });
    await rows(block(sales, new Date().toISOString()));
    expect(await sales.from('quotes').delete()).toMatchObject(refused(400, 'PGRST100'));
    expect(await rows(erase(sales))).toEqual([{ id }]);
    expect(await rows(sales.from('quotes').select('id').eq('id', id))).toEqual([]);
  });
});

describe('unused requests are refused by name', () => {
  test.each<string[]>([
    ...['POST', 'PATCH', 'DELETE', 'PUT'].map((method) => [method, 'desk_leads']),
    ...['POST', 'DELETE'].map((method) => [method, 'quote_desk']),
    ...['quote_answers', 'quote_replies', 'quote_seen', 'quote_notes'].flatMap((table) =>
      ['PATCH', 'DELETE'].map((method) => [method, table]),
    ),
    ...['POST', 'PATCH', 'DELETE'].map((method) => [method, 'quote_events']),
  ])('%s of %s gets 405', async (method, table) => {
    for (const key of [PUBLIC_KEY, await gate.serviceKey()]) {
      const response = await fetch(`${url}/rest/v1/${table}?quote_id=eq.${randomUUID()}`, {
        method,
        headers: { apikey: key, 'content-type': 'application/json' },
        body: '{"body":"x"}',
      });
      expect(response.status).toBe(405);
      expect(response.headers.get('allow')).not.toContain(method);
      expect(await response.json()).toMatchObject({ code: 'PGRST117' });
    }
  });

  test('a quote is corrected with the service key alone', async () => {
    const id = await send();
    const nombre = 'Otro Nombre';
    for (const who of [phone, ana])
      expect(await who.from('quotes').update({ nombre }).eq('id', id)).toMatchObject(refused(405, 'PGRST117'));
    expect(await sales.from('quotes').update({ nombre }).eq('id', id)).toMatchObject({ status: 204, error: null });
    expect(await lead(id)).toMatchObject({ nombre });
  });

  test.each(['accounts', 'quote_limits'])('%s gets 404', async (table) => {
    expect(await ana.from(table).select()).toMatchObject(refused(404, 'PGRST205'));
  });
});

function signedIn(token: string): SupabaseClient {
  return createClient(url, PUBLIC_KEY, { accessToken: async () => token });
}

/** A token like that of a sign-in, signed with the directory’s secret. */
function tokenOf(sub: string, app_metadata: object, signedWith = secret): Promise<string> {
  return new SignJWT({ role: 'authenticated', sub, app_metadata })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime('15 minutes')
    .sign(signedWith);
}
