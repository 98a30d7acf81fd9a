import { useEffect, useEffectEvent, useRef } from 'react';
import { isToBook, type Lead } from './lead/lead.ts';

/** Calls back for each acceptance that comes in while the desk is open, of one's own leads and of free ones. */
export function useAcceptances(leads: readonly Lead[], isHeard: boolean, me: string, onAccepted: (lead: Lead) => void) {
  const seen = useRef<ReadonlySet<string>>(undefined);
  const tell = useEffectEvent(onAccepted);
  useEffect(() => {
    if (!isHeard) return;
    const accepted = leads.filter(isToBook);
    const news = accepted.find(
      ({ quote_id, assignee }) => !seen.current?.has(quote_id) && (assignee === null || assignee === me),
    );
    if (news && seen.current) tell(news);
    seen.current = new Set(accepted.map(({ quote_id }) => quote_id));
  }, [leads, isHeard, me]);
}
