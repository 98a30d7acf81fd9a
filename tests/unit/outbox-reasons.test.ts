import 'fake-indexeddb/auto';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { WAITING_MARK } from '../../src/agreements.ts';
import { quoteForm } from '../../src/content/quote-form.ts';
import { receipt } from '../../src/content/quote-states.ts';
import { handOffLinks } from '../../src/receipts/hand-off-links.ts';
import type { Entry } from '../../src/outbox/entry.ts';
import { PROBE_EVERY } from '../../src/outbox/state.ts';
import { outbox } from '../../src/outbox/phone-outbox.ts';
import { folioOf } from '../../src/lead/folio.ts';
import type { Quote } from '../../src/lead/quote.ts';
import { setWaitingMark } from '../../src/phone/quote-marks.ts';
import { formFailures } from '../../src/content/failures.ts';
import { describeEntry } from '../../src/receipts/describe-entry.ts';
import * as sending from '../../src/form/send-quote.ts';
import { submitQuote } from '../../src/form/submit-quote.ts';
import type { Fault } from '../e2e/service.ts';
import { MINUTE, muteDisk, NOW, SECOND, someQuote } from './phone.ts';
import { QuoteServer } from './quote-server.ts';

// Tests of every reason to send a quote again and every reason to stop, from the form to a real HTTP server.
// tests/e2e/delivery.test.ts tests toast and fields in a browser, with one reason of each group.

let server: QuoteServer;
let elsewhere: QuoteServer;
beforeAll(async () => {
  server = await QuoteServer.start();
  elsewhere = await QuoteServer.start();
});
afterAll(() => Promise.all([server.stop(), elsewhere.stop()]));

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: NOW });
  vi.spyOn(Math, 'random').mockReturnValue(1);
  vi.stubGlobal('window', {});
  vi.stubGlobal('self', { location: { origin: server.origin } });
  server.fault = { kind: 'none' };
  server.losesReadBacks = false;
  server.createdAt = '2026-11-21T20:00:05.123Z';
  for (const { rows, inserts, readBacks } of [server, elsewhere]) {
    for (const list of [rows, inserts, readBacks]) list.length = 0;
  }
});
afterEach(async () => {
  await outbox.erase();
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const means = (onStoreFailed: () => void) => ({
  loadSendQuote: () => Promise.resolve(sending),
  onStored: () => undefined,
  onStoreFailed,
});

/** Submits a quote like the form. Timers advance during the request, but by less than the form’s limit of 5 s. */
async function submit(quote: Quote, corrects = false): Promise<sending.SendEnding> {
  const ending = submitQuote(
    quote,
    { corrects },
    means(() => undefined),
  );
  let ended = false;
  void ending.then(() => (ended = true));
  // waitUntil moves the faked clock by a millisecond at each check.
  await vi.waitUntil(() => ended, { interval: 1, timeout: 4 * SECOND });
  // The form does not wait for the flush, so the test does.
  await outbox.flush('due');
  return ending;
}

async function later(milliseconds: number, cause: Parameters<typeof outbox.flush>[0]): Promise<readonly Entry[]> {
  vi.setSystemTime(Date.now() + milliseconds);
  return outbox.flush(cause);
}

const json = (status: number, body: object, headers: Record<string, string> = {}): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});
const database = (status: number, code: string, message: string) =>
  json(status, { code, message, details: null, hint: null });
const page = (status: number, body: string): Fault => ({
  kind: 'answer',
  status,
  headers: { 'content-type': 'text/html' },
  body,
});

/** Returns the state and the texts that the receipt shows for a quote. */
async function shown(id: string) {
  const entries = await outbox.entries();
  const entry = entries.find((other) => other.id === id)!;
  const { look, word, next } = describeEntry(entry, Date.now());
  return { look, word: word.es, says: next.map(({ es }) => es) };
}

const bare = (status: number, location?: string): Fault => ({
  kind: 'answer',
  status,
  ...(location && { headers: { location } }),
});

const UNREACHABLE: Record<string, () => Fault> = {
  'a lost request': () => ({ kind: 'lose-request' }),
  'a request time-out (408)': () => bare(408),
  'too early (425)': () => bare(425),
  'a request time-out in JSON (408)': () => json(408, { code: 'PT408', message: 'Too slow' }),
  'too early in JSON (425)': () => json(425, { code: 'PT425', message: 'Too early' }),
  'too many (429)': () => json(429, { code: 'PT429', message: 'Too many' }),
  'a bad gateway (502)': () => page(502, '<h1>502</h1>'),
  'an unavailable database (503)': () => database(503, '57P01', 'terminating'),
  'a captive portal (200 with a page)': () => page(200, '<h1>WiFi</h1>'),
  'a captive portal that says 201': () => page(201, '[]'),
  'a portal that speaks JSON (200)': () => json(200, { login: true }),
  'a redirect to another host (307), which would take it': () => bare(307, `${elsewhere.origin}/rest/v1/quotes`),
  'a redirect to a page (302)': () => bare(302, '/'),
  'an empty 404': () => bare(404),
};

