import type { ReplyRow } from './conversation.ts';
import type { Outcome } from './state.ts';
import { sendAgain, withState, parcelsIn, type Entry, type Parcel } from './entry.ts';
import type { KeptEntries } from './kept-entries.ts';
import type { Quote } from '../lead/quote.ts';
import { isDue, isSending, SHOWN_AS_SENDING, settle, type Cause } from './state.ts';

/** One of the six connections that a browser has for one host is left to the page. */
const LANES = 5;
/** So many misses in a row say that the link is gone: the rest need not each wait for a time-out. */
const ENOUGH_MISSES = 3;
const LONGEST_POSTPONEMENT = 60_000;
/**
 * So many are sent between two looks at all of them, and twice as many as the last time while they go within a second;
 * one that is added meanwhile waits for no more than the first number.
 */
const LOOKED_AHEAD = 20;
const SOON = 1000;

const isFile = ({ reply }: Parcel) => reply?.kind === 'archivo';

export interface SendingMeans {
  /**
   * One try to bring a quote to the server. `replaced`: the id of the quote that it corrects. `deliveredAt`: when a server
   * that has lost it since had it first.
   */
  readonly send: (quote: Quote, replaced: string | undefined, deliveredAt: number | undefined) => Promise<Outcome>;
  /** The same for a reply to an answer. */
  readonly sendReply: (reply: ReplyRow, deliveredAt: number | undefined) => Promise<Outcome>;
  readonly now: () => number;
  /** From 0 to 1, as Math.random. */
  readonly chance: () => number;
}

export interface Drain {
  /** Sends what is due, side by side. Resolves with the quotes that have an answer now. */
  run(): Promise<readonly Entry[]>;
  /** For what was added, or is to be tried, meanwhile. False when it is too late for this drain to see it. */
  openLane(cause?: Cause): boolean;
}

export function createDrain(cause: Cause, kept: KeptEntries, { send, sendReply, now, chance }: SendingMeans): Drain {
  const settled: Entry[] = [];
  const tried = new Set<string>();
  const lanes = new Set<Promise<void>>();
  /** Entries that come next, as the last look at all of them had it. */
  let line: readonly string[] = [];
  let ahead = LOOKED_AHEAD;
  let lookedAt = -Infinity;
  let misses = 0;
  /** A file is on its way: one part at a time, behind everything else. */
  let hasFile = false;
  let reason = cause;
  let phase: 'before' | 'open' | 'over' = 'before';
  let again = false;

  /** The next one to be sent, marked as on its way. */
  async function take(): Promise<Parcel | undefined> {
    if (misses >= ENOUGH_MISSES) return undefined;
    const [only, ...rest] = line;
    line = rest;
    const { taken } = await kept.change(
      (entries) => {
        const time = now();
        // The least tried first, then the oldest: one that always fails holds up nobody.
        const candidates = parcelsIn(entries)
          .filter((parcel) => !tried.has(parcel.id) && !(isFile(parcel) && (hasFile || isSending(parcel, time))))
          .toSorted(
            (a, b) =>
              Number(isFile(a)) - Number(isFile(b)) || a.state.attempts - b.state.attempts || a.createdAt - b.createdAt,
          );
        const due = candidates.filter(({ state }) => isDue(state, reason, time));
        const next = due[0] ?? probe(candidates);
        if (!next) return {};
        // A correction is sent with the id of what it corrects, which is another entry.
        if (!only) {
          ahead = time - lookedAt < SOON ? 2 * ahead : LOOKED_AHEAD;
          lookedAt = time;
          line = due.slice(1, ahead).flatMap(({ id, quote, reply }) => reply?.quote_id ?? (quote?.reemplaza ? [] : id));
        }
        tried.add(next.id);
        hasFile ||= isFile(next);
        const state = { ...next.state, sendingUntil: time + SHOWN_AS_SENDING };
        return { put: withState(entries, next, state), taken: { ...next, state } };
      },
      'hold',
      only,
    );
    // The parcel may be gone, or sent by another lane.
    return taken ?? (only ? take() : undefined);
  }

  /** With nothing due, one quote asks whether the server is back. */
  function probe(candidates: readonly Parcel[]): Parcel | undefined {
    if (reason !== 'probe' || tried.size > 0) return undefined;
    return candidates.find(({ state }) => state.trouble === 'unreachable');
  }

  async function lane(): Promise<void> {
    for (let taken = await take(); taken; taken = await take()) {
      const { id, state, quote, reply } = taken;
      const { deliveredAt } = state;
      const outcome = await (quote ? send(quote, taken.replaced, deliveredAt) : sendReply(reply, deliveredAt));
      if (outcome.kind === 'unreachable') misses += 1;
      else {
        misses = 0;
        // The server is there: whatever waited for it need not wait any longer, nor for this lane alone.
        if ((reason === 'due' || reason === 'probe') && outcome.kind !== 'access-denied') {
          reason = 'sign-of-life';
          openLanes();
        }
      }
      const after = settle(state, outcome, now(), chance());
      // Nothing, if the visitor erased it meanwhile.
      const entryId = reply?.quote_id ?? id;
      const lost = new Set(outcome.kind === 'quote-lost' ? [entryId] : []);
      const { put } = await kept.change(
        (entries) => ({ put: withState(entries, taken, after).map((entry) => sendAgain(entry, lost, now())) }),
        'hold',
        entryId,
      );
      if (outcome.kind === 'more') tried.delete(id);
      if (isFile(taken)) hasFile = false;
      if (quote && after.kind !== 'waiting') settled.push(...put);
    }
  }

  function openLane(because?: Cause): boolean {
    if (because === 'probe' && reason === 'due') reason = because;
    if (phase === 'open' && lanes.size < LANES) {
      const opened = lane().finally(() => lanes.delete(opened));
      lanes.add(opened);
    }
    // What was added is not behind all that were looked at.
    [ahead, line] = [LOOKED_AHEAD, line.slice(0, LOOKED_AHEAD)];
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
    const waiting = parcelsIn(entries);
    const nextTries = waiting.filter(({ id }) => tried.has(id)).map(({ state }) => state.nextTry);
    const nextTry = Math.min(time + LONGEST_POSTPONEMENT, ...nextTries);
    const overdue = waiting.filter(({ id, state }) => !tried.has(id) && state.nextTry <= time);
    const postponed = entries.map((entry) =>
      overdue.reduce((each, parcel) => {
        return withState([each], parcel, { ...parcel.state, since: time, nextTry, trouble: 'unreachable' })[0] ?? each;
      }, entry),
    );
    return { put: postponed.filter((entry, at) => entry !== entries[at]) };
  }

  async function run(): Promise<readonly Entry[]> {
    phase = 'open';
    const ends: PromiseSettledResult<void>[] = [];
    do {
      openLanes();
      again = false;
      // One that fails does not end the others: nobody else may send while they do.
      while (lanes.size > 0) ends.push(...(await Promise.allSettled(lanes)));
    } while (again);
    phase = 'over';
    const failure = ends.find(({ status }) => status === 'rejected');
    if (failure) throw (failure as PromiseRejectedResult).reason;
    if (misses >= ENOUGH_MISSES) await kept.change(postpone, 'hold');
    return settled;
  }

  return { run, openLane };
}
