import { keysIn } from '../lead/quote-link.ts';
import { batches, hearAnswers } from '../outbox/hear-answers.ts';
import { fetchLinked, type Linked } from '../outbox/linked.ts';
import { outbox } from '../outbox/phone-outbox.ts';

/** How it ended that links were opened. `opened`: the ids that are here now, and how many of the links opened nothing. */
export type Opening =
  | { readonly kind: 'opened'; readonly ids: readonly string[]; readonly closed: number }
  | { readonly kind: 'wrong' | 'closed' | 'unreached' | 'shared' | 'full' };

/** Brings the quotes here that these links are, with what was answered to them. `isOver`: nobody wants them any more. */
export async function openLinks(text: string, isOver: () => boolean): Promise<Opening> {
  const keys = keysIn(text);
  if (keys.length === 0) return { kind: 'wrong' };
  // On such a phone nothing is kept of what was delivered.
  if (await outbox.isShared().catch(() => false)) return { kind: 'shared' };
  const linked: Linked[] = [];
  for (const some of batches(keys)) {
    const found = await fetchLinked(some);
    if (!found) return { kind: 'unreached' };
    linked.push(...found);
  }
  if (linked.length === 0 || isOver()) return { kind: 'closed' };
  const ids = linked.map(({ quote }) => quote.id);
  try {
    await outbox.adopt(linked);
  } catch {
    return { kind: 'full' };
  }
  const here = await outbox.entries().catch(() => []);
  await hearAnswers(here.filter(({ id }) => ids.includes(id))).catch(() => false);
  return { kind: 'opened', ids, closed: keys.length - linked.length };
}
