import 'fake-indexeddb/auto';
import { IDBFactory } from 'fake-indexeddb';
import { afterEach, beforeEach, vi } from 'vitest';
import type { SendOutcome } from '../../src/outbox/state.ts';
import type { Outgoing } from '../../src/outbox/messages.ts';
import { type Entry, type WaitingEntry } from '../../src/outbox/entry.ts';
import { newEntry } from '../../src/outbox/new-entry.ts';
import { createOutbox, type Outbox } from '../../src/outbox/outbox.ts';
import { createQuoteTransact } from '../../src/outbox/store.ts';
import { newId, type Quote } from '../../src/lead/quote.ts';
import type { DeliveryState } from '../../src/lead/delivery-state.ts';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const DAY = 24 * 60 * MINUTE;
export const NOW = Date.UTC(2026, 10, 21, 20);

let count = 0;
export function someQuote(values: Partial<Quote> = {}): Quote {
  count += 1;
  const mark = `${count}`.padStart(4, '0');
  return {
    id: newId(),
    nombre: `María ${mark}`,
    empresa: 'Berries del Valle',
    email: `ventas${mark}@berries.mx`,
    telefono: '+52 998 765 4321',
    peso: 12_500,
    tipo_carga: 'perecederos',
    ...values,
  };
}

/** Entry without state, as a faulty build may store; its id sorts first. */
export const corrupt = { id: '00000000-0000-4000-8000-000000000000', quote: someQuote() };

/** Returns the entry of a quote that waits since an earlier visit. */
export function waitingSince(createdAt: number, state: Partial<WaitingEntry['state']> = {}): WaitingEntry {
  const entry = newEntry(someQuote(), createdAt) as WaitingEntry;
  return { ...entry, state: { ...entry.state, ...state } };
}

export function deliveredAt(at: number, state: Partial<Extract<DeliveryState, { kind: 'delivered' }>> = {}): Entry {
  const entry = newEntry(someQuote(), at);
  return { ...entry, state: { kind: 'delivered', at, announced: false, counted: false, ...state } };
}

/**
 * Makes the disk answer no new transaction until the returned function is called. With `lands`, the disk then also
 * carries out the writes that the page has aborted, as if their commits had already begun.
 */
export function muteDisk({ lands = false } = {}): () => void {
  const goOn: (() => void)[] = [];
  const prototype: { transaction: (this: IDBDatabase, ...about: never[]) => IDBTransaction } = IDBDatabase.prototype;
  const begin = prototype.transaction;
  const spy = vi.spyOn(prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...about) {
    // fake-indexeddb begins a transaction with its internal method `_start`.
    const transaction = begin.apply(this, about) as IDBTransaction & { _start?: () => void };
    const { _rawDatabase } = this as unknown as { readonly _rawDatabase: { processTransactions(): void } };
    transaction._start = () => undefined;
    if (lands) transaction.abort = () => undefined;
    goOn.push(() => {
      delete transaction._start;
      _rawDatabase.processTransactions();
    });
    return transaction;
  });
  return () => {
    spy.mockRestore();
    for (const each of goOn) each();
  };
}

/** Attempt to send, which the test answers with `answer`. */
interface Try {
  readonly quote: Quote;
  /** Id of the quote that `quote` corrects. */
  readonly replaced: string | undefined;
  /** Time of the first delivery, if the server has lost the quote since. */
  readonly deliveredAt: number | undefined;
  readonly tab: number;
  readonly answer: (outcome: SendOutcome) => void;
}

/** Phone of the running test, and the outbox of its first tab. */
export let phone: Phone;
export let outbox: Outbox;

/** Gives each test of a file its own phone. */
export function usePhone(): void {
  beforeEach(() => {
    phone = new Phone();
    outbox = phone.openTab();
  });
  afterEach(() => phone.turnOff());
}

export const entryOf = async (id: string): Promise<Entry> => (await outbox.entries()).find((entry) => entry.id === id)!;

/**
 * Phone with a disk. Each tab has its own outbox and connection, like a page or worker. `ends` returns the outcome of
 * an attempt to send; without `ends` each attempt waits until the test answers.
 */
export class Phone {
  now = NOW;
  ends: ((quote: Quote) => SendOutcome) | undefined = () => ({ kind: 'delivered', at: this.now });
  readonly tries: Try[] = [];
  /** Messages that were sent; `messagesEnd` returns their outcome. */
  readonly messages: Outgoing[] = [];
  readonly messagesFirstAt: (number | undefined)[] = [];
  messagesEnd: (reply: Outgoing) => SendOutcome | Promise<SendOutcome> = () => ({ kind: 'delivered', at: this.now });
  /** Largest number of quotes sent at the same time. */
  most = 0;
  readonly #channelName = newId();
  readonly #transact = createQuoteTransact();
  #onItsWay = 0;

  constructor() {
    vi.stubGlobal('indexedDB', new IDBFactory());
  }

  get names(): readonly string[] {
    return this.tries.map(({ quote }) => quote.nombre);
  }

  openTab(tab = 0, transact = createQuoteTransact()): Outbox {
    return createOutbox({
      transact,
      openChannel: () => this.openChannel(),
      now: () => this.now,
      chance: () => 1,
      send: async (quote, replaced, first) => {
        this.#onItsWay += 1;
        this.most = Math.max(this.most, this.#onItsWay);
        const outcome = await new Promise<SendOutcome>((answer) => {
          this.tries.push({ quote, replaced, deliveredAt: first, tab, answer });
          if (this.ends) answer(this.ends(quote));
        });
        this.#onItsWay -= 1;
        return outcome;
      },
      sendMessage: async (reply, first) => {
        this.messages.push(reply);
        this.messagesFirstAt.push(first);
        return this.messagesEnd(reply);
      },
    });
  }

  openChannel(): BroadcastChannel {
    return new BroadcastChannel(this.#channelName);
  }

  /** Stores entries on the disk without a check, so that they may be unreadable. */
  async keep(...entries: readonly unknown[]): Promise<void> {
    await this.#transact('quotes', 'readwrite', (store) =>
      Promise.all(entries.map((entry) => store.put(entry as Entry))),
    );
  }

  async disk(): Promise<readonly Entry[]> {
    return this.#transact('quotes', 'readonly', (store) => store.getAll());
  }

  async setting(key: string): Promise<unknown> {
    return this.#transact('settings', 'readonly', (store) => store.get(key));
  }

  /** Makes every disk write fail, as on a full phone, until the returned function is called. */
  fillUp(): () => void {
    const spy = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
      const request = this.getKey('');
      this.transaction.abort();
      return request as IDBRequest<IDBValidKey>;
    });
    return () => spy.mockRestore();
  }

  /** Waits until this many attempts to send have begun. */
  tried(many: number): Promise<unknown> {
    return vi.waitUntil(() => this.tries.length >= many, { interval: 1 });
  }

  /** Waits for all work that depends on no timer. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  /** Ends attempts that still wait for an answer: they would hold the lock that the next simulated phone needs. */
  turnOff(): void {
    for (const { answer } of this.tries) answer({ kind: 'unreachable' });
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  }
}
