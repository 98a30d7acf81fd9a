import { deliver } from './delivery.ts';
import {
  forget,
  isDue,
  isSending,
  isWaiting,
  newEntry,
  readEntry,
  SENDING_LEASE,
  settle,
  type Cause,
  type Entry,
  type State,
  type Waiting,
} from './entry.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { openStore, type Writing } from './outbox-database.ts';
import { newId, sameQuote, type Quote } from './quote.ts';

export interface Outbox {
  /**
   * Resolves once the quote is on disk; from then on only delivery or the visitor removes it.
   * An id that another quote has is not taken over, unless `corrects` says so: the newcomer gets its own.
   * A correction that comes after its quote was delivered is answered as superseded, and not kept.
   */
  add(quote: Quote, about: { readonly promotions: boolean; readonly corrects: boolean }): Promise<Entry>;
  /** Sends what is due; never twice at once on this device. Resolves with what has an answer now. */
  flush(cause: Cause): Promise<readonly Entry[]>;
  entries(): Promise<readonly Entry[]>;
  /** Calls with the entries now and at each change, whichever page or the worker made it. */
  watch(listener: (entries: readonly Entry[]) => void): () => void;
  /** Takes an entry out, unless it is on its way; `restore` puts it back as it was. */
  remove(id: string): Promise<Entry | undefined>;
  restore(entry: Entry): Promise<void>;
  /** Of these deliveries those that the caller, and no other page or worker, shall tell or count. */
  claim(ids: readonly string[], what: 'told' | 'counted'): Promise<readonly string[]>;
  /** On a shared phone nothing personal is kept after delivery. */
  isShared(): Promise<boolean>;
  setShared(shared: boolean): Promise<void>;
  /** Everything, also what waits. */
  erase(): Promise<void>;
}

/** Of the six connections that a browser has for one host, one is left to the page. */
const LANES = 5;
/** Of many changes at once one needs to be heard. */
const ANNOUNCE_AFTER = 50;
/** So many misses in a row say that the link is gone: the rest need not each wait for a time-out. */
const ENOUGH_MISSES = 3;

/** Where waiting entries stand that a full phone would not write: the next visit sends them again, and the server knows them. */
const unwritten = new Map<string, State>();

const listeners = new Set<(entries: readonly Entry[]) => void>();
let channel: BroadcastChannel | undefined;
let announcing: ReturnType<typeof setTimeout> | undefined;
let telling = false;
let tellAgain = false;
let running: { readonly done: Promise<readonly Entry[]>; openLane(): boolean } | undefined;
let next: { cause: Cause; readonly done: Promise<readonly Entry[]> } | undefined;

export const outbox: Outbox = {
  async add(quote, about) {
    // Strict: an answer to the visitor must survive the battery's end.
    const transaction = (await openStore()).transaction('quotes', 'readwrite', { durability: 'strict' });
    const kept = await transaction.store.get(quote.id);
    const present = kept && current(kept);
    if (present && sameQuote(present.quote, quote) && present.state.kind !== 'refused') return present;
    // Two tabs may have had the same draft, and a page may die between keeping a quote and ending its draft.
    if (present && !about.corrects) return outbox.add({ ...quote, id: newId() }, about);
    if (present && isSending(present, Date.now())) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return outbox.add(quote, about);
    }
    if (present?.state.kind === 'delivered') return superseded(present);
    const entry = newEntry(quote, about.promotions, Date.now());
    await Promise.all([transaction.store.put(entry), transaction.done]);
    unwritten.delete(entry.id);
    changed();
    return entry;
  },

  flush(cause) {
    if (!running) return start(cause);
    if ((cause === 'due' || cause === 'probe') && running.openLane()) return running.done;
    // What failed in the running one gets its second chance right after it.
    if (next) next.cause = next.cause === 'person' ? 'person' : cause;
    else next = { cause, done: running.done.catch(() => undefined).then(startNext) };
    return next.done;
  },

  entries: async () => (await (await openStore()).getAll('quotes')).map(current),

  watch(listener) {
    listeners.add(listener);
    connect();
    void tellListeners();
    return () => listeners.delete(listener);
  },

  async remove(id) {
    const transaction = (await openStore()).transaction('quotes', 'readwrite');
    const kept = await transaction.store.get(id);
    const entry = kept && current(kept);
    if (!entry || isSending(entry, Date.now())) return undefined;
    await Promise.all([transaction.store.delete(id), transaction.done]);
    unwritten.delete(id);
    changed();
    return entry;
  },

  async restore(entry) {
    await (await openStore()).put('quotes', entry);
    changed();
  },

  async claim(ids, what) {
    const transaction = (await openStore()).transaction('quotes', 'readwrite');
    const claimed = await Promise.all(
      ids.map(async (id) => {
        const entry = await transaction.store.get(id);
        if (entry?.state.kind !== 'delivered' || entry.state[what]) return [];
        await transaction.store.put({ ...entry, state: { ...entry.state, [what]: true } });
        return [id];
      }),
    );
    await transaction.done;
    return claimed.flat();
  },

  isShared: async () => (await (await openStore()).get('settings', 'shared')) === true,

  async setShared(shared) {
    await (await openStore()).put('settings', shared, 'shared');
    await forgetWhatIsOver();
    changed();
  },

  async erase() {
    const store = await openStore();
    await Promise.all([store.clear('quotes'), store.clear('settings')]);
    unwritten.clear();
    changed();
  },
};

/** What is on disk, by whomever, is newer unless it waits there still. */
function current(kept: Entry): Entry {
  const entry = readEntry(kept);
  const state = entry.state.kind === 'waiting' ? unwritten.get(entry.id) : undefined;
  return state ? { ...entry, state } : entry;
}

