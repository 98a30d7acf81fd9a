import { answerOf } from '../lead/messages.ts';
import type { Outgoing } from './messages.ts';
import type { Outcome } from './state.ts';
import { sendAgain, withOffer, withState, parcelsIn, type Entry, type Parcel } from './entry.ts';
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

const isFile = ({ message }: Parcel) => message?.kind === 'archivo';

export interface SendingMeans {
  /**
   * One try to bring a quote to the server. `replaced`: the id of the quote that it corrects. `deliveredAt`: when a server
   * that has lost it since had it first.
   */
  readonly send: (quote: Quote, replaced: string | undefined, deliveredAt: number | undefined) => Promise<Outcome>;
  /** The same for a message about a quote. */
  readonly sendMessage: (message: Outgoing, deliveredAt: number | undefined) => Promise<Outcome>;
  readonly now: () => number;
  /** The browser is putting the page aside: what is on its way ends, and nothing more is begun. */
  readonly isAside: () => boolean;
  /** From 0 to 1, as Math.random. */
  readonly chance: () => number;
}

/** How a try ended, to be written. */
interface Ended {
  readonly entryId: string;
  /** A quote has an answer now. */
  readonly isQuote: boolean;
  readonly write: (entries: readonly Entry[]) => readonly Entry[];
}

export interface Drain {
  /** Sends what is due, side by side. Resolves with the quotes that have an answer now. */
  run(): Promise<readonly Entry[]>;
  /** For what was added, or is to be tried, meanwhile. False when it is too late for this drain to see it. */
  openLane(cause?: Cause): boolean;
}

