import { expect, test, vi } from 'vitest';
import { readAnswers } from '../../src/lead/answer.ts';
import { readDeliveryState } from '../../src/lead/delivery-state.ts';
import { timestamp, readValue } from '../../src/lead/validation.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { faultIn, newId } from '../../src/lead/quote.ts';
import { mergeById } from '../../src/outbox/merge-answers.ts';
import {
  awaitsAnswer,
  forget,
  isWaiting,
  parcelsIn,
  readEntry,
  replacementOf,
  mergeEntries,
  withOffer,
  type Entry,
  type WaitingEntry,
} from '../../src/outbox/entry.ts';
import { newEntry } from '../../src/outbox/new-entry.ts';
import { backOff, isDue, isOnItsWay, isSending, settle, type SendOutcome } from '../../src/outbox/state.ts';
import { DAY, deliveredAt, MINUTE, NOW, SECOND, someQuote, waitingSince } from './phone.ts';

const quote = someQuote();
const UNREADABLE = { kind: 'refused', at: 0, refusal: { kind: 'rejected', code: '', message: '' } };

const fresh = newEntry(quote, NOW) as WaitingEntry;
const after = (outcome: SendOutcome, entry = fresh): Entry => ({
  ...entry,
  state: settle(entry.state, outcome, NOW, 1),
});
const waits = (entry: Entry) => (isWaiting(entry) ? entry.state.nextTry - NOW : undefined);

test('the wait before a retry doubles from one second to five minutes; half is random', () => {
  expect([1, 2, 3, 9, 10, 40].map((attempts) => backOff(attempts, 1) / SECOND)).toEqual([1, 2, 4, 256, 300, 300]);
  expect(backOff(5, 0)).toBe(8 * SECOND);
  let entry: Entry = fresh;
  expect(waits(after({ kind: 'access-denied' }))).toBe(30 * MINUTE);
  for (const seconds of [1, 2, 4, 8]) {
    entry = after({ kind: 'unreachable' }, entry as WaitingEntry);
    expect(waits(entry)).toBe(seconds * SECOND);
  }
});

test('the work to list waiting quotes grows only linearly with their number', () => {
  let looks = 0;
  const entries = Array.from({ length: 1000 }, (_, at): Entry => {
    const { id: _id, ...rest } = newEntry({ ...quote, peso: at + 1 }, NOW);
    return {
      ...rest,
      get id() {
        looks += 1;
        return quote.id;
      },
    };
  });
  expect(parcelsIn(entries)).toHaveLength(1000);
  expect(looks).toBeLessThan(10_000);
});

test('neither a server nor a wrong clock makes a quote wait longer than an hour', () => {
  expect(waits(after({ kind: 'unreachable', retryAfter: 365 * DAY }))).toBe(60 * MINUTE);
  const waiting = after({ kind: 'unreachable', retryAfter: MINUTE }) as WaitingEntry;
  const stored: WaitingEntry = { ...waiting, state: { ...waiting.state, nextTry: NOW + 365 * DAY } };
  expect(isDue(stored.state, 'due', NOW + 60 * MINUTE - 1)).toBe(false);
  expect(isDue(stored.state, 'due', NOW + 60 * MINUTE)).toBe(true);
  expect(isDue(waiting.state, 'due', NOW - 365 * DAY)).toBe(true);
});

test('a quote of a closed tab is shown as "enviando" only until its attempt expires', () => {
  const sending = { ...fresh, state: { ...fresh.state, sendingUntil: NOW + 20 * SECOND } };
  expect(isSending(sending, NOW)).toBe(true);
  expect(isSending(sending, NOW + 21 * SECOND)).toBe(false);
  expect(isSending(sending, NOW - DAY)).toBe(false);
  expect(isSending(deliveredAt(NOW), NOW)).toBe(false);
  expect([0, MINUTE, -DAY].map((later) => isOnItsWay(fresh.state, NOW + later))).toEqual([true, false, false]);
});

