import { expect, test } from 'vitest';
import { answerFromRow, readAnswers, type Answer } from '../../src/lead/answer.ts';
import { isReply } from '../../src/lead/messages.ts';
import { dayInWords } from '../../src/content/dates.ts';
import { priceInWords } from '../../src/content/prices.ts';
import { acceptableOffer, describeAnswer, describeReply, serverNow } from '../../src/receipts/describe-answer.ts';
import { describeEntry } from '../../src/receipts/describe-entry.ts';
import { awaitsAnswer, hasUnseenAnswer, parcelsIn, unsentIn, type Entry } from '../../src/outbox/entry.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { newId } from '../../src/lead/quote.ts';
import type { Refusal } from '../../src/lead/refusal.ts';
import { DAY, deliveredAt, entryOf, MINUTE, NOW, outbox, phone, someQuote, usePhone, waitingSince } from './phone.ts';

usePhone();

const HOUR = 60 * MINUTE;

function someAnswer(values: Partial<Answer> = {}): Answer {
  const price = { amount: 4.1, currency: 'USD', per: 'kilo' } as const;
  const offer = { body: 'Con gusto.', price, validUntil: '2026-11-28' };
  return { id: newId(), at: NOW + HOUR, announced: false, ...offer, ...values };
}

async function answered(...answers: readonly Answer[]): Promise<Entry> {
  const entry = deliveredAt(NOW, { announced: true, counted: true });
  await phone.keep(entry);
  await outbox.storeAnswers(new Map([[entry.id, answers]]));
  return entryOf(entry.id);
}

test('the phone stores an answer once, and only one tab announces that answer', async () => {
  const answer = someAnswer();
  const { id } = await answered(answer);
  await outbox.storeAnswers(new Map([[id, [answer]]]));
  expect((await entryOf(id)).answers).toEqual([answer]);
  const tabs = [outbox, phone.openTab(1), phone.openTab(2)];
  const announced = await Promise.all(tabs.map((tab) => tab.claimAnswers()));
  expect(announced.flat().map((entry) => entry.id)).toEqual([id]);
});

test('the receipt shows an answer’s price and last day, which ends at midnight in Tijuana', async () => {
  const { id } = await answered(someAnswer({ at: Date.UTC(2026, 10, 21, 23, 20) }));
  const says = async (now: number) => describeEntry(await entryOf(id), now);
  const sentence = 'Respondida a las 15:20 · US $4.10 por kilo · válida hasta el 28 de noviembre';
  expect(await says(Date.UTC(2026, 10, 22, 2))).toMatchObject({ look: 'answered', next: [{ es: sentence }] });
  expect((await says(Date.UTC(2026, 10, 29, 7, 59))).next[0]!.es).toContain('válida hasta el 28 de noviembre');
  const { es, en } = (await says(Date.UTC(2026, 10, 29, 8, 0))).next[0]!;
  expect(es).toContain('venció el 28 de noviembre');
  expect(en).toBe('Answered on 21 November at 15:20 · US $4.10 per kilo · expired on 28 November');

  const bare = await answered(someAnswer({ price: undefined, validUntil: undefined }));
  expect(describeEntry(bare, NOW + HOUR).next[0]!.es).toMatch(/^Respondida a las \d\d:\d\d$/);
  const whole = await answered(someAnswer({ price: { amount: 41_000, currency: 'MXN', per: 'total' } }));
  expect(describeEntry(whole, NOW + HOUR).next[0]!.es).toContain('MX $41,000.00 en total');
});

test.each(['infinity', '10000-01-01', '2026-13-45', '2026-02-30', '', 'mañana'])(
  'an answer with the impossible last day %j is shown with that text unchanged',
  (day) => {
    expect(dayInWords(day, NOW)).toEqual({ es: day, en: day });
    const stored = { id: newId(), created_at: '2026-11-22T20:00:00Z', body: 'Sí', price: null, valid_until: day };
    const onDisk = { ...someAnswer(), validUntil: day };
    for (const answer of [answerFromRow(stored)!, readAnswers([onDisk])[0]!])
      expect(describeAnswer(answer, [], NOW).es).toMatch(/^Respondida /);
  },
);

