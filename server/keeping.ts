import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { AUTH_SCHEMA } from './auth/schema.ts';
import { holdDataDirectory } from './database/data-directory.ts';
import { openDatabase, type Database, type Statement } from './database/database.ts';
import { eraseAgain, finishErasing, readErased, type Erasing } from './database/erased.ts';
import { openPostgres } from './database/postgres.ts';
import { requireRoom } from './database/room.ts';
import type { Settings } from './settings.ts';

/** The database that quotes are kept in, whichever it is, and what is kept beside it. */
export interface Keeping {
  readonly database: Database;
  /** What keys and sessions are signed with. */
  readonly secret: Uint8Array;
  /** Throws where its disk is nearly full, as far as this program can see to it. */
  requireRoom(): void;
  /** Resolves when what was deleted is erased as far as this program can see to it. */
  finishErasing(): Promise<void>;
  /** The whole of it as one file; a server of one's own has its own tools. */
  readonly backup?: () => Promise<Uint8Array>;
  /** Tells commands on this machine where they can ask. */
  announce(address: string): void;
  close(): Promise<void>;
}

export type KeepingSettings = Pick<Settings, 'dataDir'> & Partial<Pick<Settings, 'backups' | 'database'>>;

interface How {
  readonly migrations: string;
  /** Of a command, which opens it beside running servers, `false`. */
  readonly serves: boolean;
  /** What a server sets as it starts. */
  readonly limits: Statement;
}

/** Opens it, or throws a sentence and leaves it as it was. */
export function openKeeping(settings: KeepingSettings, how: How): Promise<Keeping> {
  return settings.database ? openOwn(settings, settings.database, how) : openEmbedded(settings, how);
}

async function openEmbedded(settings: KeepingSettings, { migrations, limits }: How): Promise<Keeping> {
  const directory = holdDataDirectory(settings.dataDir);
  try {
    const database = await openDatabase({
      folder: directory.databaseFolder,
      migrations,
      backups: settings.backups?.folder ?? join(settings.dataDir, 'backups'),
      afterwards: [limits, AUTH_SCHEMA],
    });
    return {
      database,
      secret: directory.secret,
      requireRoom: () => requireRoom(directory.databaseFolder),
      finishErasing: await eraseWhatWasErased(database, ledgersOf(settings)),
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
 * Several processes have it, and no folder in common: the key is with the data. In a folder of this machine there is
 * nothing but the ids of what was erased, which an older dump brings back.
 */
async function openOwn(
  settings: KeepingSettings,
  { address, connections }: NonNullable<Settings['database']>,
  { migrations, serves, limits }: How,
): Promise<Keeping> {
  const database = await openPostgres({
    address,
    connections,
    migrations,
    mayMigrate: serves,
    afterwards: [AUTH_SCHEMA, SECRET_SCHEMA, newSecret(), ...(serves ? [limits] : [])],
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
      requireRoom: () => undefined,
      finishErasing: await eraseWhatWasErased(erasing, ledgersOf(settings)),
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

const ledgersOf = ({ dataDir, backups }: KeepingSettings) => [dataDir, ...(backups ? [backups.folder] : [])];

/** What a restored database has again goes again. Resolves with what follows a purge. */
async function eraseWhatWasErased(database: Erasing, ledgers: readonly string[]): Promise<() => Promise<void>> {
  const again = await eraseAgain(database, [...readErased(ledgers)]);
  if (again > 0) console.log(`${again} quotes that had been erased were in the database again: they are erased.`);
  await finishErasing(database, ledgers);
  return () => finishErasing(database, ledgers);
}
