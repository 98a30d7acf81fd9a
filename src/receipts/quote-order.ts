import { hasUnseenAnswer, replacementOf, unsentIn, type Entry } from '../outbox/entry.ts';

/**
 * Sorts quotes: those with news or a needed correction come first, then those with something unsent, then the others.
 * Corrected quotes come last. Within a group, the quote with the latest event comes first.
 */
export function byUrgency(entries: readonly Entry[]): readonly Entry[] {
  return entries.toSorted((a, b) => rank(a, entries) - rank(b, entries) || lastEvent(b) - lastEvent(a));
}

/** True for a quote with news, a needed correction or something unsent. */
export const isUrgent = (entry: Entry, entries: readonly Entry[]): boolean => rank(entry, entries) <= 1;

function rank(entry: Entry, entries: readonly Entry[]): number {
  const { quote, state } = entry;
  if (!quote) return 4;
  if (replacementOf(entry, entries) || (state.kind === 'refused' && state.refusal.kind === 'superseded')) return 3;
  if (hasUnseenAnswer(entry) || (state.kind === 'refused' && state.refusal.kind !== 'known')) return 0;
  return unsentIn([entry]).length > 0 ? 1 : 2;
}

/** Time of the last event of a quote: a message of the exporter, an answer, or its delivery. */
function lastEvent({ createdAt, state, answers, messages }: Entry): number {
  return Math.max(
    createdAt,
    state.kind === 'waiting' ? 0 : state.at,
    ...answers.flatMap(({ at, stateAt = 0 }) => [at, stateAt]),
    ...messages.map((message) => message.createdAt),
  );
}
