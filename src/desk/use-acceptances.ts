import { useEffect, useEffectEvent, useRef } from 'react';
import { isToBook, type Lead } from './lead/lead.ts';

/** Calls back for each acceptance that comes in while the desk is open, of one's own leads and of free ones. */
export function useAcceptances(
  leads: readonly Lead[],
  isLoaded: boolean,
  me: string,
  onAccepted: (lead: Lead) => void,
) {
  const seen = useRef<ReadonlySet<string>>(undefined);
  const call = useEffectEvent(onAccepted);
  useEffect(() => {
    if (!isLoaded) return;
    const accepted = leads.filter(isToBook);
    const news = accepted.find(
      ({ quote_id, assignee }) => !seen.current?.has(quote_id) && (assignee === null || assignee === me),
    );
    if (news && seen.current) call(news);
    seen.current = new Set(accepted.map(({ quote_id }) => quote_id));
  }, [leads, isLoaded, me]);
}
