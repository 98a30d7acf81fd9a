import { noticeVersion } from '../config.ts';
import { folioOf } from '../lead/folio.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';

/**
 * The same again under this id. It says which one it is the same as: of several copies in a row that is the last one,
 * because two copies of one quote in a day are taken for one (supabase/schemas/30_quotes.sql).
 */
export function copyQuote(quote: Quote, id: string, entries: readonly Entry[]): Quote {
  // Consent is given to each quote, and may have been taken back since.
  const { reemplaza: _, promociones: __, ...same } = quote;
  const inOrder = entries.toSorted((a, b) => a.createdAt - b.createdAt);
  let lastFolio = folioOf(quote.id);
  for (const { id: other, quote: each } of inOrder)
    if (other !== id && each?.igual === lastFolio) lastFolio = folioOf(other);
  return { ...same, id, igual: lastFolio, ...(noticeVersion && { aviso: noticeVersion }) };
}
