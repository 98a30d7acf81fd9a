import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { createStore } from '../ui/create-store.ts';

/**
 * Quote of the last press on the submit button. `entry`: a copy of the stored entry, because reading a slow disk takes
 * seconds.
 */
export const pressedQuote = createStore<{ readonly id: string; readonly entry?: Entry } | undefined>(undefined);

/** Quote that was not stored and not sent; the form offers the visitor to hand the quote over as text. */
export const unsavedQuote = createStore<Quote | undefined>(undefined);

export const isSending = createStore(false);
