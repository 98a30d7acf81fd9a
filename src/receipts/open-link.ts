import { keysIn } from '../lead/quote-link.ts';
import { batches, syncAnswers } from '../outbox/sync-answers.ts';
import { fetchLinkedQuotes, type LinkedQuote } from '../outbox/linked-quotes.ts';
import { outbox } from '../outbox/phone-outbox.ts';

/** Quotes found by share links. `closed`: number of links for which the server returned no quote. */
interface FoundQuotes {
  readonly linked: readonly LinkedQuote[];
  readonly closed: number;
}

/**
 * Result of opening links. `found`: the quotes are not stored yet, because the visitor must confirm. `opened`: they are
 * stored on this phone.
 */
export type Opening =
  | ({ readonly kind: 'found' } & FoundQuotes)
  | { readonly kind: 'opened'; readonly ids: readonly string[]; readonly closed: number }
  | { readonly kind: 'wrong' | 'closed' | 'unreached' | 'shared' | 'full' | 'declined' };

/** Fetches the quotes that the links open. If this phone already has all of them, no confirmation is needed. */
export async function findLinkedQuotes(text: string, isOver: () => boolean): Promise<Opening> {
  const keys = keysIn(text);
  if (keys.length === 0) return { kind: 'wrong' };
  // A shared phone keeps no delivered quotes, so it cannot open links.
  if (await outbox.isShared().catch(() => false)) return { kind: 'shared' };
  const linked: LinkedQuote[] = [];
  for (const some of batches(keys)) {
    const found = await fetchLinkedQuotes(some);
    if (!found) return { kind: 'unreached' };
    linked.push(...found);
  }
  if (linked.length === 0 || isOver()) return { kind: 'closed' };
  const found = { linked, closed: keys.length - linked.length };
  const entries = await outbox.entries().catch(() => []);
  const isHere = linked.every((one) => entries.some(({ id, quote }) => quote && id === one.quote.id));
  return isHere ? storeLinkedQuotes(found) : { kind: 'found', ...found };
}

/** Stores the found quotes, and fetches their answers. */
export async function storeLinkedQuotes({ linked, closed }: FoundQuotes): Promise<Opening> {
  const ids = linked.map(({ quote }) => quote.id);
  try {
    await outbox.addLinked(linked);
  } catch {
    return { kind: 'full' };
  }
  const here = await outbox.entries().catch(() => []);
  await syncAnswers(here.filter(({ id }) => ids.includes(id))).catch(() => false);
  return { kind: 'opened', ids, closed };
}