test('a stored quote is read with its optional fields, except malformed optional fields', () => {
  const beside = { promociones: true, llamada: false, reemplaza: 'AP-0000-0000' };
  expect(readEntry({ ...fresh, quote: { ...quote, ...beside } }).quote).toEqual({ ...quote, ...beside });
  const strange = { ...quote, promociones: 'yes', llamada: null, reemplaza: 7 } as unknown as typeof quote;
  expect(readEntry({ ...fresh, quote: strange }).quote).toEqual(quote);
});

test('a quote that waits, needs correction or cannot be read is kept for ever', () => {
  const correctable = after({ kind: 'refused', refusal: { kind: 'rejected', code: '23514', message: '' } });
  for (const entry of [fresh, correctable]) expect(forget(entry, NOW + 1000 * DAY, true)).toBe(entry);
  const old = { id: quote.id, quote, state: { kind: 'waiting' } } as unknown as Entry;
  const completed = readEntry(old) as WaitingEntry;
  expect(isWaiting(completed) && isDue(completed.state, 'due', NOW)).toBe(true);
  for (const odd of [
    { id: quote.id, quote },
    { id: quote.id, quote, state: { kind: 'of the future' } },
    { id: quote.id, state: { kind: 'waiting' } },
  ]) {
    const shown = readEntry(odd as unknown as Entry);
    expect(isWaiting(shown)).toBe(false);
    expect(shown.state.kind).toBe('refused');
    expect(forget(shown, NOW + 1000 * DAY, true)).toBe(shown);
  }
  expect(readEntry(fresh)).toEqual(fresh);
});

test.each([
  [
    { kind: 'waiting', attempts: -3, since: 'x', trouble: 'of the future', deliveredAt: 'x', come: 2 },
    { kind: 'waiting', attempts: 0, since: 5, nextTry: 0, sendingUntil: 0, trouble: 'none', deliveredAt: 5, come: 2 },
  ],
  [{ kind: 'delivered' }, { kind: 'delivered', at: 5, announced: false, counted: false }],
  [
    { kind: 'delivered', at: 7, announced: true, counted: true, promisedAt: 'x', resentAt: 9 },
    { kind: 'delivered', at: 7, announced: true, counted: true, promisedAt: 5, resentAt: 9 },
  ],
  [
    { kind: 'refused', refusal: { kind: 'invalid', field: 'peso' } },
    { kind: 'refused', at: 5, refusal: { kind: 'invalid', field: 'peso' } },
  ],
  [
    { kind: 'refused', at: 7, refusal: { kind: 'superseded' } },
    { kind: 'refused', at: 7, refusal: { kind: 'superseded' } },
  ],
  [{ kind: 'refused', at: 7, refusal: { kind: 'invalid', field: 'sitio' } }, UNREADABLE],
  [{ kind: 'refused', at: 7, refusal: 'known' }, UNREADABLE],
])('a stored delivery state %j is read as %j', (stored, state) => {
  expect(readDeliveryState(stored, 5, true)).toEqual(state);
});

test.each([
  [8.64e15, 8.64e15],
  [-8.64e15, -8.64e15],
  [8.64e15 + 1, undefined],
  ['2026', 2026],
  ['soon', undefined],
])('a stored time %j is read as %j', (stored, at) => {
  expect(readValue(timestamp, stored)).toBe(at);
});

test('a quote’s weight must be above zero', () => {
  expect([0, -1, 0.5, 1].map((peso) => faultIn(someQuote({ peso })))).toEqual(['peso', 'peso', undefined, undefined]);
});

test('a new id is a random UUID version 4 even when the browser lacks randomUUID', () => {
  const whole = crypto;
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array<ArrayBuffer>) => whole.getRandomValues(bytes) });
  const ids = Array.from({ length: 50 }, newId);
  vi.unstubAllGlobals();
  for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  expect(new Set(ids).size).toBe(50);
});

test('stored answers are read oldest first; two copies of an answer are merged', () => {
  const [early, late] = [1, 2].map((at) => ({ id: `a${at}`, at, body: '', announced: true }));
  expect(readAnswers([late, early]).map(({ id }) => id)).toEqual(['a1', 'a2']);
  const from = (where: string, ...ids: string[]) => ids.map((id) => ({ id, where }));
  expect(mergeById(from('one', 'x', 'y'), from('other', 'x', 'z'), (_, other) => other)).toEqual([
    ...from('other', 'x'),
    ...from('one', 'y'),
    ...from('other', 'z'),
  ]);
});

