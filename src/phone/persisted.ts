import { tryStorage } from './storage-access.ts';

/**
 * Value in localStorage or sessionStorage. If the browser refuses access, `get` returns undefined and `set` does
 * nothing.
 */
export interface Persisted<Value> {
  readonly get: () => Value | undefined;
  readonly set: (value: Value | undefined) => void;
}

/**
 * Function that returns the storage, because browsers that block cookies throw at the mere mention of `localStorage`.
 */
type StorageOf = () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

/** Stores a text as it is; an empty text removes the stored text. */
export function persistedText(key: string, storage: StorageOf = () => localStorage): Persisted<string> {
  return {
    get: () => tryStorage(() => storage().getItem(key) ?? undefined),
    set: (text) => tryStorage(() => (text ? storage().setItem(key, text) : storage().removeItem(key))),
  };
}

/** Stores a value as JSON. `read` validates the stored value, because another release may have written it. */
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
