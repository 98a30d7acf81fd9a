import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore, type StoreNames } from 'idb';
import type { Entry } from './entry.ts';

export interface QuoteStores extends DBSchema {
  quotes: { key: string; value: Entry };
  /** `shared`: the phone is shared; `lease`: who flushes, where Web Locks are missing. */
  settings: { key: string; value: unknown };
}

const NAME = 'aeropuente';
const VERSION = 1;

/** Bounds in milliseconds: of an opening, of all else, and of a write that has to survive the battery's end. */
const OPENING = 3000;
const WORK = 4000;
const STRICT = 8000;

const LATE = new Error('The storage did not answer in time.');

/** Resolves as `work` does, or rejects with LATE once the milliseconds have passed. */
export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(LATE), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

/** Runs `work` in a new transaction and resolves once the transaction is complete. */
export type Transact<Stores extends DBSchema> = <Name extends StoreNames<Stores>, T>(
  name: Name,
  how: 'readonly' | 'readwrite' | 'strict',
  work: (store: IDBPObjectStore<Stores, [Name], Name, 'readwrite'>) => Promise<T>,
) => Promise<T>;

/**
 * Every wait on the disk has a bound here: on an iPhone a request that is under way while the app is put aside may never
 * answer. A connection that did not answer is closed, and the next transaction opens another.
 */
export function createTransact<Stores extends DBSchema>(
  connect: (forget: () => void) => Promise<IDBPDatabase<Stores>>,
): Transact<Stores> {
  let opened: Promise<IDBPDatabase<Stores>> | undefined;
  const forget = () => (opened = undefined);
  return async (name, how, work) => {
    const isStrict = how === 'strict';
    const connection = (opened ??= connect(forget));
    let abort: (() => void) | undefined;
    async function run() {
      // An upgrade may be blocked by a tab of an older build: a form cannot wait for that.
      const database = await within(OPENING, connection);
      const { store, done } = database.transaction(name, isStrict ? 'readwrite' : (how as 'readwrite'), {
        durability: isStrict ? how : 'default',
      });
      abort = () => store.transaction.abort();
      return (await Promise.all([work(store), done]))[0];
    }
    try {
      return await within(isStrict ? STRICT : WORK, run());
    } catch (error) {
      if (opened === connection && (error === LATE || !abort)) forget();
      if (error === LATE)
        void connection
          .then((database) => {
            database.close();
            // An uncommitted write must not land after the page has called its quote unkept.
            abort?.();
          })
          .catch(() => undefined);
      throw error;
    }
  };
}

/** The transactions of a page or worker, on a connection that is opened again when the browser took it away. */
export const createQuoteTransact = () => createTransact<QuoteStores>(open);

async function open(forget: () => void): Promise<IDBPDatabase<QuoteStores>> {
  const callbacks = {
    upgrade(store: IDBPDatabase<QuoteStores>) {
      store.createObjectStore('quotes', { keyPath: 'id' });
      store.createObjectStore('settings');
    },
    // A newer build wants to upgrade: it may.
    blocking(_current: number, _blocked: number | null, event: IDBVersionChangeEvent) {
      (event.target as IDBDatabase).close();
      forget();
    },
    terminated: forget,
  };
  try {
    return await openDB<QuoteStores>(NAME, VERSION, callbacks);
  } catch (error) {
    if ((error as DOMException).name !== 'VersionError') throw error;
    // A newer build has upgraded it; what this one needs is still there.
    return openDB<QuoteStores>(NAME, undefined, callbacks);
  }
}
