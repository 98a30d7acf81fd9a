import type { Quote } from '../../lead/quote.ts';
import { rowOf } from '../../lead/quote-row.ts';
import type { Origin } from '../../lead/vocabulary.ts';
import { backend, rows } from './backend.ts';

interface About {
  /** Way by which the customer asked, if a colleague registers the lead. */
  readonly origin?: Origin;
  /** Ids that prove whose quotes these are. */
  readonly shown?: string | undefined;
}

/**
 * Puts a quote on file under its own id; false if that id is there already. `shown`: ids whose owner this caller is, of
 * this quote and of the one that it corrects.
 */
export async function storeQuote(quote: Quote, { origin, shown }: About = {}): Promise<boolean> {
  const row = { ...rowOf(quote), ...(origin && { origen: origin }) };
  const asked = backend.from('quotes').upsert(row, { onConflict: 'id', ignoreDuplicates: true }).select('id');
  return (await rows(shown === undefined ? asked : asked.setHeader('x-submission-id', shown))).length > 0;
}
