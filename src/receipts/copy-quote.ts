import { noticeVersion } from '../config.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';

/**
 * Copies a quote under a new id. The database refuses an identical quote on the same day
 * (supabase/schemas/30_quotes.sql). Each copy therefore names the previous copy, or the original, by its folio
 * (`igual`).
 */
export function copyQuote(quote: Quote, id: string, entries: readonly Entry[]): Quote {
  // The consent to promotions is not copied: it was given for another quote, and may have been withdrawn.
  const { reemplaza: _, promociones: __, ...same } = quote;
  const inOrder = entries.toSorted((a, b) => a.createdAt - b.createdAt);
  let lastFolio = folioOf(quote.id);
  for (const { id: other, quote: each } of inOrder)
    if (other !== id && each?.igual === lastFolio) lastFolio = folioOf(other);
  return { ...same, id, igual: lastFolio, ...(noticeVersion && { aviso: noticeVersion }) };
}
