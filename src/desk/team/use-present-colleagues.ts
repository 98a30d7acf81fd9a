import { useEffect } from 'react';
import type { ReachRow } from '../../lead/rows.ts';
import { useStore } from '../../ui/store.ts';
import { refreshPresence, reach } from './presence.ts';

/** Somebody may come or go while one of them is chosen. */
const ASK_EVERY = 4000;
const NOBODY: readonly ReachRow[] = [];

interface Asked {
  /** Who is here now, and not up to a minute ago. */
  readonly isAsked?: boolean;
  readonly me: string;
  readonly chosen: string | undefined;
}

/** The colleagues who can be told, of whom one may be chosen. */
export function usePresentColleagues({ isAsked = true, me, chosen }: Asked): readonly ReachRow[] {
  useEffect(() => {
    if (!isAsked) return undefined;
    const ask = () => void refreshPresence().catch(() => undefined);
    ask();
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, [isAsked]);
  const team = useStore(reach) ?? NOBODY;
  // Who was chosen and has gone stays: another name in that place would not be whom the press is for.
  return team.filter(({ staff, here }) => (here || staff === chosen) && staff !== me);
}
