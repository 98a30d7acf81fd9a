import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '../../src/lead/quote.ts';
import type { Refusal } from '../../src/lead/refusal.ts';
import { newReply } from '../../src/outbox/conversation.ts';
import type { Entry } from '../../src/outbox/entry.ts';
import type { Outbox } from '../../src/outbox/outbox.ts';
import { corrupt, DAY, deliveredAt, MINUTE, NOW, Phone, someQuote, waitingSince } from './phone.ts';

let phone: Phone;
let outbox: Outbox;
beforeEach(() => {
  phone = new Phone();
  outbox = phone.openTab();
});
afterEach(() => phone.turnOff());

const fresh = { corrects: false };
const tries = (many: number) => vi.waitUntil(() => phone.tries.length >= many, { interval: 1 });
const quoteOf = async (id: string) => (await phone.disk()).find((entry) => entry.id === id)?.quote;

test('thirty days after delivery only folio and date are left', async () => {
  const old = deliveredAt(NOW - 30 * DAY);
  const younger = deliveredAt(NOW - 30 * DAY + MINUTE);
  await phone.keep(old, younger);
  await outbox.flush('due');
  expect(await phone.disk()).toEqual(expect.arrayContaining([{ ...old, quote: null }, younger]));
  phone.now += MINUTE;
  await outbox.flush('due');
  expect(await quoteOf(younger.id)).toBeNull();
});

test('a phone whose clock is ahead keeps for as long by its own clock', async () => {
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

test('an entry that cannot be understood does not end the erasure of those behind it, and stays', async () => {
  const old = deliveredAt(NOW - 30 * DAY);
  await phone.keep(corrupt, old);
  expect((await phone.disk())[0]!.id).toBe(corrupt.id);
  await outbox.flush('due');
  expect(await quoteOf(old.id)).toBeNull();
  expect(await quoteOf(corrupt.id)).toEqual(corrupt.quote);
  expect(phone.tries).toEqual([]);
});

test('on a shared phone nothing personal outlives a delivery; what waits or can be corrected stays', async () => {
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

test('on a shared phone nothing is put to what was forgotten, and what was put there is forgotten', async () => {
  const photo = { id: newId(), answerId: '', kind: 'archivo', body: '', details: { nombre: 'factura.pdf' } } as const;
  const [delivered, late] = [deliveredAt(NOW), deliveredAt(NOW)];
  const sent = { ...newReply(photo, NOW), state: late.state };
  await phone.keep(delivered, { ...late, quote: null, replies: [sent] });
  await outbox.setShared(true);
  await expect(outbox.reply(delivered.id, photo)).rejects.toThrow();
  await outbox.flush('due');
  expect((await outbox.entries()).map(({ replies }) => replies)).toEqual([[], []]);
});

test('that a phone is shared is announced where nothing is to be forgotten yet', async () => {
  await phone.keep(waitingSince(NOW, { nextTry: NOW + MINUTE }));
  const seen: boolean[] = [];
  outbox.watch(() => void outbox.isShared().then((shared) => seen.push(shared)));
  await vi.waitFor(() => expect(seen).toEqual([false]));
  await outbox.setShared(true);
  await vi.waitFor(() => expect(seen).toEqual([false, true]));
});

test('words that can go hold up the erasure of their quote until they went, those that never can hold up nothing', async () => {
  const withWords = (refusal: Refusal): Entry => ({
    ...waitingSince(NOW),
    state: { kind: 'refused', at: NOW, refusal },
    replies: [newReply({ id: newId(), answerId: '', kind: 'detalles', body: '', details: { piezas: 3 } }, NOW)],
  });
  const known = withWords({ kind: 'known' });
  const superseded = withWords({ kind: 'superseded' });
  await phone.keep(known, superseded);
  phone.repliesEnd = () => ({ kind: 'unreachable' });
  await outbox.setShared(true);
  await outbox.flush('person');
  expect(await quoteOf(known.id)).toBeNull();
  expect(await quoteOf(superseded.id)).toEqual(superseded.quote);
  phone.repliesEnd = () => ({ kind: 'delivered', at: NOW });
  await outbox.flush('person');
  expect(phone.replies.map(({ quote_id }) => quote_id)).toEqual([superseded.id, superseded.id]);
  expect(await quoteOf(superseded.id)).toBeNull();
});

test('everything can be erased, also what waits, and what was on its way does not come back', async () => {
  phone.ends = undefined;
  await outbox.add(someQuote(), fresh);
  await outbox.setShared(true);
  const flushed = outbox.flush('due');
  await tries(1);
  await outbox.erase();
  phone.tries[0]!.answer({ kind: 'unreachable' });
  await flushed;
  expect(await phone.disk()).toEqual([]);
  expect(await outbox.isShared()).toBe(false);
  expect(await outbox.flush('person')).toEqual([]);
});

test('every tab hears of the erasure', async () => {
  await phone.keep(waitingSince(NOW));
  const heard = vi.fn();
  phone.openTab().watch(heard);
  await vi.waitUntil(() => heard.mock.lastCall?.[0].length === 1, { interval: 1 });
  await outbox.erase();
  await vi.waitUntil(() => heard.mock.lastCall?.[0].length === 0, { interval: 1 });
});
