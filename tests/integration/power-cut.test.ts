import { expect, test } from 'vitest';
import { cut, PATIENT, recordLife } from './power-cuts.ts';

// Each run of `npm test` simulates twelve power cuts. power-cut-long.test.ts simulates more.

test('a power cut of the server loses no acknowledged data', PATIENT, async () => {
  const { cuts, acknowledged, cost } = await cut(await recordLife(), 12);
  expect(cost).toEqual([]);
  expect([cuts, acknowledged > 0]).toEqual([12, true]);
});
