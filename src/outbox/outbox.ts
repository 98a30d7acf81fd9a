import { createChangeNotifier } from './change-notifier.ts';
import { createDrain, type Drain, type DrainDependencies } from './drain.ts';
import { newerAnswer, mergeById } from './merge-answers.ts';
import { isRepeat } from './messages.ts';
import { forget, sendAgain, type Entry } from './entry.ts';
import { newEntry, newWaitingState } from './new-entry.ts';
import { createEntryStore } from './entry-store.ts';
import { withFlushLock } from './flush-lock.ts';
import type { QuoteStores, Transact } from './store.ts';
import type { LinkedQuote } from './linked-quotes.ts';
import { newId, sameQuote, type Quote } from '../lead/quote.ts';
import type { Answer } from '../lead/answer.ts';
import type { NewMessage } from '../lead/messages.ts';
import { CAUSES, isSending, wasDelivered, type Cause } from './state.ts';

interface AddOptions {
  readonly corrects: boolean;
  readonly replaced?: string | undefined;
}

/**
 * Callers run `add`, `addMessage` and `restore` inside `withWaitingMark` (phone/quote-marks.ts), because the page may
 * close at any moment.
 */
export interface Outbox {
  /**
   * Resolves once the quote is on disk; from then on only delivery or the visitor removes it. If another stored quote
   * has the same id and `corrects` is not set, the quote gets a new id. If the corrected quote is already delivered,
   * the correction is not stored, and the result has the state superseded.
   */
  add(quote: Quote, about: AddOptions): Promise<Entry>;
  /**
   * Sends the quotes and messages that are due, with a lock across pages and worker (flush-lock.ts). Resolves with the
   * quotes delivered or refused.
   */
  flush(cause: Cause): Promise<readonly Entry[]>;
  /** Pauses the running flush while the browser suspends the page: it starts no further request. */
  setPaused(isPaused: boolean): void;
  /** Stores a message about a quote, which the next `flush` sends; repeats are ignored. */
  addMessage(quoteId: string, message: NewMessage): Promise<void>;
  /** Deletes a message that was not delivered. */
  removeMessage(quoteId: string, messageId: string): Promise<void>;
  /** Stores answers of the sales team, given as lists by quote id. */
  storeAnswers(answers: ReadonlyMap<string, readonly Answer[]>): Promise<void>;
  /**
   * Sends the quotes and messages that the server has lost again, with the time of their first delivery. `unknown`:
   * their ids.
   */
  sendAgain(unknown: ReadonlySet<string>): Promise<void>;
  /** Stores quotes that another phone sent and a link opened here, except those whose text this phone already has. */
  addLinked(linked: readonly LinkedQuote[]): Promise<void>;
  entries(): Promise<readonly Entry[]>;
  watch(listener: (entries: readonly Entry[]) => void): () => void;
  refresh(): void;
  /** Deletes an entry unless it is being sent; `restore` brings it back and keeps newer answers and messages. */
  remove(id: string): Promise<Entry | undefined>;
  restore(entry: Entry): Promise<void>;
  /**
   * Stores that deliveries were announced to the visitor (`told`) or counted for statistics. Resolves with the ids for
   * which no other page or worker has stored this: only this caller announces or counts them.
   */
  claim(ids: readonly string[], what: 'told' | 'counted'): Promise<readonly string[]>;
  /** Stores that all answers were announced. Resolves with the entries that had an answer not yet announced. */
  claimAnswers(): Promise<readonly Entry[]>;
  isShared(): Promise<boolean>;
  setShared(shared: boolean): Promise<void>;
  /** Deletes all entries and settings, also unsent quotes. */
  erase(): Promise<void>;
}

interface OutboxDependencies extends Omit<DrainDependencies, 'isPaused'> {
  readonly transact: Transact<QuoteStores>;
  readonly openChannel: () => BroadcastChannel;
}

