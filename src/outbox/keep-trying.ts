import { parcelsIn, type Entry } from './entry.ts';
import type { Outbox } from './outbox.ts';
import { PROBE_EVERY, type Cause } from './state.ts';

const NOT_BEFORE = 1000;

/** From now on what waits is tried when its time has come, while this page is open. What comes back tries it at once. */
export function keepTrying({ watch, entries, flush }: Pick<Outbox, 'watch' | 'entries' | 'flush'>) {
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
   * A try may change nothing, and then nobody is told: it failed at the disk, or came while an earlier one was ending,
   * or a millisecond too early. Without this look the next sign of life would be the next try.
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
