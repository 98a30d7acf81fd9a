import { expect, test } from 'vitest';
import { flownPart, instantOf, localTime, placeOf, readFlight, readShipment, ZONES } from '../../src/lead/shipment.ts';
import { readWaybill, waybillInWords } from '../../src/lead/waybill.ts';

test.each(['784-12345675', '020-81140743', '784-00000000', '784-99999992'])('the number %s is accepted', (number) => {
  const digits = number.replace('-', '');
  expect(readWaybill(number)).toEqual({ kind: 'waybill', digits });
  expect(waybillInWords(digits)).toBe(number);
});
test.each(['784 1234 5675', '784-1234 5675', '78412345675', 'AWB 784-12345675', 'MAWB: 784–12345675'])(
  'the notation %s is read',
  (typed) => expect(readWaybill(typed)).toEqual({ kind: 'waybill', digits: '78412345675' }),
);
test.each([
  ['784-12345674', { kind: 'check', check: 5 }],
  ['784-12345677', { kind: 'check', check: 5 }],
  ['1234 5675', { kind: 'airline' }],
  ['784-1234567', { kind: 'length' }],
  ['', { kind: 'length' }],
])('the text %s is refused', (typed, result) => expect(readWaybill(typed)).toMatchObject(result));

test('a flight number is read in any notation', () => {
  for (const typed of ['cz 8412', 'CZ-8412', 'cz8412']) expect(readFlight(typed)).toBe('CZ8412');
  for (const typed of ['CZ', '8412345', 'CZ84123']) expect(readFlight(typed)).toBeUndefined();
});

test.each([
  ['2026-12-06T09:30', 'TIJ', '2026-12-06T17:30:00.000Z'],
  ['2026-07-06T09:30', 'TIJ', '2026-07-06T16:30:00.000Z'],
  ['2026-12-06T09:30', 'AIFA', '2026-12-06T15:30:00.000Z'],
  ['2026-12-06T09:30', 'CUN', '2026-12-06T14:30:00.000Z'],
  ['2026-12-06T09:30', 'CGO', '2026-12-06T01:30:00.000Z'],
  // Tijuana’s clocks go forward on March 14, 2027, and back on November 7.
  ['2027-03-14T01:59', 'TIJ', '2027-03-14T09:59:00.000Z'],
  ['2027-03-14T03:00', 'TIJ', '2027-03-14T10:00:00.000Z'],
  ['2027-11-07T01:30', 'TIJ', '2027-11-07T08:30:00.000Z'],
  ['2027-11-07T02:00', 'TIJ', '2027-11-07T10:00:00.000Z'],
] as const)('the local time %s in %s is the instant %s', (local, place, instant) => {
  const at = instantOf(local, place)!;
  expect(new Date(at).toISOString()).toBe(instant);
  expect(localTime(at, place)).toBe(local);
});

test('a time that the clocks skip in spring is refused', () => {
  for (const typed of ['2027-03-14T02:30', '2027-02-30T09:00', '2027-01-01T24:30', '9:30', ''])
    expect(instantOf(typed, 'TIJ'), typed).toBeUndefined();
});

test('every half hour of two years converts to local time and back', () => {
  const start = Date.UTC(2026, 0, 1);
  for (const place of Object.keys(ZONES) as (keyof typeof ZONES)[])
    for (let at = start; at < start + 730 * 86_400_000; at += 1_800_000) {
      const read = instantOf(localTime(at, place), place)!;
      if (read !== at) expect([at - read, place]).toEqual([3_600_000, 'TIJ']);
    }
});

test('a shipment read from server or disk keeps only its valid fields', () => {
  const steps = [
    { id: 'a', step: 'recolectada', at: '2026-12-01T10:00:00+00:00', word: null, waste: null },
    { id: 'b', step: 'teletransportada', at: '2026-12-01T11:00:00+00:00' },
    { id: 'c', step: 'detenida', at: '2026-12-01T12:00:00+00:00', word: 'Falta un sello' },
    { id: 'd', step: 'llegada', at: '2026-12-02T12:00:00+00:00' },
    { id: 'e', step: 'detenida', at: '2026-12-02T13:00:00+00:00', word: 'Revisión' },
  ];
  const about = { flight: 'CZ8412', day: '2026-12-01', origin: 'CUN', waybill: null, cutoff: 'x' };
  const shipment = readShipment({ ...about, steps })!;
  expect(shipment).toMatchObject({ flight: 'CZ8412', origin: 'CUN' });
  expect(shipment).not.toHaveProperty('waybill');
  expect(shipment).not.toHaveProperty('cutoff');
  expect(shipment.steps.map(({ step }) => step)).toEqual(['recolectada', 'detenida', 'llegada', 'detenida']);
  expect(shipment.steps.map((step) => placeOf(step, shipment))).toEqual(['CUN', 'CUN', 'CGO', 'CGO']);
  for (const nothing of [null, undefined, '', 7]) expect(readShipment(nothing)).toBeUndefined();
});

test('the drawn plane moves with the clock, and lands only when the arrival is recorded', () => {
  const departed = Date.parse('2026-12-01T10:00:00Z');
  const step = (name: string, at = departed) => ({ id: name, step: name, at: new Date(at).toISOString() });
  const partAt = (hours: number, ...names: string[]) =>
    flownPart(readShipment({ steps: names.map((name) => step(name)) })!, departed + hours * 3_600_000);
  expect(partAt(0, 'recolectada')).toBe(0);
  expect(partAt(8.75, 'recolectada', 'envuelo')).toBeCloseTo(0.5);
  expect(partAt(8.75, 'envuelo', 'detenida')).toBeCloseTo(0.5);
  expect(partAt(99, 'envuelo')).toBe(0.95);
  expect(partAt(-5, 'envuelo')).toBe(0.05);
  expect(partAt(20, 'envuelo', 'llegada')).toBe(1);
});
