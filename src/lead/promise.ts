/**
 * Hours within which each question is answered. The server copies them into the database, which dates each quote and
 * reply on arrival: a change does not move earlier promises.
 */
export const PROMISED_HOURS = 2;

/** Time until which an answer is promised; computed if the server did not send its own. */
export function promisedUntil({
  at,
  promisedAt = 0,
}: {
  readonly at: number;
  readonly promisedAt?: number | undefined;
}): number {
  return promisedAt > at ? promisedAt : at + PROMISED_HOURS * 3_600_000;
}
