import { Trouble } from '../../src/desk/api/trouble.ts';
import { beforeAll, expect, test, vi } from 'vitest';

let sending: typeof import('../../src/desk/answer/sending.ts');
let endings: typeof import('../../src/desk/api/ending.ts');
beforeAll(async () => {
  vi.stubGlobal('location', { origin: 'http://localhost' });
  sending = await import('../../src/desk/answer/sending.ts');
  endings = await import('../../src/desk/api/ending.ts');
  vi.unstubAllGlobals();
});

test('kilos are whole numbers, with thousands grouped by threes or not grouped', () => {
  const { plainKilos } = sending;
  for (const typed of ['1200', '1,200', ' 1 200 ', '1\u00a0200', '1\u202f200']) expect(plainKilos(typed)).toBe('1200');
  expect(plainKilos('1,000,000')).toBe('1000000');
  // Removing the comma would make each of these another weight.
  for (const typed of ['1200,50', '12,5', '1,2000', '1200,500', '1.5', ',200', '0,500', ''])
    expect(plainKilos(typed)).toBe(typed);
});

test.each([
  ['PGRST204', 'La base de datos es de una versión anterior y aún no conoce esto.'],
  ['PGRST205', 'La base de datos es de una versión anterior y aún no conoce esto.'],
  ['23514', 'El servidor no lo aceptó.'],
])('explains a refusal with %s in its own words', (code, es) => {
  const refusal = new Trouble('refused', code, '');
  expect(endings.endOf(refusal)).toMatchObject({ kind: 'refused', says: { es } });
});