export function createDrain(
  cause: Cause,
  kept: KeptEntries,
  { send, sendMessage, now, chance, isAside }: SendingMeans,
): Drain {
  const settled: Entry[] = [];
  const tried = new Set<string>();
  const lanes = new Set<Promise<void>>();
  const failures: unknown[] = [];
  /** Entries that come next, as the last look at all of them had it. */
  let line: readonly string[] = [];
  let ahead = LOOKED_AHEAD;
  let lookedAt = -Infinity;
  /** How the tries of the lanes that are free ended. */
  let free: (Ended | undefined)[] = [];
  /** What they wait for, while the step before that is under way. */
  let coming: Promise<readonly Parcel[]> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let misses = 0;
  /** A file is on its way: one part at a time, behind everything else. */
  let hasFile = false;
  let reason = cause;
  let phase: 'before' | 'open' | 'over' = 'before';
  let again = false;

  /**
   * Writes how the last try ended, and resolves with the next one, marked as on its way. Transactions that write wait for
   * each other: there is one for all lanes that became free during the last.
   */
  async function next(ended?: Ended): Promise<Parcel | undefined> {
    const at = free.push(ended) - 1;
    coming ??= last.then(() => {
      const [ends, count] = [free.filter((one) => one !== undefined), free.length];
      [free, coming] = [[], undefined];
      return step(ends, count);
    });
    last = coming.catch(() => undefined);
    return (await coming)[at];
  }

  async function step(ended: readonly Ended[], count: number): Promise<readonly Parcel[]> {
    const wanted = misses < ENOUGH_MISSES && !isAside() ? count : 0;
    if (wanted + ended.length === 0) return [];
    const looked = line.slice(0, wanted);
    line = line.slice(wanted);
    const isAll = looked.length < wanted;
    const only = isAll ? undefined : [...looked, ...ended.map(({ entryId }) => entryId)];
    const decided = await kept.change(
      (entries) => {
        let current = entries;
        const write = (written: readonly Entry[]) => {
          current = current.map((entry) => written.find(({ id }) => id === entry.id) ?? entry);
          return written;
        };
        const answered = ended.flatMap((one) => {
          const written = write(one.write(current));
          return one.isQuote ? written : [];
        });
        const sendingUntil = now() + SHOWN_AS_SENDING;
        const taken = choose(current, wanted, isAll).map((parcel): Parcel => {
          const state = { ...parcel.state, sendingUntil };
          write(withState(current, parcel, state));
          return { ...parcel, state };
        });
        return { put: current.filter((entry, at) => entry !== entries[at]), taken, answered };
      },
      'hold',
      only,
    );
    settled.push(...decided.answered);
    const { taken } = decided;
    const missing = isAll ? 0 : wanted - taken.length;
    if (missing === 0) return taken;
    // Some may be gone, or were sent by another lane.
    const more = step([], missing);
    // What is marked as on its way must go, whatever becomes of a second look.
    return taken.length === 0 ? more : [...taken, ...(await more.catch(() => []))];
  }

  /** The next `wanted` of these. `isAll`: they are all that there are, and what comes behind them is noted. */
  function choose(entries: readonly Entry[], wanted: number, isAll: boolean): readonly Parcel[] {
    const time = now();
    // The least tried first, then the oldest: one that always fails holds up nobody.
    const candidates = parcelsIn(entries)
      .filter((parcel) => !tried.has(parcel.id) && !(isFile(parcel) && (hasFile || isSending(parcel, time))))
      .toSorted(
        (a, b) =>
          Number(isFile(a)) - Number(isFile(b)) || a.state.attempts - b.state.attempts || a.createdAt - b.createdAt,
      );
    const due = candidates
      .filter(({ state }) => isDue(state, reason, time))
      .filter((parcel, _, all) => !isFile(parcel) || parcel === all.find(isFile));
    const chosen = (due.length > 0 ? due : probe(candidates)).slice(0, wanted);
    // A correction is sent with the id of what it corrects, which is another entry.
    if (isAll && chosen.length > 0) {
      ahead = time - lookedAt < SOON ? 2 * ahead : LOOKED_AHEAD;
      lookedAt = time;
      line = due
        .slice(wanted, ahead)
        .flatMap(({ id, quote, message }) => message?.quoteId ?? (quote?.reemplaza ? [] : id));
    }
    for (const parcel of chosen) {
      tried.add(parcel.id);
      hasFile ||= isFile(parcel);
    }
    return chosen;
  }

  /** With nothing due, one quote asks whether the server is back. */
  function probe(candidates: readonly Parcel[]): readonly Parcel[] {
    return candidates
      .filter(({ state }) => reason === 'probe' && tried.size === 0 && state.trouble === 'unreachable')
      .slice(0, 1);
  }

  async function lane(): Promise<void> {
    let ended: Ended | undefined;
    for (let taken = await next(); taken; taken = await next(ended)) ended = await tryOnce(taken);
  }

  async function tryOnce(taken: Parcel): Promise<Ended> {
    const { id, state, quote, message } = taken;
    const { deliveredAt } = state;
    const outcome = await (quote ? send(quote, taken.replaced, deliveredAt) : sendMessage(message, deliveredAt));
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
    const entryId = message?.quoteId ?? id;
    const lost = new Set(outcome.kind === 'quote-lost' ? [entryId] : []);
    // The server's next answer may be long in coming.
    const withOver = (entry: Entry) =>
      outcome.kind === 'delivered' && outcome.over && message
        ? withOffer(entry, answerOf(message), outcome.over)
        : entry;
    return {
      entryId,
      isQuote: quote !== undefined && after.kind !== 'waiting',
      write(entries) {
        if (outcome.kind === 'more') tried.delete(id);
        if (isFile(taken)) hasFile = false;
        // Nothing, if the visitor erased it meanwhile.
        return withState(entries, taken, after).map((entry) => sendAgain(withOver(entry), lost, now()));
      },
    };
  }

  function openLane(because?: Cause): boolean {
    if (because === 'probe' && reason === 'due') reason = because;
    if (phase === 'open' && lanes.size < LANES) {
      const opened = lane()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => lanes.delete(opened));
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
    do {
      openLanes();
      again = false;
      // One that fails does not end the others: nobody else may send while they do.
      while (lanes.size > 0) await Promise.all(lanes);
    } while (again);
    phase = 'over';
    if (failures.length > 0) throw failures[0];
    if (misses >= ENOUGH_MISSES) await kept.change(postpone, 'hold');
    return settled;
  }

  return { run, openLane };
}
