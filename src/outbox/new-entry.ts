import type { WaitingState } from '../lead/kept-state.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from './entry.ts';

// Apart from what reads an entry back, which is four times as much: on a first visit it has not come when a quote is kept.

export function newState(now: number): WaitingState {
  return { kind: 'waiting', attempts: 0, since: now, nextTry: now, sendingUntil: 0, trouble: 'none' };
}

export function newEntry(quote: Quote, now: number): Entry {
  return { id: quote.id, createdAt: now, quote, state: newState(now), answers: [], messages: [] };
}
