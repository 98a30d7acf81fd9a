import { useEffect } from 'react';
import type { ReachRow } from '../lead/rows.ts';
import { useStore } from '../ui/store.ts';
import { askWhoIsHere, reach } from './presence.ts';

/** Somebody may come or go while one of them is chosen. */
const ASK_EVERY = 4000;
const NOBODY: readonly ReachRow[] = [];

/** Who can be told; `isAsked`: as it is now, and not as it was up to a minute ago. */
export function useWhoIsHere(isAsked: boolean): readonly ReachRow[] {
  useEffect(() => {
    if (!isAsked) return undefined;
    const ask = () => void askWhoIsHere().catch(() => undefined);
    ask();
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, [isAsked]);
  return useStore(reach) ?? NOBODY;
}