export function createOutbox(dependencies: OutboxDependencies): Outbox {
  const { transact, openChannel, now } = dependencies;
  const disk = createEntryStore(transact, () => notifier.notifyChanged());
  const notifier = createChangeNotifier(openChannel, disk.all, () => running?.drain.openLane());
  let running: { readonly drain: Drain; readonly done: Promise<readonly Entry[]> } | undefined;
  let isPaused = false;
  let nextFlush: { cause: Cause; readonly done: Promise<readonly Entry[]> } | undefined;

  const add: Outbox['add'] = async (quote, about) => {
    // The receipt promises that the quote is stored, so the write must reach the disk: the battery may run out at once.
    const { result } = await disk.change((entries) => decideAdd(entries, quote, about, now()), 'strict');
    if (result === 'taken') return add({ ...quote, id: newId() }, about);
    if (result === 'sending') {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return add(quote, about);
    }
    return result;
  };

  function start(cause: Cause): Promise<readonly Entry[]> {
    const drain = createDrain(cause, disk, { ...dependencies, isPaused: () => isPaused });
    const work = async () => {
      await tryToForgetFinished();
      const settled = await drain.run();
      await tryToForgetFinished();
      return settled;
    };
    running = { drain, done: withFlushLock(work, transact, now).finally(() => (running = undefined)) };
    return running.done;
  }

  const flush: Outbox['flush'] = (cause) => {
    if (!running) return start(cause);
    if ((cause === 'due' || cause === 'probe') && running.drain.openLane(cause)) return running.done;
    // The running flush tries each quote once, so a second flush right after it retries the failed ones.
    if (nextFlush) nextFlush.cause = CAUSES[Math.max(CAUSES.indexOf(nextFlush.cause), CAUSES.indexOf(cause))]!;
    else nextFlush = { cause, done: running.done.catch(() => undefined).then(startNext) };
    return nextFlush.done;
  };

  function startNext(): Promise<readonly Entry[]> {
    const { cause } = nextFlush!;
    nextFlush = undefined;
    return flush(cause);
  }

  /** Ignores errors: a full disk must not stop sending. */
  const tryToForgetFinished = () => forgetFinished().catch(() => undefined);

  const isShared = async () => (await transact('settings', 'readonly', (settings) => settings.get('shared'))) === true;

  async function forgetFinished(): Promise<void> {
    const shared = await isShared();
    await disk.change((entries) => {
      const rest = entries.map((entry) => forget(entry, now(), shared));
      return { put: rest.filter((entry, at) => entry !== entries[at]) };
    });
  }

  return {
    add,
    flush,
    setPaused: (suspended) => void (isPaused = suspended),

    async addMessage(quoteId, message) {
      await disk.change((entries) => {
        const entry = entries.find(({ id }) => id === quoteId);
        // A shared phone removes the quote at delivery, which may happen while a picture for the quote is being
        // compressed.
        if (!entry?.quote) throw new Error('Quote not found.');
        if (isRepeat(entry.messages, message)) return {};
        const others = entry.messages.filter(({ id }) => id !== message.id);
        const added = { ...message, createdAt: now(), state: newWaitingState(now()) };
        return { put: [{ ...entry, messages: [...others, added] }] };
      }, 'strict');
    },

    async removeMessage(quoteId, messageId) {
      await disk.change((entries) => ({
        put: entries
          .filter(({ id }) => id === quoteId)
          .map((entry) => ({
            ...entry,
            messages: entry.messages.filter(({ id, state }) => id !== messageId || state.kind === 'delivered'),
          })),
      }));
    },

    async storeAnswers(answers) {
      await disk.change((entries) => {
        const put = entries.flatMap((entry) => {
          const newAnswers = (answers.get(entry.id) ?? []).flatMap(
            (answer) => newerAnswer(answer, entry.answers) ?? [],
          );
          // An entry without its quote was erased, or the phone became shared: a late answer must not bring the entry's
          // data back.
          if (newAnswers.length === 0 || !entry.quote) return [];
          return {
            ...entry,
            answers: mergeById(newAnswers, entry.answers, (answer) => answer).toSorted((a, b) => a.at - b.at),
          };
        });
        return { put };
      }, 'hold');
    },

    async sendAgain(unknown) {
      const { put } = await disk.change((entries) => {
        const rest = entries.map((entry) => sendAgain(entry, unknown, now()));
        return { put: rest.filter((entry, at) => entry !== entries[at]) };
      });
      if (put.length > 0) await flush('due');
    },

    async addLinked(linked) {
      await disk.change((entries) => ({
        put: linked.flatMap(({ quote, at, promisedAt }) => {
          const stored = entries.find(({ id }) => id === quote.id);
          if (stored?.quote) return [];
          const state = { kind: 'delivered', at, promisedAt, told: true, counted: true } as const;
          return { answers: [], messages: [], ...stored, id: quote.id, createdAt: at, openedAt: now(), quote, state };
        }),
      }));
    },

    entries: disk.all,
    watch: notifier.watch,
    refresh: notifier.refresh,

    async remove(id) {
      const { remove } = await disk.change((entries) => {
        const entry = entries.find((other) => other.id === id);
        return entry && !isSending(entry, now()) ? { remove: entry } : {};
      });
      return remove;
    },

    async restore(entry) {
      await disk.change((entries) => {
        const { answers, messages } = entries.find(({ id }) => id === entry.id) ?? entry;
        return { put: [{ ...entry, answers, messages }] };
      });
    },

    async claim(ids, what) {
      const { put } = await disk.change(
        (entries) => ({
          put: entries.flatMap((entry) => {
            const { id, state } = entry;
            // A delivery that is only in memory is skipped: the next visit finds the quote waiting, sends it again and
            // announces it.
            if (!ids.includes(id) || disk.isUnsaved(id) || state.kind !== 'delivered' || state[what]) return [];
            return [{ ...entry, state: { ...state, [what]: true } }];
          }),
        }),
        'silent',
      );
      return put.map(({ id }) => id);
    },

    async claimAnswers() {
      let untold: readonly Entry[] = [];
      await disk.change((entries) => {
        untold = entries.filter(({ answers }) => answers.some(({ told }) => !told));
        const allTold = (entry: Entry) => entry.answers.map((answer) => ({ ...answer, told: true }));
        return { put: untold.map((entry) => ({ ...entry, answers: allTold(entry) })) };
      }, 'hold');
      return untold.map((entry) => ({ ...entry, answers: entry.answers.filter(({ told }) => !told) }));
    },

    isShared,

    async setShared(shared) {
      await transact('settings', 'readwrite', (settings) => settings.put(shared, 'shared'));
      await forgetFinished();
      notifier.notifyChanged();
    },

    erase: disk.erase,
  };
}

