import { randomBytes } from 'node:crypto';
import { englishWords, mainWords, type Bilingual } from '../../src/content/bilingual.ts';
import { OperatorError } from '../language.ts';
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { syncFolder, writeAtomically } from './durable-files.ts';
import { databaseError } from './watched-thread.ts';

const ADDRESS = 'address';
const SECRET = 'jwt-secret';
const SECRET_BYTES = 32;
const SQLITE_BUSY = 5;

/** Folder with database and secret. Only one process at a time has its lock. */
interface DataDirectory {
  readonly databaseFolder: string;
  readonly secret: Uint8Array;
  /** Writes the address at which commands reach this process into the folder. */
  announce(address: string): void;
  release(): void;
}

export class DirectoryInUse extends OperatorError {}

/** Locks the data directory, and creates it if it is missing. Throws DirectoryInUse if another process has the lock. */
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

export async function withDataDirectory<Result>(
  directory: string,
  work: (locked: DataDirectory) => Promise<Result>,
): Promise<Result> {
  const locked = lockDataDirectory(directory);
  try {
    return await work(locked);
  } finally {
    locked.release();
  }
}

/** Throws DirectoryInUse if a process has the lock. */
export function requireFree(directory: string): void {
  takeLock(directory).close();
}

export function databaseFolderIn(directory: string): string {
  return path.join(directory, 'database');
}

export const NO_QUOTES = { es: 'No hay cotizaciones', en: 'There are no quotes' };

/** Throws if the directory has no database, or if this user may not read it. */
export function requireDatabase(directory: string, nothing: Bilingual = NO_QUOTES): void {
  if (hasDatabase(directory)) return;
  throw new OperatorError({
    es: `${mainWords(nothing)} en ${directory}: ahí nunca se guardó nada. ¿Es correcto DATA_DIR?`,
    en: `${englishWords(nothing)} in ${directory}: nothing was ever stored there. Is DATA_DIR right?`,
  });
}

function hasDatabase(directory: string): boolean {
  try {
    return statSync(databaseFolderIn(directory), { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    const { message } = error as Error;
    throw new OperatorError(
      {
        es: `No se puede leer ${directory} (${message}). Dé esta orden con el usuario del servicio.`,
        en: `${directory} cannot be read (${message}). Run this command as the user of the service.`,
      },
      { cause: error },
    );
  }
}

/** Folder for trials of upgrades, on the same disk and with the same protection as the data. */
const trialIn = (directory: string) => path.join(directory, 'upgrade');

/** Locks a folder for a copy of the database while `work` runs, and deletes the folder afterwards. */
export async function withTrialDirectory<Result>(
  directory: string,
  work: (copy: string) => Promise<Result>,
): Promise<Result> {
  const trial = lockDataDirectory(trialIn(directory));
  try {
    return await work(trial.databaseFolder);
  } finally {
    trial.release();
    rmSync(trialIn(directory), { recursive: true, force: true });
  }
}

/** Deletes the folder of an interrupted trial of an upgrade or restore. Throws if a trial is running. */
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

/**
 * File that exists while an upgrade runs migrations. As long as it exists, the backup from before the upgrade is
 * needed.
 */
export const upgradingOf = (databaseFolder: string) => `${databaseFolder}.upgrading`;

export function announcedAddress(directory: string): string | undefined {
  return readIfThere(path.join(directory, ADDRESS)) || undefined;
}

export function readSecret(directory: string): Uint8Array | undefined {
  const file = path.join(directory, SECRET);
  const encoded = readIfThere(file);
  if (encoded === undefined) return undefined;
  const secret = Buffer.from(encoded, 'base64');
  if (secret.length < SECRET_BYTES)
    throw new OperatorError({
      es: `${file} está vacío o dañado: recupérelo de un respaldo. Si no hay, bórrelo y se creará otro; todas las llaves y sesiones anteriores terminan.`,
      en: `${file} is empty or damaged: restore it from a backup. Without one, delete it and a new one is made; all earlier keys and sessions end.`,
    });
  return secret;
}

/**
 * Locks the directory with a lock of SQLite, because PGlite has no lock. The operating system releases SQLite's lock
 * when the process ends in any way, so no old lock remains.
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
      throw new DirectoryInUse({
        es: `Otro proceso de AeroPuente usa ${directory}. Deténgalo antes, o ponga otra carpeta en DATA_DIR.`,
        en: `Another AeroPuente process is using ${directory}. Stop it first, or set DATA_DIR to another directory.`,
      });
    }
    throw new OperatorError(
      {
        es: `No se puede escribir en ${directory} (${message}). Ponga en DATA_DIR una carpeta donde se pueda.`,
        en: `${directory} cannot be written to (${message}). Set DATA_DIR to a directory that can.`,
      },
      { cause: error },
    );
  }
}

/** Creates the directory, and syncs each new folder, so that a power cut does not remove it. */
function makeFolder(directory: string): void {
  const first = mkdirSync(directory, { recursive: true, mode: 0o700 });
  const outermost = path.dirname(path.resolve(first ?? directory));
  for (let folder = path.resolve(directory); folder !== outermost; folder = path.dirname(folder)) syncFolder(folder);
  syncFolder(outermost);
}

function makeSecret(directory: string): Uint8Array {
  const secret = randomBytes(SECRET_BYTES);
  writeAtomically(path.join(directory, SECRET), secret.toString('base64'));
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
