import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { migrate } from '../../server/database/migrate.ts';
import { createRest, TABLES } from '../../server/rest/handler.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readLimits } from '../../server/settings.ts';
import type { Quote } from '../../src/lead/quote.ts';
import { SCHEMA_HEADER, SCHEMA_ADDITIONS } from '../../src/lead/schema-version.ts';
import { deliver, deliverMessage, fetchAnswers, insert } from '../../src/outbox/delivery.ts';
import { readEntry, type Entry } from '../../src/outbox/entry.ts';
import { asOwner, askAsOwner } from '../integration/callers.ts';
import { pgliteEngine } from '../integration/engines.ts';
import { ADDITIONS, NEWEST, NEXT, nextMigrations } from '../integration/next-release.ts';
import { sampleQuote } from '../integration/sample-quote.ts';
import { whyNotHosted } from './programs.ts';
import { startProject } from './project.ts';

// A page may be one release newer or older than the database. The next release in these tests is next-release.ts.

/** Time limit within which PostgREST reloads the schema; that takes over a second on a busy machine. */
const SOON = { timeout: 30_000 };

interface Server {
  answer(request: Request): Promise<Response>;
  rows(sql: string, parameters?: unknown[]): Promise<readonly Record<string, unknown>[]>;
  run(sql: string): Promise<void>;
  upgrade(): Promise<void>;
  close(): Promise<void>;
}

async function embeddedServer(): Promise<Server> {
  const engine = await pgliteEngine();
  const serve = () => {
    const gate = createGate({ publishableKey: 'aeropuente-public', secret: randomBytes(32) });
    return createRest(engine.database, gate, readLimits({ RATE_LIMIT_PER_ADDRESS: '0' }));
  };
  let rest = serve();
  return {
    answer: (request) => rest(request, '127.0.0.1'),
    rows: (sql, parameters) => askAsOwner(engine, sql, parameters),
    run: (sql) => asOwner(engine, sql),
    async upgrade() {
      await migrate(engine.database, await nextMigrations());
      // The next release also answers requests for its new table.
      (TABLES as Map<string, readonly string[]>).set('next_words', ['GET', 'POST']);
      rest = serve();
    },
    close: () => engine.close(),
  };
}

async function hostedServer(): Promise<Server> {
  const project = await startProject();
  /** Waits until PostgREST lists a table or column. */
  const knows = (name: string) =>
    vi.waitUntil(
      async () => (await (await answer(new Request('http://localhost/rest/v1/'))).text()).includes(name),
      SOON,
    );
  const answer: Server['answer'] = async (request) => {
    const publicRequest = new Request(request);
    publicRequest.headers.set('apikey', project.keys.publishable);
    publicRequest.headers.delete('authorization');
    return project.answer(publicRequest, '127.0.0.1');
  };
  return {
    answer,
    rows: (sql, parameters) => project.ask(sql, parameters),
    run: (sql) => project.run(sql),
    async upgrade() {
      for (const [name, sql] of Object.entries(NEXT))
        await project.run(
          `${sql}; insert into supabase_migrations.schema_migrations (version) values ('${name.slice(0, 14)}')`,
        );
      await project.run("notify pgrst, 'reload schema'");
      await knows('next_words');
    },
    close: () => project.close(),
  };
}

const servers = [
  { name: 'the embedded server', open: embeddedServer, whyNot: '' },
  { name: 'PostgREST', open: hostedServer, whyNot: whyNotHosted() },
];

const realFetch = fetch;

