import { afterAll, expect, test } from 'vitest';
import { createGate } from '../../server/rest/identity.ts';
import { createRest } from '../../server/rest/handler.ts';
import { readLimits } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { chanceFrom, idFrom } from '../chance.ts';
import { answer, Tables, type Asked } from '../world/model.ts';
import { asOwner, askAsOwner } from './callers.ts';
import { pgliteEngine } from './engines.ts';

// The tests send the same requests to the real server and to its model, tests/world/model.ts.

const DAY = 24 * 60 * 60_000;

const engine = await pgliteEngine();
const gate = createGate({ publishableKey: 'public', secret: new Uint8Array(32).fill(7) });
const rest = createRest(engine.database, gate, readLimits({ LIMIT_REFUSED_PER_ADDRESS: '0' }));
const serviceKey = await gate.serviceKey();
afterAll(() => engine.close());

/** Returns the HTTP request for the real server. */
function requestOf({ method, table, shown, body, isService, ignoresDuplicates }: Asked): Request {
  const url = new URL(`https://aeropuente.example/rest/v1/${table}`);
  if (ignoresDuplicates) url.searchParams.set('on_conflict', 'id');
  return new Request(url, {
    method,
    headers: {
      apikey: 'public',
      authorization: `Bearer ${isService ? serviceKey : 'public'}`,
      'content-type': 'application/json',
      prefer: `${ignoresDuplicates ? 'resolution=ignore-duplicates,' : ''}return=representation`,
      ...(shown.length > 0 && { 'x-submission-id': shown.join() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/**
 * Queries that read the rows of each table from the real server, and functions that return the same rows of the model.
 * Both leave out times.
 */
const STORED = {
  quotes: [
    'select id::text, empresa, email, peso, reemplaza, entregada is not null as resent from public.quotes order by id',
    (tables: Tables) =>
      [...tables.quotes.values()].map(({ id, empresa, email, peso, reemplaza = null, entregada }) => {
        return { id, empresa, email, peso, reemplaza, resent: entregada !== undefined };
      }),
  ],
  answers: [
    'select id::text, quote_id::text, kind from public.quote_answers order by id',
    (tables: Tables) => [...tables.answers.values()].map(({ id, quote_id, kind }) => ({ id, quote_id, kind })),
  ],
  replies: [
    'select id::text, quote_id::text, answer_id::text, kind from public.quote_replies order by id',
    (tables: Tables) =>
      [...tables.replies.values()].map(({ id, quote_id, answer_id, kind }) => ({ id, quote_id, answer_id, kind })),
  ],
} as const satisfies Record<string, readonly [string, (tables: Tables) => readonly { readonly id: string }[]]>;

/** Returns a random request of a phone or the sales team, mostly about one of the newest quotes. */
function drawn(chance: () => number, past: readonly Asked[], tables: Tables): Asked {
  const pick = <Each>(each: readonly Each[]): Each | undefined => each[Math.floor(chance() * each.length)];
  const repeated = chance() < 0.15 ? pick(past) : undefined;
  if (repeated) return repeated;
  const id = idFrom(chance);
  const quotes = [...tables.quotes.keys()];
  const quote_id = (chance() < 0.95 && pick(chance() < 0.7 ? quotes.slice(-4) : quotes)) || idFrom(chance);
  const answers = [...tables.answers.values()];
  const answer_id = pick(answers.filter((each) => chance() < 0.1 || each.quote_id === quote_id))?.id ?? idFrom(chance);
  const shown = chance() < 0.95 ? [quote_id] : [];
  const entregada = chance() < 0.2 && { entregada: new Date(Date.now() - chance() * 5 * DAY).toISOString() };
  const once = { ignoresDuplicates: chance() < 0.9 };
  const roll = chance();
  if (roll < 0.2 || quotes.length === 0) {
    const mark = past.length;
    const body = {
      id,
      nombre: 'María',
      empresa: `Berries ${mark}`,
      email: `Ventas${mark}@Berries.mx`,
      telefono: '6641234567',
      peso: 100 + mark,
      tipo_carga: 'general',
      ...(chance() < 0.2 && { reemplaza: folioOf(quote_id) }),
      ...entregada,
    };
    return { method: 'POST', table: 'quotes', shown: [id, ...shown], body, ...once };
  }
  if (roll < 0.5) {
    const kind = chance() < 0.6 ? 'aceptada' : 'pregunta';
    const words = kind === 'pregunta' || entregada ? '¿Y el viernes?' : '';
    const body = { id, quote_id, answer_id, kind, body: words, ...entregada };
    return { method: 'POST', table: 'quote_replies', shown, body, ...once };
  }
  if (roll < 0.57) return { method: 'GET', table: 'quotes', shown };
  if (roll < 0.64) return { method: 'GET', table: 'quote_words', shown };
  if (roll < 0.71) return { method: 'GET', table: 'quote_replies', shown };
  if (roll < 0.78) return { method: 'GET', table: 'unknown_submissions', shown: [quote_id, answer_id, id] };
  const valid_until = new Date(Date.now() + DAY).toISOString().slice(0, 10);
  const offer = { kind: 'oferta', price: 4, price_for: 'total', currency: 'USD', kilos: 100, valid_until };
  const isFirst = answers.every((each) => each.quote_id !== quote_id);
  const body = { id, quote_id, body: 'Sale el jueves.', ...(isFirst ? offer : { kind: 'mensaje' }) };
  return { method: 'POST', table: 'quote_answers', isService: true, shown: [], body, ...once };
}

const idsOf = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ id }) => String(id)).toSorted();

test.each([1, 2])('the model of the server answers and stores like the real server, with seed %i', async (seed) => {
  await asOwner(
    engine,
    `truncate public.quotes cascade; delete from private.quote_sends;
     update private.quote_limits set per_address = 0, overall = 0`,
  );
  const chance = chanceFrom(seed);
  const tables = new Tables();
  const past: Asked[] = [];
  const counts = new Map<string, number>();
  for (let step = 0; step < 150; step += 1) {
    const request = drawn(chance, past, tables);
    past.push(request);
    const response = await rest(requestOf(request), '192.0.2.1');
    const body = (await response.json()) as readonly Record<string, unknown>[] | { readonly code: string };
    const { status, code, rows } = answer(tables, request, Date.now());
    const real = Array.isArray(body) ? { rows: idsOf(body) } : { code: (body as { readonly code: string }).code };
    const simulated = rows ? { rows: idsOf(rows) } : { code };
    const about = `step ${step}: ${JSON.stringify(request)} ${JSON.stringify(body)}`;
    expect({ status, ...simulated }, about).toEqual({ status: response.status, ...real });
    const key = `${request.method} ${request.table} ${status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  for (const [name, [sql, read]] of Object.entries(STORED)) {
    const rows = await askAsOwner(engine, sql);
    const simulated = read(tables).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(simulated, name).toEqual(rows.map((row) => ({ ...row })));
  }
  // The comparison proves something only if each kind of request occurred often.
  for (const each of ['POST quotes 201', 'POST quote_replies 201', 'POST quote_answers 201'])
    expect(counts.get(each), each).toBeGreaterThan(3);
  expect([...counts.keys()].filter((key) => key.endsWith('409')).length).toBeGreaterThan(1);
});
