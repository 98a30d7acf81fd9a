import { expect, test } from 'vitest';
import { cut, PATIENT, recordLife } from './power-cuts.ts';

// Every `npm test` makes twelve cuts. power-cut-long.test.ts makes more.

test('a power cut loses nothing that was acknowledged', PATIENT, async () => {
  const { cuts, acknowledged, cost } = await cut(await recordLife(), 12);
  expect(cost).toEqual([]);
  expect([cuts, acknowledged > 0]).toEqual([12, true]);
});
