import { expect, test, vi } from 'vitest';
import { extraMore, newId } from '../../src/lead/quote.ts';
import type { Refusal } from '../../src/lead/refusal.ts';
import { newWaitingState } from '../../src/outbox/new-entry.ts';
import type { Entry } from '../../src/outbox/entry.ts';
import { createQuoteTransact } from '../../src/outbox/store.ts';
import {
  corrupt,
  DAY,
  deliveredAt,
  MINUTE,
  NOW,
  outbox,
  phone,
  SECOND,
  someQuote,
  usePhone,
  waitingSince,
} from './phone.ts';

usePhone();

const fresh = { corrects: false };
const correction = { corrects: true };
const byId = (one: Entry, other: Entry) => (one.id < other.id ? -1 : 1);
const quoteOf = async (id: string) => (await phone.disk()).find((entry) => entry.id === id)?.quote;

test('a quote is on disk before the form continues, and is sent once', async () => {
  const quote = someQuote();
  const entry = await outbox.add(quote, { corrects: false });
  expect(await phone.disk()).toEqual([entry]);
  expect(entry).toMatchObject({ id: quote.id, createdAt: NOW, quote });
  expect(await outbox.add(quote, fresh)).toEqual(entry);
  expect(await outbox.flush('due')).toMatchObject([{ id: quote.id, state: { kind: 'delivered', at: NOW } }]);
  expect(await outbox.add(quote, fresh)).toMatchObject({ state: { kind: 'delivered' } });
  expect(await outbox.flush('person')).toEqual([]);
  expect(phone.tries).toHaveLength(1);
});

test('a second quote with the id of another quote gets a new id', async () => {
  const quote = someQuote();
  const other = { ...someQuote(), id: quote.id };
  await outbox.add(quote, fresh);
  const entry = await outbox.add(other, fresh);
  expect(entry.id).not.toBe(quote.id);
  await outbox.flush('due');
  expect(phone.tries.map((one) => one.quote)).toEqual(expect.arrayContaining([quote, { ...other, id: entry.id }]));
});

test('a correction replaces a waiting or refused quote, not a delivered quote', async () => {
  const quote = someQuote();
  await outbox.add(quote, fresh);
  expect(await outbox.add({ ...quote, peso: 777 }, correction)).toMatchObject({ id: quote.id, quote: { peso: 777 } });
  phone.ends = () => ({ kind: 'refused', refusal: { kind: 'rejected', code: '23514', message: 'x' } });
  await outbox.flush('due');
  phone.ends = () => ({ kind: 'delivered', at: NOW });
  expect(await outbox.add({ ...quote, peso: 778 }, correction)).toMatchObject({ state: { kind: 'waiting' } });
  await outbox.flush('due');
  expect(phone.tries.map((one) => one.quote.peso)).toEqual([777, 778]);
  const stored = await phone.disk();
  expect(stored).toHaveLength(1);
  const late = await outbox.add({ ...quote, peso: 779 }, correction);
  expect(late.state).toMatchObject({ kind: 'refused', refusal: { kind: 'superseded' } });
  expect(await phone.disk()).toEqual(stored);
});

test('a correction keeps the shipment details of its quote', async () => {
  const quote = someQuote({ promociones: true, llamada: true });
  await outbox.add(quote, fresh);
  await outbox.addMessage(quote.id, { id: newId(), kind: 'detalles', details: { empaque: 'paletas' } });
  const { promociones: _, ...unticked } = quote;
  const corrected = await outbox.add(unticked, correction);
  expect(corrected.messages).toMatchObject([
    { kind: 'detalles', details: { empaque: 'paletas' }, state: { kind: 'waiting' } },
  ]);
  await outbox.flush('due');
  expect(phone.tries.map((one) => one.quote)).toEqual([unticked]);
  await outbox.flush('due');
  expect(phone.messages).toMatchObject([{ kind: 'detalles', quoteId: quote.id }]);
});

test('a correction that changes only an extra value, such as a ticked box, is stored', async () => {
  const quote = someQuote();
  await outbox.add(quote, fresh);
  for (const name of [...Object.keys(extraMore), 'promociones']) {
    const corrected = { ...quote, [name]: 1 };
    expect((await outbox.add(corrected, correction)).quote).toEqual(corrected);
  }
});

