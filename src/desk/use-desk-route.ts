import { useEffect, useEffectEvent, useState } from 'react';
import { flushSync } from 'react-dom';
import { openFolio } from './announcements.ts';
import { listLead, feed, findByFolio } from './api/lead-feed.ts';
import type { Lead } from './lead/lead.ts';

export const SHEET = '#lead';

interface Hooks {
  readonly readAt: number | undefined;
  readonly focusList: () => void;
  /** Called when another lead opens, or when the open lead closes. */
  readonly onTurn: () => void;
}

/** Finds the open lead by the folio in the URL, and returns functions that open and close leads. */
export function useDeskRoute(leads: readonly Lead[], { readAt, focusList, onTurn }: Hooks) {
  const [folio, setFolio] = useState(openFolio);
  /**
   * Id of the lead that was opened by a press. Two leads may have the same folio, so the folio in the URL does not
   * suffice.
   */
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
    // `flushSync` renders the lead at once. A later rendering could replace the element that gets the focus below.
    flushSync(() => {
      setFolio(lead.folio);
      setPressed(lead.quote_id);
      setPart(focused);
      onTurn();
    });
    // The wanted part may be missing: a closed lead or a colleague's lead has no answer form. Then the lead gets the
    // focus.
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