test('an acceptance made offline is stored, waits, and is delivered under one id', async () => {
  const answer = someAnswer();
  const { id } = await answered(answer);
  phone.messagesEnd = () => ({ kind: 'unreachable' });
  await outbox.addMessage(id, { id: newId(), answerId: answer.id, kind: 'aceptada' });
  await outbox.flush('due');
  expect((await entryOf(id)).messages).toMatchObject([{ kind: 'aceptada', state: { kind: 'waiting', attempts: 1 } }]);
  expect(describeEntry(await entryOf(id), NOW).look).toBe('answered');

  // A second page sends the waiting acceptance after the first page was killed.
  phone.messagesEnd = () => ({ kind: 'delivered', at: NOW + 2 * HOUR });
  const next = phone.openTab(1);
  await next.flush('sign-of-life');
  await next.flush('sign-of-life');
  expect(new Set(phone.messages.map((reply) => reply.id)).size).toBe(1);
  expect(phone.messages).toHaveLength(2);
  expect(phone.messages[0]).toMatchObject({ quoteId: id, answerId: answer.id, kind: 'aceptada', pressedAt: NOW });
  expect(phone.messages[0]!.facts).toContain(answer.body);
  expect(describeEntry(await entryOf(id), NOW).look).toBe('accepted');
});

test('an offer is accepted once, even if the customer taps repeatedly in two tabs', async () => {
  const answer = someAnswer();
  const { id } = await answered(answer);
  const accept = { answerId: answer.id, kind: 'aceptada' } as const;
  await Promise.all([outbox, phone.openTab(1), outbox].map((tab) => tab.addMessage(id, { id: newId(), ...accept })));
  for (const body of ['¿Cuándo sale?', '¿Con hielo seco?'])
    await outbox.addMessage(id, { id: newId(), answerId: answer.id, kind: 'pregunta', body });
  await outbox.flush('due');
  expect(phone.messages.map(({ kind }) => kind).toSorted()).toEqual(['aceptada', 'pregunta', 'pregunta']);
  expect(new Set(phone.messages.map((reply) => reply.id)).size).toBe(3);
});

test('the outbox sends a reply only after its quote is delivered', async () => {
  const waiting = waitingSince(NOW);
  const question = { id: newId(), answerId: newId(), kind: 'pregunta', body: '¿?' };
  await phone.keep({ ...waiting, messages: [{ ...question, createdAt: NOW - 1, state: waiting.state }] });
  phone.ends = () => ({ kind: 'unreachable' });
  await outbox.flush('due');
  expect(phone.messages).toEqual([]);
  phone.ends = () => ({ kind: 'delivered', at: NOW });
  await outbox.flush('sign-of-life');
  expect(phone.tries).toHaveLength(2);
  expect(phone.messages).toHaveLength(1);
});

test('the outbox sends the replies of a refused quote only if the server has that quote', async () => {
  const answer = someAnswer();
  const { id } = await answered(answer);
  await outbox.addMessage(id, { id: newId(), answerId: answer.id, kind: 'pregunta', body: '¿?' });
  const [entry] = await phone.disk();
  const refusedAs = (refusal: Refusal) => phone.keep({ ...entry, state: { kind: 'refused', at: NOW, refusal } });
  for (const refusal of [{ kind: 'known' }, { kind: 'rejected', code: '23514', message: '' }] as const) {
    await refusedAs(refusal);
    expect(await outbox.flush('person')).toEqual([]);
    expect(phone.messages).toEqual([]);
  }
  await phone.keep(entry);
  expect(await outbox.flush('person')).toEqual([]);
  expect(phone.messages).toHaveLength(1);
  await refusedAs({ kind: 'superseded' });
  expect(await outbox.flush('person')).toEqual([]);
  expect(phone.messages).toHaveLength(2);
});

