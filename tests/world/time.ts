/** Time at which every simulation begins, an afternoon in Mexico. */
export const BEGIN = Date.UTC(2026, 10, 23, 20);
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

export interface Task {
  readonly at: number;
  /** Task; undefined after the task ran or was cancelled. */
  run: (() => void) | undefined;
}

/** Simulated clock, independent of real time. Tasks for the same time run in the order in which they were added. */
export class Time {
  now = BEGIN;
  /** Number of tasks that ran. */
  steps = 0;
  /** Pending tasks in reverse order, so that the next task is the last element. */
  readonly #tasks: Task[] = [];

  after(wait: number, run: () => void): Task {
    const task = { at: this.now + Math.max(0, wait), run };
    let low = 0;
    let high = this.#tasks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#tasks[middle]!.at > task.at) low = middle + 1;
      else high = middle;
    }
    this.#tasks.splice(low, 0, task);
    return task;
  }

  /** Runs each task with all its microtasks before the next task. */
  run(isOver: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const step = () => {
        try {
          if (isOver()) return resolve();
          let task = this.#tasks.pop();
          while (task && !task.run) task = this.#tasks.pop();
          if (!task) return resolve();
          this.now = task.at;
          this.steps += 1;
          const { run } = task;
          task.run = undefined;
          run!();
        } catch (error) {
          return reject(error);
        }
        // Node runs all microtasks before it runs setImmediate.
        setImmediate(step);
      };
      setImmediate(step);
    });
  }
}
