import { claims } from '../content/claims.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { receipt, states } from '../content/quote-states.ts';
import { isSending, PROBE_EVERY, type Entry } from './entry.ts';
import { refusalMessage } from './refusals.ts';

export type Look = keyof typeof states;

/** How an entry looks, the word for where it stands, and what happens next. */
export function describeEntry(
  entry: Entry,
  now: number,
): { readonly look: Look; readonly word: Bilingual; readonly next: readonly Bilingual[] } {
  const look = lookOf(entry, now);
  return { look, word: states[look], next: nextFor(entry, look, now) };
}

function lookOf({ state, ...entry }: Entry, now: number): Look {
  switch (state.kind) {
    case 'delivered':
      return 'delivered';
    case 'waiting':
      return isSending({ ...entry, state }, now) ? 'sending' : 'waiting';
    case 'refused':
      return state.refusal.kind === 'known' || state.refusal.kind === 'superseded' ? 'known' : 'correction';
  }
}

function nextFor({ state }: Entry, look: Look, now: number): readonly Bilingual[] {
  switch (state.kind) {
    case 'delivered':
      return [receipt.delivered(inTijuana(state.at), inTijuana(state.at + claims.responseHours * 3_600_000))];
    case 'refused':
      return [refusalMessage(state.refusal)];
    case 'waiting':
      if (look === 'sending') return [receipt.sending];
      return [
        receipt.waiting[state.trouble],
        nextTry(state.trouble === 'unreachable' ? Math.min(state.nextTry, now + PROBE_EVERY) : state.nextTry, now),
        receipt.clock,
      ];
  }
}

function nextTry(at: number, now: number): Bilingual {
  return at - now < 60_000 ? receipt.nextTrySoon : receipt.nextTryAt(onThisPhone.format(at));
}

const time = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
const onThisPhone = new Intl.DateTimeFormat('es-MX', time);
const tijuana = new Intl.DateTimeFormat('es-MX', { ...time, timeZone: 'America/Tijuana' });

function inTijuana(at: number): string {
  return tijuana.format(at);
}
