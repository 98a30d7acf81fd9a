import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { openFolio } from './announcements.ts';
import { listLead, feed, findByFolio } from './api/lead-feed.ts';
import type { Lead } from './lead/lead.ts';

export const SHEET = '#lead';

interface Hooks {
  readonly readAt: number | undefined;
  readonly focusList: () => void;
  /** Runs when another lead opens or the open one closes. */
  readonly onTurn: () => void;
}

/** Open lead by the folio in the URL, and functions that open and close leads. */
export function useDeskRoute(leads: readonly Lead[], { readAt, focusList, onTurn }: Hooks) {
  const [folio, setFolio] = useState(openFolio);
  /** Id of the opened lead, because two leads may have the same folio. */
  const [pressed, setPressed] = useState<string>();
  const [part, setPart] = useState(SHEET);

  const turn = useEffectEvent(() => {
    const next = openFolio();
    if (next === document.querySelector<HTMLElement>('[data-folio]')?.dataset['folio']) return;
    flushSync(() => {
      setFolio(next);
      onTurn();
    });
    requestAnimationFrame(() => {
      const sheet = document.querySelector<HTMLElement>(SHEET);
      if (sheet) sheet.focus();
      else focusList();
    });
  });
  useEffect(() => {
    const onHash = () => turn();
    addEventListener('hashchange', onHash);
    return () => removeEventListener('hashchange', onHash);
  }, []);
  useEffect(() => {
    if (folio && readAt && !feed.read().leads.some((lead) => lead.folio === folio))
      void findByFolio(folio).catch(() => undefined);
  }, [folio, readAt]);

  const open = (lead: Lead, focused = SHEET) => {
    listLead(lead);
    if (lead.folio !== folio) location.hash = lead.folio;
    // Rendered at once: a later render would remove the focused element.
    flushSync(() => {
      setFolio(lead.folio);
      setPressed(lead.quote_id);
      setPart(focused);
      onTurn();
    });
    // The part may be missing: a closed lead or a colleague's lead has no answer form.
    const first = () => document.querySelector<HTMLElement>(focused) ?? document.querySelector<HTMLElement>(SHEET);
    requestAnimationFrame(() => first()?.focus());
  };
  const toList = () => {
    if (folio) location.hash = '';
    setFolio(undefined);
    onTurn();
    requestAnimationFrame(focusList);
  };
  const twins = leads.filter((lead) => lead.folio === folio);
  const chosen = twins.find(({ quote_id }) => quote_id === pressed) ?? twins[0];
  return { chosen, isWholeAtOnce: part !== SHEET, open, toList };
}
