import type { Page, Worker } from '@playwright/test';

/**
 * Fires the sync event that a browser fires when the network is back and no page is open. After a test has cut the
 * network, the browser’s own event fails and would come again only after five minutes.
 */
export async function syncFrom(page: Page, origin: string): Promise<() => Promise<void>> {
  const { session, event } = await registrationOf(page, origin);
  return async () => {
    await session.send('ServiceWorker.dispatchSyncEvent', { ...event, lastChance: true });
  };
}

/** Fires the periodic sync event that an installed app gets. */
export async function periodicSyncFrom(page: Page, origin: string): Promise<() => Promise<void>> {
  const { session, event } = await registrationOf(page, origin);
  return async () => {
    await session.send('ServiceWorker.dispatchPeriodicSyncEvent', event);
  };
}

/** Delivers a decrypted push message to the service worker with this scope. */
export async function pushFrom(page: Page, scope: string): Promise<(payload: object) => Promise<void>> {
  const { session, event } = await registrationOf(page, new URL(scope).origin, scope);
  const { origin, registrationId } = event;
  return async (payload) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  };
}

/** Content of a declarative push message in WebKit: https://webkit.org/blog/16535/meet-declarative-web-push/ */
export interface Declared {
  readonly notification?: Readonly<Record<'title' | 'body' | 'lang' | 'tag' | 'navigate', string>> & {
    readonly data: object;
  };
  readonly appBadge?: number;
}

/**
 * Fires a push event like that of a declarative message on an iPhone: without data, and with a notification whose
 * fields are getters. Returns the badges that the worker set.
 */
export const pushDeclared = (worker: Worker, declared: Declared) =>
  worker.evaluate(async ({ notification, appBadge }) => {
    const scope = globalThis as unknown as EventTarget & { readonly PushEvent: new (type: string) => Event };
    const badges: number[] = [];
    Object.assign(navigator, { setAppBadge: async (count: number) => void badges.push(count) });
    Object.defineProperty(navigator, 'userAgentData', { value: undefined, configurable: true });
    const event = new scope.PushEvent('push');
    let over: Promise<unknown> | undefined;
    Object.defineProperties(event, {
      notification: { value: notification && (Object.create(notification) as object) },
      appBadge: { value: appBadge },
      waitUntil: { value: (work: Promise<unknown>) => void (over = work) },
    });
    scope.dispatchEvent(event);
    await over;
    return badges;
  }, declared);

async function registrationOf(page: Page, origin: string, scope = origin) {
  const session = await page.context().newCDPSession(page);
  const ours = new Set<string>();
  const active = new Set<string>();
  // The function waits until the worker is active, because an earlier event would be lost.
  const found = new Promise<string>((resolve) => {
    const look = () => [...ours].filter((id) => active.has(id)).forEach(resolve);
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { scopeURL, registrationId } of registrations)
        if (scopeURL.startsWith(scope)) ours.add(registrationId);
      look();
    });
    session.on('ServiceWorker.workerVersionUpdated', ({ versions }) => {
      for (const { status, registrationId } of versions) if (status === 'activated') active.add(registrationId);
      look();
    });
  });
  await session.send('ServiceWorker.enable');
  return { session, event: { origin, registrationId: await found, tag: 'quotes' } };
}

interface NotifyingScope {
  readonly registration: ServiceWorkerRegistration;
  /** Number of notifications that the worker has shown since `countNotifications`. */
  notificationCount?: number;
}

/**
 * Counts the notifications of the worker. Chromium deletes a notification if `getNotifications` runs while the
 * notification is being shown, so a test that polls `shown` calls this function first.
 */
export const countNotifications = (worker: Worker) =>
  worker.evaluate(() => {
    const scope = globalThis as unknown as NotifyingScope;
    const { registration } = scope;
    const show = registration.showNotification.bind(registration);
    scope.notificationCount = 0;
    registration.showNotification = async (...texts) => {
      await show(...texts);
      scope.notificationCount! += 1;
    };
  });

/** Returns the notifications on the screen. */
export const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration, notificationCount } = globalThis as unknown as NotifyingScope;
    if (notificationCount === 0) return [];
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });

/** Returns the tags of the registered sync events. */
export const syncTags = (page: Page) =>
  page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.ready) as unknown as {
      sync: { getTags(): Promise<string[]> };
    };
    return registration.sync.getTags();
  });