function superseded(entry: Entry): Entry {
  return { ...entry, state: { kind: 'refused', at: Date.now(), refusal: { kind: 'superseded' } } };
}

function start(cause: Cause): Promise<readonly Entry[]> {
  const drain = drainer(cause);
  running = { done: oneAtATime(drain.run).finally(() => (running = undefined)), openLane: drain.openLane };
  return running.done;
}

function startNext(): Promise<readonly Entry[]> {
  const { cause } = next!;
  next = undefined;
  return outbox.flush(cause);
}

function drainer(cause: Cause) {
  const settled: Entry[] = [];
  const tried = new Set<string>();
  const lanes = new Set<Promise<void>>();
  let misses = 0;
  let reason = cause;
  let phase: 'before' | 'open' | 'over' = 'before';
  let again = false;

  async function take(): Promise<Waiting | undefined> {
    if (misses >= ENOUGH_MISSES) return undefined;
    const transaction = (await openStore()).transaction('quotes', 'readwrite');
    const now = Date.now();
    // The least tried first, then the oldest: one that always fails holds up nobody.
    const candidates = (await transaction.store.getAll())
      .map(current)
      .filter(isWaiting)
      .filter((entry) => !tried.has(entry.id))
      .toSorted((a, b) => a.state.attempts - b.state.attempts || a.createdAt - b.createdAt);
    const entry = candidates.find((candidate) => isDue(candidate, reason, now)) ?? probe(candidates);
    if (!entry) return undefined;
    tried.add(entry.id);
    const held = { ...entry, state: { ...entry.state, sendingUntil: now + SENDING_LEASE } };
    await write(transaction, [held]);
    return held;
  }

  /** With nothing due, one quote asks whether the server is back. */
  function probe(candidates: readonly Waiting[]): Waiting | undefined {
    if (reason !== 'probe' || tried.size > 0) return undefined;
    return candidates.find(({ state }) => state.trouble === 'unreachable');
  }

  async function lane(): Promise<void> {
    for (let held = await take(); held; held = await take()) {
      const outcome = await deliver(held.quote);
      if (outcome.kind === 'unreachable') misses += 1;
      else {
        misses = 0;
        // The server is there: whatever waited for it need not wait any longer, nor for this lane alone.
        if (reason === 'due' || reason === 'probe') {
          reason = 'sign-of-life';
          openLanes();
        }
      }
      const after = settle(held, outcome, Date.now(), Math.random());
      if (after.state.kind !== 'waiting') settled.push(after);
      await replace(after);
    }
  }

  /** False when it is too late for this drain to see what was added. */
  function openLane(): boolean {
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

  async function run(): Promise<readonly Entry[]> {
    await forgetWhatIsOver().catch(() => undefined);
    phase = 'open';
    do {
      openLanes();
      again = false;
      while (lanes.size > 0) await Promise.all(lanes);
    } while (again);
    phase = 'over';
    if (misses >= ENOUGH_MISSES) await postpone(tried);
    return settled;
  }

  return { run, openLane };
}

/** Unless the visitor erased it meanwhile. */
async function replace(entry: Entry): Promise<void> {
  const transaction = (await openStore()).transaction('quotes', 'readwrite');
  await write(transaction, (await transaction.store.getKey(entry.id)) ? [entry] : []);
}

async function write(transaction: Writing, entries: readonly Entry[]): Promise<void> {
  try {
    await Promise.all([...entries.map((entry) => transaction.store.put(entry)), transaction.done]);
    for (const { id } of entries) unwritten.delete(id);
  } catch {
    for (const { id, state } of entries) unwritten.set(id, state);
  }
  changed();
}

/** The link is gone: what was not tried waits as long as what was. */
async function postpone(tried: ReadonlySet<string>): Promise<void> {
  const transaction = (await openStore()).transaction('quotes', 'readwrite');
  const waiting = (await transaction.store.getAll()).map(current).filter(isWaiting);
  const now = Date.now();
  const until = Math.min(
    now + 1000 * 60,
    ...waiting.filter(({ id }) => tried.has(id)).map(({ state }) => state.nextTry),
  );
  await write(
    transaction,
    waiting
      .filter(({ id, state }) => !tried.has(id) && state.nextTry <= now)
      .map((entry) => ({
        ...entry,
        state: { ...entry.state, since: now, nextTry: until, trouble: 'unreachable' },
      })),
  );
}

async function forgetWhatIsOver(): Promise<void> {
  const store = await openStore();
  const shared = (await store.get('settings', 'shared')) === true;
  const transaction = store.transaction('quotes', 'readwrite');
  let forgotten = false;
  for (const entry of await transaction.store.getAll()) {
    const kept = forget(entry, Date.now(), shared);
    if (kept === entry) continue;
    await transaction.store.put(kept);
    forgotten = true;
  }
  await transaction.done;
  if (forgotten) changed();
}

function changed(): void {
  connect();
  void tellListeners();
  announcing ??= setTimeout(() => {
    announcing = undefined;
    channel?.postMessage(null);
  }, ANNOUNCE_AFTER);
}

function connect(): BroadcastChannel {
  if (channel) return channel;
  channel = new BroadcastChannel('aeropuente-quotes');
  channel.addEventListener('message', () => {
    running?.openLane();
    void tellListeners();
  });
  return channel;
}

async function tellListeners(): Promise<void> {
  if (telling) return void (tellAgain = true);
  if (listeners.size === 0) return;
  telling = true;
  do {
    tellAgain = false;
    const entries = await outbox.entries().catch(() => []);
    for (const listener of listeners) listener(entries);
    if (tellAgain) await new Promise((resolve) => setTimeout(resolve, ANNOUNCE_AFTER));
  } while (tellAgain);
  telling = false;
}
