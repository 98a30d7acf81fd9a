import type { WaitingState } from '../lead/delivery-state.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from './entry.ts';

// Separate from entry.ts, which is four times as large and may load after the first quote is stored.

export function newWaitingState(now: number): WaitingState {
  return { kind: 'waiting', attempts: 0, since: now, nextTry: now, sendingUntil: 0, trouble: 'none' };
}

export function newEntry(quote: Quote, now: number): Entry {
  return { id: quote.id, createdAt: now, quote, state: newWaitingState(now), answers: [], messages: [] };
}
