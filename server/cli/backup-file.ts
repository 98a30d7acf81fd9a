import { messageOf } from './command.ts';
import { createReadStream, fstatSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repeatErasures } from '../database/erasure-ledger.ts';
import { migrate, OtherRelease } from '../database/migrate.ts';
import { databaseOn, openArchive } from '../database/pglite.ts';
import { DISK_FULL } from '../database/disk-space.ts';
import { asOperator, fileAt } from './operator.ts';
import { OperatorError } from '../language.ts';

interface Backup {
  readonly file: string;
  readonly descriptor: number;
}

/** Opens a backup with the operator's rights, because the service's user may not be allowed to read the file. */
export function openBackup(file: string): Backup {
  try {
    return { file, descriptor: asOperator(() => openSync(fileAt(file), 'r')) };
  } catch (error) {
    const message = messageOf(error);
    throw new OperatorError(
      { es: `No se puede leer ${file} (${message}).`, en: `${file} cannot be read (${message}).` },
      {
        cause: error,
      },
    );
  }
}

export interface BackupContents {
  readonly quotes: number;
  readonly accounts: number;
  readonly newest: Date | null;
  readonly erasedAgain: number;
}

/** Unpacks and upgrades a backup, which proves that it is complete. */
export async function unpackInto(folder: string, opened: Backup, erased: readonly string[]): Promise<BackupContents> {
  try {
    return await readBackup(folder, opened, erased);
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    // The backup is not broken if another release made it, or if the disk is full.
    if (error instanceof OtherRelease || (error as { code?: unknown }).code === DISK_FULL) throw error;
    const message = messageOf(error);
    throw new OperatorError(
      {
        es: `${opened.file} no es un respaldo completo (${message}): no se recuperó nada.`,
        en: `${opened.file} is not a complete backup (${message}): nothing was restored.`,
      },
      { cause: error },
    );
  }
}

async function readBackup(
  folder: string,
  { descriptor: fd }: Backup,
  erased: readonly string[],
): Promise<BackupContents> {
  await using pglite = await openArchive(createReadStream('', { fd }), folder, fstatSync(fd).size);
  const database = databaseOn(pglite);
  await migrate(database);
  // The newest event is read first, because the erasures below add newer events.
  const { rows } = await pglite.query<Pick<BackupContents, 'newest'>>(
    'select max(at) as newest from public.quote_events',
  );
  const erasedAgain = await repeatErasures(database, erased);
  const countOf = async (table: string) => {
    const { rows: counts } = await pglite.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return counts[0]!.count;
  };
  const quotes = await countOf('public.quotes');
  const accounts = await countOf('private_auth.accounts').catch(() => 0);
  return { quotes, accounts, newest: rows[0]!.newest, erasedAgain };
}

/** Restores a backup in a temporary folder, which proves that it can be restored. */
export async function tryBackup(file: string): Promise<BackupContents> {
  const opened = openBackup(file);
  const folder = mkdtempSync(path.join(tmpdir(), 'aeropuente-restore-'));
  try {
    return await unpackInto(path.join(folder, 'database'), opened, []);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
