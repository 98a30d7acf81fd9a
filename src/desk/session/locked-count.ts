import { newId } from '../../lead/quote.ts';
import type { WatchRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { alerts, ring } from '../team/alerts.ts';
import { readWatch, storeWatch } from '../api/team.ts';
import { feed } from '../api/lead-feed.ts';

const EVERY = 15_000;

/** Secret with which a locked desk can count leads and do nothing else. */
interface Watch {
  readonly secret: string;
  /** Arrival time of the newest lead known before the desk was locked. The desk rings for later leads. */
  readonly newest: number | undefined;
}
export const watchLeft = createStore<Watch | undefined>(undefined);

/**
 * Stores a secret on the server with the last request of the session. With this secret the locked desk counts leads.
 */
export async function leaveWatch(token: string): Promise<void> {
  const secret = newId();
  const { leads, readAt } = feed.read();
  const asked = leads.flatMap((lead) => (lead.open ? Date.parse(lead.asked_at) : []));
  const newest = readAt === undefined ? undefined : Math.max(0, ...asked);
  const { ok } = await storeWatch(secret, token);
  if (ok) watchLeft.set({ secret, newest });
}

/** Reports the number of open leads, and rings for a new one, until the returned function is called. */
export function countOn({ secret, newest }: Watch, onCount: (counted: WatchRow | undefined) => void): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  let latestSeen = newest;
  async function look(): Promise<void> {
    // Without a network the earlier count stays until the next read.
    const counted = await readWatch(secret).catch(() => 'unheard' as const);
    if (isOver) return;
    if (counted !== 'unheard') {
      onCount(counted);
      if (!counted) return watchLeft.set(undefined);
      const latest = Date.parse(counted.newest ?? '') || 0;
      if (latestSeen !== undefined && latest > latestSeen && alerts.read().sound) ring();
      latestSeen = Math.max(latest, latestSeen ?? 0);
    }
    timer = setTimeout(() => void look(), EVERY);
  }
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
