import type { Page } from '@playwright/test';
import { expect, storeOf } from './visitor.ts';

/** From now on the phone has no room for this origin; resolves, once the browser knows, with what gives it back. */
export async function fillPhone(page: Page, origin: string): Promise<() => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 1 });
  const store = await storeOf(page);
  const refused = () =>
    store.evaluate(
      (database) =>
        new Promise((resolve) => {
          const transaction = database.transaction('settings', 'readwrite');
          transaction.objectStore('settings').put('x'.repeat(100), 'x');
          transaction.addEventListener('complete', () => resolve(false));
          transaction.addEventListener('abort', () => resolve(transaction.error?.name));
        }),
    );
  // The browser asks only now and then how much room there is.
  await expect.poll(refused, { timeout: 60_000 }).toBe('QuotaExceededError');
  return async () => void (await session.send('Storage.overrideQuotaForOrigin', { origin }));
}
