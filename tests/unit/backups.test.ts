import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { addBackup, clearUnfinishedBackups, scheduleBackups, superfluous } from '../../server/database/backups.ts';
import { readSettings } from '../../server/settings.ts';
import { scratchFolder } from '../scratch.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

test('the server keeps daily backups for a week, weekly for four weeks, monthly for a year', () => {
  const newest = Date.parse('2026-11-23T04:00:00Z');
  let backups: Date[] = [];
  for (let day = 500; day >= 0; day -= 1) {
    backups.push(new Date(newest - day * DAY));
    const gone = new Set(superfluous(backups, backups.at(-1)!));
    backups = backups.filter((moment) => !gone.has(moment));
  }
  const days = backups.map((moment) => moment.toISOString().slice(0, 10)).toReversed();
  expect(days.slice(0, 7)).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((back) => new Date(newest - back * DAY).toISOString().slice(0, 10)),
  );
  expect(new Set(days.map((day) => day.slice(0, 7))).size).toBe(12);
  expect(backups.length).toBeLessThanOrEqual(23);
});

test('the server deletes backups over a year old, and the older of two within an hour', () => {
  const now = new Date('2026-11-23T04:00:00Z');
  const before = (days: number) => new Date(now.getTime() - days * DAY);
  expect(superfluous([now, before(0.01)], now)).toEqual([before(0.01)]);
  const future = new Date('2037-01-01T00:00:00Z');
  const quarters = [0, 90, 180, 270, 360, 450, 540].map(before);
  expect(superfluous([future, ...quarters], now)).toEqual(quarters.slice(5));
  expect(superfluous([future, ...[0, 1, 2, 3, 4, 5].map(before)], future)).toEqual([]);
});

describe('a folder of backups', () => {
  const folder = mkdtempSync(path.join(scratchFolder(), 'backups-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const make = () => Readable.from([Buffer.from('x')]);
  const scheduled = (here: string, now = Date.now) => scheduleBackups({ folder: here, everyMs: DAY, make, now });

  test('a broken symbolic link in the backup folder does not stop the next backup', async () => {
    symlinkSync(path.join(folder, 'gone'), path.join(folder, 'latest'));
    writeFileSync(path.join(folder, 'aeropuente-2037-01-01T000000.tar.gz'), 'x');
    const now = Date.parse('2026-11-23T04:00:00Z');
    const backups = scheduled(folder, () => now);
    await vi.waitUntil(() => backups.state().ok);
    await backups.stop();
    expect(backups.state()).toEqual({ at: new Date(now).toISOString(), ok: true });
  });

  test('a backup into a missing folder fails with an error that names the folder', async () => {
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const gone = path.join(folder, 'gone');
    const backups = scheduled(gone);
    await vi.waitUntil(() => errors.mock.calls.length > 0);
    await backups.stop();
    expect(errors.mock.calls.join()).toContain(`NO BACKUP was made: the folder ${gone} does not exist.`);
    expect(backups.state()).toEqual({ at: null, ok: false });
    errors.mockRestore();
  });

  test('a backup interrupted by the end of the server is made again after an hour', async () => {
    const here = mkdtempSync(path.join(folder, 'ended-'));
    const begun = Date.parse('2026-11-23T04:00:00Z');
    writeFileSync(path.join(here, 'aeropuente-2026-11-23T040000.tar.gz.part'), 'of somebody');
    clearUnfinishedBackups(here);
    expect(readdirSync(here).map((name) => readFileSync(path.join(here, name), 'utf8'))).toEqual(['']);
    const errors = vi.spyOn(console, 'error').mockReturnValue();
    const start = (after: number) => scheduled(here, () => begun + after);
    const soon = start(HOUR - 1);
    await soon.stop();
    expect(errors.mock.calls.join()).toContain('AeroPuente ended during the one of 2026-11-23T04:00:00.000Z');
    errors.mockRestore();
    expect(soon.state()).toEqual({ at: null, ok: false });
    const later = start(HOUR);
    await vi.waitUntil(() => later.state().ok);
    await later.stop();
    expect(readdirSync(here)).toEqual(['aeropuente-2026-11-23T050000.tar.gz']);
  });

  test('backups made right before or after an upgrade are deleted when they are a year old', async () => {
    const [old, recent] = ['before-upgrade-2025-01-01T000000.tar.gz', 'after-upgrade-2026-11-01T000000.tar.gz'];
    for (const name of [old, recent]) writeFileSync(path.join(folder, name), 'x');
    utimesSync(path.join(folder, old), new Date('2025-01-01'), new Date('2025-01-01'));
    await addBackup(folder, make(), new Date('2026-11-24T04:00:00Z'));
    expect(readdirSync(folder)).toContain(recent);
    expect(readdirSync(folder)).not.toContain(old);
  });
});

test.each(['1', 'daily', '0d', '1.5d', '-1d', '1w'])('the setting BACKUP_EVERY "%s" is refused', (BACKUP_EVERY) => {
  expect(() => readSettings({ BACKUP_DIR: '/backups', BACKUP_EVERY })).toThrow(
    `BACKUP_EVERY must be hours or days, such as 12h or 1d; it is "${BACKUP_EVERY}".`,
  );
});

test('the server backs up daily when only BACKUP_DIR is set', () => {
  expect(readSettings({ BACKUP_DIR: '/backups' }).backups).toEqual({ folder: '/backups', everyMs: DAY });
  expect(readSettings({ BACKUP_DIR: '/backups', BACKUP_EVERY: '6h' }).backups?.everyMs).toBe(DAY / 4);
  expect(readSettings({}).backups).toBeUndefined();
});
