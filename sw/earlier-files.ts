import { cacheNames } from 'workbox-core';
import { registerRoute } from 'workbox-routing';

const EARLIER = 'earlier-files';
const HASHED = '/assets/';
/** Most files that are kept, of about three releases (75 each); the oldest are deleted first. */
const MOST = 240;

declare const self: ServiceWorkerGlobalScope;

/**
 * Keeps the files of earlier releases: a page that is still open loads its remaining chunks from them, also offline.
 */
export function keepEarlierFiles(): void {
  // Copies the files before the new release clears the cache. If the phone has no room for them, the update goes on.
  self.addEventListener('install', (event) => event.waitUntil(setAside().catch(() => undefined)));
  registerRoute(
    ({ url }) => url.pathname.startsWith(HASHED),
    async ({ request }) => (await caches.match(request, { cacheName: EARLIER })) ?? fetch(request),
  );
}

async function setAside(): Promise<void> {
  const [now, earlier] = await Promise.all([caches.open(cacheNames.precache), caches.open(EARLIER)]);
  for (const request of await now.keys()) {
    const file = await now.match(request);
    if (file && request.url.includes(HASHED)) await earlier.put(request, file);
  }
  for (const request of (await earlier.keys()).slice(0, -MOST)) await earlier.delete(request);
}
