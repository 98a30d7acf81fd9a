import { dayInTijuana } from '../../lead/tijuana.ts';
import type { ReminderRow } from '../../lead/rows.ts';
import { isClosed, isToBook, type Lead } from '../lead/lead.ts';

const AHEAD = 2 * 3_600_000;

/** Returns a person's tasks of the day by urgency, from the person's own leads and those without an owner. */
export function dayTasks(leads: readonly Lead[], set: ReadonlyMap<string, ReminderRow>, me: string, now: number) {
  const ours = leads.filter(({ assignee }) => assignee === null || assignee === me);
  const reminded = ours.flatMap((lead) => {
    const at = Date.parse(set.get(lead.quote_id)?.at ?? '');
    return at && dayInTijuana(at) === dayInTijuana(now) && !isClosed(lead) ? [{ lead, at }] : [];
  });
  return {
    urgent: ours.find((lead) => lead.open || isToBook(lead)),
    due: ours.filter((lead) => lead.open && !isToBook(lead) && Date.parse(lead.due_at) <= now + AHEAD),
    reminded: reminded.toSorted((one, other) => one.at - other.at),
    toBook: ours.filter(isToBook),
  };
}
