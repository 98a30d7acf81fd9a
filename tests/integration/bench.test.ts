import { test } from 'vitest';
import { measuresSomething, type Bench } from '../../bench/results.ts';

// That parts still measure. How long anything took is not looked at, so they may run side by side.

/** `npm run bench -- --smoke` runs the others too, which take minutes, a browser for themselves, or what only it installs. */
const parts = ['bytes', 'desk'];

test.concurrent.for(parts)(
  '%s measures something of each that it names',
  { timeout: 300_000 },
  async (name, { expect }) => {
    const { title, measure } = (await import(`../../bench/${name}.bench.ts`)) as Bench;
    expect(title).toMatch(/\w/);
    const measured = await measure('smoke');
    expect(measuresSomething(measured)).toBe(true);
    const cells = measured.tables.flatMap(({ figures }) => Object.values(figures).flatMap((one) => Object.values(one)));
    expect(cells.filter((cell) => cell === '' || Number.isNaN(cell))).toEqual([]);
  },
);
