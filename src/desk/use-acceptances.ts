import { useEffect, useEffectEvent, useRef } from 'react';
import { isToBook, type Lead } from './lead/lead.ts';

/**
 * Calls `onAccepted` when a customer accepts an offer while the desk is open, if the lead belongs to this person or to
 * nobody.
 */
export function useAcceptances(
  leads: readonly Lead[],
  isLoaded: boolean,
  me: string,
  onAccepted: (lead: Lead) => void,
) {
  const knownIds = useRef<ReadonlySet<string>>(undefined);
  const call = useEffectEvent(onAccepted);
  useEffect(() => {
    if (!isLoaded) return;
    const accepted = leads.filter(isToBook);
    const news = accepted.find(
      ({ quote_id, assignee }) => !knownIds.current?.has(quote_id) && (assignee === null || assignee === me),
    );
    if (news && knownIds.current) call(news);
    knownIds.current = new Set(accepted.map(({ quote_id }) => quote_id));
  }, [leads, isLoaded, me]);
}