test('a refused reply is not sent again, is shown as refused, and delays no other quote', async () => {
  const answer = someAnswer();
  const { id } = await answered(answer);
  phone.messagesEnd = () => ({ kind: 'refused', refusal: { kind: 'rejected', code: '23503', message: '' } });
  await outbox.addMessage(id, { id: newId(), answerId: answer.id, kind: 'pregunta', body: '¿?' });
  const quote = someQuote();
  await outbox.add(quote, { corrects: false });
  await outbox.flush('due');
  expect(await entryOf(quote.id)).toMatchObject({ state: { kind: 'delivered' } });
  expect(await entryOf(id)).toMatchObject({ state: { kind: 'delivered' }, messages: [{ state: { kind: 'refused' } }] });
  await outbox.flush('person');
  expect(phone.messages).toHaveLength(1);
});

test('a quote without correction awaits an answer after its delivery and after each question', async () => {
  const answer = someAnswer();
  const fresh = deliveredAt(NOW);
  expect(awaitsAnswer(fresh, [fresh])).toBe(true);
  expect(awaitsAnswer({ ...fresh, quote: null }, [fresh])).toBe(false);
  expect(awaitsAnswer(waitingSince(NOW), [])).toBe(false);
  const { id } = await answered(answer);
  expect(awaitsAnswer(await entryOf(id), [])).toBe(false);
  phone.messagesEnd = () => ({ kind: 'delivered', at: NOW + 2 * HOUR });
  await outbox.addMessage(id, { id: newId(), answerId: answer.id, kind: 'pregunta', body: '¿?' });
  await outbox.flush('due');
  expect(awaitsAnswer(await entryOf(id), [])).toBe(true);
  await outbox.storeAnswers(new Map([[id, [answer, someAnswer({ at: NOW + 3 * HOUR })]]]));
  expect(awaitsAnswer(await entryOf(id), [])).toBe(false);

  const correction = { ...deliveredAt(NOW + HOUR), quote: someQuote({ reemplaza: folioOf(fresh.id) }) };
  expect(awaitsAnswer(fresh, [fresh, correction])).toBe(false);
  expect(awaitsAnswer(correction, [fresh, correction])).toBe(true);
});

test('an answer counts as new until the customer sees that answer', async () => {
  const answer = someAnswer();
  const { id } = await answered(answer);
  expect(hasUnseenAnswer(await entryOf(id))).toBe(true);
  const seen = { answerId: answer.id, kind: 'vista' } as const;
  await Promise.all([outbox, phone.openTab(1)].map((tab) => tab.addMessage(id, { id: newId(), ...seen })));
  expect(hasUnseenAnswer(await entryOf(id))).toBe(false);
  await outbox.flush('due');
  expect(phone.messages.map(({ kind }) => kind)).toEqual(['vista']);
  // An unsent report that the visitor has seen an answer is not shown to the visitor.
  phone.messagesEnd = () => ({ kind: 'unreachable' });
  const later = await answered(someAnswer());
  await outbox.addMessage(later.id, { ...seen, id: newId(), answerId: later.answers[0]!.id });
  expect(parcelsIn(await outbox.entries())).toHaveLength(1);
  expect(unsentIn(await outbox.entries())).toEqual([]);
});

test('the phone erases a conversation 30 days after its last message, unless a message is unsent', async () => {
  const answer = someAnswer({ at: NOW + 10 * DAY });
  const { id } = await answered(answer);
  phone.now = NOW + 31 * DAY;
  await outbox.flush('due');
  expect((await entryOf(id)).answers).toHaveLength(1);
  phone.messagesEnd = () => ({ kind: 'unreachable' });
  await outbox.addMessage(id, { id: newId(), answerId: answer.id, kind: 'pregunta', body: '¿?' });
  phone.now = NOW + 90 * DAY;
  await outbox.flush('due');
  expect(parcelsIn(await outbox.entries())).toHaveLength(1);
  phone.messagesEnd = () => ({ kind: 'delivered', at: phone.now });
  await outbox.flush('sign-of-life');
  expect(await entryOf(id)).toMatchObject({ quote: null, answers: [], messages: [] });
});

test('a shared phone stores no answers, even if an answer arrives late', async () => {
  const { id } = await answered(someAnswer());
  await outbox.setShared(true);
  expect(await entryOf(id)).toMatchObject({ quote: null, answers: [] });
  await outbox.storeAnswers(new Map([[id, [someAnswer()]]]));
  expect((await entryOf(id)).answers).toEqual([]);
});

