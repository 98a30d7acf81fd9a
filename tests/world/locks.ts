import type { Time } from './time.ts';

/** A page or worker that asks. */
export interface Asker {
  readonly isAlive: boolean;
  /** Does it when this page's turn comes: never, if it has gone by then. */
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

/** Web Locks of one phone, of which the product knows one name. https://w3c.github.io/web-locks/ */
export class Locks {
  #held: Request | undefined;
  readonly #queue: Request[] = [];
  readonly #time: Time;
  /** Those from whom it was ever taken: one that thaws goes on with its old flush beside its new one, and after it. */
  readonly robbed = new WeakSet<Asker>();

  constructor(time: Time) {
    this.#time = time;
  }

  get holder(): Asker | undefined {
    return this.#held?.by;
  }

  request(by: Asker, options: Options, work: () => unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const request = { by, work, resolve, reject };
      if (options.steal) {
        if (this.#held) {
          const { by: before, reject: end } = this.#held;
          this.robbed.add(before);
          before.turn(() => end(new DOMException('The lock was stolen.', 'AbortError')));
        }
        return this.#grant(request);
      }
      options.signal?.addEventListener('abort', () => {
        const place = this.#queue.indexOf(request);
        if (place < 0) return;
        this.#queue.splice(place, 1);
        reject(options.signal!.reason);
      });
      this.#queue.push(request);
      this.#next();
    });
  }

  /** Who has gone holds nothing, and waits for nothing. */
  release(by: Asker): void {
    for (let place = this.#queue.length - 1; place >= 0; place -= 1)
      if (this.#queue[place]!.by === by) this.#queue.splice(place, 1);
    if (this.#held?.by === by) this.#held = undefined;
    this.#next();
  }

  #next(): void {
    if (this.#held) return;
    const request = this.#queue.shift();
    if (request) this.#grant(request);
  }

  #grant(request: Request): void {
    this.#held = request;
    const { by, work, resolve, reject } = request;
    const end = () => {
      if (this.#held !== request) return;
      this.#held = undefined;
      this.#next();
    };
    this.#time.after(0, () =>
      by.turn(() => {
        void (async () => work())().then(resolve, reject).finally(end);
      }),
    );
  }
}
