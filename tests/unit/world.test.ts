import { expect, test } from 'vitest';
import { patched } from '../world/code.ts';
import { FAULTS, QUICK } from '../world/faults.ts';
import { planOf } from '../world/plan.ts';
import { shrink, signOf } from '../world/shrink.ts';
import { liveOne, partOf } from '../world/thread.ts';

test('one seed is one trace, byte by byte, and another seed is another', async () => {
  // Two phones of it are enough to see that nothing comes from a real clock or a real chance.
  const first = await liveOne({ seed: 5, phones: [0, 1], traced: true });
  const again = await liveOne({ seed: 5, phones: [0, 1], traced: true });
  expect(first.failures).toEqual([]);
  expect(first.counts.delivered).toBeGreaterThan(10);
  expect(again.trace.join('\n')).toBe(first.trace.join('\n'));
  const other = await liveOne({ seed: 6, phones: [0, 1], traced: true });
  expect(other.trace).not.toEqual(first.trace);
});

test('a phone that is taken away changes nothing of what is planned for the others', () => {
  const { events } = planOf(7);
  expect(events.filter(({ phone }) => phone === 1).length).toBeGreaterThan(20);
  const left = partOf(planOf(7), { phones: [0, 2] });
  expect(left.phones).toEqual([0, 2]);
  expect(left.events).toEqual(events.filter(({ phone }) => phone === undefined || phone === 0 || phone === 2));
});

test('what failed is shrunk to what it needs', async () => {
  const whole = { phones: [0, 1, 2], events: Array.from({ length: 60 }, (_, at) => at) };
  const needed = [3, 17, 44];
  const least = await shrink(
    whole,
    async ({ phones, events }) => phones.includes(1) && needed.every((at) => events.includes(at)),
  );
  expect(least).toEqual({ phones: [1], events: needed });
  expect(signOf(['lead 1b24c81d-68f5-4014-8a8f-e7ba877334f8 of 17.5 is late'])).toBe('lead … of … is late');
});

test('a fault whose text is not there is an error, and not a fault that was not found', () => {
  const patch = { file: 'x.ts', find: 'once', replace: 'never' };
  expect(patched('only once', [patch])).toBe('only never');
  expect(() => patched('twice: once, once', [patch])).toThrow('x.ts does not have this text once');
  expect(() => patched('', [patch])).toThrow();
  expect(FAULTS.length).toBeGreaterThanOrEqual(25);
  expect(QUICK.filter((name) => !FAULTS.some((fault) => fault.name === name))).toEqual([]);
});
