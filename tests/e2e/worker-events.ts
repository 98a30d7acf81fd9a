import type { Page, Worker } from '@playwright/test';

/**
 * Fires the browser's own sync event, as it does when the network is back and no page is open. Of a network that a test
 * takes away the browser knows nothing: its own event has failed by then, and comes again after five minutes.
 */
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

/** Content of a declarative push, as WebKit's event has it: https://webkit.org/blog/16535/meet-declarative-web-push/ */
export interface Declared {
  readonly notification?: Readonly<Record<'title' | 'body' | 'lang' | 'tag' | 'navigate', string>> & {
    readonly data: object;
  };
  readonly appBadge?: number;
}

/**
 * Fires a push without data, as an iPhone does for a declarative message. The notification has getters there, so no field
 * is its own. Resolves with the numbers that the worker put on the icon.
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
  // An event for a worker that is not active yet is lost.
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

/** What stands on the screen of the phone or computer. */
export const shown = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    return (await registration.getNotifications()).map(({ title, body, tag, data }) => ({ title, body, tag, data }));
  });

/** What the browser was asked to wake the worker for. */
export const syncTags = (page: Page) =>
  page.evaluate(async () => {
    const registration = (await navigator.serviceWorker.ready) as unknown as {
      sync: { getTags(): Promise<string[]> };
    };
    return registration.sync.getTags();
  });
