import type { Page } from '@playwright/test';
import { expect, storeOf } from './visitor.ts';

/** Bytes of storage before the phone is full: more than a test needs. */
const ROOM = 12_000_000;

/**
 * Limits the storage of an origin before the page is opened. Returns a function that fills the storage, which in turn
 * returns a function that lifts the limit. A large write comes first, because the browser remembers the free space for
 * half a minute, and measures it again only for a write that does not fit.
 */
export async function littleRoom(page: Page, origin: string): Promise<() => Promise<() => Promise<unknown>>> {
  const session = await page.context().newCDPSession(page);
  const tell = (room: { readonly quotaSize?: number }) =>
    session.send('Storage.overrideQuotaForOrigin', { origin, ...room });
  await tell({ quotaSize: ROOM });
  return async () => {
    await tell({ quotaSize: 1 });
    const store = await storeOf(page);
    const endOf = (bytes: number) =>
      store.evaluate(
        (database, size) =>
          new Promise((resolve) => {
            const transaction = database.transaction('settings', 'readwrite');
            transaction.objectStore('settings').put('x'.repeat(size), 'x');
            transaction.addEventListener('complete', () => resolve('kept'));
            transaction.addEventListener('abort', () => resolve(transaction.error?.name));
          }),
        bytes,
      );
    for (const bytes of [ROOM, 100]) expect(await endOf(bytes)).toBe('QuotaExceededError');
    return () => tell({});
  };
}
