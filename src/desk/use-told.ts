import { useCallback, useEffect, useState } from 'react';
import { eachLanguage, type Bilingual as Text } from '../content/bilingual.ts';
import type { Ending } from './api/ending.ts';
import type { Told } from './context.ts';
import type { Lead } from './lead/lead.ts';
import { openFolio } from './use-desk-route.ts';

/** Milliseconds that a success stays on the screen; a failure stays until the next press. */
const GOOD_NEWS = 6000;

export function useTold() {
  const [told, say] = useState<Told>();
  useEffect(() => {
    if (!told?.isGood || told.next) return undefined;
    const timer = setTimeout(say, GOOD_NEWS, undefined);
    return () => clearTimeout(timer);
  }, [told]);
  /** Names the lead if another one is open by then. */
  const tell = useCallback((lead: Lead, ended: Ending, done?: Text, next?: Told['next']) => {
    const isGood = ended.kind === 'done';
    const says = isGood ? done : ended.says;
    const named = says && (lead.folio === openFolio() ? says : eachLanguage(says, (text) => `${lead.folio}: ${text}`));
    say(named && { says: named, isGood, ...(next && { next }) });
  }, []);
  return [told, say, tell] as const;
}
