import type { DeliveredState, DeliveryState, SendTrouble, WaitingState } from '../lead/delivery-state.ts';
import type { PhoneOfferState } from '../lead/offer.ts';
import type { Refusal } from '../lead/refusal.ts';
import { newWaitingState } from './new-entry.ts';

const MINUTE = 60_000;
const LONGEST_BACK_OFF = 5 * MINUTE;
const ACCESS_DENIED_WAIT = 30 * MINUTE;
/**
 * Longest wait that a server can request. A longer wait may come from a wrong clock, or the cause may be
 * repaired earlier.
 */
const LONGEST_WAIT = 60 * MINUTE;
/** Interval in milliseconds at which an open page tests the connection by sending one quote. */
export const PROBE_EVERY = 20_000;
/** Milliseconds for which an entry is shown as being sent; longer than a request and the read that follows. */
export const SHOWN_AS_SENDING = 25_000;
/** Milliseconds by which a page's `now` may be late. */
const STALE = 10_000;

/**
 * Waiting state of a quote that the server has lost. `deliveredAt`: time of the first delivery, already shown and
 * counted.
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

/** True while the entry is being sent, and shortly before its first try. */
export function isOnItsWay(state: DeliveryState, now: number): boolean {
  if (state.kind !== 'waiting') return false;
  const { attempts, trouble, since, deliveredAt } = state;
  const isFresh = attempts === 0 && trouble === 'none' && deliveredAt === undefined && Math.abs(now - since) < STALE;
  return isFresh || isSending({ state }, now);
}

/**
 * Milliseconds until the next try: doubles from 1 s to 5 min; half is random, so that phones of one mast do not retry
 * together.
 */
export function backOff(attempts: number, chance: number): number {
  const wait = Math.min(1000 * 2 ** (attempts - 1), LONGEST_BACK_OFF);
  return wait / 2 + (wait / 2) * chance;
}

export type SendOutcome =
  /** `unbound`: state of the offer that makes its acceptance not binding. */
  | {
      readonly kind: 'delivered';
      readonly at: number;
      readonly promisedAt?: number | undefined;
      readonly unbound?: PhoneOfferState | undefined;
    }
  | { readonly kind: 'more'; readonly come: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /**
   * No response, a response without JSON, or a status that allows a retry (408, 425, 429, 5xx). `retryAfter`:
   * milliseconds.
   */
  | { readonly kind: 'unreachable'; readonly retryAfter?: number }
  /** Result for a message whose quote the server has lost: quote and message are both sent again. */
  | { readonly kind: 'quote-lost' }
  /** Access denied by the server's configuration, which the visitor cannot change. */
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
        ? { kind, at, promisedAt, told: false, counted: false }
        : { kind, at: deliveredAt, promisedAt, told: true, counted: true, resentAt: now };
    }
    case 'more':
      return { ...state, attempts: 0, since: now, nextTry: now, sendingUntil: 0, trouble: 'none', come: outcome.come };
    case 'refused':
      // The server erased the quote on purpose, so its reply, delivered once before, stays delivered.
      if (deliveredAt !== undefined && 'code' in outcome.refusal && outcome.refusal.code === '23503')
        return { kind: 'delivered', at: deliveredAt, told: true, counted: true };
      return { kind: 'refused', at: now, refusal: outcome.refusal };
    case 'access-denied':
      return waitOn(ACCESS_DENIED_WAIT, outcome.kind);
    case 'quote-lost':
      return waitOn(backOff(attempts + 1, chance), 'none');
    case 'unreachable':
      return outcome.retryAfter === undefined
        ? waitOn(backOff(attempts + 1, chance), 'unreachable')
        : waitOn(Math.min(outcome.retryAfter, LONGEST_WAIT), 'told-to-wait');
  }
}

/**
 * Reasons for a flush; each includes the ones before it. After a sign of life from the server, the phone's own waits
 * are skipped; a person's press also skips the wait that the server requested (Retry-After).
 */
export const CAUSES = ['due', 'probe', 'sign-of-life', 'person'] as const;
export type Cause = (typeof CAUSES)[number];

export function isDue(state: WaitingState, cause: Cause, now: number): boolean {
  // A clock that is set back must not delay a quote: an entry from the future is due at once.
  if (Math.min(state.nextTry, state.since + LONGEST_WAIT) <= now || now < state.since) return true;
  return cause === 'person' || (cause === 'sign-of-life' && state.trouble !== 'told-to-wait');
}
