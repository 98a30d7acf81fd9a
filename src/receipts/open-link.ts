import { keysIn } from '../lead/quote-link.ts';
import { MOST_PRESENTED } from '../outbox/delivery.ts';
import { hearAnswers } from '../outbox/hear-answers.ts';
import { fetchLinked, type Linked } from '../outbox/linked.ts';
import { outbox } from '../outbox/phone-outbox.ts';

/** How it ended that links were opened. `opened`: the ids that are here now, and how many of the links opened nothing. */
export type Opening =
  | { readonly kind: 'opened'; readonly ids: readonly string[]; readonly closed: number }
  | { readonly kind: 'wrong' | 'closed' | 'unreached' | 'shared' | 'full' };

/** Brings the quotes here that these links are, with what was answered to them. */
export async function openLinks(text: string): Promise<Opening> {
  const keys = keysIn(text);
  if (keys.length === 0) return { kind: 'wrong' };
  // On such a phone nothing is kept of what was delivered.
  if (await outbox.isShared().catch(() => false)) return { kind: 'shared' };
  const linked: Linked[] = [];
  for (let at = 0; at < keys.length; at += MOST_PRESENTED) {
    const some = await fetchLinked(keys.slice(at, at + MOST_PRESENTED));
    if (!some) return { kind: 'unreached' };
    linked.push(...some);
  }
  if (linked.length === 0) return { kind: 'closed' };
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
