import type { Page } from '@playwright/test';

/** Fires the browser's own sync event, as it does when the network is back and no page is open. */
export async function syncFrom(page: Page, origin: string): Promise<() => Promise<void>> {
  const { session, event } = await registrationOf(page, origin);
  return async () => {
    await session.send('ServiceWorker.dispatchSyncEvent', { ...event, lastChance: true });
  };
}

/** The same for the event that comes now and then to what is installed. */
export async function periodicSyncFrom(page: Page, origin: string): Promise<() => Promise<void>> {
  const { session, event } = await registrationOf(page, origin);
  return async () => {
    await session.send('ServiceWorker.dispatchPeriodicSyncEvent', event);
  };
}

/** What a push service hands to the worker of this scope, as the browser has it after decrypting. */
export async function pushFrom(page: Page, scope: string): Promise<(payload: object) => Promise<void>> {
  const { session, event } = await registrationOf(page, new URL(scope).origin, scope);
  const { origin, registrationId } = event;
  return async (payload) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  };
}

async function registrationOf(page: Page, origin: string, scope = origin) {
  const session = await page.context().newCDPSession(page);
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(scope));
      if (ours) resolve(ours.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  return { session, event: { origin, registrationId: await found, tag: 'quotes' } };
}

/** What the browser was asked to wake the worker for. */
export const syncTags = (page: Page) =>
  page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.ready) as unknown as {
      sync: { getTags(): Promise<string[]> };
    };
    return registration.sync.getTags();
  });
