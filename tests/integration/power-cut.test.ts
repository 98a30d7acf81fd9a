import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync, appendFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chanceFrom } from '../chance.ts';
import { ForgetfulDisk } from '../disk/forgetful.ts';
import { deedsIn, recordOf, type Deed } from '../disk/recorded.ts';
import { SHORT_LIVED } from '../run-folder.ts';
import { nextMigrations } from './next-release.ts';
import { dataDirectory, send, startServer, temporaryDirectory } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';
import { storedDirectory } from './stored.ts';

const run = promisify(execFile);
/** `CUTS_SEED=8 CUTS_SHARE=4 npx vitest run power-cut`: other moments, and four times as many of them. */
const SEED = Number(process.env['CUTS_SEED'] ?? 27);
const SHARE = Number(process.env['CUTS_SHARE'] ?? 1);
/** After each cut a database starts, which takes four tenths of a second of a processor. */
const PATIENT = { timeout: 300_000 };
const PRELOAD = pathToFileURL('tests/disk/recorded.ts').href;

/** In memory where there is such a file system: what is cut here is no disk of this machine. */
const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'aeropuente-cuts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

interface Life {
  readonly record: string;
  /** Of which it is the parent, as DATA_DIR may have one that is new too. */
  readonly root: string;
  readonly base?: string;
}

/** A script whose every change of the disk is recorded. */
async function recorded(name: string, script: readonly string[], { base = '', before = [] as readonly Deed[] } = {}) {
  const life: Life = { record: path.join(folder, `${name}.record`), root: base || path.join(folder, name), base };
  mkdirSync(life.root, { recursive: true });
  writeFileSync(life.record, Buffer.concat(before.map((deed) => recordOf(deed))));
  const data = path.join(life.root, 'data');
  const env = { ...process.env, RECORDED_FOLDER: life.root, RECORD: life.record, DATA_DIR: data };
  await run(
    process.execPath,
    [SHORT_LIVED, '--import', PRELOAD, ...script.map((word) => (word === 'DATA' ? data : word))],
    { env },
  );
  return life;
}

/** What was said up to the cuts and is gone after them, with two processes at it. */
async function cut(life: Life, cuts: number): Promise<{ cuts: number; acknowledged: number; cost: unknown[] }> {
  const halves = [1, 2].map(async (half) => {
    const place = path.join(folder, `cut-${path.basename(life.record)}-${half}`);
    const parameters = [life.record, place, String(SEED + half), String(cuts / 2), ...(life.base ? [life.base] : [])];
    const { stdout } = await run(process.execPath, [SHORT_LIVED, 'tests/disk/check-cuts.ts', ...parameters]);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { cuts: number; acknowledged: number });
  });
  const lines = (await Promise.all(halves)).flat();
  const sums = lines.filter(({ cuts: some }) => some);
  return {
    cuts: sums.reduce((sum, each) => sum + each.cuts, 0),
    acknowledged: sums.reduce((sum, each) => sum + each.acknowledged, 0),
    cost: lines.filter(({ cuts: some }) => !some),
  };
}

let life: Life;
beforeAll(async () => {
  life = await recorded('life', ['tests/disk/life.ts', 'DATA', await nextMigrations()]);
}, PATIENT.timeout);

test(
  'a cut in the first start, a migration, a stream of quotes, a purge or an end costs nothing that was answered',
  PATIENT,
  async () => {
    const { cuts, acknowledged, cost } = await cut(life, 48 * SHARE);
    expect(cost).toEqual([]);
    expect([cuts, acknowledged > 0]).toEqual([48 * SHARE, true]);
  },
);

test('nor does a second one, while the first is recovered from', PATIENT, async () => {
  const deeds = [...deedsIn(readFileSync(life.record))];
  const chance = chanceFrom(SEED);
  const firstSaid = deeds.findIndex(({ deed }) => deed.op === 'said');
  for (let index = 0; index < 2 * SHARE; index += 1) {
    const moment = firstSaid + Math.floor(chance() * (deeds.length - firstSaid));
    const disk = new ForgetfulDisk();
    for (const { deed, payload } of deeds.slice(0, moment)) disk.carryOut(deed, payload);
    const [base, place] = [path.join(folder, `base-${index}`), path.join(folder, `again-${index}`)];
    for (const where of [base, place]) mkdirSync(where);
    // The same remains twice: one is recovered from, the other is what the next cut begins with.
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

test('nor does one in a restore: there is all of it, or nothing and it can be done again', PATIENT, async () => {
  const { sent, file } = await storedDirectory();
  const restored = await recorded('restore', ['server/cli/backup.ts', 'restore', file]);
  for (const { id } of sent) appendFileSync(restored.record, recordOf({ op: 'said', what: `quotes ${id}` }));
  const { cuts, cost } = await cut(restored, 16 * SHARE);
  expect(cost).toEqual([]);
  expect(cuts).toBe(16 * SHARE);
});

test('a disk that does not keep what is written is told by a 503, and after it all that was answered is there', async () => {
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
  expect(server.errors).toContain('The disk did not keep what was written (EIO');
  rmSync(failing);
  await expect.poll(async () => (await send(address, during)).status).toBe(201);
  expect(await (await send(address, before)).json()).toEqual([]);
});
