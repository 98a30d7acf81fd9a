import { expect, test, vi } from 'vitest';

test('kilos are whole, and grouped by threes or not at all', async () => {
  vi.stubGlobal('location', { origin: 'http://localhost' });
  const { plainKilos } = await import('../../src/desk/actions.ts');
  vi.unstubAllGlobals();
  for (const typed of ['1200', '1,200', ' 1 200 ', '1\u00a0200', '1\u202f200']) expect(plainKilos(typed)).toBe('1200');
  expect(plainKilos('1,000,000')).toBe('1000000');
  // Without its comma each would be another weight.
  for (const typed of ['1200,50', '12,5', '1,2000', '1200,500', '1.5', ',200', '0,500', ''])
    expect(plainKilos(typed)).toBe(typed);
});