test('a correction of a quote that is being sent waits for the end of that attempt', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  phone.ends = undefined;
  const quote = someQuote();
  await outbox.add(quote, fresh);
  const flushed = outbox.flush('due');
  await phone.tried(1);
  const corrected = outbox.add({ ...quote, peso: 777 }, correction);
  await phone.settle();
  expect(await quoteOf(quote.id)).toMatchObject({ peso: quote.peso });
  phone.tries[0]!.answer({ kind: 'unreachable' });
  await flushed;
  await vi.advanceTimersByTimeAsync(250);
  vi.useRealTimers();
  expect(await corrected).toMatchObject({ quote: { peso: 777 }, state: { kind: 'waiting', attempts: 0 } });
});

test('a quote that is being sent cannot be deleted until the attempt ends or expires', async () => {
  phone.ends = undefined;
  const { id } = await outbox.add(someQuote(), fresh);
  const flushed = outbox.flush('due');
  await phone.tried(1);
  expect(await outbox.remove(id)).toBeUndefined();
  expect(await phone.disk()).toHaveLength(1);
  phone.now += 25 * SECOND;
  expect(await outbox.remove(id)).toMatchObject({ id });
  // The late outcome does not restore the deleted quote.
  phone.tries[0]!.answer({ kind: 'unreachable' });
  await flushed;
  expect(await phone.disk()).toEqual([]);
});

test('a deleted quote is not sent, and a restored quote is sent unchanged', async () => {
  const entry = await outbox.add(someQuote(), fresh);
  const removed = await outbox.remove(entry.id);
  expect(removed).toEqual(entry);
  expect(await outbox.flush('person')).toEqual([]);
  await outbox.restore(removed!);
  expect(await outbox.entries()).toEqual([entry]);
  expect(await outbox.flush('due')).toMatchObject([{ id: entry.id, state: { kind: 'delivered' } }]);
  expect(phone.tries).toHaveLength(1);
});

test('each delivery is announced and counted by a single tab, even beside unreadable entries', async () => {
  const delivered = [deliveredAt(NOW), deliveredAt(NOW)];
  const waiting = waitingSince(NOW);
  await phone.keep(corrupt, ...delivered, waiting);
  const ids = [corrupt, ...delivered, waiting].map(({ id }) => id);
  const tabs = [outbox, phone.openTab(), phone.openTab()];
  for (const what of ['announced', 'counted'] as const) {
    const claims = await Promise.all(tabs.map((tab) => tab.claim([...ids, 'nobody'], what)));
    expect(claims.flat().toSorted()).toEqual(delivered.map(({ id }) => id).toSorted());
  }
  expect(await outbox.claim(ids, 'announced')).toEqual([]);
});

test('a passing read error does not empty the list of quotes', async () => {
  await phone.keep(deliveredAt(NOW));
  const listener = vi.fn();
  outbox.watch(listener);
  await vi.waitUntil(() => listener.mock.calls.length === 1);
  const reading = vi.spyOn(IDBObjectStore.prototype, 'getAll').mockImplementationOnce(() => {
    throw new Error('not now');
  });
  const channel = phone.openChannel();
  channel.postMessage(null);
  await vi.waitUntil(() => reading.mock.calls.length === 1);
  await phone.settle();
  channel.postMessage(null);
  await vi.waitUntil(() => listener.mock.calls.length === 2);
  for (const [entries] of listener.mock.calls) expect(entries).toHaveLength(1);
  channel.close();
});

test('the outbox announces twenty simultaneous changes to other tabs with one message', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const here = vi.fn();
  const there = vi.fn();
  outbox.watch(here);
  const stop = phone.openTab().watch(there);
  const announced = vi.fn();
  phone.openChannel().addEventListener('message', announced);
  await phone.settle();
  expect([here, there].map((listener) => listener.mock.lastCall)).toEqual([[[]], [[]]]);

  await Promise.all(Array.from({ length: 20 }, () => outbox.add(someQuote(), fresh)));
  await vi.advanceTimersByTimeAsync(50);
  await phone.settle();
  expect(announced).toHaveBeenCalledTimes(1);
  expect(there).toHaveBeenCalledTimes(2);
  expect(here.mock.calls.length).toBeLessThanOrEqual(3);
  for (const listener of [here, there]) expect(listener.mock.lastCall![0]).toHaveLength(20);

  stop();
  await outbox.add(someQuote(), fresh);
  await vi.advanceTimersByTimeAsync(50);
  await phone.settle();
  expect(announced).toHaveBeenCalledTimes(2);
  expect(there).toHaveBeenCalledTimes(2);
});

