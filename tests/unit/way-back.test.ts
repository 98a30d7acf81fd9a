import { expect, test } from 'vitest';
import type { Answer } from '../../src/lead/answer.ts';
import { folioOf } from '../../src/lead/folio.ts';
import type { Entry } from '../../src/outbox/entry.ts';
import { byUrgency } from '../../src/receipts/quote-order.ts';
import { factOf } from '../../src/receipts/way-back.ts';
import { deliveredAt, MINUTE, NOW, someQuote, waitingSince } from './phone.ts';

const HOUR = 60 * MINUTE;

const WORDS = { id: 'answer', body: 'Sale el jueves.', announced: true, price: undefined, validUntil: undefined };
const answer = (more: Partial<Answer> = {}): Answer => ({ at: NOW, ...WORDS, ...more });
const PRICE = { amount: 4.1, currency: 'USD', per: 'kilo' } as const;
const offer = answer({ kind: 'oferta', price: PRICE, validUntil: '2026-12-05', state: 'vigente' });
const accepted = (state: Entry['state']): Entry['messages'] => [
  { id: 'yes', kind: 'aceptada', answerId: 'answer', createdAt: NOW, state },
];
const delivered = deliveredAt(NOW);
const waiting = waitingSince(NOW - HOUR, { attempts: 1, trouble: 'unreachable' });
const refused: Entry = {
  ...deliveredAt(NOW - HOUR),
  state: { kind: 'refused', at: NOW, refusal: { kind: 'rejected', code: '22P02', message: 'x' } },
};

const fact = (entry: Entry, entries = [entry], now = NOW + MINUTE) => factOf(entry, entries, now, true)?.es;

test('the list shows unseen answers first, then waiting, then newest quotes; replaced quotes come last', () => {
  const earlier = deliveredAt(NOW - 3 * HOUR);
  const news = { ...earlier, answers: [answer({ at: NOW - 2 * HOUR })] };
  const vista = { id: 'seen', kind: 'vista', answerId: 'answer', createdAt: NOW - HOUR } as const;
  const seen: Entry = { ...news, messages: [{ ...vista, state: delivered.state }] };
  const replaced = deliveredAt(NOW + MINUTE);
  const correction = { ...delivered, quote: someQuote({ reemplaza: folioOf(replaced.id) }) };
  const forgotten = { ...deliveredAt(NOW + HOUR), quote: null };
  const urgent = [news, waiting, correction, replaced, forgotten];
  expect(byUrgency(urgent.toReversed())).toEqual(urgent);
  expect(byUrgency([earlier, seen, delivered])).toEqual([delivered, seen, earlier]);
  expect(byUrgency([waiting, refused])).toEqual([refused, waiting]);
});

const answeredBy = (one: Answer, messages: Entry['messages'] = []) => ({ ...delivered, answers: [one], messages });
const [taken, booked] = [{ state: 'aceptada' }, { state: 'reservada', reference: '999-12345675' }] as const;

test.each<[string, Entry, string | undefined]>([
  ['delivered', delivered, 'respondemos antes de las 14:00'],
  ['waiting', waiting, 'se envía automáticamente'],
  ['refused', refused, 'corríjala para enviarla'],
  ['a question', answeredBy(answer({ kind: 'pregunta' })), 'le hicimos una pregunta'],
  ['a message', answeredBy(answer({ kind: 'mensaje' })), 'respuesta nueva'],
  ['an offer', answeredBy(offer), 'oferta: US $4.10 por kilo'],
  ['a waiting acceptance', answeredBy(offer, accepted(waiting.state)), 'su aceptación se envía automáticamente'],
  ['an acceptance', answeredBy({ ...offer, ...taken }, accepted(delivered.state)), 'confirmamos antes de las 14:00'],
  ['a booking', answeredBy({ ...offer, ...booked }), 'referencia 999-12345675'],
])('the bar at the top shows the most important fact about a quote: %s', (_, entry, words) => {
  expect(fact(entry)).toBe(words);
});

test('the bar at the top says how many quotes wait, or that a deadline has passed', () => {
  const other = waitingSince(NOW, { attempts: 1, trouble: 'unreachable' });
  expect(fact(waiting, [waiting, other])).toBe('2 en espera: se envían automáticamente');
  expect(fact(delivered, [delivered], NOW + 3 * HOUR)).toBe('el plazo ya pasó: llámenos');
});
