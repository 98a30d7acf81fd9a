import { cacheNames } from 'workbox-core';
import { registerRoute } from 'workbox-routing';

const EARLIER = 'earlier-files';
const HASHED = '/assets/';
/** Two releases and more, of some 75 each; the oldest go first. */
const MOST = 240;

declare const self: ServiceWorkerGlobalScope;

/**
 * A page that is open when a release is replaced goes on with its own files, which the new release no longer has:
 * the parts that it has not loaded yet must still be there, without signal too.
 */
export function keepEarlierFiles(): void {
  // Before the new release takes over, and with that clears out what is not its own. A phone without room for it gets the
  // new one all the same.
  self.addEventListener('install', (event) => event.waitUntil(setAside().catch(() => undefined)));
  registerRoute(
    ({ url }) => url.pathname.startsWith(HASHED),
    async ({ request }) => (await caches.match(request, { cacheName: EARLIER })) ?? fetch(request),
  );
}

async function setAside(): Promise<void> {
  const [now, earlier] = await Promise.all([caches.open(cacheNames.precache), caches.open(EARLIER)]);
  for (const request of await now.keys()) {
    const kept = await now.match(request);
    if (kept && request.url.includes(HASHED)) await earlier.put(request, kept);
  }
  for (const request of (await earlier.keys()).slice(0, -MOST)) await earlier.delete(request);
}
