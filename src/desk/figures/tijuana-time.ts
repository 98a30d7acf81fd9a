import { dayInTijuana, hourInTijuana } from '../../lead/tijuana.ts';

// Figures ask of every quote when in Tijuana it came, and a time zone's clock is slow to ask. It differs from ours by whole
// hours: what is right of one moment is right of its hour.

interface Hour {
  readonly day: string;
  readonly hour: number;
}

const HOUR = 3_600_000;
const known = new Map<number, Hour>();

/** Day, as 2026-11-28, and hour of a moment in Tijuana. */
export function whenInTijuana(at: number): Hour {
  const key = Math.floor(at / HOUR);
  let found = known.get(key);
  if (!found) known.set(key, (found = { day: dayInTijuana(at), hour: hourInTijuana(at) }));
  return found;
}
