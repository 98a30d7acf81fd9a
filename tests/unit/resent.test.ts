import { expect, test } from 'vitest';
import { describeEntry } from '../../src/receipts/describe-entry.ts';
import { deliveredIds, type Entry } from '../../src/outbox/entry.ts';
import { newId } from '../../src/lead/quote.ts';
import { DAY, deliveredAt, entryOf, MINUTE, NOW, outbox, phone, usePhone, waitingSince } from './phone.ts';

// In these tests the server was restored from an older backup and lost quotes that the phone still has.

usePhone();

const YESTERDAY = NOW - DAY;
const answer = {
  id: newId(),
  at: YESTERDAY + 30 * MINUTE,
  body: 'Sale el jueves.',
  price: { amount: 4.1, currency: 'USD', per: 'kilo' } as const,
  validUntil: '2026-11-28',
  announced: true,
};

/** Stores a quote that was delivered, answered and accepted yesterday. The visitor knows of delivery and answer. */
async function accepted(): Promise<Entry> {
  const entry = deliveredAt(YESTERDAY, { announced: true, counted: true });
  const word = { answerId: answer.id, body: '', createdAt: YESTERDAY + 40 * MINUTE } as const;
  const state = { kind: 'delivered', at: YESTERDAY + 41 * MINUTE, announced: false, counted: false } as const;
  const messages = [
    { ...word, id: newId(), kind: 'vista', state },
    { ...word, id: newId(), kind: 'aceptada', state },
  ] as const;
  await phone.keep({ ...entry, answers: [answer], messages });
  return entryOf(entry.id);
}

test('a quote that the server lost is sent again once, with its first delivery time', async () => {
  const lost = await accepted();
  const known = deliveredAt(YESTERDAY, { announced: true, counted: true });
  const waiting = waitingSince(NOW - MINUTE);
  await phone.keep(known, waiting);
  const acceptance = lost.messages[1]!;
  expect(deliveredIds(await outbox.entries()).toSorted()).toEqual([lost.id, acceptance.id, known.id].toSorted());

  await outbox.sendAgain(new Set([lost.id, acceptance.id]));
  const resends = phone.tries.filter(({ quote }) => quote.id === lost.id);
  expect(resends).toMatchObject([{ quote: lost.quote, deliveredAt: YESTERDAY }]);
  expect(phone.tries.map(({ quote }) => quote.id)).not.toContain(known.id);
  expect(phone.tries.find(({ quote }) => quote.id === waiting.id)?.deliveredAt).toBeUndefined();
  // The acceptance repeats price and text of the offer, because the server may have lost the offer too.
  expect(phone.messages).toMatchObject([{ id: acceptance.id, facts: '4.1 USD / kilo · 2026-11-28\nSale el jueves.' }]);
  expect(phone.messagesFirstAt).toEqual([YESTERDAY + 41 * MINUTE]);

  const resent = await entryOf(lost.id);
  expect(resent.state).toEqual({ kind: 'delivered', at: YESTERDAY, announced: true, counted: true, resentAt: NOW });
  expect(resent.messages[1]).toMatchObject({
    kind: 'aceptada',
    state: { kind: 'delivered', at: YESTERDAY + 41 * MINUTE },
  });
  await outbox.flush('sign-of-life');
  expect(phone.tries.filter(({ quote }) => quote.id === lost.id)).toHaveLength(1);
});

