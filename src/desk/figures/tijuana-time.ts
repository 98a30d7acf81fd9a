import { dayInTijuana, hourInTijuana } from '../../lead/tijuana.ts';

interface Hour {
  readonly day: string;
  readonly hour: number;
}

const HOUR = 3_600_000;
/**
 * Cache of times in Tijuana, because Intl is slow and the figures need the time of every quote. One entry serves an
 * hour: the clocks of Tijuana and UTC differ by whole hours.
 */
const known = new Map<number, Hour>();

/** Returns the day, as 2026-11-28, and the hour of a moment in Tijuana. */
export function whenInTijuana(at: number): Hour {
  const key = Math.floor(at / HOUR);
  let found = known.get(key);
  if (!found) known.set(key, (found = { day: dayInTijuana(at), hour: hourInTijuana(at) }));
  return found;
}
