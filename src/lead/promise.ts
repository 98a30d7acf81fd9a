/**
 * How soon each word that is asked gets its answer, and since when. The last one holds (private.answer_promise() is the
 * same); what was asked before keeps the promise that it was given.
 */
const PROMISES: readonly Promised[] = [{ since: 0, hours: 2 }];

interface Promised {
  readonly since: number;
  readonly hours: number;
}

export const PROMISED_HOURS = PROMISES.at(-1)!.hours;

/** Until when the answer to what was asked then is promised. */
export function promisedUntil(asked: number, promises = PROMISES): number {
  const { hours } = promises.findLast(({ since }) => since <= asked) ?? promises[0]!;
  return asked + hours * 3_600_000;
}
