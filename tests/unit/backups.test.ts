import { expect, test } from 'vitest';
import { superfluous } from '../../server/database/backups.ts';
import { readSettings } from '../../server/settings.ts';

const DAY = 86_400_000;

test('of daily backups a week of days stays, four of weeks and twelve of months, and the newest always', () => {
  const newest = Date.parse('2026-11-23T04:00:00Z');
  let kept: Date[] = [];
  for (let day = 500; day >= 0; day -= 1) {
    kept.push(new Date(newest - day * DAY));
    const gone = new Set(superfluous(kept));
    kept = kept.filter((moment) => !gone.has(moment));
  }
  const days = kept.map((moment) => moment.toISOString().slice(0, 10)).toReversed();
  expect(days.slice(0, 7)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((back) => new Date(newest - back * DAY).toISOString().slice(0, 10)),
  );
  expect(new Set(days.map((day) => day.slice(0, 7))).size).toBe(12);
  expect(kept.length).toBeLessThanOrEqual(23);
});

test('two of one hour are one of that day: the newer', () => {
  const [older, newer] = [new Date('2026-11-23T04:00:00Z'), new Date('2026-11-23T04:20:00Z')];
  expect(superfluous([newer, older])).toEqual([older]);
});

test.each(['1', 'daily', '0d', '1.5d', '-1d', '1w'])(
  'BACKUP_EVERY of "%s" is refused by a sentence',
  (BACKUP_EVERY) => {
    expect(() => readSettings({ BACKUP_DIR: '/backups', BACKUP_EVERY })).toThrow(
      `BACKUP_EVERY must be hours or days, such as 12h or 1d; it is "${BACKUP_EVERY}".`,
    );
  },
);

test('a folder alone means a backup each day', () => {
  expect(readSettings({ BACKUP_DIR: '/backups' }).backups).toEqual({ folder: '/backups', everyMs: DAY });
  expect(readSettings({ BACKUP_DIR: '/backups', BACKUP_EVERY: '6h' }).backups?.everyMs).toBe(DAY / 4);
  expect(readSettings({}).backups).toBeUndefined();
});
