import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder, writeWhole } from './durable-files.ts';

const ADDRESS = 'address';
const SECRET = 'jwt-secret';
const SECRET_BYTES = 32;
const SQLITE_BUSY = 5;

/** The folder everything is kept in, held by one process at a time. */
export interface DataDirectory {
  readonly databaseFolder: string;
  readonly secret: Uint8Array;
  /** Tells `npm run quotes` where the process that holds the directory can be asked. */
  announce(address: string): void;
  release(): void;
}

export class DirectoryInUse extends Error {}

/** Takes the directory, making it when there is none; throws DirectoryInUse when another process has it. */
export function holdDataDirectory(directory: string): DataDirectory {
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

/** Where PGlite keeps its files; absent until something was opened here. */
export function databaseFolderIn(directory: string): string {
  return path.join(directory, 'database');
}

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
