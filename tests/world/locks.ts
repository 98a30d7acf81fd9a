import type { Time } from './time.ts';

/** Page or worker that requests a lock. */
export interface Asker {
  /** Runs a task in the page; never if the page is closed. */
  turn(run: () => void): void;
}

interface Request {
  readonly by: Asker;
  readonly work: () => unknown;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

interface Options {
  readonly signal?: AbortSignal;
  readonly steal?: boolean;
}

/** Web Locks of a phone (https://w3c.github.io/web-locks/), for the only lock name that the product uses. */
export class Locks {
  #holder: Request | undefined;
  #queue: Request[] = [];
  readonly #time: Time;
  /** Pages whose lock another page stole. After the browser resumes such a page, two flushes may run at once. */
  readonly robbed = new WeakSet<Asker>();

  constructor(time: Time) {
    this.#time = time;
  }

  get holder(): Asker | undefined {
    return this.#holder?.by;
  }

  request(by: Asker, { signal, steal }: Options, work: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = { by, work, resolve, reject };
      if (steal) {
        const robbed = this.#holder;
        if (robbed) this.robbed.add(robbed.by);
        robbed?.by.turn(() => robbed.reject(new DOMException('The lock was stolen.', 'AbortError')));
        return this.#grant(request);
      }
      signal?.addEventListener('abort', () => {
        if (!this.#queue.includes(request)) return;
        this.#queue = this.#queue.filter((each) => each !== request);
        reject(signal.reason);
      });
      this.#queue.push(request);
      this.#next();
    });
  }

  /** Releases the locks and lock requests of a closed page. */
  release(by: Asker): void {
    this.#queue = this.#queue.filter((each) => each.by !== by);
    if (this.#holder?.by === by) this.#holder = undefined;
    this.#next();
  }

  #next(): void {
    if (this.#holder) return;
    const request = this.#queue.shift();
    if (request) this.#grant(request);
  }

  #grant(request: Request): void {
    this.#holder = request;
    const { by, work, resolve, reject } = request;
    const end = () => {
      if (this.#holder !== request) return;
      this.#holder = undefined;
      this.#next();
    };
    const begin = () => void (async () => work())().then(resolve, reject).finally(end);
    this.#time.after(0, () => by.turn(begin));
  }
}