test('a change made while the list is being read appears in the list too', async () => {
  const [transact, gate, arrived] = [createQuoteTransact(), Promise.withResolvers<void>(), vi.fn()];
  const listener = vi.fn();
  phone
    .openTab(1, async (...about) => {
      const read = await transact(...about);
      await gate.promise;
      return read;
    })
    .watch(listener);
  phone.openChannel().addEventListener('message', arrived);
  await phone.settle();
  await outbox.add(someQuote(), fresh);
  await vi.waitUntil(() => arrived.mock.calls.length > 0, { timeout: 10_000 });
  gate.resolve();
  await vi.waitFor(() => expect(listener.mock.lastCall?.[0]).toHaveLength(1), { timeout: 10_000 });
});

test('thirty days after delivery, a quote’s folio and date remain, even beside unreadable entries', async () => {
  const old = deliveredAt(NOW - 30 * DAY);
  const younger = deliveredAt(NOW - 30 * DAY + MINUTE);
  await phone.keep(corrupt, old, younger);
  await outbox.flush('due');
  expect(await phone.disk()).toEqual([corrupt, ...[{ ...old, quote: null }, younger].toSorted(byId)]);
  phone.now += MINUTE;
  await outbox.flush('due');
  expect(await quoteOf(younger.id)).toBeNull();
  expect(phone.tries).toEqual([]);
});

test('personal data stay on a phone for thirty days, even if the phone’s clock is wrong', async () => {
  const entry = { ...deliveredAt(NOW - 400 * DAY), createdAt: NOW };
  const ofTheFuture = { ...deliveredAt(NOW - 31 * DAY), createdAt: NOW + DAY };
  await phone.keep(entry, ofTheFuture);
  await outbox.flush('due');
  expect(await quoteOf(entry.id)).toEqual(entry.quote);
  expect(await quoteOf(ofTheFuture.id)).toBeNull();
  phone.now += 30 * DAY;
  await outbox.flush('due');
  expect(await quoteOf(entry.id)).toBeNull();
});

test('a shared phone erases a quote as soon as the quote is delivered', async () => {
  const delivered = deliveredAt(NOW);
  const waiting = waitingSince(NOW, { nextTry: NOW + MINUTE });
  const refused: Entry = {
    ...waitingSince(NOW),
    state: { kind: 'refused', at: NOW, refusal: { kind: 'rejected', code: '23514', message: '' } },
  };
  await phone.keep(corrupt, delivered, waiting, refused);
  expect(await outbox.isShared()).toBe(false);
  await outbox.setShared(true);
  expect(await phone.openTab().isShared()).toBe(true);
  expect(await quoteOf(delivered.id)).toBeNull();
  expect(await quoteOf(waiting.id)).toEqual(waiting.quote);
  expect(await quoteOf(refused.id)).toEqual(refused.quote);
  await outbox.flush('person');
  expect(await quoteOf(waiting.id)).toBeNull();
});

test('a shared phone refuses files of an erased quote, and erases its stored files', async () => {
  const photo = { id: newId(), kind: 'archivo', details: { nombre: 'factura.pdf' } } as const;
  const [delivered, late] = [deliveredAt(NOW), deliveredAt(NOW)];
  const file = { ...photo, createdAt: NOW, state: late.state };
  await phone.keep(delivered, { ...late, quote: null, messages: [file] });
  await outbox.setShared(true);
  await expect(outbox.addMessage(delivered.id, photo)).rejects.toThrow();
  await outbox.flush('due');
  expect((await outbox.entries()).map(({ messages }) => messages)).toEqual([[], []]);
});

test('every tab is notified that the phone is marked as shared', async () => {
  await phone.keep(waitingSince(NOW, { nextTry: NOW + MINUTE }));
  const seen: boolean[] = [];
  outbox.watch(() => void outbox.isShared().then((shared) => seen.push(shared)));
  await vi.waitFor(() => expect(seen).toEqual([false]));
  await outbox.setShared(true);
  await vi.waitFor(() => expect(seen).toEqual([false, true]));
});

