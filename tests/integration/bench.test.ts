import { readdirSync } from 'node:fs';
import { test } from 'vitest';
import type { Bench } from '../../bench/results.ts';

// That each part still measures. How long anything took is not looked at, so they may run side by side.

/** These need what only the bench installs, or a browser for itself: `npm run bench -- --smoke` runs them too. */
const ELSEWHERE = new Set(['first-touch', 'first-visit', 'latency', 'outbox', 'queues', 'receipt', 'weak-signal']);

const parts = readdirSync('bench')
  .flatMap((file) => /(.*)\.bench\.ts$/.exec(file)?.[1] ?? [])
  .filter((name) => !ELSEWHERE.has(name));

test.concurrent.for(parts)(
  '%s measures something of each that it names',
  { timeout: 300_000 },
  async (name, { expect }) => {
    const { title, measure } = (await import(`../../bench/${name}.bench.ts`)) as Bench;
    expect(title).toMatch(/\w/);
    const { tables } = await measure('smoke');
    const cells = tables.flatMap(({ figures }) => Object.values(figures).flatMap((one) => Object.values(one)));
    expect(cells.length).toBeGreaterThan(0);
    expect(cells.filter((cell) => cell === '' || Number.isNaN(cell))).toEqual([]);
  },
);
