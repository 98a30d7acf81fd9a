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

/** The quotes on this phone, as they are now. */
export function useEntries(): readonly Entry[] {
  return useSyncExternalStore(
    subscribe,
    () => current,
    () => NONE,
  );
}

/** Undefined until the disk has said it; asked again at each change, since it may not answer once. */
export function useIsShared(): boolean | undefined {
  const [isShared, setShared] = useState<boolean>();
  useEffect(() => outbox.watch(() => void outbox.isShared().then(setShared, () => undefined)), []);
  return isShared;
}
