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
  readonly replaced?: string | undefined;
}

/** Callers run `add`, `say` and `restore` inside `marked` (phone/waiting-mark.ts): the page may close at any moment. */
export interface Outbox {
  /**
   * Resolves once the quote is on disk; from then on only delivery or the visitor removes it. Without `corrects` a
   * quote whose id is taken gets a new id. A correction of a delivered quote is returned as superseded and not stored.
   */
  add(quote: Quote, about: About): Promise<Entry>;
  /**
   * Sends what is due, with a lock across pages and worker (one-at-a-time.ts). Resolves with the quotes delivered or
   * refused.
   */
  flush(cause: Cause): Promise<readonly Entry[]>;
  /** Stops the flush before its next try while the browser suspends the page. */
  setAside(isAside: boolean): void;
  /** Stores a message about a quote for `flush` to send; repeats are ignored. */
  say(quoteId: string, message: NewMessage): Promise<void>;
  /** Deletes a message that was not delivered. */
  takeBack(quoteId: string, messageId: string): Promise<void>;
  /** Stores answers of the sales team, by quote id. */
  keepAnswers(answers: ReadonlyMap<string, readonly Answer[]>): Promise<void>;
  /** Sends quotes and messages again that the server has lost, with the time of their first delivery. */
  sendAgain(unknown: ReadonlySet<string>): Promise<void>;
  /** Stores quotes of another phone, unless they are here with their text. */
  adopt(linked: readonly Linked[]): Promise<void>;
  entries(): Promise<readonly Entry[]>;
  watch(listener: (entries: readonly Entry[]) => void): () => void;
  refresh(): void;
  /** Deletes an entry unless it is being sent; `restore` brings it back and keeps newer answers and messages. */
  remove(id: string): Promise<Entry | undefined>;
  restore(entry: Entry): Promise<void>;
  /**
   * Marks deliveries as told or counted. Resolves with the ids that this caller, and nobody else, must tell or count.
   */
  claim(ids: readonly string[], what: 'told' | 'counted'): Promise<readonly string[]>;
  /** Marks all answers as told. Resolves with the entries that had a new one. */
  claimAnswers(): Promise<readonly Entry[]>;
  isShared(): Promise<boolean>;
  setShared(shared: boolean): Promise<void>;
  /** Deletes everything, including what waits. */
  erase(): Promise<void>;
}

interface Dependencies extends Omit<SendingMeans, 'isAside'> {
  readonly transact: Transact<QuoteStores>;
  readonly openChannel: () => BroadcastChannel;
}

