import { newId } from '../../lead/quote.ts';
import type { WatchRow } from '../../lead/rows.ts';
import { createStore } from '../../ui/create-store.ts';
import { alerts, ring } from '../team/alerts.ts';
import { readWatch, storeWatch } from '../api/team.ts';
import { known } from '../api/lead-feed.ts';

const EVERY = 15_000;

/** What a session leaves that locked itself: it counts, and opens nothing. */
interface Watch {
  readonly secret: string;
  /** The newest that was on the screen: a later one rings, also where the page was put aside before it was locked. */
  readonly newest: number | undefined;
}
export const watchLeft = createStore<Watch | undefined>(undefined);

/** The last request of a session: from then on the desk may count. */
export async function leaveWatch(token: string): Promise<void> {
  const secret = newId();
  const { leads, heardAt } = known.read();
  const asked = leads.flatMap((lead) => (lead.open ? Date.parse(lead.asked_at) : []));
  const newest = heardAt === undefined ? undefined : Math.max(0, ...asked);
  const { ok } = await storeWatch(secret, token);
  if (ok) watchLeft.set({ secret, newest });
}

/** Tells how many requests are open, and rings where one more was asked. Answers how to end it. */
export function countOn({ secret, newest }: Watch, tell: (counted: WatchRow | undefined) => void): () => void {
  let isOver = false;
  let timer: ReturnType<typeof setTimeout>;
  let heard = newest;
  async function look(): Promise<void> {
    // Without a network what was counted stands, and is asked again.
    const counted = await readWatch(secret).catch(() => 'unheard' as const);
    if (isOver) return;
    if (counted !== 'unheard') {
      tell(counted);
      if (!counted) return watchLeft.set(undefined);
      const latest = Date.parse(counted.newest ?? '') || 0;
      if (heard !== undefined && latest > heard && alerts.read().sound) ring();
      heard = Math.max(latest, heard ?? 0);
    }
    timer = setTimeout(() => void look(), EVERY);
  }
  void look();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
