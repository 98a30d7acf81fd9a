/** Longest time in milliseconds between two runs of the alert sender. */
const RUN_INTERVAL = 60_000;

export const isSilent = (ranAt: number, now: number): boolean => now - ranAt > 3 * RUN_INTERVAL;
