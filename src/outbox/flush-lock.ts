import type { QuoteStores, Transact } from './store.ts';

const NAME = 'quotes-flush';
/**
 * Longest wait for the lock, in milliseconds. A frozen page may never release its lock, so the lock is then taken from
 * it. Two flushes at once are harmless, because the server stores each quote id once.
 */
const PATIENCE = 30_000;

interface Lease {
  readonly holder: number;
  readonly until: number;
}

export async function withFlushLock<T>(
  work: () => Promise<T>,
  transact: Transact<QuoteStores>,
  now: () => number,
): Promise<T> {
  if (!navigator.locks) return withLease(work, transact, now);
  try {
    return await navigator.locks.request(NAME, { signal: AbortSignal.timeout(PATIENCE) }, work);
  } catch (error) {
    if ((error as DOMException).name !== 'TimeoutError') throw error;
    return navigator.locks.request(NAME, { steal: true }, work);
  }
}

/** Stores a lease in the database in place of the lock: old browsers and pages without HTTPS have no Web Locks. */
async function withLease<T>(work: () => Promise<T>, transact: Transact<QuoteStores>, now: () => number): Promise<T> {
  const me = Math.random();

  async function take(): Promise<boolean> {
    let isFree = false;
    const note = transact('settings', 'readwrite', async (settings) => {
      const lease = (await settings.get('lease')) as Lease | undefined;
      const time = now();
      isFree = !(lease && lease.until > time && lease.until <= time + PATIENCE);
      if (isFree) await settings.put({ holder: me, until: time + PATIENCE }, 'lease');
    });
    // A lease takes the place of a lock. If the lease was free but a full disk refused to store it, the flush runs
    // without it.
    await note.catch((error: unknown) => {
      if (!isFree) throw error;
    });
    return isFree;
  }

  // Each waiting page asks for the lease every 250 ms. If the page with the lease dies, exactly one page takes it over.
  while (!(await take())) await new Promise((resolve) => setTimeout(resolve, 250));
  try {
    return await work();
  } finally {
    await transact('settings', 'readwrite', async (settings) => {
      const lease = (await settings.get('lease')) as Lease | undefined;
      if (lease?.holder === me) await settings.delete('lease');
    });
  }
}
