import { noticeVersion } from '../config.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';

/**
 * Copy of a quote. `igual` names the last copy in a row: the database takes two copies of one quote in a day for one
 * (supabase/schemas/30_quotes.sql).
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
