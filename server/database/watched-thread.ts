import { Worker } from 'node:worker_threads';

/** Error as a plain object, because a message between threads loses an error's properties. */
export interface Failure {
  readonly message: string;
  readonly code?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

export type Reply =
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly failure: Failure };

/**
 * Maximum number of milliseconds for opening the database. Even a large database that was not closed properly needs
 * less.
 */
export const START = 60_000;
/**
 * Maximum duration of a request, as a multiple of its time limit. The time limit counts only processor time, so it
 * would never end a request that waits for the disk.
 */
const FAR_TOO_LONG = 10;

/**
 * Memory limit for new JavaScript objects of the thread, which would otherwise grow to 48 MB. PostgreSQL's memory is
 * separate.
 */
const LIMITS = { maxYoungGenerationSizeMb: 8 };

interface Thread {
  readonly gone: boolean;
  ask(question: object, within: number): Promise<unknown>;
  end(): Promise<unknown>;
}

interface Request {
  readonly within: number;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

export async function startThread(data: object): Promise<Thread> {
  const worker = new Worker(new URL('database-thread.ts', import.meta.url), {
    workerData: data,
    resourceLimits: LIMITS,
  });
  /** Requests in the order in which the thread carries them out. The time limit applies to the first one. */
  const waiting = new Map<number, Request>();
  let gone = false;
  let lastId = 0;

  const watchFirst = createWatch(waiting, ({ within, reject }) => {
    console.error(`The database took more than ${within} ms for one request. It starts again.`);
    void worker.terminate();
    reject(databaseError('57014', 'The database took too long'));
    fail(databaseUnavailable());
  });
  const expect = (id: number, within: number) =>
    new Promise<unknown>((resolve, reject) => {
      waiting.set(id, { within, resolve, reject });
      watchFirst();
    });
  const fail = (error: Error) => {
    gone = true;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
    watchFirst();
  };
  worker.on('message', (reply: Reply) => {
    const request = waiting.get(reply.id);
    waiting.delete(reply.id);
    watchFirst();
    if ('failure' in reply) request?.reject(Object.assign(new Error(reply.failure.message), reply.failure));
    else request?.resolve(reply.result);
  });
  worker.on('error', (error) => fail(Object.assign(error, { code: '58000' })));
  worker.on('exit', () => fail(databaseUnavailable()));

  // The thread sends message 0 once the database is open.
  await expect(0, START).catch(async (error: unknown) => {
    await worker.terminate();
    throw error;
  });
  return {
    get gone() {
      return gone;
    },
    ask(question, within) {
      const id = ++lastId;
      const answer = expect(id, within);
      worker.postMessage({ ...question, id });
      return answer;
    },
    end: () => worker.terminate(),
  };
}

/** Watches the first request, and calls `onTimeout` if the request exceeds its time limit. */
function createWatch(waiting: ReadonlyMap<number, Request>, onTimeout: (request: Request) => void): () => void {
  let watched: Request | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    const [first] = waiting.values();
    if (first === watched) return;
    watched = first;
    clearTimeout(timer);
    if (!first) return;
    const { within } = first;
    const cpu = process.cpuUsage();
    const began = performance.now();
    const look = () => {
      const { user, system } = process.cpuUsage(cpu);
      const left = within - (user + system) / 1000;
      // The limit counts processor time, because other programs may slow a quick statement down.
      if (left > 0 && performance.now() - began < FAR_TOO_LONG * within)
        timer = setTimeout(look, Math.max(left, within / 10));
      else onTimeout(first);
    };
    timer = setTimeout(look, within);
  };
}

export function databaseUnavailable(): Error {
  return databaseError('57P03', 'The database is not available');
}

export function databaseError(code: string, message: string): Error {
  return Object.assign(new Error(message), { code });
}
