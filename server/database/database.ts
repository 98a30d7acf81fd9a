import { existsSync } from 'node:fs';
import path from 'node:path';
import { archiveFolder } from './archive.ts';
import type { UpgradeFolder } from './backups.ts';
import { inGroups } from './group-commit.ts';
import { NEW_DATABASE, requireSpace, RESERVE } from './disk-space.ts';
import { databaseUnavailable, START, startThread } from './watched-thread.ts';

export type Parameter = string | number | boolean | Date | null | undefined | readonly string[];

export interface Statement {
  readonly sql: string;
  /** Parameters of a single statement. Without parameters `sql` may contain several statements, such as a migration. */
  readonly parameters?: readonly Parameter[];
}

export interface Database {
  readonly atOnce?: number;
  /** Runs statements in one transaction. Resolves with the rows of the last one. */
  transaction<Row extends object>(statements: readonly Statement[], options?: TransactionOptions): Promise<Row[]>;
  close(): Promise<void>;
}

export interface TransactionOptions {
  readonly access?: 'read' | 'write';
  /** Milliseconds until the transaction fails and PGlite restarts. */
  readonly within?: number;
  /** Called when a write begins. The next write can then begin too, so that one sync puts both on disk. */
  readonly onBegun?: () => void;
}

export interface EmbeddedDatabase extends Database {
  /** Archives the whole database while transactions continue. */
  backup(): AsyncIterable<Uint8Array>;
  /** Removes the traces of deleted rows from all database files. */
  forget(): Promise<void>;
}

export interface ThreadData {
  readonly folder: string;
  readonly migrations: string;
  readonly backups?: UpgradeFolder;
  readonly afterwards: readonly Statement[];
}

export type ThreadRequest = { readonly id: number } & (
  | { readonly kind: 'transaction'; readonly statements: readonly Statement[]; readonly access: 'read' | 'write' }
  | { readonly kind: 'sync' | 'checkpoint' | 'tidy' | 'forget' | 'close' }
);

type NewRequest = ThreadRequest extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

export const TRANSACTION_TIMEOUT = 30_000;
/** Milliseconds between two attempts to restart the database. */
const WAIT_AFTER_FAILURE = 2000;
/**
 * Number of writes after which the database is vacuumed and makes a checkpoint, because PGlite has no background
 * process for them.
 */
const TIDY_AFTER = 2000;

/** Starts the database thread again whenever it has ended. */
async function startRestartingThread(data: ThreadData) {
  let thread = await startThread(data);
  let starting: Promise<void> | undefined;
  let failedAt = 0;

  async function restart(): Promise<void> {
    if (Date.now() - failedAt < WAIT_AFTER_FAILURE) throw databaseUnavailable();
    try {
      thread = await startThread(data);
    } catch (error) {
      failedAt = Date.now();
      console.error(`The database could not be restarted: ${(error as Error).message}`);
      throw databaseUnavailable();
    }
  }

  return {
    current: () => thread,
    async ask(request: NewRequest, within: number): Promise<unknown> {
      if (thread.gone) await (starting ??= restart().finally(() => (starting = undefined)));
      return thread.ask(request, within);
    },
  };
}

/**
 * Opens PGlite in a thread, so that pages never wait for PGlite and a stuck statement ends only the thread. A write is
 * answered after its data are on disk, so that a kill or a power cut loses nothing that was acknowledged.
 */
export async function openDatabase(data: ThreadData): Promise<EmbeddedDatabase> {
  const { folder } = data;
  requireSpace(path.dirname(folder), existsSync(folder) ? RESERVE : RESERVE + NEW_DATABASE);
  const restarting = await startRestartingThread(data);
  let closed = false;
  let writes = 0;
  let backups = 0;

  async function ask(request: NewRequest, within: number): Promise<unknown> {
    if (closed) throw databaseUnavailable();
    return restarting.ask(request, within);
  }

  /**
   * Makes the current thread put its writes on disk. Fails if this thread has ended, because its unsynced writes may be
   * lost.
   */
  async function sync(): Promise<void> {
    const thread = restarting.current();
    if (thread.gone) throw databaseUnavailable();
    try {
      await thread.ask({ kind: 'sync' }, TRANSACTION_TIMEOUT);
    } catch (error) {
      console.error(`The database could not store the last writes: ${(error as Error).message}`);
      await thread.end();
      throw databaseUnavailable();
    }
  }

  // Statements run one after another. Waiting for another statement therefore does not count towards a statement's time
  // limit.
  const inTurn = inGroups({ sync, keeper: restarting.current, lost: databaseUnavailable });
  const alone = (request: NewRequest, within: number) =>
    inTurn({ carryOut: () => ask(request, within), writes: false });

  return {
    transaction: async <Row extends object>(
      statements: readonly Statement[],
      { access = 'write', within = TRANSACTION_TIMEOUT, onBegun }: TransactionOptions = {},
    ) => {
      const writing = access === 'write';
      const carryOut = () => ask({ kind: 'transaction', statements, access }, within);
      const rows = inTurn({ carryOut, writes: writing, onBegun });
      if (writing) writes += 1;
      // No checkpoint is made during a backup, because a checkpoint may remove the log that the backup needs.
      if (writes >= TIDY_AFTER && backups === 0) {
        writes = 0;
        alone({ kind: 'tidy' }, START).catch(() => undefined);
      }
      return (await rows) as Row[];
    },
    async *backup() {
      backups += 1;
      try {
        await alone({ kind: 'checkpoint' }, 10 * TRANSACTION_TIMEOUT);
        yield* archiveFolder(folder, async () => void (await alone({ kind: 'sync' }, TRANSACTION_TIMEOUT)));
      } finally {
        backups -= 1;
      }
    },
    forget: async () => void (await alone({ kind: 'forget' }, 10 * TRANSACTION_TIMEOUT)),
    async close() {
      const ending = restarting.current().gone ? undefined : alone({ kind: 'close' }, TRANSACTION_TIMEOUT);
      await ending?.catch(() => undefined);
      closed = true;
      await restarting.current().end();
    },
  };
}