test('a phone without free storage shows a new answer until the page is closed', async () => {
  const entry = deliveredAt(NOW, { announced: true, counted: true });
  await phone.keep(entry);
  const makeRoom = phone.fillUp();
  const answer = someAnswer();
  await outbox.storeAnswers(new Map([[entry.id, [answer]]]));
  expect((await entryOf(entry.id)).answers).toEqual([answer]);
  // A reply that cannot be stored must not count as stored.
  await expect(outbox.addMessage(entry.id, { id: newId(), answerId: answer.id, kind: 'aceptada' })).rejects.toThrow();
  makeRoom();
  await outbox.addMessage(entry.id, { id: newId(), answerId: answer.id, kind: 'aceptada' });
  expect((await phone.disk())[0]).toMatchObject({ answers: [{ id: answer.id }], messages: [{ kind: 'aceptada' }] });
});

const OFFER = { kind: 'oferta', kilos: 1200, state: 'vigente', stateAt: NOW + HOUR } as const;
const BOOKED = { state: 'reservada', reference: '020-12345675', word: 'Entregue el jueves' } as const;

/** Returns an entry whose acceptance was delivered, and whose offer then changed to `state`. */
async function accepted(state: Answer['state'], changes: Partial<Answer> = {}): Promise<Entry> {
  const offer = someAnswer(OFFER);
  const { id } = await answered(offer);
  await outbox.addMessage(id, { id: newId(), answerId: offer.id, kind: 'aceptada' });
  phone.messagesEnd = () => ({ kind: 'delivered', at: NOW + 2 * HOUR });
  await outbox.flush('due');
  await outbox.storeAnswers(new Map([[id, [{ ...offer, state, stateAt: NOW + 3 * HOUR, ...changes }]]]));
  return entryOf(id);
}

const saidOf = ({ id, answers, messages }: Entry, now = NOW + 3 * HOUR) =>
  describeReply(messages.find(isReply)!, id, answers[0], answers[0]!.at, now).es;

test.each([
  ['kilo', 'US $4.10 por kilo, para 1,200 kg al mes'],
  ['total', 'US $4.10 por un embarque de 1,200 kg'],
] as const)('the receipt says whether an offer’s kilos are monthly or for one shipment: per %s', (per, says) => {
  expect(priceInWords({ amount: 4.1, currency: 'USD', per }, 1200).es).toBe(says);
});

test('the customer can accept only the newest valid offer, even when a question followed that offer', async () => {
  const at = (hours: number) => ({ id: newId(), at: NOW + hours * HOUR });
  const old = someAnswer({ ...OFFER, ...at(1), state: 'reemplazada' });
  const stands = someAnswer({ ...OFFER, ...at(2) });
  const question = someAnswer({ ...at(3), kind: 'pregunta', price: undefined, validUntil: undefined });
  const entry = await answered(old, stands, question);
  expect(acceptableOffer(entry, NOW)?.id).toBe(stands.id);
  expect(acceptableOffer(entry, Date.UTC(2026, 10, 29, 8))).toBeUndefined();
  expect(acceptableOffer({ ...entry, answers: [question] }, NOW)).toBeUndefined();
  // A phone whose clock is a day fast goes by the server’s clock.
  const fast = { ...entry, createdAt: NOW + DAY };
  const lastEvening = Date.UTC(2026, 10, 29, 7);
  expect(acceptableOffer(fast, serverNow(fast, lastEvening + DAY))).toBeDefined();
  expect(acceptableOffer(fast, serverNow(fast, lastEvening + 2 * DAY))).toBeUndefined();
  expect(describeAnswer(question, [], NOW).es).toMatch(/^Le preguntamos /);
  expect(describeAnswer(old, [], NOW).es).toContain('hay una oferta más reciente');
  const withdrawn = { ...old, state: 'retirada', word: 'el vuelo se llenó' } as const;
  expect(describeAnswer(withdrawn, [], NOW).es).toContain('retirada: el vuelo se llenó');
});

