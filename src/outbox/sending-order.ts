import { parcelsIn, withState, type Entry, type Parcel } from './entry.ts';
import { isDue, isSending, type Cause } from './state.ts';

const LONGEST_POSTPONEMENT = 60_000;

export const isFile = ({ message }: Parcel) => message?.kind === 'archivo';

/**
 * Lists the quotes and messages to send, in the order of sending. At the end comes one part of a file, unless a part is
 * already being sent (`hasFile`). `tried`: ids of those that this drain has already sent.
 */
export function dueIn(
  entries: readonly Entry[],
  tried: ReadonlySet<string>,
  hasFile: boolean,
  cause: Cause,
  now: number,
): readonly Parcel[] {
  // The quotes and messages with the fewest attempts come first, then the oldest. A quote that fails every time must
  // not block the others.
  const candidates = parcelsIn(entries)
    .filter((parcel) => !tried.has(parcel.id) && !(isFile(parcel) && (hasFile || isSending(parcel, now))))
    .toSorted(
      (a, b) =>
        Number(isFile(a)) - Number(isFile(b)) || a.state.attempts - b.state.attempts || a.createdAt - b.createdAt,
    );
  const due = candidates
    .filter(({ state }) => isDue(state, cause, now))
    .filter((parcel, _, all) => !isFile(parcel) || parcel === all.find(isFile));
  if (due.length > 0 || cause !== 'probe' || tried.size > 0) return due;
  return candidates.filter(({ state }) => state.trouble === 'unreachable').slice(0, 1);
}

/**
 * Postpones due quotes and messages that were not tried, because the connection is down. They wait until the next try
 * of a quote or message that has failed.
 */
export function postponed(entries: readonly Entry[], tried: ReadonlySet<string>, now: number): readonly Entry[] {
  const waiting = parcelsIn(entries);
  const nextTries = waiting.filter(({ id }) => tried.has(id)).map(({ state }) => state.nextTry);
  const nextTry = Math.min(now + LONGEST_POSTPONEMENT, ...nextTries);
  const overdue = waiting.filter(({ id, state }) => !tried.has(id) && state.nextTry <= now);
  return entries.map((entry) =>
    overdue.reduce((each, parcel) => {
      return withState([each], parcel, { ...parcel.state, since: now, nextTry, trouble: 'unreachable' })[0] ?? each;
    }, entry),
  );
}
