import { parcelsIn, type Entry } from './entry.ts';
import type { Outbox } from './outbox.ts';
import { PROBE_EVERY, type Cause } from './state.ts';

const NOT_BEFORE = 1000;

/** Retries waiting entries when they are due, while this page is open. Returns a function that retries them at once. */
export function startRetryTimer({ watch, entries, flush }: Pick<Outbox, 'watch' | 'entries' | 'flush'>) {
  let timer: ReturnType<typeof setTimeout>;
  let known: readonly Entry[] = [];

  function schedule(now: readonly Entry[]): void {
    known = now;
    clearTimeout(timer);
    const time = Date.now();
    const waits = parcelsIn(now).map(({ state }) => {
      const wait = Math.max(state.nextTry - time, NOT_BEFORE);
      return state.trouble === 'unreachable' ? Math.min(wait, PROBE_EVERY) : wait;
    });
    if (waits.length > 0) timer = setTimeout(() => tryNow('probe'), Math.min(...waits));
  }

  /**
   * Sends at once, and then sets the next timer. `watch` alone would not set the timer if the flush changes nothing:
   * the disk failed, another flush was ending, or the timer fired a millisecond early.
   */
  function tryNow(cause: Cause): void {
    void flush(cause)
      .catch(() => undefined)
      .then(entries)
      .then(schedule, () => schedule(known));
  }

  watch(schedule);
  return tryNow;
}