test.each(Object.entries(UNREACHABLE))('a quote waits after %s, and is then delivered once', async (_what, fault) => {
  const quote = someQuote();
  server.fault = fault();
  expect(await submit(quote)).toEqual({ kind: 'stored', id: quote.id, accessDenied: false });
  expect(await outbox.entries()).toMatchObject([
    { id: quote.id, quote, state: { kind: 'waiting', attempts: 1, trouble: 'unreachable', sendingUntil: 0 } },
  ]);
  expect(await shown(quote.id)).toMatchObject({
    look: 'waiting',
    word: 'en espera',
    says: [receipt.waiting.unreachable.es, receipt.nextTrySoon.es, receipt.clock.es],
  });
  expect([...server.rows, ...elsewhere.inserts]).toEqual([]);
  expect(server.inserts).toEqual([quote.id]);

  // The quote is not due yet.
  expect(await outbox.flush('due')).toEqual([]);
  expect(server.inserts).toHaveLength(1);
  server.fault = { kind: 'none' };
  expect(await later(SECOND, 'due')).toHaveLength(1);
  expect(await shown(quote.id)).toMatchObject({ look: 'delivered', word: 'entregada' });
  expect(server.rows).toEqual([{ ...quote, created_at: server.createdAt }]);
  expect(await later(30 * MINUTE, 'person')).toEqual([]);
  expect(server.inserts).toHaveLength(2);
});

test('a quote sent again after a lost response is stored once, with its first arrival time', async () => {
  const quote = someQuote();
  server.fault = { kind: 'lose-answer' };
  expect(await submit(quote)).toEqual({ kind: 'stored', id: quote.id, accessDenied: false });
  server.fault = { kind: 'none' };
  const first = server.createdAt;
  server.createdAt = '2026-11-21T23:59:59.999Z';
  await later(PROBE_EVERY, 'probe');
  expect(server.inserts).toEqual([quote.id, quote.id]);
  expect(server.rows).toEqual([{ ...quote, created_at: first }]);
  const { look, says } = await shown(quote.id);
  expect(look).toBe('delivered');
  expect(says).toEqual([receipt.delivered({ es: 'hoy a las 12:00', en: 'today at 12:00' }, '14:00').es]);
});

test.each([
  ['a field', { peso: 777 }],
  ['the wish for a call', { llamada: true }],
  ['the kilos of a shipment', { embarque: 250 }],
])('a correction of %s is refused if the quote had arrived although its answer was lost', async (_what, changes) => {
  const quote = someQuote();
  server.fault = { kind: 'lose-answer' };
  await submit(quote);
  server.fault = { kind: 'none' };
  const ending = await submit({ ...quote, ...changes }, true);
  expect(ending).toMatchObject({ kind: 'refused', refusal: { kind: 'superseded' } });
  expect(server.rows).toEqual([{ ...quote, created_at: server.createdAt }]);
  // The new quote is sent with the id of the replaced quote, which proves that both have the same author.
  const correction = { ...someQuote(), reemplaza: folioOf(quote.id) };
  expect(await submit(correction)).toEqual({ kind: 'delivered' });
  expect(server.presented.at(-1)).toContain(quote.id);
  expect(await shown(quote.id)).toMatchObject({ look: 'known' });
});

test.each(
  Object.entries({
    'no permission (401)': database(401, '42501', 'permission denied'),
    'a wrong key (401)': json(401, { message: 'Invalid API key' }),
    'a refused role (403)': database(403, '42501', 'permission denied'),
  }),
)('a quote stays on the phone after %s, and is sent again when access returns', async (_what, fault) => {
  const quote = someQuote();
  server.fault = fault;
  // The form shows 'Error temporal del sistema…' for `accessDenied`.
  expect(await submit(quote)).toEqual({ kind: 'stored', id: quote.id, accessDenied: true });
  expect(await outbox.entries()).toMatchObject([
    { quote, state: { kind: 'waiting', attempts: 1, trouble: 'access-denied', sendingUntil: 0 } },
  ]);
  expect(await shown(quote.id)).toMatchObject({ look: 'waiting', word: 'en espera' });
  expect((await shown(quote.id)).says[0]).toBe(receipt.waiting['access-denied'].es);
  expect(handOffLinks(quote).whatsapp).toContain(encodeURIComponent(quote.nombre));

  server.fault = { kind: 'none' };
  for (const cause of ['due', 'probe'] as const) expect(await later(MINUTE, cause)).toEqual([]);
  expect(server.inserts).toHaveLength(1);
  expect(await outbox.flush('sign-of-life')).toHaveLength(1);
  expect(await shown(quote.id)).toMatchObject({ word: 'entregada' });
  expect(server.rows).toHaveLength(1);
});