test.each([
  ['vencida', /^Esa oferta venció el 28 de noviembre; le respondemos antes de las \d\d:\d\d/, true],
  ['reemplazada', /^Ya había una oferta más reciente; le respondemos antes de las/, true],
  ['retirada', /^Esa oferta ya se había retirado; le respondemos antes de las/, true],
  ['sinoferta', /^Recibimos su aceptación, pero .*: el equipo de ventas se la confirmará; le respondemos antes/, true],
  ['sinespacio', /^Aceptada · sin espacio en ese vuelo · .* · Hay el martes$/, false],
] as const)('an acceptance of an offer in state %s does not bind; the receipt says why', async (state, says, waits) => {
  const entry = await accepted(state, { word: 'Hay el martes' });
  expect(saidOf(entry)).toMatch(says);
  expect(describeEntry(entry, NOW + 3 * HOUR).look).toBe('answered');
  expect(awaitsAnswer(entry, [entry])).toBe(waits);
});

test('the booking of an accepted offer is announced once, and ends the wait for an answer', async () => {
  const waits = await accepted('aceptada');
  expect(saidOf(waits)).toMatch(/^Aceptada · entregada .* · respuesta antes de las/);
  expect(awaitsAnswer(waits, [waits])).toBe(true);
  await outbox.claimAnswers();
  const booked = { ...waits.answers[0]!, ...BOOKED, stateAt: NOW + 4 * HOUR };
  for (let times = 0; times < 2; times += 1) await outbox.storeAnswers(new Map([[waits.id, [booked]]]));
  const entry = await entryOf(waits.id);
  expect(saidOf(entry, NOW + 4 * HOUR)).toMatch(/^Aceptada · reservada · .*020-12345675 · Entregue el jueves$/);
  expect(describeEntry(entry, NOW + 4 * HOUR)).toMatchObject({ look: 'accepted', word: { es: 'reservada' } });
  expect(awaitsAnswer(entry, [entry])).toBe(false);
  const announced = await Promise.all([outbox, phone.openTab(1)].map((tab) => tab.claimAnswers()));
  expect(announced.flat().map(({ id }) => id)).toEqual([entry.id]);
});

test('a receipt shows an acceptance on another phone, and afterwards the booking or lack of space', async () => {
  const offer = someAnswer({ ...OFFER, state: 'aceptada' });
  const { id } = await answered(offer);
  const says = async () => describeEntry(await entryOf(id), NOW + 4 * HOUR);
  expect((await says()).next[0]!.es).toMatch(/por kilo, para 1,200 kg al mes · aceptada en otro teléfono$/);
  expect(awaitsAnswer(await entryOf(id), [])).toBe(true);
  await outbox.storeAnswers(new Map([[id, [{ ...offer, ...BOOKED, stateAt: NOW + 4 * HOUR }]]]));
  expect((await says()).next[0]!.es).toBe('Su espacio está reservado.');
  await outbox.storeAnswers(new Map([[id, [{ ...offer, state: 'sinespacio', word: 'Hay el martes' }]]]));
  expect((await says()).next[0]!.es).toMatch(/ · sin espacio en ese vuelo · .*Hay el martes$/);
  expect(awaitsAnswer(await entryOf(id), [])).toBe(false);
});

test('an acceptance of a withdrawn offer does not bind, even if the phone missed the withdrawal', async () => {
  const offer = someAnswer(OFFER);
  const { id } = await answered(offer);
  await outbox.claimAnswers();
  await outbox.addMessage(id, { id: newId(), answerId: offer.id, kind: 'aceptada' });
  phone.messagesEnd = () => ({ kind: 'delivered', at: NOW + 2 * HOUR, unbound: 'retirada' });
  await outbox.flush('due');
  const entry = await entryOf(id);
  expect(saidOf(entry)).toMatch(/^Esa oferta ya se había retirado; le respondemos antes de las/);
  expect(describeEntry(entry, NOW + 3 * HOUR).look).toBe('answered');
  // The reason for the withdrawal arrives later, when the phone reads the answers again.
  const withdrawn = { ...offer, state: 'retirada', stateAt: NOW + HOUR, word: 'el vuelo se llenó' } as const;
  await outbox.storeAnswers(new Map([[id, [withdrawn]]]));
  expect((await entryOf(id)).answers).toMatchObject([{ word: 'el vuelo se llenó', announced: false }]);
});
