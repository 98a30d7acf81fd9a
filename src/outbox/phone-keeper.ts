import type { Quote } from '../lead/quote.ts';
import type { Entry } from './entry.ts';
import { newEntry } from './new-entry.ts';
import { now, openChannel, transact } from './phone-store.ts';

/**
 * Keeps a quote whose id was minted just now, as `outbox.add` does: on disk, strictly, or rejected. All that has to be
 * known for an id that may be there already comes with the outbox.
 */
export async function keepNew(quote: Quote): Promise<Entry> {
  const entry = newEntry(quote, now());
  // First: once the quote is on disk nothing may fail, or it would be sent a second time, under another id.
  const channel = openChannel();
  try {
    await transact('quotes', 'strict', (store) => store.add(entry));
    channel.postMessage(null);
    return entry;
  } finally {
    channel.close();
  }
}
