import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { openFolio } from './announcements.ts';
import { listLead, feed, findByFolio } from './api/lead-feed.ts';
import type { Lead } from './lead/lead.ts';

export const SHEET = '#lead';

interface Hooks {
  readonly readAt: number | undefined;
  readonly focusList: () => void;
  /** Runs when another lead, or none, is on the screen. */
  readonly onTurn: () => void;
}

/** Open lead, by the folio in the address, and the part that gets the focus. */
export function useDeskRoute(leads: readonly Lead[], { readAt, focusList, onTurn }: Hooks) {
  const [folio, setFolio] = useState(openFolio);
  /** Id of the pressed lead, if two share one folio. */
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
    // At once: a deferred render would take the focus with the sheet that it replaces.
    flushSync(() => {
      setFolio(lead.folio);
      setPressed(lead.quote_id);
      setPart(focused);
      onTurn();
    });
    // A closed lead, or a colleague's, has no answer form.
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
