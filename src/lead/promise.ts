/**
 * Hours within which the sales team promises to answer. The database gets this number from the server and sets the
 * deadline of each quote and reply on arrival. A change of the number does not change existing deadlines.
 */
export const PROMISED_HOURS = 2;

/** Hours from departure to arrival in Zhengzhou, as the page promises. */
export const TRANSIT_HOURS = 17.5;

/** Returns the deadline of the promised answer; computes it if the server did not send one. */
export function promisedUntil({
  at,
  promisedAt = 0,
}: {
  readonly at: number;
  readonly promisedAt?: number | undefined;
}): number {
  return promisedAt > at ? promisedAt : at + PROMISED_HOURS * 3_600_000;
}
