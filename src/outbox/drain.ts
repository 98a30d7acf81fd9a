import { answerIdOf } from '../lead/messages.ts';
import type { Outgoing } from './messages.ts';
import type { SendOutcome } from './state.ts';
import { sendAgain, withOffer, withState, parcelsIn, type Entry, type Parcel } from './entry.ts';
import type { EntryStore } from './entry-store.ts';
import type { Quote } from '../lead/quote.ts';
import { isDue, isSending, SHOWN_AS_SENDING, settle, type Cause } from './state.ts';

/**
 * Number of lanes. Each lane sends one request at a time. Browsers open six connections per host, and one of the six
 * stays free for the page.
 */
const LANES = 5;
/**
 * Number of failures in a row after which the drain stops. Without this limit, each quote that waits on a phone without
 * a connection would wait for its own time-out.
 */
const MOST_FAILURES_IN_A_ROW = 3;
const LONGEST_POSTPONEMENT = 60_000;
/**
 * Number of entries for which one full read decides the order of sending. Doubled while a batch takes under a second;
 * reset when a new entry arrives.
 */
const SMALLEST_BATCH = 20;
const FAST_BATCH = 1000;

const isFile = ({ message }: Parcel) => message?.kind === 'archivo';

export interface DrainDependencies {
  /**
   * Tries to deliver a quote. `replaced`: id of the delivered quote that this quote corrects. `deliveredAt`: time of
   * the first delivery, if the server has lost the quote since.
   */
  readonly send: (quote: Quote, replaced: string | undefined, deliveredAt: number | undefined) => Promise<SendOutcome>;
  readonly sendMessage: (message: Outgoing, deliveredAt: number | undefined) => Promise<SendOutcome>;
  readonly now: () => number;
  /** True while the browser suspends the page: running requests finish, and no new request starts. */
  readonly isPaused: () => boolean;
  readonly chance: () => number;
}

interface TryResult {
  readonly entryId: string;
  readonly isQuote: boolean;
  readonly write: (entries: readonly Entry[]) => readonly Entry[];
}

export interface Drain {
  /**
   * Sends in parallel the quotes and messages that are due. Resolves with the quotes that were delivered or refused.
   */
  run(): Promise<readonly Entry[]>;
  /**
   * Starts one more lane, if fewer than five are running, so that an added entry or a retry is sent by this drain.
   * False if the drain is over and will not read the entry.
   */
  openLane(cause?: Cause): boolean;
}

