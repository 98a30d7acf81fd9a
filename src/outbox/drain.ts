import { answerIdOf } from '../lead/messages.ts';
import type { Outgoing } from './messages.ts';
import { sendAgain, withOffer, withState, type Entry, type Parcel } from './entry.ts';
import type { EntryStore } from './entry-store.ts';
import type { Quote } from '../lead/quote.ts';
import type { DeliveryState } from '../lead/delivery-state.ts';
import { dueIn, isFile, postponed } from './sending-order.ts';
import { SHOWN_AS_SENDING, settle, type Cause, type SendOutcome } from './state.ts';

/**
 * Number of lanes: loops that run in parallel and send one request at a time. Browsers open six connections per host,
 * and one of the six stays free for the page.
 */
const LANES = 5;
/**
 * Number of failures in a row that end a drain, a run that sends everything due. Without this limit, each quote on a
 * phone without a connection would wait for its own time-out.
 */
const MOST_FAILURES_IN_A_ROW = 3;
/**
 * Smallest number of entries to send between two reads of all entries; each full read decides the order of sending. The
 * number is doubled while a batch takes under a second, and reset when a new entry arrives.
 */
const SMALLEST_BATCH = 20;
const FAST_BATCH = 1000;

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
  readonly parcel: Parcel;
  readonly outcome: SendOutcome;
  readonly state: DeliveryState;
}

export interface Drain {
  /**
   * Sends in parallel the quotes and messages that are due. Resolves with the quotes that were delivered or refused.
   */
  run(): Promise<readonly Entry[]>;
  /**
   * Starts another lane (sending loop), unless all five are running. This drain then also sends a new entry or a retry.
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
  let queue: string[] = [];
  let batchSize = SMALLEST_BATCH;
  let plannedAt = -Infinity;
  /**
   * Results of requests, not yet on disk: one for each lane (sending loop) that waits for the next quote or message.
   * Undefined for a lane that has not sent anything yet.
   */
  let finishedTries: (TryResult | undefined)[] = [];
  let nextStep: Promise<readonly Parcel[]> | undefined;
  let lastStep: Promise<unknown> = Promise.resolve();
  let failuresInARow = 0;
  let hasFile = false;
  let reason = cause;
  let phase: 'new' | 'open' | 'over' = 'new';
  let hasNewWork = false;

  /**
   * Stores the last result of a lane, one of the parallel sending loops. Resolves with the lane's next quote or
   * message, marked on disk as being sent. All waiting lanes share a transaction, because IndexedDB runs one write at a
   * time.
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
    const queued = queue.splice(0, wanted);
    const isAll = queued.length < wanted;
    const ids = isAll ? undefined : [...queued, ...results.map(({ parcel }) => entryIdOf(parcel))];
    const { taken, answered } = await disk.change((entries) => decide(entries, results, wanted, isAll), 'hold', ids);
    settled.push(...answered);
    if (isAll || taken.length === wanted) return taken;
    const rest = step([], wanted - taken.length);
    // The quotes and messages in `taken` are already marked as being sent. They must be sent even if `rest` fails,
    // which reads the database for the remaining lanes (sending loops).
    return taken.length === 0 ? rest : [...taken, ...(await rest.catch(() => []))];
  }

  /**
   * Applies the results, and marks the next quotes and messages as being sent. `answered`: quotes that were delivered
   * or refused.
   */
  function decide(entries: readonly Entry[], results: readonly TryResult[], wanted: number, isAll: boolean) {
    let current = entries;
    const write = (changed: readonly Entry[]) => {
      current = current.map((entry) => changed.find(({ id }) => id === entry.id) ?? entry);
      return changed;
    };
    const answered = results.flatMap((result) => {
      const { parcel, outcome, state } = result;
      if (outcome.kind === 'more') tried.delete(parcel.id);
      if (isFile(parcel)) hasFile = false;
      const changed = write(withResult(current, result, now()));
      return parcel.quote && state.kind !== 'waiting' ? changed : [];
    });
    const sendingUntil = now() + SHOWN_AS_SENDING;
    const taken = choose(current, wanted, isAll).map((parcel): Parcel => {
      const state = { ...parcel.state, sendingUntil };
      write(withState(current, parcel, state));
      return { ...parcel, state };
    });
    return { put: current, taken, answered };
  }

