import { expect, test } from 'vitest';
import { measure, title } from '../../bench/durable.bench.ts';
import { measuresSomething } from '../../bench/results.ts';

/** `npm run bench -- --smoke` also runs the other parts: minutes, a browser and packages of the bench. */
test('the package-free part of the bench measures something for each subject', async () => {
  expect(title).toMatch(/\w/);
  const measured = await measure('smoke');
  expect(measuresSomething(measured)).toBe(true);
  const cells = measured.tables.flatMap(({ figures }) => Object.values(figures).flatMap((one) => Object.values(one)));
  expect(cells.filter((cell) => cell === '' || Number.isNaN(cell))).toEqual([]);
});
