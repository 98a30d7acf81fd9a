import { newId } from '../lead/quote.ts';
import type { WatchRow } from '../lead/rows.ts';
import { createStore } from '../ui/create-store.ts';
import { alerts, ring } from './alerts.ts';
import { askWatch, sendOnLeaving } from './backend.ts';

const EVERY = 15_000;

/** What a session leaves that locked itself: it counts, and opens nothing. */
export const watchLeft = createStore<string | undefined>(undefined);

/** The last word of a session. A database of an earlier release does not know it: then the desk is silent, as it was. */
export async function leaveWatch(token: string): Promise<void> {
  const secret = newId();
  const { ok } = await sendOnLeaving('desk_watches', { secret }, token);
  if (ok) watchLeft.set(secret);
}

/** Tells how many requests are open, and rings where one more was asked. Answers how to end it. */
export function countOn(secret: string, tell: (counted: WatchRow | undefined) => void): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  let heard: WatchRow | undefined;
  async function look(): Promise<void> {
    // Without a network what was counted stands, and is asked again.
    const counted = await askWatch(secret).catch(() => 'unheard' as const);
    if (isOver) return;
    if (counted !== 'unheard') {
      tell(counted);
      if (!counted) return watchLeft.set(undefined);
      if (heard && (counted.newest ?? '') > (heard.newest ?? '') && alerts.read().sound) ring();
      heard = counted;
    }
    timer = setTimeout(() => void look(), EVERY);
  }
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
