import type { Quote } from '../lead/quote.ts';
import type { Entry } from './entry.ts';
import { newEntry } from './new-entry.ts';
import { now, openChannel, transact } from './phone-store.ts';

/**
 * Stores a quote with a new id on disk, or rejects, as `outbox.add` does. Does not check whether the id is already in
 * use: only the outbox can check this, and its code may not have loaded yet.
 */
export async function storeNewQuote(quote: Quote): Promise<Entry> {
  const entry = newEntry(quote, now());
  // The channel is opened before the quote is written. If the channel failed to open after the write, the caller would
  // store the same quote a second time under another id.
  const channel = openChannel();
  try {
    await transact('quotes', 'strict', (store) => store.add(entry));
    channel.postMessage(null);
    return entry;
  } finally {
    channel.close();
  }
}
