import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { createStore } from '../ui/create-store.ts';

/** Quote of the last press. `entry`: the stored copy, which a slow disk would return only seconds later. */
export const pressedQuote = createStore<{ readonly id: string; readonly entry?: Entry } | undefined>(undefined);

/** Quote that failed to be stored and sent. The sender may hand it over. */
export const unsavedQuote = createStore<Quote | undefined>(undefined);

export const isSending = createStore(false);
