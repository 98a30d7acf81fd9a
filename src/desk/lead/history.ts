import { mainWords, englishWords } from '../../content/bilingual.ts';
import { useEffect, useReducer, useState } from 'react';
import { deskHistory, told } from '../../content/desk-history.ts';
import type { HistoryRow } from '../../lead/rows.ts';
import { dayInTijuana } from '../../lead/tijuana.ts';
import { ending, DONE, type Ending } from '../api/ending.ts';
import { readHistory, storeJoin } from '../api/history.ts';
import { Trouble } from '../api/trouble.ts';
import { isClosed, type Lead } from './lead.ts';
import { readLead } from '../api/lead-feed.ts';

/** The other leads of the same phone or e-mail, the newest first. */
export function useHistory({ quote_id, version }: Lead): [history: readonly HistoryRow[], again: () => void] {
  const [history, setHistory] = useState<readonly HistoryRow[]>([]);
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let isOver = false;
    readHistory(quote_id).then(
      (read) => !isOver && setHistory(read),
      (error: unknown) => {
        if (!(error instanceof Trouble)) throw error;
      },
    );
    return () => void (isOver = true);
    // oxlint-disable-next-line react/exhaustive-deps -- `version` says whether the lead has changed, and `turn` asks again
  }, [quote_id, version, turn]);
  return [history, again];
}

/** As the database judges it, which has the last word. */
export const canJoin = (other: HistoryRow, lead: Lead, me: string): boolean =>
  !other.replaced_by &&
  !lead.replaced_by &&
  (other.assignee === null || other.assignee === me) &&
  !isClosed(other) &&
  !isClosed(lead) &&
  other.accepted_state !== 'aceptada' &&
  other.accepted_state !== 'reservada' &&
  dayInTijuana(Date.parse(other.created_at)) === dayInTijuana(Date.parse(lead.created_at));

export const join = ({ quote_id }: HistoryRow, into: Lead): Promise<Ending> =>
  ending(
    async () => {
      const word = `${mainWords(told)}\n\n${englishWords(told)}`;
      await storeJoin(quote_id, into.quote_id, word);
      await readLead(quote_id);
      return DONE;
    },
    async () => ({ kind: 'conflict', says: deskHistory.notJoined }),
  );
