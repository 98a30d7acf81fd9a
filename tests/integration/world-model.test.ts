import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGate } from '../../server/rest/identity.ts';
import { createRest, type Rest } from '../../server/rest/handler.ts';
import { readLimits } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { chanceFrom } from '../chance.ts';
import { answer, dayOf, SERVICE, Tables, type Answered, type Asked } from '../world/model.ts';
import { idFrom } from '../world/phone.ts';
import { asOwner, askAsOwner } from './callers.ts';
import { pgliteEngine, type Engine } from './engines.ts';

// The server that tests/world simulates is one of Maps. Here the same requests are made to it and to the real one.

const DAY = 24 * 60 * 60_000;
const PEOPLE = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002'] as const;
const MOST = 12;

let engine: Engine;
let rest: Rest;
const tokens = new Map<string, string>();

beforeAll(async () => {
  engine = await pgliteEngine();
  const secret = new Uint8Array(32).fill(7);
  const gate = createGate({ publishableKey: 'public', secret });
  rest = createRest(engine.database, gate, readLimits({ LIMIT_REFUSED_PER_ADDRESS: '0' }));
  tokens.set(SERVICE, await gate.serviceKey());
  const { SignJWT } = await import('jose');
  for (const sub of PEOPLE)
    tokens.set(
      sub,
      await new SignJWT({ role: 'authenticated', email: 'a@b.mx', app_metadata: { role: 'staff', name: 'Ana' } })
        .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
        .setSubject(sub)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(secret),
    );
});
afterAll(() => engine.close());

