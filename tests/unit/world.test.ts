import { expect, test } from 'vitest';
import { FAULTS, QUICK } from '../world/faults.ts';
import { partOf, planOf } from '../world/plan.ts';
import { shrink, signOf } from '../world/shrink.ts';
import { live } from '../world/world.ts';

test('a simulation repeated with the same seed gives the same trace', async () => {
  // Two phones are enough to show that a run does not depend on the real clock.
  const first = await live({ seed: 5, phones: [0, 1], traced: true });
  const second = await live({ seed: 5, phones: [0, 1], traced: true });
  expect(first.failures).toEqual([]);
  expect(first.counts.delivered).toBeGreaterThan(10);
  expect(second.trace.join('\n')).toBe(first.trace.join('\n'));
  const other = await live({ seed: 6, phones: [0, 1], traced: true });
  expect(other.trace).not.toEqual(first.trace);
});

test('the events of a simulated phone stay the same when another phone is removed', () => {
  const { events } = planOf(7);
  expect(events.filter(({ phone }) => phone === 1).length).toBeGreaterThan(20);
  const left = partOf(planOf(7), { phones: [0, 2] });
  expect(left.phones).toEqual([0, 2]);
  expect(left.events).toEqual(events.filter(({ phone }) => phone === undefined || phone === 0 || phone === 2));
});

test('a failed simulation is reduced to the phones and events that cause the failure', async () => {
  const whole = { phones: [0, 1, 2], events: Array.from({ length: 60 }, (_, at) => at) };
  const needed = [3, 17, 44];
  const least = await shrink(
    whole,
    async ({ phones, events }) => phones.includes(1) && needed.every((at) => events.includes(at)),
  );
  expect(least).toEqual({ phones: [1], events: needed });
  expect(signOf(['reply 1b24c81d-68f5-4014-8a8f-e7ba877334f8 of 17.5 is late'])).toBe('reply … of … is late');
});

test('an unknown fault name is an error, and not a fault that went undetected', async () => {
  await expect(live({ seed: 5, fault: 'none of them' })).rejects.toThrow("There is no fault 'none of them'");
  expect(QUICK.filter((name) => !FAULTS.some((fault) => fault.name === name))).toEqual([]);
});
