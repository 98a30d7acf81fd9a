import { mainWords, englishWords } from '../content/bilingual.ts';
import { useEffect, useReducer, useState } from 'react';
import { deskHistory, told } from '../content/desk-history.ts';
import { readHistoryRow, type HistoryRow } from '../lead/rows.ts';
import { dayInTijuana } from '../lead/tijuana.ts';
import { ending, DONE, type Ending } from './actions.ts';
import { backend, rows, Trouble } from './backend.ts';
import { isClosed, type Lead } from './lead.ts';
import { readLead } from './leads.ts';

const MOST = 50;

/** The other leads of the same phone or e-mail, the newest first. */
export function useHistory({ quote_id, version }: Lead): [history: readonly HistoryRow[], again: () => void] {
  const [history, setHistory] = useState<readonly HistoryRow[]>([]);
  const [turn, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    let isOver = false;
    const asked = backend
      .from('desk_history')
      .select('*')
      .eq('of_quote', quote_id)
      .order('created_at', { ascending: false })
      .limit(MOST);
    rows(asked, readHistoryRow).then(
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
      await rows(backend.from('quote_joins').insert({ quote_id, into_quote: into.quote_id, word }));
      await readLead(quote_id);
      return DONE;
    },
    async () => ({ kind: 'conflict', says: deskHistory.notJoined }),
  );
