import { existsSync } from 'node:fs';
import path from 'node:path';
import { packed } from './archive.ts';
import type { UpgradeFolder } from './backups.ts';
import { inGroups } from './group-commit.ts';
import { NEW_DATABASE, requireSpace, RESERVE } from './disk-space.ts';
import { databaseUnavailable, START, startThread } from './watched-thread.ts';

/** What PostgreSQL reads from text, whatever its type there; JSON is such a text. */
export type Parameter = string | number | boolean | Date | null | undefined | readonly string[];

export interface Statement {
  readonly sql: string;
  /** Without any, `sql` may be several statements, as a migration is. */
  readonly parameters?: readonly Parameter[];
}

/** The part of PostgreSQL that the rest of the server needs, whichever one it is. */
export interface Database {
  /** How many transactions it carries out beside each other; one where it does not say. */
  readonly atOnce?: number;
  /** All of these or none, in their order. Resolves with the rows of the last. */
  transaction<Row extends object>(statements: readonly Statement[], how?: How): Promise<Row[]>;
  close(): Promise<void>;
}

export interface How {
  readonly access?: 'read' | 'write';
  /** Milliseconds after which it is given up, at the price of a new start of the database. */
  readonly within?: number;
  /** Called as a write begins: the next one may come, so that the database never waits for it, and both share a sync. */
  readonly onBegun?: () => void;
}

export interface EmbeddedDatabase extends Database {
  /** The whole database as one archive, of a moment between two transactions; others go on. */
  backup(): AsyncIterable<Uint8Array>;
  /** Nothing of what was deleted before is in any of its files when this resolves. */
  forget(): Promise<void>;
}

/** The first message to the thread of the database. */
export interface ThreadData {
  readonly folder: string;
  readonly migrations: string;
  /** Where it is kept as it was, before migrations of a newer release. */
  readonly backups?: UpgradeFolder;
  readonly afterwards: readonly Statement[];
}

export type Question = { readonly id: number } & (
  | { readonly kind: 'transaction'; readonly statements: readonly Statement[]; readonly access: 'read' | 'write' }
  | { readonly kind: 'sync' | 'checkpoint' | 'tidy' | 'forget' | 'close' }
);

/** A question without its number, whichever it is. */
type Asked = Question extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

/** Milliseconds that a transaction may take where it is not said. */
export const USUAL = 30_000;
/** A database that does not start is asked again, but not by every request. */
const REST_AFTER_FAILURE = 2000;
/** PGlite has no process that does it: without, its log grows for ever, and rows that are gone keep their room. */
const TIDY_AFTER = 2000;

/**
 * PostgreSQL in a thread of its own: a page never waits for it, and a statement that does not come back costs this
 * thread alone. No answer leaves before all that it knows of is on disk: not after a kill and not after a power cut is
 * there less than what was answered.
 */
export async function openDatabase(data: ThreadData): Promise<EmbeddedDatabase> {
  const { folder } = data;
  requireSpace(path.dirname(folder), existsSync(folder) ? RESERVE : RESERVE + NEW_DATABASE);
  let thread = await startThread(data);
  let starting: Promise<void> | undefined;
  let failedAt = 0;
  let closed = false;
  let writes = 0;
  let backups = 0;

  async function restart(): Promise<void> {
    if (Date.now() - failedAt < REST_AFTER_FAILURE) throw databaseUnavailable();
    try {
      thread = await startThread(data);
    } catch (error) {
      failedAt = Date.now();
      console.error(`The database does not start again: ${(error as Error).message}`);
      throw databaseUnavailable();
    }
  }

  async function ask(question: Asked, within: number): Promise<unknown> {
    if (closed) throw databaseUnavailable();
    if (thread.gone) await (starting ??= restart().finally(() => (starting = undefined)));
    return thread.ask(question, within);
  }

  /** The sync of the very thread that carried out what is to be kept: the memory of another one went with it. */
  async function sync(): Promise<void> {
    if (thread.gone) throw databaseUnavailable();
    try {
      await thread.ask({ kind: 'sync' }, USUAL);
    } catch (error) {
      console.error(`What was asked of the database is not kept: ${(error as Error).message}`);
      await thread.end();
      throw databaseUnavailable();
    }
  }

  // One after the other, so that a bound on time counts nothing but the statement's own.
  const inTurn = inGroups({ sync, keeper: () => thread, lost: databaseUnavailable });
  const alone = (question: Asked, within: number) => inTurn({ carryOut: () => ask(question, within), writes: false });

  return {
    transaction: async <Row extends object>(
      statements: readonly Statement[],
      { access = 'write', within = USUAL, onBegun }: How = {},
    ) => {
      const writing = access === 'write';
      const carryOut = () => ask({ kind: 'transaction', statements, access }, within);
      const rows = inTurn({ carryOut, writes: writing, onBegun });
      if (writing) writes += 1;
      // A backup needs the log from its beginning on, which a checkpoint lets go of.
      if (writes >= TIDY_AFTER && backups === 0) {
        writes = 0;
        alone({ kind: 'tidy' }, START).catch(() => undefined);
      }
      return (await rows) as Row[];
    },
    async *backup() {
      backups += 1;
      try {
        await alone({ kind: 'checkpoint' }, 10 * USUAL);
        yield* packed(folder, async () => void (await alone({ kind: 'sync' }, USUAL)));
      } finally {
        backups -= 1;
      }
    },
    forget: async () => void (await alone({ kind: 'forget' }, 10 * USUAL)),
    async close() {
      const ending = thread.gone ? undefined : alone({ kind: 'close' }, USUAL);
      await ending?.catch(() => undefined);
      closed = true;
      await thread.end();
    },
  };
}
