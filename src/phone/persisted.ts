import { tryStorage } from './storage-access.ts';

/** Value in a browser storage. If the browser refuses access, `get` returns undefined and `set` does nothing. */
export interface Persisted<Value> {
  readonly get: () => Value | undefined;
  /** Stores the value; undefined removes the stored one. */
  readonly set: (value: Value | undefined) => void;
}

/** Function that returns the storage: browsers that block cookies throw when the storage is named. */
type StorageOf = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Persists a text as it is; an empty text removes the stored one. */
export function persistedText(key: string, storage: StorageOf = () => localStorage): Persisted<string> {
  return {
    get: () => tryStorage(() => storage().getItem(key) ?? undefined),
    set: (text) => tryStorage(() => (text ? storage().setItem(key, text) : storage().removeItem(key))),
  };
}

/** Persists a value as JSON. `read` validates it, because another release may have stored it. */
export function persisted<Value>(
  key: string,
  read: (stored: unknown) => Value | undefined,
  storage?: StorageOf,
): Persisted<Value> {
  const text = persistedText(key, storage);
  return {
    get: () => read(tryStorage(() => JSON.parse(text.get()!) as unknown)),
    set: (value) => text.set(JSON.stringify(value)),
  };
}
