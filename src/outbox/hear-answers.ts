import { fetchAnswers, fetchUnknown, MOST_PRESENTED } from './delivery.ts';
import { deliveredIds, type Entry } from './entry.ts';
import { outbox } from './phone-outbox.ts';

const DAY = 24 * 60 * 60_000;

/** When this page or worker last learnt what the server knows. */
let comparedAt = -Infinity;

/**
 * Asks what was answered to these, and keeps it. False if our server did not answer. Once a start, and then once a day,
 * it is asked as well which of them it has lost: those are sent again.
 */
export async function hearAnswers(entries: readonly Entry[]): Promise<boolean> {
  for (const ids of batches(entries.map(({ id }) => id))) {
    const answers = await fetchAnswers(ids);
    if (!answers) return false;
    await outbox.keepAnswers(answers);
  }
  return entries.length === 0 || performance.now() - comparedAt <= DAY || compare();
}

/** A server that was brought back from an older backup has lost what came since: of all quotes, also those it answered. */
async function compare(): Promise<boolean> {
  const unknown = new Set<string>();
  for (const ids of batches(deliveredIds(await outbox.entries()))) {
    const some = await fetchUnknown(ids);
    if (!some) return false;
    for (const id of some) unknown.add(id);
  }
  comparedAt = performance.now();
  if (unknown.size > 0) await outbox.sendAgain(unknown);
  return true;
}

/** As many as a request may present. */
export function* batches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += MOST_PRESENTED) yield ids.slice(at, at + MOST_PRESENTED);
}
