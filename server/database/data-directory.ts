import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder, writeWhole } from './durable-files.ts';
import { databaseError } from './watched-thread.ts';

const ADDRESS = 'address';
const SECRET = 'jwt-secret';
const SECRET_BYTES = 32;
const SQLITE_BUSY = 5;

/** The folder everything is kept in, held by one process at a time. */
interface DataDirectory {
  readonly databaseFolder: string;
  readonly secret: Uint8Array;
  /** Tells `aeropuente quotes` where the process that holds the directory can be asked. */
  announce(address: string): void;
  release(): void;
}

export class DirectoryInUse extends Error {}

/** Takes the directory, making it when there is none; throws DirectoryInUse when another process has it. */
export function lockDataDirectory(directory: string): DataDirectory {
  const lock = takeLock(directory);
  try {
    const announcement = path.join(directory, ADDRESS);
    rmSync(announcement, { force: true });
    return {
      databaseFolder: databaseFolderIn(directory),
      secret: readSecret(directory) ?? makeSecret(directory),
      announce: (address) => writeFileSync(announcement, address),
      release() {
        rmSync(announcement, { force: true });
        lock.close();
      },
    };
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** Holds it for as long as the work takes. */
export async function withDataDirectory<Result>(
  directory: string,
  work: (held: DataDirectory) => Promise<Result>,
): Promise<Result> {
  const held = lockDataDirectory(directory);
  try {
    return await work(held);
  } finally {
    held.release();
  }
}

/** Throws DirectoryInUse when a process has it. */
export function requireFree(directory: string): void {
  takeLock(directory).close();
}

/** Where PGlite keeps its files; absent until something was opened here. */
export function databaseFolderIn(directory: string): string {
  return path.join(directory, 'database');
}

/** Throws a sentence where nothing was ever opened here, and where that is not for this user to know. */
export function requireDatabase(directory: string, nothingThere = 'There are no quotes'): void {
  if (hasDatabase(directory)) return;
  throw new Error(`${nothingThere} in ${directory}: nothing was ever stored there. Is DATA_DIR right?`);
}

function hasDatabase(directory: string): boolean {
  try {
    return statSync(databaseFolderIn(directory), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw new Error(
      `${directory} cannot be looked into (${(error as Error).message}). Give this command as the user that AeroPuente runs as.`,
      { cause: error },
    );
  }
}

/** What an upgrade is tried in: as safe as the data, and on a disk that has room for them. */
const trialIn = (directory: string) => path.join(directory, 'upgrade');

/** Where a copy of the database may be made, on which an upgrade is tried. It is held as the data are, and gone afterwards. */
export async function withTrialDirectory<Result>(
  directory: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const held = lockDataDirectory(trialIn(directory));
  try {
    return await work(held.databaseFolder);
  } finally {
    held.release();
    rmSync(trialIn(directory), { recursive: true, force: true });
  }
}

/** Removes what a trial has left that was killed. By its lock it is known from one that goes on: then this throws. */
export function removeAbandonedTrial(directory: string): void {
  const trial = trialIn(directory);
  if (!existsSync(trial)) return;
  try {
    requireFree(trial);
  } catch (error) {
    if (!(error instanceof DirectoryInUse)) throw error;
    throw databaseError(
      '55006',
      'An upgrade is being tried on a copy of the data (aeropuente upgrade check). Try again once it has ended',
    );
  }
  rmSync(trial, { recursive: true });
}

/** While it is there, migrations have begun and not ended: what was kept of before them is the way back. */
export const upgradingOf = (databaseFolder: string) => `${databaseFolder}.upgrading`;

/** Where the running server can be asked, if one has announced itself. */
export function announcedAddress(directory: string): string | undefined {
  return readIfThere(path.join(directory, ADDRESS)) || undefined;
}

export function readSecret(directory: string): Uint8Array | undefined {
  const file = path.join(directory, SECRET);
  const written = readIfThere(file);
  if (written === undefined) return undefined;
  const secret = Buffer.from(written, 'base64');
  if (secret.length < SECRET_BYTES)
    throw new Error(
      `${file} is empty or damaged: bring it back from a backup. Without one, remove it, and a new one is made; all keys and sessions end with the old one.`,
    );
  return secret;
}

/**
 * PGlite has no lock of its own. SQLite's is the operating system's: it ends with the process
 * however that ends, so there are no stale locks to tell from live ones and no pids to mistake.
 */
function takeLock(directory: string): DatabaseSync {
  let lock: DatabaseSync | undefined;
  try {
    makeFolder(directory);
    lock = new DatabaseSync(path.join(directory, 'lock'));
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock?.close();
    const { errcode, message } = error as Error & { errcode?: number };
    if (errcode === SQLITE_BUSY) {
      throw new DirectoryInUse(
        `Another AeroPuente process is using ${directory}. Stop it first, or set DATA_DIR to another directory.`,
      );
    }
    throw new Error(`${directory} cannot be written to (${message}). Set DATA_DIR to a directory that can.`, {
      cause: error,
    });
  }
}

/** Its name is on disk, and those of the folders that had to be made for it. */
function makeFolder(directory: string): void {
  const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
  const outermost = path.dirname(path.resolve(first ?? directory));
  for (let folder = path.resolve(directory); folder !== outermost; folder = path.dirname(folder)) syncFolder(folder);
  syncFolder(outermost);
}

function makeSecret(directory: string): Uint8Array {
  const secret = randomBytes(SECRET_BYTES);
  writeWhole(path.join(directory, SECRET), secret.toString('base64'));
  return secret;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
