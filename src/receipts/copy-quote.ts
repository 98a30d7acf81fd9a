import { noticeVersion } from '../config.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';

/**
 * Copy of a quote. `igual` names the copy before it: without this difference the database would store two equal copies
 * of a day once (supabase/schemas/30_quotes.sql).
 */
export function copyQuote(quote: Quote, id: string, entries: readonly Entry[]): Quote {
  // Consent belongs to one quote and may have been withdrawn.
  const { reemplaza: _, promociones: __, ...same } = quote;
  const inOrder = entries.toSorted((a, b) => a.createdAt - b.createdAt);
  let lastFolio = folioOf(quote.id);
  for (const { id: other, quote: each } of inOrder)
    if (other !== id && each?.igual === lastFolio) lastFolio = folioOf(other);
  return { ...same, id, igual: lastFolio, ...(noticeVersion && { aviso: noticeVersion }) };
}
