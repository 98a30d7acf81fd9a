import type { AlertRow } from '../../lead/rows.ts';
import { whenInTijuana } from './tijuana-time.ts';
import { counts, isInTime, type Lead } from '../lead/lead.ts';

export interface Figure {
  /** Number of leads that were answered, or whose promised answer time has passed. */
  readonly asked: number;
  readonly met: number;
  /** Median time to the first answer in milliseconds, for leads that have an answer. */
  readonly median: number | undefined;
}

const DAY = 86_400_000;

/** Figures of the leads received today (by Tijuana's date), in the last 7 days and in the last 30 days. */
export function promiseInFigures(leads: readonly Lead[], now: number) {
  const today = whenInTijuana(now).day;
  const since = (days: number) => leads.filter(({ created_at }) => Date.parse(created_at) > now - days * DAY);
  const month = since(30);
  const byHour = Array.from({ length: 24 }, (): Lead[] => []);
  for (const lead of month) byHour[whenInTijuana(Date.parse(lead.created_at)).hour]!.push(lead);
  return {
    today: figureOf(
      leads.filter(({ created_at }) => whenInTijuana(Date.parse(created_at)).day === today),
      now,
    ),
    week: figureOf(since(7), now),
    month: figureOf(month, now),
    byHour: byHour.map((received) => figureOf(received, now)),
  };
}

function figureOf(leads: readonly Lead[], now: number): Figure {
  const decided = leads.filter((lead) => counts(lead) && isDecided(lead, now));
  const answered = decided.flatMap(({ created_at, first_answer_at }) =>
    first_answer_at ? Date.parse(first_answer_at) - Date.parse(created_at) : [],
  );
  return { asked: decided.length, met: decided.filter(isInTime).length, median: medianOf(answered) };
}

/**
 * True if the lead was answered, or if its promised answer time has passed. False for an unanswered quote that was
 * corrected, because its correction is counted instead.
 */
function isDecided({ first_answer_at, promised_at, replaced_by }: Lead, now: number): boolean {
  return first_answer_at !== null || (replaced_by === null && Date.parse(promised_at) < now);
}

export function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length / 2;
  if (sorted.length % 2 === 1) return sorted[Math.floor(middle)];
  return sorted.length === 0 ? undefined : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export function alertsInFigures(rows: readonly AlertRow[], now: number) {
  const today = whenInTijuana(now).day;
  const count = (fits: (at: number) => boolean) => {
    const counted = rows.filter(({ sent_at }) => fits(Date.parse(sent_at)));
    return {
      sent: counted.length,
      shown: counted.filter(({ shown_at }) => shown_at).length,
      taken: counted.filter(({ sent_at, taken_at }) => taken_at && Date.parse(taken_at) > Date.parse(sent_at)).length,
    };
  };
  return {
    today: count((at) => whenInTijuana(at).day === today),
    week: count((at) => at > now - 7 * DAY),
    month: count((at) => at > now - 30 * DAY),
  };
}
