import { createChanges } from './changes.ts';
import { createDrain, type Drain, type SendingMeans } from './drain.ts';
import { news, union } from './conversation.ts';
import { repeats } from './messages.ts';
import { forget, sendAgain, type Entry } from './entry.ts';
import { newEntry, newState } from './new-entry.ts';
import { createKeptEntries } from './kept-entries.ts';
import { oneAtATime } from './one-at-a-time.ts';
import type { QuoteStores, Transact } from './store.ts';
import type { Linked } from './linked.ts';
import { newId, sameQuote, type Quote } from '../lead/quote.ts';
import type { Answer } from '../lead/answer.ts';
import type { NewMessage } from '../lead/messages.ts';
import { CAUSES, isSending, wasDelivered, type Cause } from './state.ts';

interface About {
  readonly corrects: boolean;
  /** The id of the delivered quote that this one corrects. */
  readonly replaced?: string | undefined;
}

/** A page adds, says and restores within `marked` (phone/waiting-mark.ts): it may be closed at any moment. */
export interface Outbox {
  /**
   * Resolves once the quote is on disk; from then on only delivery or the visitor removes it.
   * An id that another quote has is not taken over, unless `corrects` says so: the newcomer gets its own.
   * A correction that comes after its quote was delivered is answered as superseded, and not kept: also where the server
   * has lost it since.
   */
  add(quote: Quote, about: About): Promise<Entry>;
  /**
   * Sends what is due, once no other page or worker of this phone is sending (one-at-a-time.ts). Resolves with the
   * quotes that were delivered or refused.
   */
  flush(cause: Cause): Promise<readonly Entry[]>;
  /** Stops the flush before its next try while the browser has the page put aside. */
  setAside(isAside: boolean): void;
  /** Keeps what its sender says about a quote; `flush` sends it. An answer is accepted and seen once. */
  say(quoteId: string, message: NewMessage): Promise<void>;
  /** Takes out a message that has not been delivered. */
  takeBack(quoteId: string, messageId: string): Promise<void>;
  /** Keeps what the sales team answered, by the id of the quote. */
  keepAnswers(answers: ReadonlyMap<string, readonly Answer[]>): Promise<void>;
  /** Sends again, with the moment of its first delivery, what was delivered and is not known to the server any more. */
  sendAgain(unknown: ReadonlySet<string>): Promise<void>;
  /** Takes in what another phone has sent, unless it is here with all its words. */
  adopt(linked: readonly Linked[]): Promise<void>;
  entries(): Promise<readonly Entry[]>;
  /** Calls with the entries now and at each change, whichever page or the worker made it. */
  watch(listener: (entries: readonly Entry[]) => void): () => void;
  /** Calls those who watch in this page with what is on disk now, whether they have heard of it or not. */
  refresh(): void;
  /** Takes an entry out, unless it is on its way; `restore` puts the entry back and keeps newer answers and messages. */
  remove(id: string): Promise<Entry | undefined>;
  restore(entry: Entry): Promise<void>;
  /** Claims deliveries: the caller, and no other page or worker, tells or counts those that come back. */
  claim(ids: readonly string[], what: 'told' | 'counted'): Promise<readonly string[]>;
  /** Marks all answers as told. Resolves with the entries that had one which was not, for the caller to tell of. */
  claimAnswers(): Promise<readonly Entry[]>;
  /** On a shared phone nothing personal is kept after delivery. */
  isShared(): Promise<boolean>;
  setShared(shared: boolean): Promise<void>;
  /** Everything, also what waits. */
  erase(): Promise<void>;
}

interface Dependencies extends Omit<SendingMeans, 'isAside'> {
  readonly transact: Transact<QuoteStores>;
  /** On it the outboxes of this phone tell each other that something changed. */
  readonly openChannel: () => BroadcastChannel;
}

