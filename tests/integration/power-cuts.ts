import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll } from 'vitest';
import { recordOf, type Deed } from '../disk/recorded.ts';
import { SHORT_LIVED } from '../run-folder.ts';
import { nextMigrations } from './next-release.ts';

const run = promisify(execFile);
/**
 * Seed that chooses the moments of the power cuts. `CUTS_SEED=8 CUTS_SHARE=4 npx vitest run --project long power-cut`
 * tries four times as many.
 */
export const SEED = Number(process.env['CUTS_SEED'] ?? 27);
export const SHARE = Number(process.env['CUTS_SHARE'] ?? 1);
/** Time limit for many power cuts; a database starts after each, in 0.4 s of processor time. */
export const PATIENT = { timeout: 300_000 };
const PRELOAD = pathToFileURL('tests/disk/recorded.ts').href;

/** Folder for the simulated disks, in memory if possible. */
export const folder = mkdtempSync(path.join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'aeropuente-cuts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));

export interface Life {
  readonly record: string;
  /** Parent folder of DATA_DIR; the recorded script may create DATA_DIR itself. */
  readonly root: string;
  readonly base?: string;
}

/** Runs a script, and records every change of its disk. */
export async function recorded(
  name: string,
  script: readonly string[],
  { base = '', before = [] as readonly Deed[] } = {},
) {
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

/** Simulates power cuts of a recorded server at random moments. Returns the acknowledged rows that were lost. */
export async function cut(life: Life, cuts: number): Promise<{ cuts: number; acknowledged: number; cost: unknown[] }> {
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

/** Records the disk of a server from its first start, with migration, quotes and an erasure, to its end. */
export const recordLife = async () => recorded('life', ['tests/disk/life.ts', 'DATA', await nextMigrations()]);
