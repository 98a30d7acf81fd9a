import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { chanceFrom } from '../chance.ts';
import { ForgetfulDisk } from '../disk/forgetful.ts';
import { deedsIn, recordOf } from '../disk/recorded.ts';
import { nextMigrations } from './next-release.ts';
import { cut, folder, PATIENT, recorded, recordLife, SEED, SHARE, type Life } from './power-cuts.ts';
import { dataDirectory, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';
import { storedDirectory } from './stored.ts';

let life: Life;
beforeAll(async () => {
  life = await recordLife();
}, PATIENT.timeout);

test('a power cut at any moment between start and stop loses no acknowledged data', PATIENT, async () => {
  const { cuts, acknowledged, cost } = await cut(life, 48 * SHARE);
  expect(cost).toEqual([]);
  expect([cuts, acknowledged > 0]).toEqual([48 * SHARE, true]);
});

test('a second power cut during the recovery from the first loses no acknowledged data', PATIENT, async () => {
  const deeds = [...deedsIn(readFileSync(life.record))];
  const chance = chanceFrom(SEED);
  const firstSaid = deeds.findIndex(({ deed }) => deed.op === 'said');
  for (let index = 0; index < 2 * SHARE; index += 1) {
    const moment = firstSaid + Math.floor(chance() * (deeds.length - firstSaid));
    const disk = new ForgetfulDisk();
    for (const { deed, payload } of deeds.slice(0, moment)) disk.carryOut(deed, payload);
    const [base, place] = [path.join(folder, `base-${index}`), path.join(folder, `again-${index}`)];
    for (const where of [base, place]) mkdirSync(where);
    // Both folders get the contents of the disk after the first power cut. The server recovers in `place`, and this
    // recovery is recorded. The second power cuts replay parts of the recording on the contents of `base`.
    for (const where of [base, place]) disk.leaveIn(where, 0.5, chanceFrom(index));
    const before = deeds.slice(0, moment).flatMap(({ deed }) => (deed.op === 'said' ? [deed] : []));
    const again = await recorded(`again-${index}`, ['tests/disk/life.ts', 'DATA', await nextMigrations(), 'again'], {
      base: place,
      before,
    });
    const { cuts, cost } = await cut({ ...again, base }, 10);
    expect([cuts, cost]).toEqual([10, []]);
    for (const where of [base, place]) rmSync(where, { recursive: true });
  }
});

test('a power cut during a restore leaves all data or none', PATIENT, async () => {
  const { sent, file } = await storedDirectory();
  const restored = await recorded('restore', ['server/cli/backup.ts', 'restore', file]);
  for (const { id } of sent) appendFileSync(restored.record, recordOf({ op: 'said', what: `quotes ${id}` }));
  const { cuts, cost } = await cut(restored, 16 * SHARE);
  expect(cost).toEqual([]);
  expect(cuts).toBe(16 * SHARE);
});

test('the server answers 503 on a failing disk, and keeps the data acknowledged before', async () => {
  const failing = path.join(temporaryDirectory(), 'failing');
  const { server, address } = await startServer(await dataDirectory(), {
    NODE_OPTIONS: `--import ${pathToFileURL('tests/disk/failing.ts').href}`,
    FAILING: failing,
  });
  const before = sampleQuote();
  expect((await send(address, before)).status).toBe(201);
  writeFileSync(failing, '');
  const during = sampleQuote();
  expect((await send(address, during)).status).toBe(503);
  expect(server.errors).toContain('The disk failed to store data (EIO');
  rmSync(failing);
  await expect.poll(async () => (await send(address, during)).status).toBe(201);
  expect(await (await send(address, before)).json()).toEqual([]);
});
