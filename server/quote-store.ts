import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { AUTH_SCHEMA } from './auth/schema.ts';
import { endUnfinishedBackups, endUpgradeBackups, upgradeFolderOf } from './database/backups.ts';
import { removeAbandonedTrial, lockDataDirectory } from './database/data-directory.ts';
import { openDatabase, type Database, type Statement } from './database/database.ts';
import { eraseAgain, finishErasing, readErased, type Erasing } from './database/erasure-ledger.ts';
import { openPostgres } from './database/postgres.ts';
import { DISK_FULL, requireSpace, requireSpaceToForget } from './database/disk-space.ts';
import type { Settings } from './settings.ts';

/** The database that quotes are kept in, whichever it is, and what is kept beside it. */
interface QuoteStore {
  readonly database: Database;
  /** What keys and sessions are signed with. */
  readonly secret: Uint8Array;
  /** Throws where its disk is nearly full, as far as this program can see to it. */
  requireSpace(): void;
  readonly erasing: Erasure;
  /** The whole of it as one file; a server of one's own has its own tools. */
  readonly backup?: () => AsyncIterable<Uint8Array>;
  /** Tells commands on this machine where they can ask. */
  announce(address: string): void;
  close(): Promise<void>;
}

/** How what is deleted goes from every file, as far as this program can see to it. */
export interface Erasure {
  /** Throws where its disk has no room for that, or a copy of it is in use, before anything is deleted. */
  requireSpace(): void;
  /** Resolves when all that was deleted is erased. */
  finish(): Promise<unknown>;
}

export type StoreSettings = Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 'backups' | 'database'>>;

interface How {
  readonly migrations: string;
  /** Of a command, which opens it beside running servers, `false`. */
  readonly serves: boolean;
  /** What a server sets as it starts. */
  readonly settings: readonly Statement[];
}

/** Opens it, or throws a sentence and leaves it as it was. */
export function openQuoteStore(settings: StoreSettings, how: How): Promise<QuoteStore> {
  return settings.database ? openOwn(settings, settings.database, how) : openEmbedded(settings, how);
}

async function openEmbedded(settings: StoreSettings, { migrations, settings: own }: How): Promise<QuoteStore> {
  const directory = lockDataDirectory(settings.dataDir);
  const backups = upgradeFolderOf(settings);
  try {
    endLeftover(() => removeAbandonedTrial(settings.dataDir));
    endLeftover(() => endUpgradeBackups(backups.folder));
    endLeftover(() => endUnfinishedBackups(backups.folder));
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
          // A copy may have been made, and left, while it was still in the files. A backup that is under way fails.
          removeAbandonedTrial(settings.dataDir);
          endLeftover(() => endUnfinishedBackups(backups.folder, 'remove'));
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

/** What was left half-way holds what is erased from now on. */
function endLeftover(end: () => void): void {
  try {
    end();
  } catch (error) {
    console.error(`What an upgrade or a backup has left could not be removed: ${(error as Error).message}`);
  }
}

/**
 * Several processes have it, and no folder in common: the key is with the data. In a folder of this machine there is
 * nothing but the ids of what was erased, which an older dump brings back.
 */
async function openOwn(
  settings: StoreSettings,
  { address, connections }: NonNullable<Settings['database']>,
  { migrations, serves, settings: own }: How,
): Promise<QuoteStore> {
  const database = await openPostgres({
    address,
    connections,
    migrations,
    mayMigrate: serves,
    afterwards: [AUTH_SCHEMA, SECRET_SCHEMA, newSecret(), ...(serves ? own : [])],
  });
  try {
    const [kept] = await database.transaction<{ secret: string }>(
      [{ sql: 'select secret from private_auth.secret', parameters: [] }],
      { access: 'read' },
    );
    mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
    // Its tables, its log, its standbys and its dumps are its administrator's to clear.
    const erasing: Erasing = {
      transaction: (...asked) => database.transaction(...asked),
      forget: async () => undefined,
    };
    return {
      database,
      secret: Buffer.from(kept!.secret, 'base64'),
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

/** No role of the API has a grant here. */
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

/** What a restored database has again goes again. Resolves with what follows a purge. */
async function resumeErasure(database: Erasing, ledgers: readonly string[]): Promise<() => Promise<boolean>> {
  const again = await eraseAgain(database, [...readErased(ledgers)]);
  if (again > 0) console.log(`${again} quotes that had been erased were in the database again: they are erased.`);
  try {
    await finishErasing(database, ledgers);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== DISK_FULL) throw error;
    // Nobody reads it any more, and quotes can be taken: the rest comes with the next purge or start.
    console.error(`Something of what was erased is still in a file of the database: ${message}`);
  }
  return () => finishErasing(database, ledgers);
}