test('a quote that is sent again after a loss is not announced or counted twice', async () => {
  const lost = deliveredAt(YESTERDAY, { announced: true, counted: true });
  await phone.keep(lost);
  phone.ends = () => ({ kind: 'unreachable' });
  await outbox.sendAgain(new Set([lost.id]));
  const waiting = await entryOf(lost.id);
  expect(waiting.state).toMatchObject({ kind: 'waiting', deliveredAt: YESTERDAY });
  expect(describeEntry(waiting, NOW).look).toBe('waiting');
  expect(describeEntry(waiting, NOW).next[0]!.es).toContain('este teléfono la envía otra vez');

  phone.ends = () => ({ kind: 'delivered', at: NOW });
  const next = phone.openTab(1);
  await next.flush('sign-of-life');
  const after = await entryOf(lost.id);
  expect(after.state).toMatchObject({ kind: 'delivered', at: YESTERDAY });
  for (const what of ['announced', 'counted'] as const) expect(await next.claim([lost.id], what)).toEqual([]);
  expect(describeEntry(after, NOW).next.map(({ es }) => es)).toContain(
    'Nuestro sistema perdió datos; este teléfono la envió otra vez hoy a las 12:00.',
  );
});

test('a reply to a lost quote makes the phone send the whole conversation again', async () => {
  const lost = await accepted();
  const question = { id: newId(), answerId: answer.id, kind: 'pregunta', body: '¿Y el viernes?' } as const;
  phone.messagesEnd = () => ({ kind: phone.tries.length === 0 ? 'quote-lost' : 'delivered', at: NOW });
  await outbox.addMessage(lost.id, question);
  await outbox.flush('due');
  expect(phone.tries).toMatchObject([{ quote: lost.quote, deliveredAt: YESTERDAY }]);
  const { state, messages } = await entryOf(lost.id);
  expect(state).toMatchObject({ kind: 'delivered', at: YESTERDAY, resentAt: NOW });
  expect(messages.at(-1)!.state).toMatchObject({ kind: 'waiting', nextTry: NOW + 1000 });
  phone.now += MINUTE;
  await outbox.flush('due');
  expect(phone.tries).toHaveLength(1);
  const again = phone.messages.slice(1).map(({ id }) => id);
  expect(again.toSorted()).toEqual([lost.messages[1]!.id, question.id].toSorted());
  expect((await entryOf(lost.id)).messages.at(-1)).toMatchObject({ state: { kind: 'delivered' } });
});

test('a delivered reply stays delivered when the server has erased its quote', async () => {
  const lost = await accepted();
  const { id } = lost.messages[1]!;
  phone.messagesEnd = () => ({ kind: 'refused', refusal: { kind: 'rejected', code: '23503', message: '' } });
  await outbox.sendAgain(new Set([id]));
  expect((await entryOf(lost.id)).messages[1]!.state).toMatchObject({ kind: 'delivered', at: YESTERDAY + 41 * MINUTE });
});

test('lost quotes are not sent again by a shared phone, or after the phone erased them', async () => {
  const old = deliveredAt(NOW - 31 * DAY, { announced: true, counted: true });
  const recent = deliveredAt(YESTERDAY, { announced: true, counted: true });
  await phone.keep(old, recent);
  await outbox.flush('due');
  expect(deliveredIds(await outbox.entries())).toEqual([recent.id]);
  await outbox.setShared(true);
  expect(deliveredIds(await outbox.entries())).toEqual([]);
  await outbox.sendAgain(new Set([old.id, recent.id]));
  expect(phone.tries).toEqual([]);
});

test('a quote that the server lost and the phone sends again cannot be corrected', async () => {
  const lost = await accepted();
  phone.ends = () => ({ kind: 'unreachable' });
  await outbox.sendAgain(new Set([lost.id, lost.messages[1]!.id]));
  const stored = await entryOf(lost.id);
  const result = await outbox.add({ ...lost.quote!, peso: 777 }, { corrects: true });
  // A quote that was once delivered can be corrected only by a new quote.
  expect(result.state).toMatchObject({ kind: 'refused', refusal: { kind: 'superseded' } });
  expect(await entryOf(lost.id)).toEqual(stored);

  phone.ends = () => ({ kind: 'delivered', at: NOW });
  await outbox.flush('person');
  expect(phone.messages).toMatchObject([{ id: lost.messages[1]!.id, kind: 'aceptada' }]);
});
