import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { createStore } from '../ui/create-store.ts';

// State of the form for the parts beside it.

/** The last pressed quote. `entry` is the copy that was written: a slow disk returns its own seconds later. */
export const sent = createStore<{ readonly id: string; readonly entry?: Entry } | undefined>(undefined);

/** Quote that failed to be stored and sent. The sender may hand it over. */
export const unsaved = createStore<Quote | undefined>(undefined);

export const isSending = createStore(false);
