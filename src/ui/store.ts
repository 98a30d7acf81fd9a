import { useSyncExternalStore } from 'react';
import type { Store } from './create-store.ts';

/** The document was rendered with the initial value, so it is hydrated with that. */
export function useStore<Value>({ subscribe, read, initial }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, read, () => initial);
}
