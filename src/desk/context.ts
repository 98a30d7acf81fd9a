import { createContext, use, useEffect, useEffectEvent, useReducer, useState } from 'react';
import type { Bilingual as Text } from '../content/bilingual.ts';
import { announceResult } from './announcements.ts';
import type { ActionResult } from './api/action-result.ts';
import type { Person } from './api/person.ts';
import { RequestError } from './api/request-error.ts';
import type { Lead } from './lead/lead.ts';
import { useBusy } from './use-busy.ts';

interface Desk {
  readonly me: Person;
  /** Current time by the server's clock. */
  readonly now: number;
  /** Opens a lead and moves the focus to a part of it, or to the lead itself. */
  readonly open: (lead: Lead, part?: string) => void;
}

export const DeskContext = createContext<Desk | undefined>(undefined);

export const useDesk = (): Desk => use(DeskContext)!;

/** Runs one action on a lead at a time, and announces its result. */
export function useAct(lead: Lead) {
  const [busy, runOnce] = useBusy();
  async function act(work: () => Promise<ActionResult>, done?: Text): Promise<ActionResult | undefined> {
    const result = await runOnce(work);
    if (result) announceResult(lead, result, done);
    return result;
  }
  return [busy, act] as const;
}

/** Reads a value from the server, and reads it again when `key` changes. If a read fails, the earlier value stays. */
export function useRead<Value>(key: string, read: () => Promise<Value>) {
  const [value, setValue] = useState<Value>();
  const [hasFailed, setFailed] = useState(false);
  const [turn, readAgain] = useReducer((count: number) => count + 1, 0);
  const ask = useEffectEvent(read);
  useEffect(() => {
    let isOver = false;
    const end = (work: () => void) => !isOver && work();
    ask().then(
      (found) =>
        end(() => {
          setValue(found);
          setFailed(false);
        }),
      (error: unknown) => {
        if (!(error instanceof RequestError)) throw error;
        end(() => setFailed(true));
      },
    );
    return () => void (isOver = true);
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- a change of either value reads again
  }, [key, turn]);
  return { value, hasFailed, readAgain };
}
