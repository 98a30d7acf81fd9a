import type { Outcome } from './delivery.ts';
import { isDue, isWaiting, SENDING_LEASE, settle, type Cause, type Entry, type Waiting } from './entry.ts';
import type { KeptEntries } from './kept-entries.ts';
import type { Quote } from './quote.ts';

/** Of the six connections that a browser has for one host, one is left to the page. */
const LANES = 5;
/** So many misses in a row say that the link is gone: the rest need not each wait for a time-out. */
const ENOUGH_MISSES = 3;
const LONGEST_POSTPONEMENT = 60_000;

export interface SendingMeans {
  /** One try to bring a quote to the server. */
  readonly send: (quote: Quote) => Promise<Outcome>;
  readonly now: () => number;
  /** From 0 to 1, as Math.random. */
  readonly chance: () => number;
}

export interface Drain {
  /** Sends what is due, side by side. Resolves with what has an answer now. */
  run(): Promise<readonly Entry[]>;
  /** For what was added, or is to be tried, meanwhile. False when it is too late for this drain to see it. */
  openLane(cause?: Cause): boolean;
}

export function createDrain(cause: Cause, kept: KeptEntries, { send, now, chance }: SendingMeans): Drain {
  const settled: Entry[] = [];
  const tried = new Set<string>();
  const lanes = new Set<Promise<void>>();
  let misses = 0;
  let reason = cause;
  let phase: 'before' | 'open' | 'over' = 'before';
  let again = false;

  /** The next one to be sent, marked as on its way. */
  async function take(): Promise<Waiting | undefined> {
    if (misses >= ENOUGH_MISSES) return undefined;
    const { put } = await kept.change((entries) => {
      const time = now();
      // The least tried first, then the oldest: one that always fails holds up nobody.
      const candidates = entries
        .filter(isWaiting)
        .filter(({ id }) => !tried.has(id))
        .toSorted((a, b) => a.state.attempts - b.state.attempts || a.createdAt - b.createdAt);
      const entry = candidates.find((candidate) => isDue(candidate, reason, time)) ?? probe(candidates);
      if (!entry) return { put: [] };
      tried.add(entry.id);
      return { put: [{ ...entry, state: { ...entry.state, sendingUntil: time + SENDING_LEASE } }] };
    }, 'hold');
    return put[0];
  }

  /** With nothing due, one quote asks whether the server is back. */
  function probe(candidates: readonly Waiting[]): Waiting | undefined {
    if (reason !== 'probe' || tried.size > 0) return undefined;
    return candidates.find(({ state }) => state.trouble === 'unreachable');
  }

  async function lane(): Promise<void> {
    for (let taken = await take(); taken; taken = await take()) {
      const outcome = await send(taken.quote);
      if (outcome.kind === 'unreachable') misses += 1;
      else {
        misses = 0;
        // The server is there: whatever waited for it need not wait any longer, nor for this lane alone.
        if ((reason === 'due' || reason === 'probe') && outcome.kind !== 'access-denied') {
          reason = 'sign-of-life';
          openLanes();
        }
      }
      const after = settle(taken, outcome, now(), chance());
      if (after.state.kind !== 'waiting') settled.push(after);
      // Unless the visitor erased it meanwhile.
      await kept.change((entries) => ({ put: entries.some(({ id }) => id === after.id) ? [after] : [] }), 'hold');
    }
  }

  function openLane(because?: Cause): boolean {
    if (because === 'probe' && reason === 'due') reason = because;
    if (phase === 'open' && lanes.size < LANES) {
      const opened = lane().finally(() => lanes.delete(opened));
      lanes.add(opened);
    }
    // A lane that is ending may have looked too early.
    again = true;
    return phase !== 'over';
  }

  function openLanes(): void {
    for (let count = 0; count < LANES; count += 1) openLane();
  }

  /** The link is gone: what was not tried waits as long as what was. */
  function postpone(entries: readonly Entry[]) {
    const time = now();
    const waiting = entries.filter(isWaiting);
    const nextTries = waiting.filter(({ id }) => tried.has(id)).map(({ state }) => state.nextTry);
    const nextTry = Math.min(time + LONGEST_POSTPONEMENT, ...nextTries);
    const put = waiting
      .filter(({ id, state }) => !tried.has(id) && state.nextTry <= time)
      .map((entry): Entry => ({ ...entry, state: { ...entry.state, since: time, nextTry, trouble: 'unreachable' } }));
    return { put };
  }

  async function run(): Promise<readonly Entry[]> {
    phase = 'open';
    do {
      openLanes();
      again = false;
      while (lanes.size > 0) await Promise.all(lanes);
    } while (again);
    phase = 'over';
    if (misses >= ENOUGH_MISSES) await kept.change(postpone, 'hold');
    return settled;
  }

  return { run, openLane };
}
