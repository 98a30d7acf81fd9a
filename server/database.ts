import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import path from 'node:path';
import { Worker } from 'node:worker_threads';

export interface Statement {
  readonly sql: string;
  /** Without any, `sql` may be several statements, as a migration is. */
  readonly parameters?: readonly unknown[];
}

/** What the rest of the server needs of PostgreSQL, whichever one it is. */
export interface Database {
  /** All of these or none, in their order. Resolves with the rows of the last. */
  transaction<Row extends object>(statements: readonly Statement[], how?: How): Promise<Row[]>;
  close(): Promise<void>;
}

interface How {
  readonly access?: 'read' | 'write';
  /** Milliseconds after which it is given up, at the price of a new start of the database. */
  readonly within?: number;
}

export interface EmbeddedDatabase extends Database {
  /** The whole of it as one file, as it is between two transactions. */
  backup(): Promise<Uint8Array>;
}

/** What the thread of the database is told at its start. */
export interface ThreadData {
  readonly folder: string;
  readonly migrations: string;
  readonly afterwards: readonly Statement[];
}

export type Question = { readonly id: number } & (
  | { readonly kind: 'transaction'; readonly statements: readonly Statement[]; readonly access: 'read' | 'write' }
  | { readonly kind: 'tidy' | 'backup' | 'close' }
);

/** An error loses its own properties on its way between threads. */
export interface Failure {
  readonly message: string;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure };

const MEGABYTE = 1024 * 1024;
/**
 * Where its log cannot grow, PGlite neither fails nor returns: it blocks its whole thread. The log
 * grows by 16 MB at a time, so writing stops while there is still room for that.
 */
const RESERVE = 48 * MEGABYTE;
const NEW_DATABASE = 40 * MEGABYTE;

/** Longer than a large directory takes that was not closed properly. */
const START = 60_000;
const USUAL = 30_000;
/** So many times its bound may pass for a request that uses no processor: it may wait for a disk, but not for ever. */
const FAR_TOO_LONG = 10;
/** A database that does not start is asked again, but not by every request. */
const REST_AFTER_FAILURE = 2000;
/** PGlite has no process that does it: without, its log grows for ever, and rows that are gone keep their room. */
const TIDY_AFTER = 2000;

/**
 * PostgreSQL in a thread of its own: a page never waits for it, and a statement that does not come back costs this
 * thread alone. Killed in the middle, it is as after a power cut: what was answered is there.
 */
export async function openDatabase(data: ThreadData): Promise<EmbeddedDatabase> {
  const { folder } = data;
  await requireRoom(path.dirname(folder), existsSync(folder) ? RESERVE : RESERVE + NEW_DATABASE);
  let thread = await startThread(data);
  let starting: Promise<void> | undefined;
  let failedAt = 0;
  let closed = false;
  let turn: Promise<unknown> = Promise.resolve();
  let writes = 0;

  async function restart(): Promise<void> {
    if (Date.now() - failedAt < REST_AFTER_FAILURE) throw notThere();
    try {
      thread = await startThread(data);
    } catch (error) {
      failedAt = Date.now();
      console.error(`The database does not start again: ${(error as Error).message}`);
      throw notThere();
    }
  }

  async function ask(question: Asked, within: number): Promise<unknown> {
    if (closed) throw notThere();
    if (question.kind === 'transaction' && question.access === 'write') await requireRoom(folder, RESERVE);
    if (thread.gone) await (starting ??= restart().finally(() => (starting = undefined)));
    return thread.ask(question, within);
  }

  /** One after the other, so that a bound on time counts nothing but the statement's own. */
  const inTurn = (question: Asked, within: number) => {
    const asked = turn.then(() => ask(question, within));
    turn = asked.catch(() => undefined);
    return asked;
  };

  return {
    transaction: async <Row extends object>(
      statements: readonly Statement[],
      { access = 'write', within = USUAL }: How = {},
    ) => {
      const rows = inTurn({ kind: 'transaction', statements, access }, within);
      if (access === 'write' && ++writes % TIDY_AFTER === 0) inTurn({ kind: 'tidy' }, START).catch(() => undefined);
      return (await rows) as Row[];
    },
    backup: async () => (await inTurn({ kind: 'backup' }, 10 * USUAL)) as Uint8Array,
    async close() {
      const ending = thread.gone ? undefined : inTurn({ kind: 'close' }, USUAL);
      await ending?.catch(() => undefined);
      closed = true;
      await thread.end();
    },
  };
}

/** A question without its number, whichever it is. */
type Asked = Question extends infer Each ? (Each extends unknown ? Omit<Each, 'id'> : never) : never;

interface Thread {
  readonly gone: boolean;
  ask(question: Asked, within: number): Promise<unknown>;
  end(): Promise<unknown>;
}

async function startThread(data: ThreadData): Promise<Thread> {
  const worker = new Worker(new URL('database-thread.ts', import.meta.url), { workerData: data });
  const waiting = new Map<number, { resolve: (value: unknown) => void; reject: (error: Error) => void }>();
  let gone = false;
  let asked = 0;

  const expect = (id: number, within: number) =>
    new Promise<unknown>((resolve, reject) => {
      const cpu = process.cpuUsage();
      const began = performance.now();
      const look = () => {
        const { user, system } = process.cpuUsage(cpu);
        const left = within - (user + system) / 1000;
        // On a machine that is busy with something else, a quick statement takes long too.
        if (left > 0 && performance.now() - began < FAR_TOO_LONG * within) {
          timer = setTimeout(look, Math.max(left, within / 10));
          return;
        }
        gone = true;
        console.error(`The database was busy with one request for more than ${within} ms, and starts again.`);
        void worker.terminate();
        fail(databaseError('57014', 'The database took too long'));
      };
      let timer = setTimeout(look, within);
      const settle =
        <Value>(end: (value: Value) => void) =>
        (value: Value) => {
          clearTimeout(timer);
          waiting.delete(id);
          end(value);
        };
      waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
    });
  const fail = (error: Error) => {
    gone = true;
    for (const { reject } of waiting.values()) reject(error);
  };
  worker.on('message', (reply: Reply) => {
    const asker = waiting.get(reply.id);
    if ('failure' in reply) asker?.reject(Object.assign(new Error(reply.failure.message), reply.failure));
    else asker?.resolve(reply.result);
  });
  worker.on('error', (error) => fail(Object.assign(error, { code: '58000' })));
  worker.on('exit', () => fail(notThere()));

  // It reports by itself once it is open.
  await expect(0, START).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  return {
    get gone() {
      return gone;
    },
    ask(question, within) {
      const id = ++asked;
      const answer = expect(id, within);
      worker.postMessage({ ...question, id } satisfies Question);
      return answer;
    },
    end: () => worker.terminate(),
  };
}

/** Fails as PostgreSQL does when a disk is full. */
async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(folder);
  if (bavail * bsize < bytes)
    throw databaseError('53100', `The disk is nearly full: less than ${bytes / MEGABYTE} MB are free for the database`);
}

function notThere(): Error {
  return databaseError('57P03', 'The database is not there');
}

function databaseError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
