import { expect, test } from 'vitest';
import { measure, title } from '../../bench/durable.bench.ts';
import { measuresSomething } from '../../bench/results.ts';

/** `npm run bench -- --smoke` runs all benchmarks, but takes minutes and needs a browser and more packages. */
test('the benchmarks that need no extra packages give a figure for each row of their tables', async () => {
  expect(title).toMatch(/\w/);
  const measured = await measure('smoke');
  expect(measuresSomething(measured)).toBe(true);
  const cells = measured.tables.flatMap(({ figures }) => Object.values(figures).flatMap((one) => Object.values(one)));
  expect(cells.filter((cell) => cell === '' || Number.isNaN(cell))).toEqual([]);
});
