import { useCallback, useEffect, useState } from 'react';
import { eachLanguage, type Bilingual as Text } from '../content/bilingual.ts';
import type { Ending } from './api/ending.ts';
import type { Lead } from './lead/lead.ts';
import { openFolio } from './use-desk-route.ts';

/** Milliseconds that a success stays on the screen; a failure stays until the next press. */
const GOOD_NEWS = 6000;

export interface Told {
  readonly says: Text;
  readonly isGood: boolean;
  /** Button for the next step. */
  readonly next?: { readonly words: Text; readonly onPress: () => void };
}

const saysOf = (ended: Ending, done?: Text): Text | undefined => (ended.kind === 'done' ? done : ended.says);

/** The line above a lead, which says how the last action ended. */
export function useTold() {
  const [told, setTold] = useState<Told>();
  useEffect(() => {
    if (!told?.isGood || told.next) return undefined;
    const timer = setTimeout(setTold, GOOD_NEWS, undefined);
    return () => clearTimeout(timer);
  }, [told]);
  /** Names the lead if another one is open by then. */
  const tellOf = useCallback((lead: Lead, ended: Ending, done?: Text, next?: Told['next']) => {
    const says = saysOf(ended, done);
    const isShown = lead.folio === openFolio();
    const named = says && (isShown ? says : eachLanguage(says, (text) => `${lead.folio}: ${text}`));
    setTold(named && { says: named, isGood: ended.kind === 'done', ...(next && { next }) });
  }, []);
  return [told, setTold, tellOf] as const;
}
