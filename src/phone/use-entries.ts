import { useEffect, useState } from 'react';
import type { Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { createStore } from '../ui/create-store.ts';
import { useStore } from '../ui/store.ts';

const current = createStore<readonly Entry[]>([]);

const subscribe = (listener: () => void) =>
  outbox.watch((entries) => {
    current.set(entries);
    listener();
  });

export const useEntries = (): readonly Entry[] => useStore({ ...current, subscribe });

/**
 * Returns whether several people share the phone; undefined until the disk responds. The disk is read again at each
 * change of the quotes, because a read may fail.
 */
export function useIsShared(): boolean | undefined {
  const [isShared, setShared] = useState<boolean>();
  useEffect(() => outbox.watch(() => void outbox.isShared().then(setShared, () => undefined)), []);
  return isShared;
}