export function createOutbox(dependencies: Dependencies): Outbox {
  const { transact, openChannel, now } = dependencies;
  const kept = createKeptEntries(transact, () => changes.notifyChanged());
  const changes = createChanges(openChannel, kept.all, () => running?.drain.openLane());
  let running: { readonly drain: Drain; readonly done: Promise<readonly Entry[]> } | undefined;
  let isAside = false;
  let next: { cause: Cause; readonly done: Promise<readonly Entry[]> } | undefined;

  const add: Outbox['add'] = async (quote, about) => {
    // The receipt will say that the quote is kept: this write must survive the battery's end.
    const { result } = await kept.change((entries) => decideAdd(entries, quote, about, now()), 'strict');
    if (result === 'taken') return add({ ...quote, id: newId() }, about);
    if (result === 'sending') {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return add(quote, about);
    }
    return result;
  };

  function start(cause: Cause): Promise<readonly Entry[]> {
    const drain = createDrain(cause, kept, { ...dependencies, isAside: () => isAside });
    const work = async () => {
      await tryToForget();
      const settled = await drain.run();
      // On a shared phone a delivery is over at once.
      await tryToForget();
      return settled;
    };
    running = { drain, done: oneAtATime(work, transact, now).finally(() => (running = undefined)) };
    return running.done;
  }

  const flush: Outbox['flush'] = (cause) => {
    if (!running) return start(cause);
    if ((cause === 'due' || cause === 'probe') && running.drain.openLane(cause)) return running.done;
    // A quote that failed in the running one gets its second chance right after it.
    if (next) next.cause = CAUSES[Math.max(CAUSES.indexOf(next.cause), CAUSES.indexOf(cause))]!;
    else next = { cause, done: running.done.catch(() => undefined).then(startNext) };
    return next.done;
  };

  function startNext(): Promise<readonly Entry[]> {
    const { cause } = next!;
    next = undefined;
    return flush(cause);
  }

  /** A phone that refuses to write keeps nothing from being sent. */
  const tryToForget = () => forgetWhatIsOver().catch(() => undefined);

  const isShared = async () => (await transact('settings', 'readonly', (settings) => settings.get('shared'))) === true;

  async function forgetWhatIsOver(): Promise<void> {
    const shared = await isShared();
    await kept.change((entries) => {
      const rest = entries.map((entry) => forget(entry, now(), shared));
      return { put: rest.filter((entry, at) => entry !== entries[at]) };
    });
  }

  return {
    add,
    flush,
    setAside: (aside) => void (isAside = aside),

    async say(quoteId, message) {
      await kept.change((entries) => {
        const entry = entries.find(({ id }) => id === quoteId);
        // On a shared phone it goes with its delivery, while a picture may still be made smaller.
        if (!entry?.quote) throw new Error('The quote is not on this phone any more.');
        if (repeats(entry.messages, message)) return {};
        // A file that could not be delivered is brought again under the id that it had.
        const others = entry.messages.filter(({ id }) => id !== message.id);
        const added = { ...message, createdAt: now(), state: newState(now()) };
        return { put: [{ ...entry, messages: [...others, added] }] };
      }, 'strict');
    },

    async takeBack(quoteId, messageId) {
      await kept.change((entries) => ({
        put: entries
          .filter(({ id }) => id === quoteId)
          .map((entry) => ({
            ...entry,
            messages: entry.messages.filter(({ id, state }) => id !== messageId || state.kind === 'delivered'),
          })),
      }));
    },

    async keepAnswers(answers) {
      await kept.change((entries) => {
        const put = entries.flatMap((entry) => {
          const heard = (answers.get(entry.id) ?? []).flatMap((answer) => news(answer, entry.answers) ?? []);
          // An answer brings nothing back that was erased, or is of a phone that became shared meanwhile.
          if (heard.length === 0 || !entry.quote) return [];
          return { ...entry, answers: union(heard, entry.answers, (answer) => answer).toSorted((a, b) => a.at - b.at) };
        });
        return { put };
      }, 'hold');
    },

    async sendAgain(unknown) {
      const { put } = await kept.change((entries) => {
        const rest = entries.map((entry) => sendAgain(entry, unknown, now()));
        return { put: rest.filter((entry, at) => entry !== entries[at]) };
      });
      if (put.length > 0) await flush('due');
    },

    async adopt(linked) {
      await kept.change((entries) => ({
        put: linked.flatMap(({ quote, at, promisedAt }) => {
          const known = entries.find(({ id }) => id === quote.id);
          if (known?.quote) return [];
          // It was told, and counted, where it was sent.
          const state = { kind: 'delivered', at, promisedAt, told: true, counted: true } as const;
          return { answers: [], messages: [], ...known, id: quote.id, createdAt: at, openedAt: now(), quote, state };
        }),
      }));
    },

    entries: kept.all,
    watch: changes.watch,
    refresh: changes.refresh,

    async remove(id) {
      const { remove } = await kept.change((entries) => {
        const entry = entries.find((other) => other.id === id);
        return entry && !isSending(entry, now()) ? { remove: entry } : {};
      });
      return remove;
    },

    async restore(entry) {
      await kept.change((entries) => {
        const { answers, messages } = entries.find(({ id }) => id === entry.id) ?? entry;
        return { put: [{ ...entry, answers, messages }] };
      });
    },

    async claim(ids, what) {
      const { put } = await kept.change(
        (entries) => ({
          put: entries.flatMap((entry) => {
            const { id, state } = entry;
            // A delivery that memory alone knows of is told by the next visit, which meets it again.
            if (!ids.includes(id) || kept.isHeld(id) || state.kind !== 'delivered' || state[what]) return [];
            return [{ ...entry, state: { ...state, [what]: true } }];
          }),
        }),
        'silent',
      );
      return put.map(({ id }) => id);
    },

    async claimAnswers() {
      const { put } = await kept.change(
        (entries) => ({
          put: entries.flatMap((entry) =>
            entry.answers.every(({ told }) => told)
              ? []
              : { ...entry, answers: entry.answers.map((answer) => ({ ...answer, told: true })) },
          ),
        }),
        'hold',
      );
      return put;
    },

    isShared,

    async setShared(shared) {
      await transact('settings', 'readwrite', (settings) => settings.put(shared, 'shared'));
      await forgetWhatIsOver();
      changes.notifyChanged();
    },

    erase: kept.erase,
  };
}

