/**
 * Hours within which the sales team promises to answer. The server copies the number into the database, which sets the
 * deadline of each quote and reply on arrival: a change of the number does not move earlier deadlines.
 */
export const PROMISED_HOURS = 2;

/** Hours from departure to arrival in Zhengzhou that the page promises. */
export const TRANSIT_HOURS = 17.5;

/** Deadline of the promised answer; computed if the server sent none. */
export function promisedUntil({
  at,
  promisedAt = 0,
}: {
  readonly at: number;
  readonly promisedAt?: number | undefined;
}): number {
  return promisedAt > at ? promisedAt : at + PROMISED_HOURS * 3_600_000;
}
