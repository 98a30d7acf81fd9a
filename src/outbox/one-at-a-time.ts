import type { QuoteStores, Transact } from './store.ts';

const NAME = 'quotes-flush';
/** A page that the system froze may hold the lock for ever. The key in the database makes two flushes harmless. */
const PATIENCE = 30_000;

interface Lease {
  readonly holder: number;
  readonly until: number;
}

/** Runs the work while no other page or worker of this device does. */
export async function oneAtATime<T>(
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

/** The same by a note in the database, for engines and insecure origins without Web Locks. */
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
    // On a full phone nothing can be noted, and everybody goes on.
    await note.catch((error: unknown) => {
      if (!isFree) throw error;
    });
    return isFree;
  }

  // Nobody goes on without it: of all that waited for a dead page, one takes it over and the others wait for that one.
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