interface Addition {
  readonly put?: readonly Entry[];
  readonly result: Entry | 'taken' | 'sending';
}

/** What a correction may change while every field stays as it was. */
const besideFields = ({ promociones, llamada, embarque }: Quote) =>
  JSON.stringify([!promociones, !llamada, embarque || 0]);

/** Decides about a quote that is to be kept, by what is under its id already. */
function decideAdd(entries: readonly Entry[], quote: Quote, { corrects, replaced }: About, now: number): Addition {
  const present = entries.find(({ id }) => id === quote.id);
  const earlier = present?.quote;
  const isSame = earlier && sameQuote(earlier, quote) && !(corrects && besideFields(earlier) !== besideFields(quote));
  if (isSame && present.state.kind !== 'refused') return { result: present };
  // Two tabs may have had the same draft, and a page may die between keeping a quote and ending its draft.
  if (present && !corrects) return { result: 'taken' };
  if (present && isSending(present, now)) return { result: 'sending' };
  // One that waits again was delivered once, and answered perhaps: what was said of it must not be lost with its text.
  if (present && wasDelivered(present.state)) {
    return { result: { ...present, state: { kind: 'refused', at: now, refusal: { kind: 'superseded' } } } };
  }
  // What was said of it, and its files, belong to the quote however it is corrected.
  const entry = {
    ...newEntry(quote, now),
    replaced: replaced ?? present?.replaced,
    ...(present && { answers: present.answers, messages: present.messages }),
  };
  return { put: [entry], result: entry };
}
