import type { Quote } from '../../lead/quote.ts';
import { rowOf } from '../../lead/quote-row.ts';
import type { Origin } from '../../lead/vocabulary.ts';
import { backend, rows } from './backend.ts';

interface About {
  /** Channel by which the customer asked, if a colleague records the lead. */
  readonly origin?: Origin;
  /** Ids of quotes, separated by commas, sent as proof of access: whoever knows an id may use its quote. */
  readonly shown?: string | undefined;
}

/** Stores a quote under its own id; false if that id is stored already. */
export async function storeQuote(quote: Quote, { origin, shown }: About = {}): Promise<boolean> {
  const row = { ...rowOf(quote), ...(origin && { origen: origin }) };
  const asked = backend.from('quotes').upsert(row, { onConflict: 'id', ignoreDuplicates: true }).select('id');
  return (await rows(shown === undefined ? asked : asked.setHeader('x-submission-id', shown))).length > 0;
}
