import { expect, test } from 'vitest';
import { detailsInWords } from '../../src/content/details.ts';
import {
  chargeableOf,
  DETAILS,
  readDetails,
  readDetailsRow,
  readDetailTexts,
  type DetailTexts,
} from '../../src/lead/details.ts';
import { readMessages } from '../../src/lead/messages.ts';

const read = (some: Partial<DetailTexts>) =>
  readDetailTexts({ ...(Object.fromEntries(DETAILS.map((name) => [name, ''])) as DetailTexts), ...some });

test('typed shipment details are read as whole numbers, dates, and yes or no; each is optional', () => {
  const typed = { producto: '  Arándanos ', piezas: '12', largo: '119.5', kilos: '840', peligrosa: 'false' };
  const stored = { producto: 'Arándanos', piezas: 12, largo: 120, kilos: 840, peligrosa: false };
  expect(read({ ...typed, lista: '2026-12-01' })).toEqual({ ...stored, lista: '2026-12-01' });
  expect(read({})).toEqual({});
});

test('typed shipment details that the database would refuse are left out', () => {
  const none = { producto: ' \u200b ', piezas: '0', largo: '2001', ancho: '-1', kilos: 'mil', lista: '2026-02-30' };
  expect(read({ ...none, temperatura: 'XXX', incoterm: 'fob', salida: 'x'.repeat(101) })).toEqual({});
});

test('a shipment detail above its maximum is left out; the maximum itself is kept', () => {
  const most = { piezas: 100_000, largo: 2000, ancho: 2000, alto: 2000, kilos: 1_000_000 };
  const texts = (more: number) =>
    Object.fromEntries(Object.entries(most).map(([name, value]) => [name, `${value + more}`]));
  expect(read({ ...texts(0), salida: 'x'.repeat(100) })).toEqual({ ...most, salida: 'x'.repeat(100) });
  expect(read(texts(1))).toEqual({});
  expect(read({ piezas: '1', largo: '0.6' })).toEqual({ piezas: 1, largo: 1 });
});

test('stored shipment details are read even if another release wrote other columns or values', () => {
  const row = { id: 'a', pressed_at: 'now', producto: null, empaque: 'barricas', piezas: 3, peligrosa: true, more: 1 };
  expect(readDetailsRow(row)).toEqual({ id: 'a', pressed_at: 'now', details: { piezas: 3, peligrosa: true } });
  expect(readDetailsRow({ piezas: 3 })).toBeUndefined();
  expect(readDetails('x')).toEqual({});
});

test('the chargeable weight of a shipment is the larger of volume weight and kilos', () => {
  const pallets = { piezas: 2, largo: 120, ancho: 100, alto: 150 };
  expect(chargeableOf(pallets)).toBe(600);
  expect(chargeableOf({ ...pallets, kilos: 841 })).toBe(841);
  expect(chargeableOf(pallets, { embarque: 700 })).toBe(700);
  expect(chargeableOf({ ...pallets, kilos: 10 }, { embarque: 700 })).toBe(600);
  expect(chargeableOf({ piezas: 2, largo: 120, ancho: 100 })).toBeUndefined();
});

test('the summary of shipment details shows the given values and the chargeable weight', () => {
  const now = Date.parse('2026-11-24T18:00:00Z');
  const size = { largo: 10, ancho: 10, alto: 10 };
  const details = { empaque: 'tarimas', piezas: 1200, ...size, temperatura: 'FRO' } as const;
  expect(detailsInWords(details, now).map(({ label, value }) => `${label.es}: ${value}`)).toEqual([
    'Bultos: 1,200 tarimas de 10 × 10 × 10\u00a0cm',
    'Peso cobrable: 200\u00a0kg',
    'Temperatura: −20 a −10\u00a0°C, congelada (FRO)',
  ]);
  expect(detailsInWords({}, now)).toEqual([]);
});

test('stored shipment details that cannot be read are ignored', () => {
  const of = (details: unknown) => ({ id: 'a', kind: 'detalles', createdAt: 1, details });
  expect(readMessages([of({ piezas: 3 }), of('{'), of(null)])).toMatchObject([{ details: { piezas: 3 } }]);
  expect(readMessages([of('{'), of(null)])).toEqual([]);
});
