import { cpSync, existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { scratchFolder } from './scratch.ts';
import { buildIfStale } from '../build/build-if-stale.ts';

/** Node option for short processes with a database: without it, Node spends half their time optimising PGlite. */
export const SHORT_LIVED = '--liftoff-only';

const FOLDER = 'TESTS_RUN_FOLDER';
const COMPILED = 'NODE_COMPILE_CACHE';

export default async function setUp(): Promise<() => Promise<void>> {
  await buildIfStale();
  return openRunFolder();
}

/** Opens a folder that all processes of a test run share. Returns the function that removes the folder. */
export async function openRunFolder(): Promise<() => Promise<void>> {
  if (process.env[FOLDER]) return async () => undefined;
  const folder = await mkdtemp(path.join(scratchFolder(), 'aeropuente-run-'));
  // PostgreSQL runs as another user, and must read files in this folder.
  await chmod(folder, 0o711);
  process.env[FOLDER] = folder;
  // Hundreds of Node processes load the same sources, so they share one folder of compiled code.
  const compiles = !process.env[COMPILED];
  if (compiles) process.env[COMPILED] = path.join(folder, 'compiled');
  return async () => {
    delete process.env[FOLDER];
    if (compiles) delete process.env[COMPILED];
    // A process that has just ended may still write its compiled code.
    await rm(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** Makes a folder once in a test run: the first process makes it slowly, and the other processes wait. */
export async function madeOnce(name: string, make: (directory: string) => Promise<void>): Promise<string> {
  const folder = process.env[FOLDER];
  if (!folder) throw new Error('The runner has no tests/run-folder.ts as its global set-up.');
  const made = path.join(folder, name);
  const making = `${made}.making`;
  while (!existsSync(made)) {
    if (!(await isMine(making))) {
      await wait(50);
      continue;
    }
    try {
      if (existsSync(made)) continue;
      await make(path.join(making, name));
      await rename(path.join(making, name), made);
    } finally {
      await rm(making, { recursive: true });
    }
  }
  return made;
}

const isMine = (folder: string) =>
  mkdir(folder).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return false;
    },
  );

/** Returns a copy of a data directory after a first start. A copy takes a tenth of the time of a first start. */
export async function freshDataDirectory(): Promise<string> {
  const pattern = await madeOnce('data', async (dataDir) => {
    // The import is here because only the process that makes the directory needs the database.
    const { openBackend } = await import('../server/backend.ts');
    const { readLimits } = await import('../server/settings.ts');
    const backend = await openBackend({
      dataDir,
      limits: readLimits({ RATE_LIMIT_PER_ADDRESS: '0' }),
      publishableKey: 'aeropuente-public',
    });
    await backend.close();
  });
  const directory = await mkdtemp(path.join(scratchFolder(), 'aeropuente-'));
  copyFolder(pattern, directory);
  return directory;
}

/** Copies a folder synchronously: with promises, the thousand files of a database take six times as long. */
export function copyFolder(from: string, to: string): void {
  cpSync(from, to, { recursive: true, verbatimSymlinks: true });
}
