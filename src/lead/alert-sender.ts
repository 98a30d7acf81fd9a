/** Whoever sends alerts says at least once a minute that it has looked. */
const EVERY = 60_000;

/** Three times in a row it said nothing. */
export const isSilent = (ranAt: number, now: number): boolean => now - ranAt > 3 * EVERY;
