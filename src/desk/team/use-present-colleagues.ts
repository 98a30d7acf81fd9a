import { useEffect } from 'react';
import type { ReachRow } from '../../lead/rows.ts';
import { useStore } from '../../ui/store.ts';
import { refreshPresence, reach } from './presence.ts';

/** Milliseconds between two reads: colleagues may come or go while the form is open. */
const ASK_EVERY = 4000;
const NOBODY: readonly ReachRow[] = [];

/** Colleagues who can get a lead now, and the chosen one. */
export function usePresentColleagues(me: string, chosen: string): readonly ReachRow[] {
  useEffect(() => {
    const ask = () => void refreshPresence().catch(() => undefined);
    ask();
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, []);
  const team = useStore(reach) ?? NOBODY;
  // The chosen colleague stays even after leaving, so that the choice does not change by itself.
  return team.filter(({ staff, here }) => (here || staff === chosen) && staff !== me);
}