/** The request as it travels. */
function requestOf({ method, table, shown, body, of, by, ignoresDuplicates }: Asked): Request {
  const url = new URL(`https://aeropuente.example/rest/v1/${table}`);
  if (of) url.searchParams.set(table === 'quotes' ? 'id' : 'quote_id', `eq.${of}`);
  const key = { quote_seen: 'answer_id' }[table] ?? 'id';
  if (ignoresDuplicates) url.searchParams.set('on_conflict', key);
  if (by === undefined && method === 'POST' && table === 'quote_seen') url.searchParams.set('select', 'answer_id');
  return new Request(url, {
    method,
    headers: {
      apikey: 'public',
      authorization: `Bearer ${by === undefined ? 'public' : tokens.get(by)}`,
      'content-type': 'application/json',
      prefer: `${ignoresDuplicates ? 'resolution=ignore-duplicates,' : ''}return=representation`,
      ...(shown.length > 0 && { 'x-submission-id': shown.join() }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** The rows of both, where both name a thing alike, without moments. */
const STORED = {
  quotes: [
    'select id::text, nombre, empresa, email, peso, reemplaza, entregada is not null as again from public.quotes order by id',
    (tables: Tables) =>
      [...tables.quotes.values()].map(({ id, nombre, empresa, email, peso, reemplaza = null, entregada }) => {
        return { id, nombre, empresa, email, peso, reemplaza, again: entregada !== undefined };
      }),
  ],
  leads: [
    `select quote_id::text as id, status, assignee::text, reply_waiting, last_answer::text, last_reply::text, last_seen::text,
            replaced_by::text, blocked_at is not null as blocked, accepted::text, accepted_state from public.quote_desk order by quote_id`,
    (tables: Tables) =>
      [...tables.leads.values()].map((lead) => ({
        id: lead.quote_id,
        status: lead.status,
        assignee: lead.assignee,
        reply_waiting: lead.reply_waiting,
        last_answer: lead.last_answer,
        last_reply: lead.last_reply,
        last_seen: lead.last_seen,
        replaced_by: lead.replaced_by,
        blocked: lead.blocked,
        accepted: lead.accepted,
        accepted_state: lead.accepted_state,
      })),
  ],
  answers: [
    'select id::text, quote_id::text, kind from public.quote_answers order by id',
    (tables: Tables) => [...tables.answers.values()].map(({ id, quote_id, kind }) => ({ id, quote_id, kind })),
  ],
  offers: [
    'select answer_id::text as id, state from public.quote_offers order by answer_id',
    (tables: Tables) => [...tables.offers.values()].map(({ answer_id: id, state }) => ({ id, state })),
  ],
  replies: [
    'select id::text, quote_id::text, answer_id::text, kind, verdict from public.quote_replies order by id',
    (tables: Tables) =>
      [...tables.replies.values()].map(({ id, quote_id, answer_id, kind, verdict = null }) => {
        return { id, quote_id, answer_id, kind, verdict };
      }),
  ],
  details: [
    'select id::text, quote_id::text from public.quote_details order by id',
    (tables: Tables) => [...tables.details.values()].map(({ id, quote_id }) => ({ id, quote_id })),
  ],
  events: [
    "select quote_id::text || ' ' || code as id, count(*)::int as many from public.quote_events group by 1 order by 1",
    (tables: Tables) => {
      const counts = new Map<string, number>();
      for (const { quote_id, code } of tables.events)
        counts.set(`${quote_id} ${code}`, (counts.get(`${quote_id} ${code}`) ?? 0) + 1);
      return [...counts].map(([id, many]) => ({ id, many }));
    },
  ],
  alerts: [
    "select quote_id::text || ' ' || kind as id, count(*)::int as many from public.alerts group by 1 order by 1",
    (tables: Tables) => {
      const counts = new Map<string, number>();
      for (const { quote_id, kind } of tables.alerts)
        counts.set(`${quote_id} ${kind}`, (counts.get(`${quote_id} ${kind}`) ?? 0) + 1);
      return [...counts].map(([id, many]) => ({ id, many }));
    },
  ],
} as const satisfies Record<string, readonly [string, (tables: Tables) => readonly { readonly id: string }[]]>;

/** One request that a phone or a desk may make, about what is there already more often than not. */
function drawn(chance: () => number, past: readonly Asked[], tables: Tables): Asked {
  const pick = <Each>(each: readonly Each[]): Each | undefined => each[Math.floor(chance() * each.length)];
  const again = chance() < 0.15 ? pick(past) : undefined;
  // Of what is not blocked, nobody takes a block away: nor a second time.
  if (again && again.body?.['blocked_at'] !== null) return again;
  const id = idFrom(chance);
  const quotes = [...tables.quotes.keys()];
  // Most about the few that came last, so that one thing leads to another.
  const quote_id = (chance() < 0.95 && pick(chance() < 0.7 ? quotes.slice(-4) : quotes)) || idFrom(chance);
  const answers = [...tables.answers.values()].filter((each) => chance() < 0.1 || each.quote_id === quote_id);
  const answer_id = pick(answers)?.id ?? idFrom(chance);
  const shown = chance() < 0.95 ? [quote_id] : [];
  const by = pick(PEOPLE)!;
  const entregada = chance() < 0.2 && { entregada: new Date(Date.now() - chance() * 5 * DAY).toISOString() };
  const once = { ignoresDuplicates: chance() < 0.9 };
  const roll = chance();
  if (roll < 0.13 || quotes.length === 0) {
    const mark = Math.floor(chance() * 40);
    const twin = chance() < 0.2 ? tables.quotes.get(quote_id) : undefined;
    const body = {
      id,
      nombre: chance() < 0.05 ? ' María' : 'María',
      empresa: `Berries ${mark}`,
      email: `Ventas${mark}@Berries.mx`,
      telefono: '6641234567',
      peso: twin ? twin.peso : chance() < 0.05 ? 2_000_000 : 100 + mark,
      tipo_carga: 'general',
      ...(chance() < 0.2 && { reemplaza: folioOf(quote_id) }),
      ...entregada,
    };
    return { method: 'POST', table: 'quotes', shown: [id, ...shown], body, ...once };
  }
  if (roll < 0.35) {
    const kind = chance() < 0.6 ? 'aceptada' : 'pregunta';
    const body = {
      id,
      quote_id,
      answer_id,
      kind,
      body: kind === 'pregunta' || entregada ? '¿Y el viernes?' : '',
      ...(chance() < 0.3 && { hace: chance() < 0.8 ? Math.floor(chance() * 40 * 86_400) : -1 }),
      ...entregada,
    };
    return { method: 'POST', table: 'quote_replies', shown, body, ...once };
  }
  if (roll < 0.42) return { method: 'POST', table: 'quote_seen', shown, body: { answer_id, quote_id }, ...once };
  if (roll < 0.47)
    return { method: 'POST', table: 'quote_details', shown, body: { id, quote_id, producto: 'Fresas' }, ...once };
  if (roll < 0.52) return { method: 'GET', table: 'quotes', shown };
  if (roll < 0.57) return { method: 'GET', table: 'quote_words', shown };
  if (roll < 0.6) return { method: 'GET', table: 'unknown_submissions', shown: [quote_id, answer_id, id] };
  if (roll < 0.72) {
    const lead = tables.leads.get(quote_id);
    const body = { status: chance() < 0.8 ? (lead?.assignee ? lead.status : 'tomada') : 'nueva', assignee: by };
    return { method: 'PATCH', table: 'quote_desk', of: quote_id, by, shown: [], body };
  }
  if (roll < 0.86) {
    const kind = chance() < 0.6 ? 'oferta' : 'mensaje';
    const offer = { price: 4, price_for: 'total', currency: 'USD', kilos: 100, valid_until: dayOf(Date.now() + DAY) };
    const body = { id, quote_id, kind, body: 'Sale el jueves.', ...(kind === 'oferta' && offer) };
    const owner = tables.leads.get(quote_id)?.assignee ?? by;
    return {
      method: 'POST',
      table: 'quote_answers',
      by: pick([owner, owner, owner, by, SERVICE])!,
      shown: [],
      body,
      ignoresDuplicates: true,
    };
  }
  if (roll < 0.94) {
    const state = pick(['aceptada', 'retirada', 'reservada', 'sinespacio'])!;
    const owner = tables.leads.get(quote_id)?.assignee ?? by;
    const body = { id, quote_id, answer_id, state, word: 'Así quedó.' };
    return { method: 'POST', table: 'offer_moves', by: owner, shown: [], body, ignoresDuplicates: true };
  }
  if (roll < 0.975) {
    const isBlocked = tables.leads.get(quote_id)?.blocked && chance() < 0.5;
    // The database writes its own time over it. The same one twice would be no change.
    const body = { blocked_at: isBlocked ? null : '2026-01-01T00:00:00Z' };
    return { method: 'PATCH', table: 'quote_desk', of: quote_id, by: SERVICE, shown: [], body };
  }
  return { method: 'DELETE', table: 'quotes', of: quote_id, by: SERVICE, shown: [] };
}

const idsOf = (rows: readonly Readonly<Record<string, unknown>>[] | undefined) =>
  rows?.map((row) => row['id'] ?? row['answer_id'] ?? row['quote_id'] ?? 'one').toSorted();

test.each([1, 2])('the simulated server answers and stores as the real one does, drawn from %i', async (seed) => {
  await asOwner(
    engine,
    `truncate public.quotes cascade; delete from private.quote_sends; alter table public.quote_events disable trigger user;
     delete from public.quote_events; alter table public.quote_events enable trigger user;
     update private.quote_limits set per_address = ${MOST}, overall = 0`,
  );
  const chance = chanceFrom(seed);
  const tables = new Tables();
  const past: Asked[] = [];
  const statuses = new Map<string, number>();
  for (let step = 0; step < 220; step += 1) {
    const address = `192.0.2.${1 + Math.floor(step / 40)}`;
    const asked: Asked = { ...drawn(chance, past, tables), address };
    past.push(asked);
    const response = await rest(requestOf(asked), address);
    const said = (await response.json()) as readonly Record<string, unknown>[] | { readonly code: string };
    const given: Answered = answer(tables, asked, Date.now(), MOST);
    const real = Array.isArray(said)
      ? { status: response.status, rows: idsOf(said) }
      : { status: response.status, code: (said as { readonly code: string }).code };
    const simulated = given.rows
      ? { status: given.status, rows: idsOf(given.rows) }
      : { status: given.status, code: given.code };
    expect(simulated, `step ${step}: ${JSON.stringify(asked)} ${JSON.stringify(said)}`).toEqual(real);
    const key = `${asked.method} ${asked.table} ${response.status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  }
  for (const [name, [sql, read]] of Object.entries(STORED)) {
    const rows = await askAsOwner(engine, sql);
    const simulated = read(tables).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    expect(simulated, name).toEqual(rows.map((row) => ({ ...row })));
  }
  // Enough of each kind has happened for this to mean anything.
  for (const each of ['POST quotes 201', 'POST quote_replies 201', 'POST quote_answers 201', 'PATCH quote_desk 200'])
    expect(statuses.get(each), each).toBeGreaterThan(3);
  expect([...statuses.keys()].filter((key) => key.endsWith('409')).length).toBeGreaterThan(2);
});
