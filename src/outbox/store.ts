import { openDB, type DBSchema, type IDBPDatabase } from 'idb';
import type { Entry } from './entry.ts';

interface Schema extends DBSchema {
  quotes: { key: string; value: Entry };
  /** `shared`: the phone is shared; `lease`: who flushes, where Web Locks are missing. */
  settings: { key: string; value: unknown };
}

type Store = IDBPDatabase<Schema>;

const NAME = 'aeropuente';
const VERSION = 1;
const OPENING_TIME_OUT = 3000;

export type OpenStore = () => Promise<Store>;

/** The one connection of a page or worker, opened again when the browser took it away. */
export function createOpenStore(): OpenStore {
  let opened: Promise<Store> | undefined;
  const forget = () => (opened = undefined);
  return () => {
    opened ??= open(forget).catch((error: unknown) => {
      forget();
      throw error;
    });
    // An upgrade may be blocked by a tab of an older build: a form cannot wait for that.
    return Promise.race([opened, failAfter(OPENING_TIME_OUT)]);
  };
}

async function open(forget: () => void): Promise<Store> {
  const callbacks = {
    upgrade(store: Store) {
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
    return await openDB<Schema>(NAME, VERSION, callbacks);
  } catch (error) {
    if ((error as DOMException).name !== 'VersionError') throw error;
    // A newer build has upgraded it; what this one needs is still there.
    return openDB<Schema>(NAME, undefined, callbacks);
  }
}

function failAfter(milliseconds: number): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Error('The storage of this phone did not open in time.')), milliseconds);
  });
}
