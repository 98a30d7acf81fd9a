import { expect, test } from 'vitest';
import { cut, PATIENT, recordLife } from './power-cuts.ts';

// Twelve cuts for every `npm test`; power-cut-long.test.ts has more.

test('a power cut loses nothing that was acknowledged', PATIENT, async () => {
  const { cuts, acknowledged, cost } = await cut(await recordLife(), 12);
  expect(cost).toEqual([]);
  expect([cuts, acknowledged > 0]).toEqual([12, true]);
});
