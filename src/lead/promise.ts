/**
 * Hours within which each question is answered. The server writes them into the database, which gives each quote and each
 * reply its own moment: what was asked before a change keeps the promise that it was given.
 */
export const PROMISED_HOURS = 2;

/** Moment until which an answer is promised; for a server that did not say its own, by this release. */
export function promisedUntil({
  at,
  promisedAt = 0,
}: {
  readonly at: number;
  readonly promisedAt?: number | undefined;
}): number {
  return promisedAt > at ? promisedAt : at + PROMISED_HOURS * 3_600_000;
}