const KNOWN = 'Ya existe una cotizacion con este email. Te contactaremos pronto.';
const INVALID = 'Datos invalidos. Verifica la informacion e intenta nuevamente.';

test.each([
  ['23505 on another key', 409, '23505', 'duplicate key value violates unique constraint "quotes_email_key"', KNOWN],
  ['23514', 400, '23514', 'new row for relation "quotes" violates check constraint "quotes_peso_check"', INVALID],
  ['PGRST204', 400, 'PGRST204', 'Could not find the column', INVALID],
])('the form shows the database error %s, and the quote is not resent', async (_what, status, code, message, says) => {
  const quote = someQuote();
  server.fault = database(status, code, message);
  const ending = await submit(quote);
  const refusal = says === KNOWN ? { kind: 'known' } : { kind: 'rejected', code, message };
  expect(ending).toEqual({ kind: 'refused', refusal, text: expect.objectContaining({ es: says }) as object });
  expect(await outbox.entries()).toEqual([]);
  server.fault = { kind: 'none' };
  expect(await later(30 * MINUTE, 'person')).toEqual([]);
  expect(server.inserts).toHaveLength(1);

  server.fault = { kind: 'lose-request' };
  await submit(quote);
  server.fault = database(status, code, message);
  await later(SECOND, 'due');
  expect(await shown(quote.id)).toMatchObject({
    word: says === KNOWN ? 'duplicada' : 'necesita corrección',
    says: [says],
  });
  server.fault = { kind: 'none' };
  expect(await later(30 * MINUTE, 'person')).toEqual([]);
  expect(server.inserts).toHaveLength(3);
  expect(server.rows).toEqual([]);
});

test('a quote whose id the server already has (status 409) counts as delivered', async () => {
  const quote = someQuote();
  server.fault = database(409, '23505', 'duplicate key value violates unique constraint "quotes_pkey"');
  expect(await submit(quote)).toEqual({ kind: 'delivered' });
  expect(server.readBacks).toEqual([quote.id]);
  expect(server.presented.at(-1)).toBeUndefined();
  expect(await shown(quote.id)).toMatchObject({ word: 'entregada' });
  expect(await later(30 * MINUTE, 'person')).toEqual([]);
  expect(server.inserts).toHaveLength(1);
});

test('a correction is too late if the server already stored the quote with other data', async () => {
  const [read, unread] = [someQuote(), someQuote()];
  for (const quote of [read, unread]) server.rows.push({ ...quote, peso: 1, created_at: server.createdAt });
  server.losesReadBacks = true;
  expect(await submit(unread)).toEqual({ kind: 'stored', id: unread.id, accessDenied: false });
  server.losesReadBacks = false;
  await later(2 * SECOND, 'due');
  expect(await outbox.entries()).toMatchObject([{ state: { kind: 'refused', refusal: { kind: 'superseded' } } }]);
  server.fault = database(409, '23505', 'duplicate key value violates unique constraint "quotes_pkey"');
  expect(await submit(read)).toMatchObject({ kind: 'refused', text: quoteForm.superseded });
});

test.each([
  ['seconds', () => '9'],
  ['a date', () => new Date(Date.now() + 9 * SECOND).toUTCString()],
])('the outbox obeys Retry-After in %s, until the visitor presses the button to send', async (_form, wish) => {
  const quote = someQuote();
  const busy = () =>
    json(429, { code: 'PT429', message: 'x' }, { date: new Date().toUTCString(), 'retry-after': wish() });
  server.fault = busy();
  expect(await submit(quote)).toEqual({ kind: 'stored', id: quote.id, accessDenied: false });
  server.fault = { kind: 'none' };
  expect((await shown(quote.id)).says[0]).toBe('Guardada en este teléfono. Nuestro sistema está ocupado.');
  for (const cause of ['due', 'probe', 'sign-of-life'] as const) expect(await later(SECOND, cause)).toEqual([]);
  expect(server.inserts).toHaveLength(1);
  expect(await outbox.flush('person')).toHaveLength(1);
  server.fault = busy();
  await submit(someQuote());
  server.fault = { kind: 'none' };
  expect(await later(7 * SECOND, 'due')).toEqual([]);
  expect(await later(2 * SECOND, 'due')).toHaveLength(1);
  expect(server.rows).toHaveLength(2);
});

