import { expect, test } from 'vitest';
import { quoteForm } from '../../src/content/quote-form.ts';
import { dateInWords } from '../../src/content/dates.ts';
import { describeEntry } from '../../src/receipts/describe-entry.ts';
import { newEntry } from '../../src/outbox/new-entry.ts';
import { someQuote } from './phone.ts';

/** 16:03 in Tijuana, on 22 November. */
const NOW = Date.UTC(2026, 10, 23, 0, 3);
const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;

test.each([
  [NOW, 'hoy a las 16:03', 'today at 16:03'],
  [NOW - 16 * HOUR, 'hoy a las 00:03', 'today at 00:03'],
  [NOW - 17 * HOUR, 'ayer a las 23:03', 'yesterday at 23:03'],
  [NOW - 20 * DAY, 'el 2 de noviembre a las 16:03', 'on 2 November at 16:03'],
  [NOW - 365 * DAY, 'el 22 de noviembre de 2025 a las 16:03', 'on 22 November 2025 at 16:03'],
])('the page writes the time %d in words', (at, es, en) => {
  expect(dateInWords(at, NOW)).toEqual({ es, en });
});

const delivered = (at: number) => ({ kind: 'delivered', at, announced: true, counted: true }) as const;
const says = (at: number, now: number, createdAt = at) =>
  describeEntry({ ...newEntry(someQuote(), createdAt), state: delivered(at) }, now).next.map(({ es }) => es);

test('the receipt shows the deadline despite a wrong clock, and a phone number after the deadline', () => {
  const inTime = ['La recibimos hoy a las 16:03. Le respondemos antes de las 18:03 (Tijuana).'];
  expect(says(NOW, NOW + 2 * HOUR - 1)).toEqual(inTime);
  for (const wrong of [-DAY, 365 * DAY]) expect(says(NOW, NOW + wrong + HOUR, NOW + wrong)).toEqual(inTime);
  expect(says(NOW, NOW + DAY)).toEqual([
    'La recibimos ayer a las 16:03 (Tijuana).',
    expect.stringMatching(/^El plazo de 2 h ya pasó\. ¿Aún sin respuesta\? Llame al \+52 \d.* y dé su folio AP-\S+\.$/),
  ]);
});

test('the receipt of a waiting quote blames the connection only when the connection is the cause', () => {
  const entry = newEntry(someQuote(), NOW);
  const next = (trouble: 'none' | 'unreachable' | 'retry-after' | 'access-denied') =>
    describeEntry({ ...entry, state: { ...entry.state, kind: 'waiting', trouble } as typeof entry.state }, NOW, false)
      .next[0]!.es;
  for (const trouble of ['none', 'unreachable'] as const) expect(next(trouble)).toMatch(/Está sin conexión/);
  expect(next('retry-after')).toMatch(/Nuestro sistema está ocupado/);
  expect(next('access-denied')).toMatch(/nuestro sistema/);
});

test('the receipt asks to reopen the page if this browser cannot send while closed', () => {
  // The first attempt to send this quote has failed.
  const fresh = newEntry(someQuote(), NOW);
  const entry = { ...fresh, state: { ...fresh.state, trouble: 'unreachable', attempts: 1 } as typeof fresh.state };
  const next = (online: boolean, sendsClosed: boolean) =>
    describeEntry(entry, NOW, online, { sendsClosed }).next.map(({ es }) => es);
  const reopen = /abra esta página de nuevo con señal, a más tardar mañana/;
  for (const online of [true, false]) {
    expect(next(online, false)).toContainEqual(expect.stringMatching(reopen));
    expect(next(online, true)).not.toContainEqual(expect.stringMatching(reopen));
  }
  const done = { ...entry, state: delivered(NOW) };
  expect(describeEntry(done, NOW, true, { sendsClosed: false })).toEqual(describeEntry(done, NOW));
});

test('the receipt of a corrected quote names the correction, or says that this came too late', () => {
  const late = { kind: 'refused', at: NOW, refusal: { kind: 'superseded' } } as const;
  const lines = (state: typeof late | ReturnType<typeof delivered>, replacedBy?: string) =>
    describeEntry({ ...newEntry(someQuote(), NOW), state }, NOW + DAY, true, { replacedBy }).next.map(({ es }) => es);
  const replaced = 'Reemplazada por AP-1234-5678';
  expect(lines(delivered(NOW), 'AP-1234-5678')).toEqual(['La recibimos ayer a las 16:03 (Tijuana).', replaced]);
  expect(lines(late, 'AP-1234-5678')).toEqual([replaced]);
  expect(lines(late)).toEqual([expect.stringMatching(/ya se había entregado con los datos anteriores/)]);
});

test('the toast announces several deliveries in one sentence', () => {
  expect(quoteForm.deliveredNotice(['AP-DWEK-R7JH']).es).toBe('Solicitud AP-DWEK-R7JH entregada.');
  expect(quoteForm.deliveredNotice(['AP-1', 'AP-2', 'AP-3']).es).toBe('3 solicitudes entregadas: AP-1, AP-2, AP-3.');
});

// Tijuana’s clocks change on 8 March and 1 November 2026: these days have 23 and 25 hours.
test.each([
  ['2026-03-07T20:00:00Z', '2026-03-09T07:30:00Z', /^el 7 de marzo/],
  ['2026-03-08T20:00:00Z', '2026-03-09T07:30:00Z', /^ayer/],
  ['2026-10-31T20:00:00Z', '2026-11-02T07:40:00Z', /^ayer/],
  ['2026-11-01T09:00:00Z', '2026-11-02T07:40:00Z', /^hoy/],
])('the page writes the date %s, read at %s, by Tijuana’s calendar', (at, now, es) => {
  expect(dateInWords(Date.parse(at), Date.parse(now)).es).toMatch(es);
});
