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
import { sameRequest } from '../lead/quote-row.ts';
import type { Answer } from '../lead/answer.ts';
import type { NewMessage } from '../lead/messages.ts';
import { CAUSES, isSending, wasDelivered, type Cause } from './state.ts';

interface AddOptions {
  readonly corrects: boolean;
  readonly replaced?: string | undefined;
}

/**
 * Callers run `add`, `addMessage` and `restore` inside `withWaitingMark` (phone/quote-marks.ts): the mark tells the
 * next visit that something waits, even if the page closes in the middle.
 */
export interface Outbox {
  /**
   * Resolves once the quote is on disk; from then on only delivery or the visitor removes it. Without `corrects`, a
   * quote whose id is already in use gets a new id. A correction of a delivered quote is not stored: the result has the
   * state superseded.
   */
  add(quote: Quote, about: AddOptions): Promise<Entry>;
  /**
   * Sends the due quotes and messages. A lock lets only a single page or worker send at a time
   * (flush-lock.ts). Resolves with the quotes that were delivered or refused.
   */
  flush(cause: Cause): Promise<readonly Entry[]>;
  /**
   * Pauses or continues the running flush. The browser may suspend the page: a paused flush starts no further request.
   */
  setPaused(isPaused: boolean): void;
  /** Stores a message about a quote; the next `flush` sends it. A message that the entry already has is ignored. */
  addMessage(quoteId: string, message: NewMessage): Promise<void>;
  /** Deletes a message that was not delivered. */
  removeMessage(quoteId: string, messageId: string): Promise<void>;
  storeAnswers(answers: ReadonlyMap<string, readonly Answer[]>): Promise<void>;
  /**
   * Sends quotes and messages again that the server has lost, with the time of their first delivery. `unknown`: ids of
   * the lost quotes and messages.
   */
  sendAgain(unknown: ReadonlySet<string>): Promise<void>;
  /**
   * Stores quotes of another phone that a share link opened here. A quote whose text this phone already has is not
   * stored again.
   */
  addLinked(linked: readonly LinkedQuote[]): Promise<void>;
  entries(): Promise<readonly Entry[]>;
  watch(listener: (entries: readonly Entry[]) => void): () => void;
  refresh(): void;
  /** Deletes an entry unless it is being sent; `restore` brings it back and keeps newer answers and messages. */
  remove(id: string): Promise<Entry | undefined>;
  restore(entry: Entry): Promise<void>;
  /**
   * Records that deliveries were announced to the visitor or counted for statistics. Resolves with the ids that no
   * other page or worker had recorded before: only this caller announces or counts them.
   */
  claim(ids: readonly string[], what: 'announced' | 'counted'): Promise<readonly string[]>;
  /** Records that all answers were announced. Resolves with the entries that had an answer not yet announced. */
  claimAnswers(): Promise<readonly Entry[]>;
  isShared(): Promise<boolean>;
  setShared(shared: boolean): Promise<void>;
  /** Deletes all entries and settings, including unsent quotes. */
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
    // The receipt promises that the quote is stored. The write must therefore reach the disk at once: the battery may
    // run out.
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
    // The running flush tries each quote only once, so a call of `flush` in the meantime needs a second flush. Several
    // calls share the second flush, with the strongest cause.
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
    await disk.change((entries) => ({ put: entries.map((entry) => forget(entry, now(), shared)) }));
  }

  return {
    add,
    flush,
    setPaused: (suspended) => void (isPaused = suspended),

    async addMessage(quoteId, message) {
      await disk.change((entries) => {
        const entry = entries.find(({ id }) => id === quoteId);
        // On a shared phone the quote is removed at delivery. That can happen while a picture for the quote is still
        // being compressed.
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
          // If the entry has no quote, its data were erased, or removed on a shared phone. An answer that arrives late
          // must not bring them back.
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
      const { put } = await disk.change((entries) => ({
        put: entries.map((entry) => sendAgain(entry, unknown, now())),
      }));
      if (put.length > 0) await flush('due');
    },

    async addLinked(linked) {
      await disk.change((entries) => ({
        put: linked.flatMap(({ quote, at, promisedAt }) => {
          const stored = entries.find(({ id }) => id === quote.id);
          if (stored?.quote) return [];
          const state = { kind: 'delivered', at, promisedAt, announced: true, counted: true } as const;
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
            // A delivery that the disk did not store is not claimed: at the next visit the quote is still waiting, is
            // sent again and is then announced.
            if (!ids.includes(id) || disk.isUnsaved(id) || state.kind !== 'delivered' || state[what]) return [];
            return [{ ...entry, state: { ...state, [what]: true } }];
          }),
        }),
        'silent',
      );
      return put.map(({ id }) => id);
    },

    async claimAnswers() {
      let unannounced: readonly Entry[] = [];
      await disk.change((entries) => {
        unannounced = entries.filter(({ answers }) => answers.some(({ announced }) => !announced));
        const allAnnounced = (entry: Entry) => entry.answers.map((answer) => ({ ...answer, announced: true }));
        return { put: unannounced.map((entry) => ({ ...entry, answers: allAnnounced(entry) })) };
      }, 'hold');
      return unannounced.map((entry) => ({ ...entry, answers: entry.answers.filter(({ announced }) => !announced) }));
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

function decideAdd(entries: readonly Entry[], quote: Quote, { corrects, replaced }: AddOptions, now: number): Addition {
  const storedEntry = entries.find(({ id }) => id === quote.id);
  const storedQuote = storedEntry?.quote;
  const isSame = storedQuote && (corrects ? sameRequest : sameQuote)(storedQuote, quote);
  if (isSame && storedEntry.state.kind !== 'refused') return { result: storedEntry };
  // Another quote has this id: two tabs may share a draft and its id, or a page died after it stored a quote and before
  // it deleted the draft.
  if (storedEntry && !corrects) return { result: 'taken' };
  if (storedEntry && isSending(storedEntry, now)) return { result: 'sending' };
  // The server had this quote before, and the team may have answered its text. The correction must therefore be a new
  // quote.
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
