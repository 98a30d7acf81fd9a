import type { DeliveredState, State, Trouble, WaitingState } from '../lead/kept-state.ts';
import type { HeardState } from '../lead/offer.ts';
import type { Refusal } from '../lead/refusal.ts';
import { newState } from './new-entry.ts';

const MINUTE = 60_000;
const LONGEST_BACK_OFF = 5 * MINUTE;
const ACCESS_DENIED_WAIT = 30 * MINUTE;
/** The longest that a server can ask for: its clock may be wrong, and its owner may have put things right since. */
const LONGEST_WAIT = 60 * MINUTE;
/** While a page is open, one quote asks this often whether the server is back, however long it has been away. */
export const PROBE_EVERY = 20_000;
/** Longer than a try and its read-back may take. */
export const SHOWN_AS_SENDING = 25_000;
/** Age of the oldest `now` that a page judges by. */
const STALE = 10_000;

/** For what the server has lost. Its sender knows of the first delivery, and it was counted then. */
export function newStateAgain({ at }: DeliveredState, now: number): WaitingState {
  return { ...newState(now), deliveredAt: at };
}

/** Delivered now, or once, to a server that has lost it since. */
export function wasDelivered(state: State): boolean {
  return state.kind === 'delivered' || (state.kind === 'waiting' && state.deliveredAt !== undefined);
}

export function isSending({ state }: { readonly state: State }, now: number): boolean {
  if (state.kind !== 'waiting') return false;
  const { sendingUntil } = state;
  return sendingUntil > now && sendingUntil <= now + SHOWN_AS_SENDING + STALE;
}

/** Being tried, or about to be for the first time: nothing has failed yet. */
export function isOnItsWay(state: State, now: number): boolean {
  if (state.kind !== 'waiting') return false;
  const { attempts, trouble, since, deliveredAt } = state;
  const isFresh = attempts === 0 && trouble === 'none' && deliveredAt === undefined && Math.abs(now - since) < STALE;
  return isFresh || isSending({ state }, now);
}

/** 1 s doubling to 5 min, each half fixed and half by chance, so that phones on one mast do not all call at once. */
export function backOff(attempts: number, chance: number): number {
  const wait = Math.min(1000 * 2 ** (attempts - 1), LONGEST_BACK_OFF);
  return wait / 2 + (wait / 2) * chance;
}

/** How a try ended. */
export type Outcome =
  /** `over`: state of an accepted offer that binds nobody. */
  | {
      readonly kind: 'delivered';
      readonly at: number;
      readonly promisedAt?: number | undefined;
      readonly over?: HeardState | undefined;
    }
  /** So many parts of a file have come, and the next one may go. */
  | { readonly kind: 'more'; readonly come: number }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** No answer, none in JSON, or one that asks to come back (408, 425, 429, 5xx). `retryAfter` (ms): from Retry-After. */
  | { readonly kind: 'unreachable'; readonly retryAfter?: number }
  /** A reply whose quote the server has lost: that is sent again, and the reply after it. */
  | { readonly kind: 'quote-lost' }
  /** Our side does not let anyone in: the visitor can do nothing about it. */
  | { readonly kind: 'access-denied' };

/** Where something that waited stands after a try. */
export function settle(state: WaitingState, outcome: Outcome, now: number, chance: number): State {
  const { attempts, deliveredAt } = state;
  const waitOn = (wait: number, trouble: Trouble): WaitingState => {
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
      // The quote was erased meanwhile: its reply stays what it was.
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
 * Why a flush happens; each next one does all that the one before does. A sign of life skips what the phone itself decided
 * to wait; a person also what our side asked for.
 */
export const CAUSES = ['due', 'probe', 'sign-of-life', 'person'] as const;
export type Cause = (typeof CAUSES)[number];

export function isDue(state: WaitingState, cause: Cause, now: number): boolean {
  // A clock that was set back must not make a quote wait for it.
  if (Math.min(state.nextTry, state.since + LONGEST_WAIT) <= now || now < state.since) return true;
  return cause === 'person' || (cause === 'sign-of-life' && state.trouble !== 'told-to-wait');
}
