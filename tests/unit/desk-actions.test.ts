import { beforeAll, expect, test, vi } from 'vitest';

let actions: typeof import('../../src/desk/actions.ts');
let backend: typeof import('../../src/desk/backend.ts');
beforeAll(async () => {
  vi.stubGlobal('location', { origin: 'http://localhost' });
  actions = await import('../../src/desk/actions.ts');
  backend = await import('../../src/desk/backend.ts');
  vi.unstubAllGlobals();
});

test('kilos are whole, and grouped by threes or not at all', () => {
  const { plainKilos } = actions;
  for (const typed of ['1200', '1,200', ' 1 200 ', '1\u00a0200', '1\u202f200']) expect(plainKilos(typed)).toBe('1200');
  expect(plainKilos('1,000,000')).toBe('1000000');
  // Without its comma each would be another weight.
  for (const typed of ['1200,50', '12,5', '1,2000', '1200,500', '1.5', ',200', '0,500', ''])
    expect(plainKilos(typed)).toBe(typed);
});

test.each([
  ['PGRST204', 'La base de datos es de una versión anterior y aún no sabe de esto.'],
  ['PGRST205', 'La base de datos es de una versión anterior y aún no sabe de esto.'],
  ['23514', 'El servidor no lo aceptó.'],
])('a refusal with %s is told in its words', (code, es) => {
  const refusal = new backend.Trouble('refused', code, '');
  expect(actions.endOf(refusal)).toMatchObject({ kind: 'refused', says: { es } });
});
