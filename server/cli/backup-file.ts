import { createReadStream, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eraseAgain } from '../database/erasure-ledger.ts';
import { migrate, OtherRelease } from '../database/migrate.ts';
import { databaseOver, unpacked } from '../database/pglite.ts';
import { DISK_FULL } from '../database/disk-space.ts';
import { localize } from '../language.ts';
import { asOperator, fileAt } from './operator.ts';

interface Backup {
  readonly file: string;
  readonly descriptor: number;
}

/** The service itself may not read where the operator has it. */
export function openBackup(file: string): Backup {
  try {
    return { file, descriptor: asOperator(() => openSync(fileAt(file), 'r')) };
  } catch (error) {
    const { message } = error as Error;
    throw new Error(
      localize({ es: `No se puede leer ${file} (${message}).`, en: `${file} cannot be read (${message}).` }),
      {
        cause: error,
      },
    );
  }
}

export interface Found {
  readonly quotes: number;
  readonly accounts: number;
  readonly newest: Date | null;
  readonly erasedAgain: number;
}

/** The backup is opened, brought up to date and read: PostgreSQL judges whether it is whole. */
export async function unpackInto(folder: string, opened: Backup, erased: readonly string[]): Promise<Found> {
  try {
    return await readBackup(folder, opened, erased);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // The backup may be good: the fault is elsewhere.
    if (error instanceof OtherRelease || (error as { code?: unknown }).code === DISK_FULL) throw error;
    const { message } = error as Error;
    throw new Error(
      localize({
        es: `${opened.file} no es un respaldo entero (${message}): no se hizo nada con él.`,
        en: `${opened.file} is no whole backup (${message}): nothing was made of it.`,
      }),
      { cause: error },
    );
  }
}

async function readBackup(folder: string, { descriptor: fd }: Backup, erased: readonly string[]): Promise<Found> {
  const pglite = await unpacked(createReadStream('', { fd }), folder, fstatSync(fd).size);
  const database = databaseOver(pglite);
  await migrate(database);
  // To erase again is a word too, of now.
  const { rows } = await pglite.query<Pick<Found, 'newest'>>('select max(at) as newest from public.quote_events');
  const erasedAgain = await eraseAgain(database, erased);
  const counted = async (table: string) => {
    const { rows: counts } = await pglite.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return counts[0]!.count;
  };
  const quotes = await counted('public.quotes');
  const accounts = await counted('private_auth.accounts').catch(() => 0);
  await pglite.close();
  return { quotes, accounts, newest: rows[0]!.newest, erasedAgain };
}

/** Brings a backup back in a folder that goes again: what nobody ever opened may be no backup. */
export async function tryBackup(file: string): Promise<Found> {
  const opened = openBackup(file);
  const folder = mkdtempSync(path.join(tmpdir(), 'aeropuente-restore-'));
  try {
    return await unpackInto(path.join(folder, 'database'), opened, []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
