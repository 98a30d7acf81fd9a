import { Worker } from 'node:worker_threads';
import type { Done, Task } from './thread.ts';

export const THREADS = 2;

/** Threads that live through what they are given, one after the other. */
export class Threads {
  readonly #free: Worker[] = [];
  readonly #all: Worker[];
  readonly #waiting: ((worker: Worker) => void)[] = [];

  constructor() {
    this.#all = Array.from(
      { length: THREADS },
      () => new Worker(new URL('thread.ts', import.meta.url), { resourceLimits: { maxYoungGenerationSizeMb: 48 } }),
    );
    this.#free.push(...this.#all);
  }

  async run(task: Task): Promise<Done> {
    const worker = this.#free.pop() ?? (await new Promise<Worker>((resolve) => this.#waiting.push(resolve)));
    let listeners: { message: (done: Done) => void; error: (error: unknown) => void } | undefined;
    try {
      return await new Promise<Done>((message, error) => {
        listeners = { message, error };
        worker.on('message', message).on('error', error).postMessage(task);
      });
    } finally {
      worker.off('message', listeners!.message).off('error', listeners!.error);
      const next = this.#waiting.shift();
      if (next) next(worker);
      else this.#free.push(worker);
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.#all.map((worker) => worker.terminate()));
  }
}
