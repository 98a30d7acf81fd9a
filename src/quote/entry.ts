import type { Outcome, Refusal } from './delivery.ts';
import { complete, type Quote } from './quote.ts';

/** A quote on this phone, and where it stands. */
export interface Entry {
  readonly id: string;
  readonly createdAt: number;
  /** Gone 30 days after delivery; folio and date stay. */
  readonly quote: Quote | null;
  /** Kept on the phone with the record; never sent. */
  readonly promotions: boolean;
  readonly state: State;
}

export type State =
  | {
      readonly kind: 'waiting';
      readonly attempts: number;
      /** When this wait began, and when it ends. */
      readonly since: number;
      readonly nextTry: number;
      /** Until then it counts as on its way, unless whoever sent it died. */
      readonly sendingUntil: number;
      readonly trouble: Trouble;
    }
  | { readonly kind: 'delivered'; readonly at: number; readonly told: boolean; readonly counted: boolean }
  | { readonly kind: 'refused'; readonly at: number; readonly refusal: Refusal };

/** The trouble of the last try. `told-to-wait`: the server named its time; `access-denied`: our side lets nobody in. */
type Trouble = 'none' | 'unreachable' | 'told-to-wait' | 'access-denied';

/** On disk a trouble has its word of the first release, whose page may be open in another tab, or be put back. */
const TROUBLE_ON_DISK: Readonly<Record<string, string>> = { 'told-to-wait': 'asked', 'access-denied': 'ours' };
const TROUBLE_FROM_DISK: Readonly<Record<string, string>> = { asked: 'told-to-wait', ours: 'access-denied' };

export type Waiting = Entry & { readonly quote: Quote; readonly state: Extract<State, { kind: 'waiting' }> };

const MINUTE = 60_000;
const LONGEST_BACK_OFF = 5 * MINUTE;
const ACCESS_DENIED_WAIT = 30 * MINUTE;
const KEEP_DETAILS = 30 * 24 * 60 * MINUTE;
/** While a page is open, one quote asks this often whether the server is back, however long it has been away. */
export const PROBE_EVERY = 20_000;
/** Longer than a try and its read-back may take. */
export const SENDING_LEASE = 25_000;

export function newEntry(quote: Quote, promotions: boolean, now: number): Entry {
  const state = { kind: 'waiting', attempts: 0, since: now, nextTry: now, sendingUntil: 0, trouble: 'none' } as const;
  return { id: quote.id, createdAt: now, quote, promotions, state };
}

/** An entry of an older or newer build is completed or, if it cannot be understood, shown: never dropped, never sent by guess. */
export function readEntry(kept: Entry): Entry {
  const entry = {
    ...kept,
    createdAt: kept.createdAt ?? 0,
    quote: kept.quote ? complete(kept.quote) : null,
    promotions: kept.promotions ?? false,
  };
  const state = kept.state as State | undefined;
  if (state?.kind === 'waiting' && entry.quote) {
    const begin = { attempts: 0, since: entry.createdAt, nextTry: 0, sendingUntil: 0, trouble: 'none' } as const;
    return withTrouble({ ...entry, state: { ...begin, ...state } }, TROUBLE_FROM_DISK);
  }
  if (state?.kind === 'delivered' || (state?.kind === 'refused' && state.refusal)) return { ...entry, state };
  return { ...entry, state: { kind: 'refused', at: 0, refusal: { kind: 'rejected', code: '', message: '' } } };
}

/** An entry as `readEntry`, of this release or an earlier one, reads it back. */
export const entryForDisk = (entry: Entry): Entry => withTrouble(entry, TROUBLE_ON_DISK);

function withTrouble(entry: Entry, words: Readonly<Record<string, string>>): Entry {
  const { state } = entry;
  if (state.kind !== 'waiting' || !words[state.trouble]) return entry;
  return { ...entry, state: { ...state, trouble: words[state.trouble] as Trouble } };
}

export function isWaiting(entry: Entry): entry is Waiting {
  return entry.state.kind === 'waiting' && entry.quote !== null;
}

export function isSending(entry: Entry, now: number): boolean {
  if (entry.state.kind !== 'waiting') return false;
  const { sendingUntil } = entry.state;
  return sendingUntil > now && sendingUntil <= now + SENDING_LEASE;
}

/** 1 s doubling to 5 min, each half fixed and half by chance, so that phones on one mast do not all call at once. */
export function backOff(attempts: number, chance: number): number {
  const wait = Math.min(1000 * 2 ** (attempts - 1), LONGEST_BACK_OFF);
  return wait / 2 + (wait / 2) * chance;
}

/** Where an entry stands after a try. */
export function settle(entry: Waiting, outcome: Outcome, now: number, chance: number): Entry {
  switch (outcome.kind) {
    case 'delivered':
      return { ...entry, state: { kind: 'delivered', at: outcome.at, told: false, counted: false } };
    case 'refused':
      return { ...entry, state: { kind: 'refused', at: now, refusal: outcome.refusal } };
    case 'access-denied':
      return waitOn(entry, now, ACCESS_DENIED_WAIT, outcome.kind);
    case 'unreachable':
      return outcome.retryAfter === undefined
        ? waitOn(entry, now, backOff(entry.state.attempts + 1, chance), 'unreachable')
        : waitOn(entry, now, outcome.retryAfter, 'told-to-wait');
  }
}

function waitOn(entry: Waiting, now: number, wait: number, trouble: Trouble): Entry {
  const attempts = entry.state.attempts + 1;
  return { ...entry, state: { kind: 'waiting', attempts, since: now, nextTry: now + wait, sendingUntil: 0, trouble } };
}

/** Why a flush happens. A sign of life skips the back-off; a person also what our side asked of the phone itself. */
export type Cause = 'due' | 'probe' | 'sign-of-life' | 'person';

export function isDue({ state }: Waiting, cause: Cause, now: number): boolean {
  // A clock that was set back must not make a quote wait for it.
  if (state.nextTry <= now || now < state.since) return true;
  if (cause === 'due' || cause === 'probe') return false;
  // Retry-After is obeyed, whoever asks.
  return (
    state.trouble === 'unreachable' ||
    state.trouble === 'none' ||
    (state.trouble === 'access-denied' && cause === 'person')
  );
}

/** Drops the personal data of what is over, when its time has come. */
export function forget(entry: Entry, now: number, shared: boolean): Entry {
  const { state } = entry;
  if (!entry.quote || state.kind === 'waiting') return entry;
  if (state.kind === 'refused' && state.refusal.kind !== 'known' && state.refusal.kind !== 'superseded') return entry;
  return shared || state.at + KEEP_DETAILS <= now ? { ...entry, quote: null } : entry;
}
