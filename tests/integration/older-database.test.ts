import { randomBytes, randomUUID } from 'node:crypto';
import { cp, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { migrate, migrationsFolder } from '../../server/database/migrate.ts';
import { createRest } from '../../server/rest/handler.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readLimits } from '../../server/settings.ts';
import { folioOf } from '../../src/lead/folio.ts';
import type { Quote } from '../../src/lead/quote.ts';
import { deliver, deliverReply, fetchAnswers } from '../../src/outbox/delivery.ts';
import '../../src/outbox/send-part.ts';
import { askAsOwner, asOwner, insertion, introduce, service } from './callers.ts';
import { migrationsBefore, pgliteEngine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

// On a hosted project the page is published before `supabase db push`, or after it: today's phone at the database of
// every release there was. (A page of then at today's database: e2e/releases.)

const files = (await readdir(migrationsFolder)).toSorted();
const first = files.findIndex((file) => file.endsWith('_repeats_and_limits.sql'));
const folder = await migrationsBefore('repeats_and_limits');
const older = await pgliteEngine(folder);
// One phone says in each release what others say in weeks.
await asOwner(older, 'update private.quote_limits set per_address = 0, overall = 0');
afterAll(async () => {
  await older.close();
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  const gate = createGate({ publishableKey: 'aeropuente-public', secret: randomBytes(32) });
  const rest = createRest(older.database, gate, readLimits({ RATE_LIMIT_PER_ADDRESS: '0' }));
  vi.stubGlobal('self', { location: { origin: 'http://localhost' } });
  vi.stubGlobal('fetch', (input: URL, init: RequestInit) => rest(new Request(input, init), '127.0.0.1'));
  return () => void vi.unstubAllGlobals();
});

const both = { promociones: true, llamada: true, embarque: 300 };
/** What may come beside the fields; the same again is no correction. */
const BESIDE: readonly Partial<Quote>[] = [
  { ...both, reemplaza: folioOf(randomUUID()) },
  { ...both, igual: folioOf(randomUUID()) },
];
const hasTable = async (name: string) =>
  (await askAsOwner(older, 'select from pg_tables where tablename = $1', [name])).length > 0;
const kindOf = async (outcome: ReturnType<typeof deliverReply>) => (await outcome).kind;

test.each(['the first release', ...files.slice(first)])(
  'with %s a phone loses nothing of what it says',
  async (file) => {
    if (file.endsWith('.sql')) {
      await cp(path.join(migrationsFolder, file), path.join(folder, file));
      await migrate(older.database, folder);
    }
    let quote_id = '';
    for (const beside of BESIDE) {
      const quote: Quote = { ...sampleQuote({ tipo_carga: 'perecederos' }), ...beside };
      quote_id = quote.id;
      expect(await deliver(quote)).toMatchObject({ kind: 'delivered' });
      expect(await deliver(quote)).toMatchObject({ kind: 'delivered' });
      expect(await deliver(quote, undefined, Date.now() - 60_000)).toMatchObject({ kind: 'delivered' });
      const [stored, ...others] = await askAsOwner(older, 'select * from public.quotes where id = $1', [quote_id]);
      expect(others).toEqual([]);
      // Whoever asked for a call is called, also where the database does not know yet what a shipment weighs.
      const known = Object.keys(beside).filter((name) => name in stored!);
      expect(stored).toMatchObject(Object.fromEntries(known.map((name) => [name, beside[name as keyof Quote]])));
    }

    const pressedAt = Date.now() - 60_000;
    if (await hasTable('quote_answers')) {
      const answer_id = randomUUID();
      await older.transaction(async (session) => {
        await introduce(session, service);
        await session.query(...insertion('quote_answers', { id: answer_id, quote_id, body: 'Sí' }, ''));
      });
      expect((await fetchAnswers([quote_id]))?.get(quote_id)).toMatchObject([{ id: answer_id, body: 'Sí' }]);
      const says = (kind: 'aceptada' | 'pregunta' | 'vista', body: string) =>
        deliverReply({ id: randomUUID(), quote_id, answer_id, kind, body, pressedAt, facts: 'Sí' });
      expect(await kindOf(says('vista', ''))).toBe('delivered');
      expect(await kindOf(says('pregunta', '¿Cuándo?'))).toBe('delivered');
      expect(await kindOf(says('aceptada', ''))).toBe('delivered');
    }
    // What it has no table for waits, and is never called refused.
    for (const [kind, table] of [
      ['detalles', 'quote_details'],
      ['cierre', 'quote_link_closings'],
      ['archivo', 'quote_files'],
    ] as const) {
      const details =
        kind === 'detalles'
          ? { producto: 'Fresas' }
          : kind === 'archivo'
            ? { nombre: 'a.pdf', tipo: 'application/pdf', bytes: 9, huella: 'a'.repeat(64) }
            : undefined;
      const said = { id: randomUUID(), quote_id, answer_id: '', kind, body: '', pressedAt, details };
      // The bytes of a file are on a disk, which does not answer here: announced it is.
      const ends = !(await hasTable(table)) ? 'access-denied' : kind === 'archivo' ? 'unreachable' : 'delivered';
      expect(await kindOf(deliverReply(said)), kind).toBe(ends);
      if (ends === 'unreachable')
        expect(await askAsOwner(older, 'select from public.quote_files where id = $1', [said.id])).toHaveLength(1);
    }
  },
);

test.each(['waits for the first time', 'is sent again'])(
  'an acceptance that %s, and whose lost quote comes back while it is asked whether that is lost, is stored',
  async (which) => {
    const quote: Quote = sampleQuote({ tipo_carga: 'perecederos' });
    const said = { id: randomUUID(), quote_id: quote.id, answer_id: randomUUID(), kind: 'aceptada', body: '' } as const;
    const server = fetch;
    let asked = 0;
    vi.stubGlobal('fetch', async (input: URL, init: RequestInit) => {
      // Another page of the phone brings it back.
      if (String(input).includes('unknown_submissions') && (asked += 1) === 1)
        expect(await kindOf(deliver(quote, undefined, Date.now() - 60_000))).toBe('delivered');
      return server(input, init);
    });
    const deliveredAt = which === 'is sent again' ? Date.now() - 30_000 : undefined;
    const outcome = { kind: 'delivered', over: 'sinoferta' };
    expect(await deliverReply({ ...said, facts: '4.1 USD' }, deliveredAt)).toMatchObject(outcome);
    expect(asked).toBe(1);
    expect(await askAsOwner(older, 'select body from public.quote_replies where id = $1', [said.id])).toEqual([
      { body: '4.1 USD' },
    ]);
    // The response to the first request may have been lost.
    expect(await deliverReply({ ...said, facts: '4.1 USD' }, Date.now() - 30_000)).toMatchObject(outcome);
  },
);

test('a portal that answers in JSON while a quote is read back says nothing of it', async () => {
  const quote: Quote = sampleQuote({ tipo_carga: 'perecederos' });
  expect(await kindOf(deliver(quote))).toBe('delivered');
  const server = fetch;
  vi.stubGlobal('fetch', (input: URL, init: RequestInit) =>
    init.method === 'POST' ? server(input, init) : Response.json({ login: true }),
  );
  expect(await deliver(quote)).toEqual({ kind: 'unreachable' });
});
