import * as z from 'zod/mini';
import { readShape, type Valid } from '../../lead/validation.ts';
import { persisted } from '../../phone/persisted.ts';
import { createStore } from '../../ui/create-store.ts';
import { serverNow } from '../api/server-clock.ts';
import type { Lead } from './lead.ts';

/**
 * Age in milliseconds at which a read mark is dropped. The list shows leads of thirty days, so it needs no older marks.
 */
const OLDEST = 31 * 86_400_000;

const shape = { since: z.number(), seen: z.record(z.string(), z.number()) };

/**
 * Marks of what a person has read. `since`: first use of this browser; anything that customers sent earlier counts as
 * read. `seen`: for each opened lead, the time of the customer's newest message that was shown.
 */
type Marks = Valid<typeof shape>;

const storedMarks = (me: string) => persisted(`aeropuente.desk.seen.${me}`, (stored) => readShape(shape, stored));

export const marks = createStore<Marks>({ since: Infinity, seen: {} });

/**
 * Key of a lead: the last characters of its id. On a shared computer, the whole id would give others access to the
 * quote.
 */
const keyOf = ({ quote_id }: Pick<Lead, 'quote_id'>) => quote_id.slice(-12);

const newsOf = ({ news_at }: Pick<Lead, 'news_at'>) => Date.parse(news_at ?? '') || 0;

/** True if the customer sent something after this person last opened the lead in this browser. */
export function isUnread(lead: Pick<Lead, 'quote_id' | 'news_at'>): boolean {
  const { since, seen } = marks.read();
  return newsOf(lead) > Math.max(since, seen[keyOf(lead)] ?? 0);
}

export const readMarks = (me: string): void => setMarks(me, storedMarks(me).get() ?? { since: serverNow(), seen: {} });

export function markSeen(lead: Pick<Lead, 'quote_id' | 'news_at'>, me: string): void {
  if (!isUnread(lead)) return;
  // The stored marks are read again, because another tab may have added some.
  const { since, seen } = storedMarks(me).get() ?? marks.read();
  const fresh = Object.entries(seen).filter(([, at]) => at > serverNow() - OLDEST);
  setMarks(me, { since, seen: { ...Object.fromEntries(fresh), [keyOf(lead)]: newsOf(lead) } });
}

function setMarks(me: string, next: Marks): void {
  marks.set(next);
  storedMarks(me).set(next);
}
