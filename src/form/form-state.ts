import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { createStore } from '../ui/create-store.ts';

/**
 * Quote of the last press on the submit button. `entry`: copy of the stored entry, so that the page need not wait for a
 * slow disk to read it.
 */
export const pressedQuote = createStore<{ readonly id: string; readonly entry?: Entry } | undefined>(undefined);

/**
 * Quote that could not be stored and whose sending failed too. The form then offers to send it as text by another app.
 */
export const unsavedQuote = createStore<Quote | undefined>(undefined);

export const isSending = createStore(false);
