/** The first moment of every world, in Mexico's afternoon. */
export const BEGIN = Date.UTC(2026, 10, 23, 20);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Task {
  at: number;
  order: number;
  /** Undefined once it is over, or was called off. */
  run: (() => void) | undefined;
}

/**
 * The one clock of a world. Nothing in it waits for a real one: what is due next happens next, and of two that are due
 * at the same moment the one that was asked for first.
 */
export class Time {
  now = BEGIN;
  /** How much has happened. */
  steps = 0;
  readonly #heap: Task[] = [];
  #order = 0;

  after(wait: number, run: () => void): Task {
    const task = { at: this.now + Math.max(0, wait), order: this.#order++, run };
    const heap = this.#heap;
    let place = heap.push(task) - 1;
    while (place > 0) {
      const parent = (place - 1) >> 1;
      if (!isBefore(task, heap[parent]!)) break;
      heap[place] = heap[parent]!;
      place = parent;
    }
    heap[place] = task;
    return task;
  }

  /** When this task has run, so has every microtask that follows from it before the next one does. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        try {
          if (isOver()) return resolve();
          const task = this.#next();
          if (!task) return resolve();
          this.now = task.at;
          this.steps += 1;
          const { run } = task;
          task.run = undefined;
          run!();
        } catch (error) {
          return reject(error);
        }
        // Node ends the microtasks before it: that, and no passing of time, is what it is for.
        setImmediate(step);
      };
      setImmediate(step);
    });
  }

  #next(): Task | undefined {
    const heap = this.#heap;
    for (;;) {
      const first = heap[0];
      if (!first) return undefined;
      const last = heap.pop()!;
      if (heap.length > 0) {
        let place = 0;
        for (;;) {
          let child = 2 * place + 1;
          if (child >= heap.length) break;
          if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
          if (!isBefore(heap[child]!, last)) break;
          heap[place] = heap[child]!;
          place = child;
        }
        heap[place] = last;
      }
      if (first.run) return first;
    }
  }
}

function isBefore(one: Task, other: Task): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