  /**
   * Picks the next `wanted` quotes or messages to send. If `entries` holds all entries (`isAll`), fills `queue` with
   * the ids to send after them.
   */
  function choose(entries: readonly Entry[], wanted: number, isAll: boolean): readonly Parcel[] {
    const time = now();
    const due = dueIn(entries, tried, hasFile, reason, time);
    const chosen = due.slice(0, wanted);
    // Corrections are not put into `queue`, whose entries are later read from disk by their ids alone. To send a
    // correction, the entry of the quote that it corrects must be read too.
    if (isAll && chosen.length > 0) {
      batchSize = time - plannedAt < FAST_BATCH ? 2 * batchSize : SMALLEST_BATCH;
      plannedAt = time;
      queue = due.slice(wanted, batchSize).flatMap((parcel) => (parcel.quote?.reemplaza ? [] : entryIdOf(parcel)));
    }
    for (const parcel of chosen) {
      tried.add(parcel.id);
      hasFile ||= isFile(parcel);
    }
    return chosen;
  }

  async function lane(): Promise<void> {
    let result: TryResult | undefined;
    for (let parcel = await next(); parcel; parcel = await next(result)) result = await tryOnce(parcel);
  }

  async function tryOnce(parcel: Parcel): Promise<TryResult> {
    const { state, quote, message } = parcel;
    const { deliveredAt } = state;
    const outcome = await (quote ? send(quote, parcel.replaced, deliveredAt) : sendMessage(message, deliveredAt));
    if (outcome.kind === 'unreachable') failuresInARow += 1;
    else {
      failuresInARow = 0;
      // After any response the server is known to be reachable. Quotes and messages that wait for their next try become
      // due, and all lanes (sending loops) are started.
      if ((reason === 'due' || reason === 'probe') && outcome.kind !== 'access-denied') {
        reason = 'sign-of-life';
        openLanes();
      }
    }
    return { parcel, outcome, state: settle(state, outcome, now(), chance()) };
  }

  function openLane(because?: Cause): boolean {
    if (because === 'probe' && reason === 'due') reason = because;
    if (phase === 'open' && lanes.size < LANES) {
      const opened = lane()
        .catch((error: unknown) => void failures.push(error))
        .finally(() => lanes.delete(opened));
      lanes.add(opened);
    }
    // A new entry has fewer attempts than most entries of `queue`, so it should be sent before them. Only a full read
    // of the disk finds it, and a shorter `queue` makes that read come sooner.
    batchSize = SMALLEST_BATCH;
    queue.splice(SMALLEST_BATCH);
    // All lanes (sending loops) may be ending and may have read the disk before this entry was added, so the drain runs
    // once more.
    hasNewWork = true;
    return phase !== 'over';
  }

  function openLanes(): void {
    for (let count = 0; count < LANES; count += 1) openLane();
  }

  async function run(): Promise<readonly Entry[]> {
    phase = 'open';
    do {
      openLanes();
      hasNewWork = false;
      // A lane (sending loop) that fails does not stop the others. The flush lock is held until all lanes have ended.
      while (lanes.size > 0) await Promise.all(lanes);
    } while (hasNewWork);
    phase = 'over';
    if (failures.length > 0) throw failures[0];
    if (failuresInARow >= MOST_FAILURES_IN_A_ROW)
      await disk.change((entries) => ({ put: postponed(entries, tried, now()) }), 'hold');
    return settled;
  }

  return { run, openLane };
}

const entryIdOf = ({ id, message }: Parcel) => message?.quoteId ?? id;

/**
 * Returns the entry of the quote or message that was sent, changed as the response says: with the new state and, for
 * example, the state of an offer.
 */
function withResult(entries: readonly Entry[], { parcel, outcome, state }: TryResult, now: number): readonly Entry[] {
  const { message } = parcel;
  const lost = new Set(outcome.kind === 'quote-lost' ? [entryIdOf(parcel)] : []);
  // The response to an acceptance says whether the offer had already ended. That state of the offer is stored now,
  // because the next request for answers may come much later.
  const unbound = outcome.kind === 'delivered' && message && outcome.unbound;
  return withState(entries, parcel, state).map((entry) =>
    sendAgain(unbound ? withOffer(entry, answerIdOf(message), unbound) : entry, lost, now),
  );
}