test('the outbox reads Retry-After by the server’s clock, and ignores that of a captive portal', async () => {
  const date = (at: number) => new Date(at).toUTCString();
  const wrong = Date.now() - 30 * 24 * 60 * MINUTE;
  const times = { date: date(wrong), 'retry-after': date(wrong + 60 * SECOND) };
  server.fault = json(503, { code: 'x', message: 'x' }, times);
  await submit(someQuote());
  const [entry] = (await outbox.entries()) as [Entry];
  expect(entry.state.kind === 'waiting' && entry.state.nextTry - entry.state.since).toBe(60 * SECOND);
  const headers = { 'content-type': 'text/html', 'retry-after': '31536000' };
  server.fault = { kind: 'answer', status: 503, headers, body: '<h1>WiFi</h1>' };
  const other = someQuote();
  await submit(other);
  server.fault = { kind: 'none' };
  expect(await later(SECOND, 'due')).toMatchObject([{ id: other.id, state: { kind: 'delivered' } }]);
});

/** Milliseconds that the form waits for the disk before it sends a quote unstored. */
const STRICT_BOUND = 8 * SECOND;

/** Submits while the disk does not answer, and resolves when the form says that it sends the quote unstored. */
async function pressUnkept(quote: Quote, corrects = false): Promise<{ readonly ending: Promise<sending.SendEnding> }> {
  let isTold = false;
  const ending = submitQuote(
    quote,
    { corrects },
    means(() => (isTold = true)),
  );
  await vi.advanceTimersByTimeAsync(STRICT_BOUND - 1);
  expect(isTold).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(isTold).toBe(true);
  return { ending };
}

test.each([false, true])('a quote that the phone cannot store arrives once (late disk write: %s)', async (lands) => {
  const quote = someQuote();
  const answerAgain = muteDisk({ lands });
  const { ending } = await pressUnkept(quote);
  answerAgain();
  expect(await ending).toEqual({ kind: 'delivered', at: Date.parse(server.createdAt), promisedAt: NaN });
  await vi.waitUntil(async () => (await outbox.entries()).length > 0, { interval: 1 });
  expect(await outbox.entries()).toMatchObject([{ id: quote.id, state: { kind: 'delivered', announced: true } }]);
  await outbox.flush('person');
  expect(server.inserts).toEqual([quote.id]);
});

test('a quote whose disk write ends after its delivery is sent again under the same id', async () => {
  const quote = someQuote();
  const answerAgain = muteDisk({ lands: true });
  const { ending } = await pressUnkept(quote);
  expect(await ending).toMatchObject({ kind: 'delivered' });
  // The disk does not answer, so after four seconds the outbox gives up storing the delivery.
  await vi.advanceTimersByTimeAsync(4 * SECOND);
  answerAgain();
  await outbox.flush('sign-of-life');
  expect(await outbox.entries()).toMatchObject([{ id: quote.id, state: { kind: 'delivered' } }]);
  expect(server.rows.map(({ id }) => id)).toEqual([quote.id]);
});

test('a quote whose disk write ends after a failed send can still be corrected', async () => {
  const quote = someQuote();
  const [setItem, removeItem] = [vi.fn(), vi.fn()];
  vi.stubGlobal('localStorage', { setItem, removeItem });
  const answerAgain = muteDisk({ lands: true });
  server.fault = { kind: 'lose-request' };
  const { ending } = await pressUnkept(quote);
  expect(await ending).toEqual({ kind: 'unsaved', text: formFailures.connection });
  // The failed write may still store the quote, so WAITING_MARK must stay: it makes the next visit read the disk.
  setWaitingMark(false);
  expect(setItem).toHaveBeenCalledWith(WAITING_MARK, '1');
  expect(removeItem).not.toHaveBeenCalled();
  answerAgain();
  expect(await outbox.entries()).toMatchObject([{ id: quote.id, state: { kind: 'waiting' } }]);
  server.fault = { kind: 'none' };
  await submit({ ...quote, peso: 77 }, true);
  expect(server.rows).toMatchObject([{ id: quote.id, peso: 77 }]);
});
