import { cacheNames } from 'workbox-core';
import { registerRoute } from 'workbox-routing';

const EARLIER = 'earlier-files';
const HASHED = '/assets/';
/**
 * Largest number of files that are kept: those of about three releases, with 75 files each. The oldest are deleted
 * first.
 */
const MOST = 240;

declare const self: ServiceWorkerGlobalScope;

/**
 * Keeps the files of earlier releases. A page that was opened before an update can then still load the rest of its
 * files, even offline.
 */
export function keepEarlierFiles(): void {
  // The files are copied before the new release removes them from the cache. If the phone has no room for the copies,
  // the update continues without them.
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
