import type { DeliveredState, DeliveryState, SendTrouble, WaitingState } from '../lead/delivery-state.ts';
import type { PhoneOfferState } from '../lead/offer.ts';
import type { Refusal } from '../lead/refusal.ts';
import { newWaitingState } from './new-entry.ts';

const MINUTE = 60_000;
const LONGEST_BACK_OFF = 5 * MINUTE;
const ACCESS_DENIED_WAIT = 30 * MINUTE;
/**
 * Longest wait that a server can request. A longer request may come from a server with a wrong clock, and a server
 * under repair may be back earlier than it said.
 */
const LONGEST_WAIT = 60 * MINUTE;
/** Milliseconds between two tests of a failed connection while the page is open. A test sends one waiting quote. */
export const PROBE_EVERY = 20_000;
/**
 * Milliseconds for which an entry counts as being sent. Longer than the time limits of a request and of the read that
 * may follow it.
 */
export const SHOWN_AS_SENDING = 25_000;
/** Milliseconds by which `now`, the present time that callers pass, may be out of date. */
const STALE = 10_000;

/**
 * Returns the state of a quote that the server has lost and that must be sent again. `deliveredAt`: time of the first
 * delivery, which the visitor has already seen.
 */
export function resendState({ at }: DeliveredState, now: number): WaitingState {
  return { ...newWaitingState(now), deliveredAt: at };
}

export function wasDelivered(state: DeliveryState): boolean {
  return state.kind === 'delivered' || (state.kind === 'waiting' && state.deliveredAt !== undefined);
}

export function isSending({ state }: { readonly state: DeliveryState }, now: number): boolean {
  if (state.kind !== 'waiting') return false;
  const { sendingUntil } = state;
  return sendingUntil > now && sendingUntil <= now + SHOWN_AS_SENDING + STALE;
}

/** True while the entry is being sent, and in the seconds before its first try. */
export function isOnItsWay(state: DeliveryState, now: number): boolean {
  if (state.kind !== 'waiting') return false;
  const { attempts, trouble, since, deliveredAt } = state;
  const isFresh = attempts === 0 && trouble === 'none' && deliveredAt === undefined && Math.abs(now - since) < STALE;
  return isFresh || isSending({ state }, now);
}

/**
 * Returns the milliseconds until the next try: from 1 s, doubled up to 5 min. Half of the wait is random, so that
 * phones that lost the same mobile mast do not all retry at the same moment.
 */
export function backOff(attempts: number, chance: number): number {
  const wait = Math.min(1000 * 2 ** (attempts - 1), LONGEST_BACK_OFF);
  return wait / 2 + (wait / 2) * chance;
}

export type SendOutcome =
  /** `unbound`: state of an offer that had ended before the acceptance, which is therefore not binding. */
  | {
      readonly kind: 'delivered';
      readonly at: number;
      readonly promisedAt?: number | undefined;
      readonly unbound?: PhoneOfferState | undefined;
    }
  | { readonly kind: 'more'; readonly come: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /**
   * No response, a response that is not JSON, or a status that allows a retry (408, 425, 429, 5xx). `retryAfter` is in
   * milliseconds.
   */
  | { readonly kind: 'unreachable'; readonly retryAfter?: number }
  /** The server has lost the quote to which the message belongs: quote and message are both sent again. */
  | { readonly kind: 'quote-lost' }
  /** The server's configuration denies access. The visitor cannot change that, so the phone waits and retries. */
  | { readonly kind: 'access-denied' };

export function settle(state: WaitingState, outcome: SendOutcome, now: number, chance: number): DeliveryState {
  const { attempts, deliveredAt } = state;
  const waitOn = (wait: number, trouble: SendTrouble): WaitingState => {
    return { ...state, attempts: attempts + 1, since: now, nextTry: now + wait, sendingUntil: 0, trouble };
  };
  switch (outcome.kind) {
    case 'delivered': {
      const { kind, at, promisedAt } = outcome;
      return deliveredAt === undefined
        ? { kind, at, promisedAt, announced: false, counted: false }
        : { kind, at: deliveredAt, promisedAt, announced: true, counted: true, resentAt: now };
    }
    case 'more':
      return { ...state, attempts: 0, since: now, nextTry: now, sendingUntil: 0, trouble: 'none', come: outcome.come };
    case 'refused':
      // The server erased the quote on purpose. The message had been delivered before, so it keeps the state delivered.
      if (deliveredAt !== undefined && 'code' in outcome.refusal && outcome.refusal.code === '23503')
        return { kind: 'delivered', at: deliveredAt, announced: true, counted: true };
      return { kind: 'refused', at: now, refusal: outcome.refusal };
    case 'access-denied':
      return waitOn(ACCESS_DENIED_WAIT, outcome.kind);
    case 'quote-lost':
      return waitOn(backOff(attempts + 1, chance), 'none');
    case 'unreachable':
      return outcome.retryAfter === undefined
        ? waitOn(backOff(attempts + 1, chance), 'unreachable')
        : waitOn(Math.min(outcome.retryAfter, LONGEST_WAIT), 'retry-after');
  }
}

/**
 * Reasons for a flush, from the weakest to the strongest. 'sign-of-life', after a response of the server, skips the
 * waits that the phone set itself. 'person', after a press, also skips the wait that the server requested
 * (Retry-After).
 */
export const CAUSES = ['due', 'probe', 'sign-of-life', 'person'] as const;
export type Cause = (typeof CAUSES)[number];

export function isDue(state: WaitingState, cause: Cause, now: number): boolean {
  // A clock that was set back must not delay a quote: an entry with a time in the future is due at once.
  if (Math.min(state.nextTry, state.since + LONGEST_WAIT) <= now || now < state.since) return true;
  return cause === 'person' || (cause === 'sign-of-life' && state.trouble !== 'retry-after');
}
