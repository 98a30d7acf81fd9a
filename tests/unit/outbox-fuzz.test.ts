import { expect, test } from 'vitest';
import { describeAnswer, describeReply } from '../../src/receipts/describe-answer.ts';
import { describeEntry } from '../../src/receipts/describe-entry.ts';
import { handOffText } from '../../src/content/hand-off.ts';
import { OFFER_STATES } from '../../src/lead/offer.ts';
import { newId } from '../../src/lead/quote.ts';
import { isReply, REPLY_KINDS } from '../../src/lead/messages.ts';
import { drawsFrom } from '../chance.ts';
import { DAY, deliveredAt, NOW, outbox, Phone, phone, someQuote, usePhone, waitingSince } from './phone.ts';

const SEED = 20_261_122;
const RECORDS = 3000;

usePhone();

const { whole, oneOf, sometimes } = drawsFrom(SEED);

const SIMPLE = [undefined, null, 0, -1, Number.NaN, Infinity, 2 ** 60, '', 'waiting', 'x'.repeat(500), true];
/** Values of all kinds that IndexedDB stores. */
const ANYTHING: readonly unknown[] = [...SIMPLE, [], {}, new Date(NaN), new Map(), new Uint8Array(3)];

/** Returns a valid entry in which some values are missing or replaced. */
function corrupt(count: number): Record<string, unknown> {
  const { state, ...good } = structuredClone(oneOf([waitingSince(NOW), deliveredAt(NOW - 40 * DAY)]));
  const price = { amount: 4.1, currency: 'USD', per: 'kilo' };
  const offer = { kind: 'oferta', kilos: 1200, state: oneOf(OFFER_STATES), stateAt: NOW, word: 'Sí', reference: '020' };
  const words = { id: newId(), at: NOW, body: 'Con gusto.', announced: false };
  const answer = { ...words, price, validUntil: '2026-11-28', ...offer };
  const question = { id: newId(), answerId: answer.id, kind: oneOf(REPLY_KINDS), body: '¿?', createdAt: NOW };
  const reply = { ...question, state: { ...state } };
  const id = count % 4 === 0 ? `corrupt-${count}` : newId();
  const quote = { ...someQuote(), id };
  const record: Record<string, unknown> = { ...good, id, quote, state, answers: [answer], messages: [reply] };
  for (let times = 1 + whole(3); times > 0; times -= 1) {
    const { state: own, quote: sent } = record;
    const inside = oneOf<unknown>([record, record, own, sent, answer, price, reply, reply.state]);
    if (typeof inside !== 'object' || inside === null || ArrayBuffer.isView(inside)) continue;
    const place = inside as Record<string, unknown>;
    const key = oneOf(Object.keys(place).filter((name) => name !== 'id'));
    if (key === undefined) continue;
    if (sometimes(0.2)) delete place[key];
    else place[key] = structuredClone(oneOf(ANYTHING));
  }
  return record;
}

test('corrupt entries on the disk are shown, and delay no valid entry', { timeout: 120_000 }, async () => {
  const good = Array.from({ length: 50 }, () => waitingSince(NOW));
  const over = deliveredAt(NOW - 31 * DAY);
  const strange = Array.from({ length: RECORDS }, (_, count) => corrupt(count));
  await phone.keep(...strange, ...good, over);

  const entries = await outbox.entries();
  expect(entries).toHaveLength(RECORDS + good.length + 1);
  for (const entry of entries) {
    if (entry.quote) handOffText(entry.quote);
    for (const answer of entry.answers) describeAnswer(answer, entry.messages, NOW);
    for (const word of entry.messages.filter(isReply)) describeReply(word, entry.id, entry.answers[0], NOW, NOW);
    expect(describeEntry(entry, NOW).word.es).not.toBe('');
  }

  // The test sends 300 entries, to save time: the simulated disk loads all entries at each read.
  const other = new Phone();
  const few = strange.slice(0, 300);
  await other.keep(...few, ...good, over);
  const sending = other.openTab();
  await sending.flush('due');
  const after = new Map((await sending.entries()).map((entry) => [entry.id, entry]));
  for (const { id } of good) expect(after.get(id)).toMatchObject({ state: { kind: 'delivered' } });
  expect(after.get(over.id)).toMatchObject({ quote: null });
  expect(after.size).toBe(few.length + good.length + 1);
  other.turnOff();
});
