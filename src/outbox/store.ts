import { openDB, type DBSchema, type IDBPDatabase, type IDBPObjectStore, type StoreNames } from 'idb';
import type { Entry } from './entry.ts';

export interface QuoteStores extends DBSchema {
  quotes: { key: string; value: Entry };
  /**
   * Key `shared`: whether several people use the phone. Key `lease`: page that may flush, in browsers without Web
   * Locks.
   */
  settings: { key: string; value: unknown };
}

const NAME = 'aeropuente';
const VERSION = 1;

/**
 * Time limits in milliseconds, for opening the database, for a transaction, and for a transaction that must reach the
 * disk.
 */
const OPENING = 3000;
const WORK = 4000;
const STRICT = 8000;

const LATE = new Error('The storage did not answer in time.');

export function within<T>(milliseconds: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(LATE), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

export type Transact<Stores extends DBSchema> = <Name extends StoreNames<Stores>, T>(
  name: Name,
  how: 'readonly' | 'readwrite' | 'strict',
  work: (store: IDBPObjectStore<Stores, [Name], Name, 'readwrite'>) => Promise<T>,
) => Promise<T>;

/**
 * Limits every wait for the disk: on an iPhone, a disk request that runs while the app is suspended may never end. A
 * database connection that opens too late is closed, and the next transaction opens a new one.
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
            // The page has already reported this write as failed. The transaction is aborted, so that it cannot succeed
            // later.
            abort?.();
          })
          .catch(() => undefined);
      throw error;
    }
  };
}

export const createQuoteTransact = () => createTransact<QuoteStores>(open);

async function open(forget: () => void): Promise<IDBPDatabase<QuoteStores>> {
  const callbacks = {
    upgrade(store: IDBPDatabase<QuoteStores>) {
      store.createObjectStore('quotes', { keyPath: 'id' });
      store.createObjectStore('settings');
    },
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
    // A newer release has raised the version of the database. Without a version number any version opens, and this
    // release can still read its stores.
    return openDB<QuoteStores>(NAME, undefined, callbacks);
  }
}
