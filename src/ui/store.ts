import { useSyncExternalStore } from 'react';
import type { Store } from './create-store.ts';

/** The initial value hydrates, because the document was rendered with it. */
export function useStore<Value>({ subscribe, read, initial }: Store<Value>): Value {
  return useSyncExternalStore(subscribe, read, () => initial);
}
