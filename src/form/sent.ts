import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { createStore } from '../ui/create-store.ts';

// What the form says of itself to the parts beside it.

/** The last quote that was pressed; `entry`: as it went to disk, which a look at a slow disk finds seconds later. */
export const sent = createStore<{ readonly id: string; readonly entry?: Entry } | undefined>(undefined);

/** Could be neither kept nor sent: its sender may hand it over until another try ends otherwise. */
export const unsaved = createStore<Quote | undefined>(undefined);

export const isSending = createStore(false);