export function createOutbox(dependencies: Dependencies): Outbox {
  const { transact, openChannel, now } = dependencies;
  const disk = createKeptEntries(transact, () => changes.notifyChanged());
  const changes = createChanges(openChannel, disk.all, () => running?.drain.openLane());
  let running: { readonly drain: Drain; readonly done: Promise<readonly Entry[]> } | undefined;
  let isAside = false;
  let next: { cause: Cause; readonly done: Promise<readonly Entry[]> } | undefined;

  const add: Outbox['add'] = async (quote, about) => {
    // The receipt promises that the quote is stored, so this write must survive a flat battery.
    const { result } = await disk.change((entries) => decideAdd(entries, quote, about, now()), 'strict');
    if (result === 'taken') return add({ ...quote, id: newId() }, about);
    if (result === 'sending') {
      await new Promise((resolve) => setTimeout(resolve, 250));
      return add(quote, about);
    }
    return result;
  };

  function start(cause: Cause): Promise<readonly Entry[]> {
    const drain = createDrain(cause, disk, { ...dependencies, isAside: () => isAside });
    const work = async () => {
      await tryToForget();
      const settled = await drain.run();
      await tryToForget();
      return settled;
    };
    running = { drain, done: oneAtATime(work, transact, now).finally(() => (running = undefined)) };
    return running.done;
  }

  const flush: Outbox['flush'] = (cause) => {
    if (!running) return start(cause);
    if ((cause === 'due' || cause === 'probe') && running.drain.openLane(cause)) return running.done;
    // A quote that failed in the running flush is retried right after it.
    if (next) next.cause = CAUSES[Math.max(CAUSES.indexOf(next.cause), CAUSES.indexOf(cause))]!;
    else next = { cause, done: running.done.catch(() => undefined).then(startNext) };
    return next.done;
  };

  function startNext(): Promise<readonly Entry[]> {
    const { cause } = next!;
    next = undefined;
    return flush(cause);
  }

  /** A full disk must not stop sending. */
  const tryToForget = () => forgetWhatIsOver().catch(() => undefined);

  const isShared = async () => (await transact('settings', 'readonly', (settings) => settings.get('shared'))) === true;

  async function forgetWhatIsOver(): Promise<void> {
    const shared = await isShared();
    await disk.change((entries) => {
      const rest = entries.map((entry) => forget(entry, now(), shared));
      return { put: rest.filter((entry, at) => entry !== entries[at]) };
    });
  }

  return {
    add,
    flush,
    setAside: (aside) => void (isAside = aside),

    async say(quoteId, message) {
      await disk.change((entries) => {
        const entry = entries.find(({ id }) => id === quoteId);
        // A shared phone forgets a quote at delivery, which may come while a picture is being compressed.
        if (!entry?.quote) throw new Error('The quote is not on this phone any more.');
        if (repeats(entry.messages, message)) return {};
        const others = entry.messages.filter(({ id }) => id !== message.id);
        const added = { ...message, createdAt: now(), state: newState(now()) };
        return { put: [{ ...entry, messages: [...others, added] }] };
      }, 'strict');
    },

    async takeBack(quoteId, messageId) {
      await disk.change((entries) => ({
        put: entries
          .filter(({ id }) => id === quoteId)
          .map((entry) => ({
            ...entry,
            messages: entry.messages.filter(({ id, state }) => id !== messageId || state.kind === 'delivered'),
          })),
      }));
    },

    async keepAnswers(answers) {
      await disk.change((entries) => {
        const put = entries.flatMap((entry) => {
          const fresh = (answers.get(entry.id) ?? []).flatMap((answer) => news(answer, entry.answers) ?? []);
          // An answer must not restore an entry that was erased or belongs to a phone that became shared.
          if (fresh.length === 0 || !entry.quote) return [];
          return { ...entry, answers: union(fresh, entry.answers, (answer) => answer).toSorted((a, b) => a.at - b.at) };
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

    async adopt(linked) {
      await disk.change((entries) => ({
        put: linked.flatMap(({ quote, at, promisedAt }) => {
          const known = entries.find(({ id }) => id === quote.id);
          if (known?.quote) return [];
          const state = { kind: 'delivered', at, promisedAt, told: true, counted: true } as const;
          return { answers: [], messages: [], ...known, id: quote.id, createdAt: at, openedAt: now(), quote, state };
        }),
      }));
    },

    entries: disk.all,
    watch: changes.watch,
    refresh: changes.refresh,

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
            // The next visit meets this delivery again and tells it then.
            if (!ids.includes(id) || disk.isHeld(id) || state.kind !== 'delivered' || state[what]) return [];
            return [{ ...entry, state: { ...state, [what]: true } }];
          }),
        }),
        'silent',
      );
      return put.map(({ id }) => id);
    },

    async claimAnswers() {
      const { put } = await disk.change(
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

    erase: disk.erase,
  };
}

interface Addition {
  readonly put?: readonly Entry[];
  readonly result: Entry | 'taken' | 'sending';
}

const besideFields = ({ promociones, llamada, embarque }: Quote) =>
  JSON.stringify([!promociones, !llamada, embarque || 0]);

function decideAdd(entries: readonly Entry[], quote: Quote, { corrects, replaced }: About, now: number): Addition {
  const present = entries.find(({ id }) => id === quote.id);
  const earlier = present?.quote;
  const isSame = earlier && sameQuote(earlier, quote) && !(corrects && besideFields(earlier) !== besideFields(quote));
  if (isSame && present.state.kind !== 'refused') return { result: present };
  // Two tabs may share one draft, and a page may die before it ends a stored draft.
  if (present && !corrects) return { result: 'taken' };
  if (present && isSending(present, now)) return { result: 'sending' };
  // A quote that waits again was delivered before: the correction must not replace a text that was answered.
  if (present && wasDelivered(present.state)) {
    return { result: { ...present, state: { kind: 'refused', at: now, refusal: { kind: 'superseded' } } } };
  }
  // Messages, answers and files stay with a corrected quote.
  const entry = {
    ...newEntry(quote, now),
    replaced: replaced ?? present?.replaced,
    ...(present && { answers: present.answers, messages: present.messages }),
  };
  return { put: [entry], result: entry };
}
