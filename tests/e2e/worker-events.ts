import type { Page, Worker } from '@playwright/test';

/**
 * Fires the browser’s sync event, sent when the network returns and no page is open. When a test cuts the
 * network, the browser’s own event fails and returns only after five minutes.
 */
export async function syncFrom(page: Page, origin: string): Promise<() => Promise<void>> {
  const { session, event } = await registrationOf(page, origin);
  return async () => {
    await session.send('ServiceWorker.dispatchSyncEvent', { ...event, lastChance: true });
  };
}

/** Fires the periodic sync event of an installed app. */
export async function periodicSyncFrom(page: Page, origin: string): Promise<() => Promise<void>> {
  const { session, event } = await registrationOf(page, origin);
  return async () => {
    await session.send('ServiceWorker.dispatchPeriodicSyncEvent', event);
  };
}

/** Delivers a decrypted push to the worker of this scope. */
export async function pushFrom(page: Page, scope: string): Promise<(payload: object) => Promise<void>> {
  const { session, event } = await registrationOf(page, new URL(scope).origin, scope);
  const { origin, registrationId } = event;
  return async (payload) => {
    await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data: JSON.stringify(payload) });
  };
}

/** Content of a declarative push, as in WebKit’s event: https://webkit.org/blog/16535/meet-declarative-web-push/ */
export interface Declared {
  readonly notification?: Readonly<Record<'title' | 'body' | 'lang' | 'tag' | 'navigate', string>> & {
    readonly data: object;
  };
  readonly appBadge?: number;
}

/**
 * Fires a push without data, like an iPhone’s declarative message, whose notification has getters and no own
 * fields. Resolves to the badges that the worker set.
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
  // An event for a worker that is not active is lost.
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

/** Notifications on the screen. */
export const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });

/** Tags for which the browser was asked to wake the worker. */
export const syncTags = (page: Page) =>
  page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.ready) as unknown as {
      sync: { getTags(): Promise<string[]> };
    };
    return registration.sync.getTags();
  });
