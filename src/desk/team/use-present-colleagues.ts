import { useEffect } from 'react';
import type { ReachRow } from '../../lead/rows.ts';
import { useStore } from '../../ui/store.ts';
import { refreshPresence, reach } from './presence.ts';

/** Milliseconds between two reads: a colleague may come or go while one is chosen. */
const ASK_EVERY = 4000;
const NOBODY: readonly ReachRow[] = [];

/** Colleagues at their desk or with alerts; the chosen one stays after leaving. */
export function usePresentColleagues(me: string, chosen: string): readonly ReachRow[] {
  useEffect(() => {
    const ask = () => void refreshPresence().catch(() => undefined);
    ask();
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, []);
  const team = useStore(reach) ?? NOBODY;
  // The chosen colleague stays, because the press is for that name.
  return team.filter(({ staff, here }) => (here || staff === chosen) && staff !== me);
}