for (const { name, open, whyNot } of servers)
  describe.skipIf(whyNot)(`with ${name}`, () => {
    let server: Server;
    beforeAll(async () => {
      server = await open();
    });
    afterAll(() => server?.close());
    beforeEach(() => {
      vi.stubGlobal('self', { location: { origin: 'http://localhost' } });
      vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) =>
        String(input).startsWith('http://localhost') ? server.answer(new Request(input, init)) : realFetch(input, init),
      );
    });
    afterEach(() => SCHEMA_ADDITIONS.clear());
    const asNext = () => ADDITIONS.forEach(([addition, version]) => SCHEMA_ADDITIONS.set(addition, version));

    const quoteOfNext = () => ({ ...sampleQuote({ tipo_carga: 'general' as const }), nueva: 'una' });
    const stored = async (id: string) => (await server.rows('select * from public.quotes where id = $1', [id]))[0];
    const details = (quote_id: string, incoterm: string, id: string = randomUUID()) =>
      deliverMessage({
        id,
        kind: 'detalles',
        details: { producto: 'Fresas', incoterm },
        quoteId: quote_id,
        pressedAt: Date.now(),
      });
    const addWord = () => insert('next_words' as never, { id: randomUUID(), word: 'Sí' }, 'id', {});
    const waiting = { kind: 'access-denied' };
    const delivered = { kind: 'delivered' };
    let late: { quote_id: string; id: string };

    test('a newer page sends an older database the fields that this database accepts', async () => {
      asNext();
      const quote = quoteOfNext();
      expect(await deliver(quote)).toMatchObject(delivered);
      expect(await deliver(quote)).toMatchObject(delivered);
      expect(await stored(quote.id)).toMatchObject({ nombre: quote.nombre });
      expect(await details(quote.id, 'FOB')).toMatchObject(delivered);
      late = { quote_id: quote.id, id: randomUUID() };
      expect(await details(quote.id, 'XYZ', late.id)).toEqual(waiting);
      expect(await addWord()).toMatchObject({ error: expect.anything() });
      expect(await details(quote.id, 'no es')).toMatchObject({ kind: 'refused', refusal: { code: '23514' } });
    });

    test('this release reads and delivers a quote that the next release stored on the phone', async () => {
      const quote = quoteOfNext();
      const entry = readEntry({ id: quote.id, quote, state: { kind: 'waiting' } } as unknown as Entry);
      expect(await deliver(entry.quote!)).toMatchObject(delivered);
    });

    test('the page reads answers from a database that lacks a column', async () => {
      const quote: Quote = sampleQuote({ tipo_carga: 'general' as const });
      expect(await deliver(quote)).toMatchObject(delivered);
      await server.run(
        `set local role service_role;
         insert into public.quote_answers (quote_id, kind, body) values ('${quote.id}', 'mensaje', 'Sí');
         reset role;
         alter view public.quote_words rename column reference to other; notify pgrst, 'reload schema'`,
      );
      await vi.waitUntil(async () => (await fetchAnswers([quote.id]))?.get(quote.id)?.[0]?.body === 'Sí', SOON);
      await server.run("alter view public.quote_words rename column other to reference; notify pgrst, 'reload schema'");
    });

    test('a database of the next release accepts everything from pages of this and the next release', async () => {
      await server.upgrade();
      const ours: Quote = sampleQuote({ tipo_carga: 'general' as const });
      expect(await deliver(ours)).toMatchObject(delivered);
      expect(await stored(ours.id)).toMatchObject({ nueva: null });
      expect(await details(ours.id, 'FOB')).toMatchObject(delivered);
      expect((await fetchAnswers([ours.id]))?.get(ours.id)).toEqual([]);

      asNext();
      const theirs = quoteOfNext();
      expect(await deliver(theirs)).toMatchObject(delivered);
      expect(await stored(theirs.id)).toMatchObject({ more: { nueva: 'una' } });
      expect(await details(late.quote_id, 'XYZ', late.id)).toMatchObject(delivered);
      expect(await addWord()).toMatchObject({ data: [{ word: 'Sí' }] });
    });

    test.runIf(name === 'the embedded server')('each response states the schema version, even a refusal', async () => {
      for (const path of ['quotes', 'next_words?limit=0', 'of_no_release']) {
        const { headers } = await server.answer(new Request(`http://localhost/rest/v1/${path}`));
        expect(headers.get(SCHEMA_HEADER)).toBe(NEWEST.slice(0, 14));
      }
    });
  });
