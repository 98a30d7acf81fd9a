import { useEffect, useState, useSyncExternalStore } from 'react';
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

export function useEntries(): readonly Entry[] {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => NONE,
  );
}

/**
 * True if the phone is shared; undefined until the disk responds. Read again at each change, because a read may fail.
 */
export function useIsShared(): boolean | undefined {
  const [isShared, setShared] = useState<boolean>();
  useEffect(() => outbox.watch(() => void outbox.isShared().then(setShared, () => undefined)), []);
  return isShared;
}
