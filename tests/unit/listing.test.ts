import { expect, onTestFinished, test, vi } from 'vitest';
import { readListing } from '../../server/cli/listing.ts';

test.each([
  ['90m', '2026-11-21T10:30:00Z'],
  ['2h', '2026-11-21T10:00:00Z'],
  ['2d', '2026-11-19T12:00:00Z'],
  ['2026-11-20T09:00:00Z', '2026-11-20T09:00:00Z'],
  // Its midnight here, not in Greenwich.
  ['2026-11-20', '2026-11-20T00:00'],
])('npm run quotes -- --since %s, at noon in Greenwich on 21 November, is from %s on', (typed, since) => {
  vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  expect(readListing(['--since', typed])?.since).toEqual(new Date(since));
});
