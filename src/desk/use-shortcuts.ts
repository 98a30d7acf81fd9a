import { useEffect, useEffectEvent } from 'react';
import { take } from './api/lead-changes.ts';
import { announceResult } from './announcements.ts';
import { release } from './lead/lead-actions.ts';
import type { Lead } from './lead/lead.ts';
import { areShortcutsOn } from './list/shortcut-setting.ts';

/** Selectors of the part of a lead to which a key moves the focus. */
const PARTS: Readonly<Record<string, string>> = { r: '[data-answer], [data-words]', n: '[data-note]' };

interface ShortcutOptions {
  readonly me: string;
  readonly chosen: Lead | undefined;
  readonly onOpen: (lead: Lead, part?: string) => void;
  /** Opens the lead that is `by` rows further down in the list. */
  readonly onStep: (from: Lead | undefined, by: number) => void;
  readonly onSearch: () => void;
  readonly onHelp: () => void;
}

/**
 * Handles shortcuts of one letter, for the active row or the open lead. WCAG 2.1.4 requires a setting that turns them
 * off.
 */
export function useShortcuts({ me, chosen, onOpen, onStep, onSearch, onHelp }: ShortcutOptions) {
  const onLeadKey = (key: string, lead: Lead) => {
    if (key === 'j' || key === 'k') onStep(lead, key === 'j' ? 1 : -1);
    else if (key === 't' && !lead.assignee) void take(lead, me).then((result) => announceResult(lead, result));
    else if (key === 's' && lead.assignee === me && lead.status === 'tomada')
      void release(lead, me).then((result) => announceResult(lead, result));
    else if (PARTS[key]) onOpen(lead, PARTS[key]);
    else return false;
    return true;
  };
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || !areShortcutsOn()) return;
    const target = event.target as Element;
    if (target.closest('input, textarea, select, dialog')) return;
    if (event.key === '/') onSearch();
    else if (event.key === '?') onHelp();
    // While the list has the focus, it handles the keys itself, for the active row.
    else if (target.closest('[role=listbox]') || !chosen || !onLeadKey(event.key, chosen)) return;
    event.preventDefault();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return onLeadKey;
}
