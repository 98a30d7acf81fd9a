import { useSyncExternalStore } from 'react';
import type { Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';

const NONE: readonly Entry[] = [];
let current = NONE;

function subscribe(listener: () => void): () => void {
  return outbox.watch((entries) => {
    current = entries;
    listener();
  });
}

/** The quotes on this phone, as they are now. */
export function useEntries(): readonly Entry[] {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => NONE,
  );
}
