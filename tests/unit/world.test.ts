import { expect, test } from 'vitest';
import { live } from '../world/world.ts';

test('a simulated week has no failure, and the same trace when it is repeated', async () => {
  const first = await live({ seed: 5, phones: [0, 1], traced: true });
  const second = await live({ seed: 5, phones: [0, 1], traced: true });
  expect(first.failures).toEqual([]);
  expect(first.counts.delivered).toBeGreaterThan(10);
  expect(second.trace.join('\n')).toBe(first.trace.join('\n'));
});
