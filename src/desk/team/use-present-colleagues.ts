import { useEffect } from 'react';
import type { ReachRow } from '../../lead/rows.ts';
import { useStore } from '../../ui/store.ts';
import { refreshPresence, reach } from './presence.ts';

/** Milliseconds between two reads, because colleagues may come or go while the form is open. */
const ASK_EVERY = 4000;
const NOBODY: readonly ReachRow[] = [];

/** Returns the colleagues to whom a lead can be handed now, and the colleague who is chosen already. */
export function usePresentColleagues(me: string, chosen: string): readonly ReachRow[] {
  useEffect(() => {
    const ask = () => void refreshPresence().catch(() => undefined);
    ask();
    const timer = setInterval(ask, ASK_EVERY);
    return () => clearInterval(timer);
  }, []);
  const team = useStore(reach) ?? NOBODY;
  // The chosen colleague stays in the list even if no longer present, so that the choice does not change by itself.
  return team.filter(({ staff, here }) => (here || staff === chosen) && staff !== me);
}
