import type { WaitingState } from '../lead/delivery-state.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from './entry.ts';

// This file is separate from entry.ts, which is four times as large: the first quote can be stored before entry.ts
// loads.

export function newWaitingState(now: number): WaitingState {
  return { kind: 'waiting', attempts: 0, since: now, nextTry: now, sendingUntil: 0, trouble: 'none' };
}

export function newEntry(quote: Quote, now: number): Entry {
  return { id: quote.id, createdAt: now, quote, state: newWaitingState(now), answers: [], messages: [] };
}
