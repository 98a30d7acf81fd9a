import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { AUTH_SCHEMA } from './auth/schema.ts';
import { clearUnfinishedBackups, deleteOldUpgradeBackups, upgradeFolderOf } from './database/backups.ts';
import { removeAbandonedTrial, lockDataDirectory } from './database/data-directory.ts';
import { openDatabase, type Database, type Statement } from './database/database.ts';
import { repeatErasures, finishErasing, readErased, type ErasableDatabase } from './database/erasure-ledger.ts';
import { openPostgres } from './database/postgres.ts';
import { DISK_FULL, requireSpace, requireSpaceToForget } from './database/disk-space.ts';
import type { Settings } from './settings.ts';

/** Database of quotes, in PGlite or in PostgreSQL. */
export interface QuoteStore {
  readonly database: Database;
  /** Key that signs service keys and sessions. */
  readonly secret: Uint8Array;
  /** Throws if the database's disk is nearly full. Never throws for PostgreSQL, whose disk may be elsewhere. */
  requireSpace(): void;
  readonly erasing: Erasure;
  /** Archives the whole database. Absent for PostgreSQL, which has pg_dump. */
  readonly backup?: () => AsyncIterable<Uint8Array>;
  announce(address: string): void;
  close(): Promise<void>;
}

/** Removal of deleted quotes from the database files. */
export interface Erasure {
  /** Throws if the disk has too little space, or a copy of the database is in use. */
  requireSpace(): void;
  finish(): Promise<unknown>;
}

export type StoreSettings = Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 'backups' | 'database'>>;

interface OpenOptions {
  readonly migrations: string;
  /**
   * True for a server, which may migrate the database and store its settings in it. False for a command, which may run
   * beside servers.
   */
  readonly serves: boolean;
  readonly settings: readonly Statement[];
}

export function openQuoteStore(settings: StoreSettings, options: OpenOptions): Promise<QuoteStore> {
  return settings.database ? openOwn(settings, settings.database, options) : openEmbedded(settings, options);
}

async function openEmbedded(settings: StoreSettings, { migrations, settings: own }: OpenOptions): Promise<QuoteStore> {
  const directory = lockDataDirectory(settings.dataDir);
  const backups = upgradeFolderOf(settings);
  try {
    endLeftover(() => removeAbandonedTrial(settings.dataDir));
    endLeftover(() => deleteOldUpgradeBackups(backups.folder));
    endLeftover(() => clearUnfinishedBackups(backups.folder));
    const database = await openDatabase({
      folder: directory.databaseFolder,
      migrations,
      backups,
      afterwards: [...own, AUTH_SCHEMA],
    });
    const finish = await resumeErasure(database, ledgersOf(settings));
    return {
      database,
      secret: directory.secret,
      requireSpace: () => requireSpace(directory.databaseFolder),
      erasing: {
        requireSpace() {
          removeAbandonedTrial(settings.dataDir);
          requireSpaceToForget(directory.databaseFolder);
        },
        async finish() {
          if (!(await finish())) return;
          // Two kinds of files may still contain the erased quotes and are removed: the data that an interrupted trial
          // upgrade had copied, and unfinished backups. A backup that is being written now fails.
          removeAbandonedTrial(settings.dataDir);
          endLeftover(() => clearUnfinishedBackups(backups.folder, 'remove'));
        },
      },
      backup: () => database.backup(),
      announce: (address) => directory.announce(address),
      async close() {
        await database.close();
        directory.release();
      },
    };
  } catch (error) {
    directory.release();
    throw error;
  }
}

/**
 * Removes files that an ended process left behind, because a quote in them would survive its later erasure. If this
 * fails, the start continues.
 */
function endLeftover(end: () => void): void {
  try {
    end();
  } catch (error) {
    console.error(`Leftovers of an upgrade or a backup could not be removed: ${(error as Error).message}`);
  }
}

/**
 * Opens the operator's own PostgreSQL, which several processes on several machines may share. The database contains the
 * key. The data directory contains only the ids of erased quotes: if an older dump is restored, these quotes are erased
 * again.
 */
async function openOwn(
  settings: StoreSettings,
  { address, connections }: NonNullable<Settings['database']>,
  { migrations, serves, settings: own }: OpenOptions,
): Promise<QuoteStore> {
  const database = await openPostgres({
    address,
    connections,
    migrations,
    mayMigrate: serves,
    afterwards: [AUTH_SCHEMA, SECRET_SCHEMA, newSecret(), ...(serves ? own : [])],
  });
  try {
    const [row] = await database.transaction<{ secret: string }>(
      [{ sql: 'select secret from private_auth.secret', parameters: [] }],
      { access: 'read' },
    );
    mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
    // `forget` does nothing: only PostgreSQL's administrator can remove erased rows from its files, standbys and dumps.
    const erasing: ErasableDatabase = {
      transaction: (...call) => database.transaction(...call),
      forget: async () => undefined,
    };
    return {
      database,
      secret: Buffer.from(row!.secret, 'base64'),
      requireSpace: () => undefined,
      erasing: { requireSpace: () => undefined, finish: await resumeErasure(erasing, ledgersOf(settings)) },
      announce: () => undefined,
      close: () => database.close(),
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Table of the key that signs service keys and sessions. No role of the API has a grant on it. */
const SECRET_SCHEMA: Statement = {
  sql: `create table if not exists private_auth.secret (
    only_one boolean primary key default true check (only_one),
    secret   text not null
  );`,
};

const newSecret = (): Statement => ({
  sql: 'insert into private_auth.secret (secret) values ($1) on conflict do nothing',
  parameters: [randomBytes(32).toString('base64')],
});

const ledgersOf = ({ dataDir, backups }: StoreSettings) => [dataDir, ...(backups ? [backups.folder] : [])];

/**
 * Erases quotes again that a restored database contains although they had been erased. Resolves with a function that
 * removes the traces of quotes that are erased later.
 */
async function resumeErasure(database: ErasableDatabase, ledgers: readonly string[]): Promise<() => Promise<boolean>> {
  const count = await repeatErasures(database, [...readErased(ledgers)]);
  if (count > 0)
    console.log(`The database contained ${count} quotes that had been erased before; they are erased again.`);
  try {
    await finishErasing(database, ledgers);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== DISK_FULL) throw error;
    // A full disk does not stop the start: the rows are deleted already, and new quotes still fit. The next erasure or
    // start cleans the database files.
    console.error(`Erased quotes are still in the database files: ${message}`);
  }
  return () => finishErasing(database, ledgers);
}
