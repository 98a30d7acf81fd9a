import { fetchAnswers, MOST_PRESENTED } from './delivery.ts';
import type { Entry } from './entry.ts';
import { outbox } from './phone-outbox.ts';

/** Asks what was answered to these, and keeps it. False if our server did not answer. */
export async function hearAnswers(entries: readonly Entry[]): Promise<boolean> {
  const ids = entries.map(({ id }) => id);
  for (let at = 0; at < ids.length; at += MOST_PRESENTED) {
    const answers = await fetchAnswers(ids.slice(at, at + MOST_PRESENTED));
    if (!answers) return false;
    await outbox.keepAnswers(answers);
  }
  return true;
}
