import { noticeVersion } from '../config.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';

/**
 * Copies a quote under a new id. `igual`: folio of the previous copy, or of the original. The database stores two
 * identical quotes of one day only once (supabase/schemas/30_quotes.sql); `igual` makes two copies differ.
 */
export function copyQuote(quote: Quote, id: string, entries: readonly Entry[]): Quote {
  // Consent is left out: consent applies to a single quote, and the visitor may have withdrawn it.
  const { reemplaza: _, promociones: __, ...same } = quote;
  const inOrder = entries.toSorted((a, b) => a.createdAt - b.createdAt);
  let lastFolio = folioOf(quote.id);
  for (const { id: other, quote: each } of inOrder)
    if (other !== id && each?.igual === lastFolio) lastFolio = folioOf(other);
  return { ...same, id, igual: lastFolio, ...(noticeVersion && { aviso: noticeVersion }) };
}
