import { mainWords, englishWords } from '../../content/bilingual.ts';
import { deskHistory, joinedNotice } from '../../content/desk-history.ts';
import type { HistoryRow } from '../../lead/rows.ts';
import { dayInTijuana } from '../../lead/tijuana.ts';
import { resultOf, DONE, type ActionResult } from '../api/action-result.ts';
import { storeJoin } from '../api/history.ts';
import { isClosed, type Lead } from './lead.ts';
import { readLead } from '../api/lead-feed.ts';

/** True if the desk offers to join two requests of a customer. The database checks the same conditions again. */
export const canJoin = (other: HistoryRow, lead: Lead, me: string): boolean =>
  !other.replaced_by &&
  !lead.replaced_by &&
  (other.assignee === null || other.assignee === me) &&
  !isClosed(other) &&
  !isClosed(lead) &&
  other.accepted_state !== 'aceptada' &&
  other.accepted_state !== 'reservada' &&
  dayInTijuana(Date.parse(other.created_at)) === dayInTijuana(Date.parse(lead.created_at));

export const join = ({ quote_id }: HistoryRow, into: Lead): Promise<ActionResult> =>
  resultOf(
    async () => {
      const word = `${mainWords(joinedNotice)}\n\n${englishWords(joinedNotice)}`;
      await storeJoin(quote_id, into.quote_id, word);
      await readLead(quote_id);
      return DONE;
    },
    async () => ({ kind: 'conflict', says: deskHistory.notJoined }),
  );
