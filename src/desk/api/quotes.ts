import { backend, rows } from './backend.ts';

/**
 * Puts a quote on file under its own id; false if that id is there already. `shown`: ids whose owner this caller is, of
 * this quote and of the one that it corrects.
 */
export async function storeQuote(quote: { readonly id: string }, shown?: string): Promise<boolean> {
  const asked = backend.from('quotes').upsert(quote, { onConflict: 'id', ignoreDuplicates: true }).select('id');
  return (await rows(shown === undefined ? asked : asked.setHeader('x-submission-id', shown))).length > 0;
}