test('a shared phone erases a refused quote only after sending all messages that can arrive', async () => {
  const withWords = (refusal: Refusal): Entry => ({
    ...waitingSince(NOW),
    state: { kind: 'refused', at: NOW, refusal },
    messages: [{ id: newId(), kind: 'detalles', details: { piezas: 3 }, createdAt: NOW, state: newWaitingState(NOW) }],
  });
  const known = withWords({ kind: 'known' });
  const superseded = withWords({ kind: 'superseded' });
  await phone.keep(known, superseded);
  phone.messagesEnd = () => ({ kind: 'unreachable' });
  await outbox.setShared(true);
  await outbox.flush('person');
  expect(await quoteOf(known.id)).toBeNull();
  expect(await quoteOf(superseded.id)).toEqual(superseded.quote);
  phone.messagesEnd = () => ({ kind: 'delivered', at: NOW });
  await outbox.flush('person');
  expect(phone.messages.map(({ quoteId }) => quoteId)).toEqual([superseded.id, superseded.id]);
  expect(await quoteOf(superseded.id)).toBeNull();
});

test('"erase all data" also deletes quotes being sent, and empties the list in every tab', async () => {
  phone.ends = undefined;
  await outbox.add(someQuote(), fresh);
  const listener = vi.fn();
  phone.openTab().watch(listener);
  await vi.waitUntil(() => listener.mock.lastCall?.[0].length === 1, { interval: 1 });
  await outbox.setShared(true);
  const flushed = outbox.flush('due');
  await phone.tried(1);
  await outbox.erase();
  phone.tries[0]!.answer({ kind: 'unreachable' });
  await flushed;
  expect(await phone.disk()).toEqual([]);
  expect(await outbox.isShared()).toBe(false);
  expect(await outbox.flush('person')).toEqual([]);
  await vi.waitUntil(() => listener.mock.lastCall?.[0].length === 0, { interval: 1 });
});

test('a new quote is not stored, not even in part, if the phone is full', async () => {
  const empty = phone.fillUp();
  await expect(outbox.add(someQuote(), fresh)).rejects.toThrow();
  empty();
  expect(await phone.disk()).toEqual([]);
});

test('a delivered quote is sent again if the phone had no room to record the delivery', async () => {
  const { id } = await outbox.add(someQuote(), fresh);
  const empty = phone.fillUp();
  expect(await outbox.flush('due')).toMatchObject([{ id, state: { kind: 'delivered' } }]);
  expect(await outbox.entries()).toMatchObject([{ id, state: { kind: 'delivered' } }]);
  expect(await outbox.flush('person')).toEqual([]);
  expect(phone.tries).toHaveLength(1);
  expect(await outbox.claim([id], 'announced')).toEqual([]);
  expect(await phone.disk()).toMatchObject([{ id, state: { kind: 'waiting', sendingUntil: 0 } }]);
  empty();
  expect(await outbox.claim([id], 'announced')).toEqual([]);
  const nextVisit = phone.openTab();
  expect(await nextVisit.flush('sign-of-life')).toMatchObject([{ id, state: { kind: 'delivered' } }]);
  expect(await nextVisit.claim([id], 'announced')).toEqual([id]);
});

test('a quote’s new state that does not fit on the disk is stored later, unless outdated', async () => {
  const { id } = await outbox.add(someQuote(), fresh);
  phone.ends = () => ({ kind: 'unreachable' });
  const sendOnFullDisk = async () => {
    const empty = phone.fillUp();
    await outbox.flush('sign-of-life');
    empty();
  };
  await sendOnFullDisk();
  expect(await outbox.entries()).toMatchObject([{ state: { kind: 'waiting', attempts: 1 } }]);
  await outbox.flush('sign-of-life');
  for (const entries of [await outbox.entries(), await phone.disk()])
    expect(entries).toMatchObject([{ id, state: { kind: 'waiting', attempts: 2 } }]);
  await sendOnFullDisk();
  phone.ends = () => ({ kind: 'delivered', at: NOW });
  await phone.openTab().flush('sign-of-life');
  expect(await outbox.entries()).toMatchObject([{ id, state: { kind: 'delivered' } }]);
});

test('"erase all data" also deletes quotes’ states that a tab holds only in memory', async () => {
  const quote = someQuote();
  await outbox.add(quote, fresh);
  const empty = phone.fillUp();
  await outbox.flush('due');
  empty();
  await outbox.erase();
  await phone.openTab().add(quote, fresh);
  expect(await outbox.flush('due')).toMatchObject([{ id: quote.id, state: { kind: 'delivered' } }]);
  expect(phone.tries).toHaveLength(2);
});
