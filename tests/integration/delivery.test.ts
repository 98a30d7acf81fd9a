import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, expect, test, vi } from 'vitest';
import { createRest } from '../../server/rest/handler.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readLimits } from '../../server/settings.ts';
import type { Quote } from '../../src/lead/quote.ts';
import { deliver, deliverMessage } from '../../src/outbox/delivery.ts';
import type { Outgoing } from '../../src/outbox/messages.ts';
import { askAsOwner } from './callers.ts';
import { pgliteEngine } from './engines.ts';
import { sampleQuote } from './sample-quote.ts';

// In these tests the phone’s code sends its requests to the embedded server.

const engine = await pgliteEngine();
afterAll(() => engine.close());

beforeEach(() => {
  const gate = createGate({ publishableKey: 'aeropuente-public', secret: randomBytes(32) });
  const rest = createRest(engine.database, gate, readLimits({ RATE_LIMIT_PER_ADDRESS: '0' }));
  vi.stubGlobal('self', { location: { origin: 'http://localhost' } });
  vi.stubGlobal('fetch', (input: URL, init: RequestInit) => rest(new Request(input, init), '127.0.0.1'));
});

const kindOf = async (outcome: ReturnType<typeof deliverMessage>) => (await outcome).kind;

test.each(['sent first', 'sent again'])('an acceptance %s is stored while its lost quote arrives', async (which) => {
  const quote: Quote = sampleQuote({ tipo_carga: 'perecederos' });
  const acceptance: Outgoing<'aceptada'> = {
    id: randomUUID(),
    kind: 'aceptada',
    answerId: randomUUID(),
    quoteId: quote.id,
    pressedAt: Date.now(),
    facts: '4.1 USD',
  };
  const server = fetch;
  let checks = 0;
  vi.stubGlobal('fetch', async (input: URL, init: RequestInit) => {
    // Another page of the phone sends the lost quote again while this page asks whether the quote is lost.
    if (String(input).includes('unknown_submissions') && (checks += 1) === 1)
      expect(await kindOf(deliver(quote, undefined, Date.now() - 60_000))).toBe('delivered');
    return server(input, init);
  });
  const deliveredAt = which === 'sent again' ? Date.now() - 30_000 : undefined;
  const outcome = { kind: 'delivered', unbound: 'sinoferta' };
  expect(await deliverMessage(acceptance, deliveredAt)).toMatchObject(outcome);
  expect(checks).toBe(1);
  expect(await askAsOwner(engine, 'select body from public.quote_replies where id = $1', [acceptance.id])).toEqual([
    { body: '4.1 USD' },
  ]);
  // The phone sends the acceptance again, as after a lost response.
  expect(await deliverMessage(acceptance, Date.now() - 30_000)).toMatchObject(outcome);
});

test('a consent to promotions ends if the quote is resent without it after a lost response', async () => {
  const quote: Quote = sampleQuote({ tipo_carga: 'perecederos', promociones: true, llamada: true });
  await deliver(quote);
  const { promociones: _, ...unticked } = quote;
  const consents = () =>
    askAsOwner(
      engine,
      'select q.promociones, w.quote_id from quotes q left join promotion_withdrawals w on w.quote_id = q.id where q.id = $1',
      [quote.id],
    );
  expect(await consents()).toEqual([{ promociones: true, quote_id: null }]);
  for (const resend of [unticked, quote]) {
    expect(await kindOf(deliver(resend))).toBe('delivered');
    expect(await consents()).toEqual([{ promociones: false, quote_id: quote.id }]);
  }
});

test('a quote does not count as delivered if a captive portal answers with JSON', async () => {
  const quote: Quote = sampleQuote({ tipo_carga: 'perecederos' });
  expect(await kindOf(deliver(quote))).toBe('delivered');
  const server = fetch;
  vi.stubGlobal('fetch', (input: URL, init: RequestInit) =>
    init.method === 'POST' ? server(input, init) : Response.json({ login: true }),
  );
  expect(await deliver(quote)).toEqual({ kind: 'unreachable' });
});
