import { expect, test } from 'vitest';
import { cut, PATIENT, recordLife } from './power-cuts.ts';

// Twelve cuts in each run of `npm test`; power-cut-long.test.ts has the other ones.

test('a power cut costs nothing that was answered', PATIENT, async () => {
  const { cuts, acknowledged, cost } = await cut(await recordLife(), 12);
  expect(cost).toEqual([]);
  expect([cuts, acknowledged > 0]).toEqual([12, true]);
});