const offer = (values: object) => ({ id: 'a', at: NOW, body: '', announced: false, state: 'vigente', ...values });
const withAnswers = (...answers: readonly object[]) => ({ ...deliveredAt(NOW), answers }) as Entry;

test('a new state of one offer changes no other offer of the same quote', () => {
  const { answers } = withOffer(withAnswers(offer({}), offer({ id: 'b' })), 'b', 'retirada');
  expect(answers.map(({ id, state }) => `${id} ${state}`)).toEqual(['a vigente', 'b retirada']);
});

test.each([
  ['an announced answer', { announced: true, stateAt: NOW }, {}, 'disk'],
  ['an announced answer, changed at the same time', { announced: true, stateAt: NOW }, { stateAt: NOW }, 'disk'],
  ['an announced answer, without times', { announced: true }, {}, 'disk'],
  ['a state that changed later', { announced: true, stateAt: NOW }, { stateAt: NOW + 1 }, 'memory'],
  ['a state with a time, if the other has none', { announced: true }, { stateAt: NOW }, 'memory'],
  ['an answer announced by this tab', { announced: false, stateAt: NOW }, { announced: true, stateAt: NOW }, 'memory'],
])('%s is taken from the right copy of the quote, on disk or in memory', (_, stored, inMemory, from) => {
  const merged = mergeEntries(
    withAnswers(offer({ ...stored, body: 'disk' })),
    withAnswers(offer({ ...inMemory, body: 'memory' })),
  );
  expect(merged.answers.map(({ body }) => body)).toEqual([from]);
});

test('a delivered copy of a quote replaces a waiting copy, unless the waiting copy is newer', () => {
  const [waiting, delivered] = [waitingSince(NOW), deliveredAt(NOW)];
  expect(mergeEntries(waiting, delivered).state).toBe(delivered.state);
  expect(mergeEntries(delivered, waiting).state).toBe(delivered.state);
  const corrected = { ...waiting, createdAt: NOW + 1 };
  expect(mergeEntries(corrected, delivered).state).toBe(corrected.state);
});

test('the newest delivered correction replaces the corrected quote', () => {
  const first = deliveredAt(NOW);
  const correction = (at: number, entry = deliveredAt(NOW + at)): Entry => ({
    ...entry,
    quote: { ...entry.quote!, reemplaza: folioOf(first.id) },
  });
  const [old, newest, waiting] = [correction(1), correction(3), correction(4, waitingSince(NOW + 4))];
  expect(replacementOf(first, [old, newest, waiting, deliveredAt(NOW + 9)])).toBe(folioOf(newest.id));
  expect(replacementOf(first, [newest, old])).toBe(folioOf(newest.id));
  expect(replacementOf(first, [first, waiting])).toBeUndefined();
});

test.each([
  ['a question after the answer', { kind: 'pregunta', body: '¿?' }, 'vigente', 2, true],
  ['a question before the answer', { kind: 'pregunta', body: '¿?' }, 'vigente', 0, false],
  ['an acceptance of a valid offer', { kind: 'aceptada' }, 'vigente', 0, true],
  ['an acceptance of an offer of unknown state', { kind: 'aceptada' }, undefined, 2, false],
  ['an acceptance of a withdrawn offer, after the withdrawal', { kind: 'aceptada' }, 'retirada', 2, true],
  ['a seen answer', { kind: 'vista' }, 'vigente', 2, false],
])('the phone knows whether a quote awaits an answer after %s', (_, words, state, minutes, isAwaited) => {
  const answer = { id: 'a', at: NOW, body: '', announced: true, price: undefined, validUntil: undefined, state };
  const delivered = { kind: 'delivered', at: NOW + minutes * MINUTE - MINUTE, announced: true, counted: true };
  const message = { id: 'm', answerId: 'a', createdAt: NOW, state: delivered, ...words };
  const entry = { ...deliveredAt(NOW - DAY), answers: [answer], messages: [message] } as unknown as Entry;
  expect(awaitsAnswer(entry, [entry])).toBe(isAwaited);
});
