import type { Outcome, Refusal } from './delivery.ts';
import { FIELDS, type Field } from './fields.ts';
import { readQuote, type Quote } from './quote.ts';

/** A quote on this phone, and where it stands. */
export interface Entry {
  readonly id: string;
  readonly createdAt: number;
  /** Gone 30 days after delivery; folio and date stay. */
  readonly quote: Quote | null;
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
const TROUBLE_FROM_DISK: Readonly<Record<string, Trouble>> = {
  unreachable: 'unreachable',
  asked: 'told-to-wait',
  'told-to-wait': 'told-to-wait',
  ours: 'access-denied',
  'access-denied': 'access-denied',
};

export type Waiting = Entry & { readonly quote: Quote; readonly state: Extract<State, { kind: 'waiting' }> };

const MINUTE = 60_000;
const LONGEST_BACK_OFF = 5 * MINUTE;
const ACCESS_DENIED_WAIT = 30 * MINUTE;
/** Whatever a server wishes: its clock may be wrong, and its owner may have put things right since. */
const LONGEST_WAIT = 60 * MINUTE;
const KEEP_DETAILS = 30 * 24 * 60 * MINUTE;
/** While a page is open, one quote asks this often whether the server is back, however long it has been away. */
export const PROBE_EVERY = 20_000;
/** Longer than a try and its read-back may take. */
export const SENDING_LEASE = 25_000;

export function newEntry(quote: Quote, now: number): Entry {
  const state = { kind: 'waiting', attempts: 0, since: now, nextTry: now, sendingUntil: 0, trouble: 'none' } as const;
  return { id: quote.id, createdAt: now, quote, state };
}

/**
 * An entry of an older or newer build is completed or, if it cannot be understood, shown: never dropped, never sent by
 * guess. A disk may hold anything in any place: what comes out of here is what its type says.
 */
export function readEntry(kept: Entry): Entry {
  const { createdAt, quote, state }: Loose = { ...kept };
  const at = time(createdAt, 0);
  const whole = readQuote(quote as Loose | null);
  return {
    ...kept,
    createdAt: at,
    quote: whole,
    state: readState(state as Loose, at, whole),
  };
}

type Loose = Readonly<Record<string, unknown>>;

function readState(kept: Loose | undefined, createdAt: number, quote: Quote | null): State {
  const { kind, attempts, since, nextTry, sendingUntil, trouble, at, told, counted, refusal } = kept ?? {};
  if (kind === 'waiting' && quote)
    return {
      kind,
      attempts: Math.max(0, time(attempts, 0)),
      since: time(since, createdAt),
      nextTry: time(nextTry, 0),
      sendingUntil: time(sendingUntil, 0),
      trouble: TROUBLE_FROM_DISK[String(trouble)] ?? 'none',
    };
  if (kind === 'delivered') return { kind, at: time(at, createdAt), told: told === true, counted: counted === true };
  if (kind === 'refused' && isRefusal(refusal as Loose))
    return { kind, at: time(at, createdAt), refusal: refusal as Refusal };
  return { kind: 'refused', at: 0, refusal: { kind: 'rejected', code: '', message: '' } };
}

function isRefusal(kept: Loose | undefined): boolean {
  const { kind, field } = kept ?? {};
  return (
    ['known', 'superseded', 'rejected'].includes(kind as string) ||
    (kind === 'invalid' && FIELDS.includes(field as Field))
  );
}

/** Beyond it a Date is none. */
const LATEST = 8.64e15;
const time = (kept: unknown, otherwise: number) => (Math.abs(kept as number) <= LATEST ? Number(kept) : otherwise);

/** An entry as `readEntry`, of this release or an earlier one, reads it back. */
export function entryForDisk(entry: Entry): Entry {
  const { state } = entry;
  if (state.kind !== 'waiting') return entry;
  const word = TROUBLE_ON_DISK[state.trouble];
  return word ? { ...entry, state: { ...state, trouble: word as Trouble } } : entry;
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
        : waitOn(entry, now, Math.min(outcome.retryAfter, LONGEST_WAIT), 'told-to-wait');
  }
}

function waitOn(entry: Waiting, now: number, wait: number, trouble: Trouble): Entry {
  const attempts = entry.state.attempts + 1;
  return { ...entry, state: { kind: 'waiting', attempts, since: now, nextTry: now + wait, sendingUntil: 0, trouble } };
}

/** Why a flush happens. A sign of life skips what the phone itself decided to wait; a person also what our side asked for. */
export type Cause = 'due' | 'probe' | 'sign-of-life' | 'person';

export function isDue({ state }: Waiting, cause: Cause, now: number): boolean {
  // A clock that was set back must not make a quote wait for it, nor a wish that an earlier release took at its word.
  if (Math.min(state.nextTry, state.since + LONGEST_WAIT) <= now || now < state.since) return true;
  return cause === 'person' || (cause === 'sign-of-life' && state.trouble !== 'told-to-wait');
}

/** Drops the personal data of what is over, when its time has come. */
export function forget(entry: Entry, now: number, shared: boolean): Entry {
  const { state } = entry;
  if (!entry.quote || state.kind === 'waiting') return entry;
  if (state.kind === 'refused' && state.refusal.kind !== 'known' && state.refusal.kind !== 'superseded') return entry;
  return shared || state.at + KEEP_DETAILS <= now ? { ...entry, quote: null } : entry;
}
