import { useSyncExternalStore } from 'react';
import type { Store } from './create-store.ts';

/**
 * Returns the store's value and renders again when it changes. React starts with `initial`, because the built page
 * shows that value.
 */
export function useStore<Value>({ subscribe, read, initial }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, read, () => initial);
}
