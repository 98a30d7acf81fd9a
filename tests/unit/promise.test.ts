import { expect, test } from 'vitest';
import { promisedUntil } from '../../src/lead/promise.ts';

const HOUR = 3_600_000;
const release = Date.parse('2026-12-01T16:00:00Z');

test('who asked before another promise was given keeps the one of then', () => {
  const promises = [
    { since: 0, hours: 2 },
    { since: release, hours: 3 },
  ];
  const hours = (asked: number) => (promisedUntil(asked, promises) - asked) / HOUR;
  expect([release - 1, release, release + 1].map(hours)).toEqual([2, 3, 3]);
  // Its own clock may be set to before all of them.
  expect(hours(-HOUR)).toBe(2);
});
