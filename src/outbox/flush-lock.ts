import type { QuoteStores, Transact } from './store.ts';

const NAME = 'quotes-flush';
/**
 * Longest wait for the lock: a frozen page may hold it forever. Two flushes are harmless because of the primary key.
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

/** Uses a lease in the database, for engines and insecure origins without Web Locks. */
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
    // A full disk cannot store the lease: the flush then runs without one.
    await note.catch((error: unknown) => {
      if (!isFree) throw error;
    });
    return isFree;
  }

  // All waiters poll for the lease: after a page died, exactly one takes over.
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
