import { dayInTijuana, hourInTijuana } from '../../lead/tijuana.ts';

interface Hour {
  readonly day: string;
  readonly hour: number;
}

const HOUR = 3_600_000;
/**
 * Cache by the hour, because Intl is slow and the figures need the time of every quote. One entry serves a whole hour:
 * Tijuana differs from UTC by whole hours.
 */
const known = new Map<number, Hour>();

/** Day, as 2026-11-28, and hour of a moment in Tijuana. */
export function whenInTijuana(at: number): Hour {
  const key = Math.floor(at / HOUR);
  let found = known.get(key);
  if (!found) known.set(key, (found = { day: dayInTijuana(at), hour: hourInTijuana(at) }));
  return found;
}