export function createDrain(
  cause: Cause,
  disk: EntryStore,
  { send, sendMessage, now, chance, isPaused }: DrainDependencies,
): Drain {
  const settled: Entry[] = [];
  const tried = new Set<string>();
  const lanes = new Set<Promise<void>>();
  const failures: unknown[] = [];
  /** Ids of the entries to try next, in the order of the last full read. */
  let queue: readonly string[] = [];
  let batchSize = SMALLEST_BATCH;
  let plannedAt = -Infinity;
  /**
   * Results that are not yet on disk, one for each lane that waits for its next parcel; undefined for a lane that has
   * not sent anything yet.
   */
  let finishedTries: (TryResult | undefined)[] = [];
  let nextStep: Promise<readonly Parcel[]> | undefined;
  let lastStep: Promise<unknown> = Promise.resolve();
  let failuresInARow = 0;
  /**
   * True while a part of a file is being sent. Only one part is sent at a time, after all quotes and other messages.
   */
  let hasFile = false;
  let reason = cause;
  let phase: 'new' | 'open' | 'over' = 'new';
  let hasNewWork = false;

  /**
   * Stores the result of the lane's last request. Resolves with the lane's next parcel, already marked on disk as being
   * sent. IndexedDB runs write transactions one after the other, so all waiting lanes share one transaction.
   */
  async function next(result?: TryResult): Promise<Parcel | undefined> {
    const at = finishedTries.push(result) - 1;
    nextStep ??= lastStep.then(() => {
      const [results, count] = [finishedTries.filter((one) => one !== undefined), finishedTries.length];
      [finishedTries, nextStep] = [[], undefined];
      return step(results, count);
    });
    lastStep = nextStep.catch(() => undefined);
    return (await nextStep)[at];
  }

  async function step(results: readonly TryResult[], count: number): Promise<readonly Parcel[]> {
    const wanted = failuresInARow < MOST_FAILURES_IN_A_ROW && !isPaused() ? count : 0;
    if (wanted + results.length === 0) return [];
    const queued = queue.slice(0, wanted);
    queue = queue.slice(wanted);
    const isAll = queued.length < wanted;
    const ids = isAll ? undefined : [...queued, ...results.map(({ entryId }) => entryId)];
    const decision = await disk.change(
      (entries) => {
        let current = entries;
        const write = (changed: readonly Entry[]) => {
          current = current.map((entry) => changed.find(({ id }) => id === entry.id) ?? entry);
          return changed;
        };
        const answered = results.flatMap((one) => {
          const changed = write(one.write(current));
          return one.isQuote ? changed : [];
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
      ids,
    );
    settled.push(...decision.answered);
    const { taken } = decision;
    const missing = isAll ? 0 : wanted - taken.length;
    if (missing === 0) return taken;
    const rest = step([], missing);
    // The parcels in `taken` are already marked as being sent. They must be sent even if the read for the other lanes
    // fails.
    return taken.length === 0 ? rest : [...taken, ...(await rest.catch(() => []))];
  }

  /**
   * Picks the next `wanted` parcels. If `entries` holds all entries (`isFullRead`), `queue` is filled with the ids of
   * the parcels to send after them.
   */
  function choose(entries: readonly Entry[], wanted: number, isFullRead: boolean): readonly Parcel[] {
    const time = now();
    // Parcels with the fewest attempts come first, then the oldest: a parcel that fails every time must not block the
    // others.
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
    // Corrections are not put into `queue`: to send a correction, the entry of the corrected quote is needed too, and
    // only a full read returns it.
    if (isFullRead && chosen.length > 0) {
      batchSize = time - plannedAt < FAST_BATCH ? 2 * batchSize : SMALLEST_BATCH;
      plannedAt = time;
      queue = due
        .slice(wanted, batchSize)
        .flatMap(({ id, quote, message }) => message?.quoteId ?? (quote?.reemplaza ? [] : id));
    }
    for (const parcel of chosen) {
      tried.add(parcel.id);
      hasFile ||= isFile(parcel);
    }
    return chosen;
  }

  function probe(candidates: readonly Parcel[]): readonly Parcel[] {
    return candidates
      .filter(({ state }) => reason === 'probe' && tried.size === 0 && state.trouble === 'unreachable')
      .slice(0, 1);
  }

  async function lane(): Promise<void> {
    let result: TryResult | undefined;
    for (let parcel = await next(); parcel; parcel = await next(result)) result = await tryOnce(parcel);
  }

  async function tryOnce(parcel: Parcel): Promise<TryResult> {
    const { id, state, quote, message } = parcel;
    const { deliveredAt } = state;
    const outcome = await (quote ? send(quote, parcel.replaced, deliveredAt) : sendMessage(message, deliveredAt));
    if (outcome.kind === 'unreachable') failuresInARow += 1;
    else {
      failuresInARow = 0;
      // After any response the server is known to be reachable. Parcels that wait for their next try become due, and
      // all lanes are started.
      if ((reason === 'due' || reason === 'probe') && outcome.kind !== 'access-denied') {
        reason = 'sign-of-life';
        openLanes();
      }
    }
    const newState = settle(state, outcome, now(), chance());
    const entryId = message?.quoteId ?? id;
    const lost = new Set(outcome.kind === 'quote-lost' ? [entryId] : []);
    // The response to an acceptance says whether the offer had already ended. That state of the offer is stored now,
    // because the next request for answers may come much later.
    const withOfferState = (entry: Entry) =>
      outcome.kind === 'delivered' && outcome.unbound && message
        ? withOffer(entry, answerIdOf(message), outcome.unbound)
        : entry;
    return {
      entryId,
      isQuote: quote !== undefined && newState.kind !== 'waiting',
      write(entries) {
        if (outcome.kind === 'more') tried.delete(id);
        if (isFile(parcel)) hasFile = false;
        return withState(entries, parcel, newState).map((entry) => sendAgain(withOfferState(entry), lost, now()));
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
    // The new entry should be sent before most entries of `queue`, because it has fewer attempts. It is found by the
    // next full read, which comes sooner if `queue` is short.
    [batchSize, queue] = [SMALLEST_BATCH, queue.slice(0, SMALLEST_BATCH)];
    // All lanes may be ending and may have read the disk before this entry was added, so the drain runs once more.
    hasNewWork = true;
    return phase !== 'over';
  }

  function openLanes(): void {
    for (let count = 0; count < LANES; count += 1) openLane();
  }

  /**
   * Postpones due parcels that this drain did not try, because the connection is down: they wait until the next try of
   * those that failed.
   */
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
      hasNewWork = false;
      // A failed lane does not stop the others, and the flush lock is held until all lanes have finished.
      while (lanes.size > 0) await Promise.all(lanes);
    } while (hasNewWork);
    phase = 'over';
    if (failures.length > 0) throw failures[0];
    if (failuresInARow >= MOST_FAILURES_IN_A_ROW) await disk.change(postpone, 'hold');
    return settled;
  }

  return { run, openLane };
}
