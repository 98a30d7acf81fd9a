import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { promisedUntil } from '../../src/lead/promise.ts';
import { deliver } from '../../src/outbox/delivery.ts';
import { newWaitingState } from '../../src/outbox/new-entry.ts';
import { settle, type SendOutcome } from '../../src/outbox/state.ts';
import { NOW, someQuote } from './phone.ts';
import { QuoteServer } from './quote-server.ts';

const HOUR = 3_600_000;

let server: QuoteServer;
beforeAll(async () => {
  server = await QuoteServer.start();
  vi.stubGlobal('self', { location: { origin: server.origin } });
  server.createdAt = new Date(NOW).toISOString();
});
afterAll(async () => {
  vi.unstubAllGlobals();
  await server.stop();
});

/** Returns the deadline that a phone shows for a quote delivered with this outcome. */
function deadlineOf(outcome: SendOutcome): number {
  const state = settle(newWaitingState(NOW), outcome, NOW, 1);
  if (state.kind !== 'delivered') throw new Error('The quote was not delivered.');
  return promisedUntil(state);
}

test('a phone shows the server’s deadline for the answer, not one that it computes itself', async () => {
  server.promisedAt = new Date(NOW + 3 * HOUR).toISOString();
  const quote = someQuote();
  expect(deadlineOf(await deliver(quote))).toBe(NOW + 3 * HOUR);
  // At the second delivery the server already has the row, and the phone reads the deadline from that row.
  expect(deadlineOf(await deliver(quote))).toBe(NOW + 3 * HOUR);
});

test('a phone computes the deadline for the answer itself if the server sends none', async () => {
  for (const promised of ['', server.createdAt]) {
    server.promisedAt = promised;
    expect(deadlineOf(await deliver(someQuote()))).toBeGreaterThan(NOW);
  }
});
