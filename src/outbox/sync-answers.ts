import { fetchAnswers, fetchUnknown, MOST_IDS } from './delivery.ts';
import { deliveredIds, type Entry } from './entry.ts';
import type { Outbox } from './outbox.ts';
import { outbox } from './phone-outbox.ts';

const DAY = 24 * 60 * 60_000;

/**
 * Returns a function to fetch and store answers; the result is false if the server did not respond. At its first
 * call, and then daily, the function also finds quotes that the server has lost, and sends them again.
 */
function createAnswerSync(store: Pick<Outbox, 'entries' | 'storeAnswers' | 'sendAgain'>) {
  /** Time of the last successful `compare` in this page or worker. */
  let comparedAt = -Infinity;

  /**
   * Asks the server which delivered quotes and messages it lacks. Answered quotes are included, because a server that
   * was restored from a backup may have lost them too.
   */
  async function compare(): Promise<boolean> {
    const unknown = new Set<string>();
    for (const ids of batches(deliveredIds(await store.entries()))) {
      const lostIds = await fetchUnknown(ids);
      if (!lostIds) return false;
      for (const id of lostIds) unknown.add(id);
    }
    comparedAt = performance.now();
    if (unknown.size > 0) await store.sendAgain(unknown);
    return true;
  }

  return async (entries: readonly Entry[]): Promise<boolean> => {
    for (const ids of batches(entries.map(({ id }) => id))) {
      const answers = await fetchAnswers(ids);
      if (!answers) return false;
      await store.storeAnswers(answers);
    }
    return entries.length === 0 || performance.now() - comparedAt <= DAY || compare();
  };
}

export const syncAnswers = createAnswerSync(outbox);

export function* batches(ids: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < ids.length; at += MOST_IDS) yield ids.slice(at, at + MOST_IDS);
}