interface Addition {
  readonly put?: readonly Entry[];
  readonly result: Entry | 'taken' | 'sending';
}

const optionsInText = ({ promociones, llamada, embarque }: Quote) =>
  JSON.stringify([!promociones, !llamada, embarque || 0]);

function decideAdd(entries: readonly Entry[], quote: Quote, { corrects, replaced }: AddOptions, now: number): Addition {
  const storedEntry = entries.find(({ id }) => id === quote.id);
  const storedQuote = storedEntry?.quote;
  const isSame =
    storedQuote && sameQuote(storedQuote, quote) && !(corrects && optionsInText(storedQuote) !== optionsInText(quote));
  if (isSame && storedEntry.state.kind !== 'refused') return { result: storedEntry };
  // Two tabs may share a draft and an id, and a page may die between storing the quote and deleting the draft.
  if (storedEntry && !corrects) return { result: 'taken' };
  if (storedEntry && isSending(storedEntry, now)) return { result: 'sending' };
  // A quote that waits again was delivered before, and the team may have answered its text: the correction must be a
  // new quote.
  if (storedEntry && wasDelivered(storedEntry.state)) {
    return { result: { ...storedEntry, state: { kind: 'refused', at: now, refusal: { kind: 'superseded' } } } };
  }
  // The corrected entry keeps its messages, answers and files.
  const entry = {
    ...newEntry(quote, now),
    replaced: replaced ?? storedEntry?.replaced,
    ...(storedEntry && { answers: storedEntry.answers, messages: storedEntry.messages }),
  };
  return { put: [entry], result: entry };
}
