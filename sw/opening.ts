import type { PrecacheController, PrecacheEntry } from 'workbox-precaching';
import { config } from '../src/config.ts';

const OPENING = 'opening-';

declare const self: ServiceWorkerGlobalScope;

/**
 * Answers a press on the app icon from a cache without starting the worker, in browsers with static routes. The cache
 * name contains the revision, so that no release opens another's document. Returns the function that fills the cache.
 */
export function openAtOnce(files: readonly PrecacheEntry[], precache: PrecacheController): () => Promise<void> {
  const cacheName = OPENING + files.find(({ url }) => url === 'index.html')!.revision;
  self.addEventListener('install', (event) => {
    // An address with a query is another cache key, which the worker answers.
    const urlPattern = { pathname: '/', search: '' };
    void event.addRoutes?.([
      { condition: { urlPattern, requestMode: 'navigate' }, source: { cacheName } },
      // Requests of the page go straight to the network, without waiting for the worker.
      { condition: { urlPattern: `${config.supabaseUrl ?? ''}/rest/v1/*` }, source: 'network' },
    ]);
  });
  const keep = async () => {
    const { body, headers } = (await precache.matchPrecache('/index.html'))!;
    // The worker's request lacks headers of a page's request, so `vary` would never match.
    const plain = new Headers(headers);
    plain.delete('vary');
    const page = new Response(body, { headers: plain });
    const cache = await caches.open(cacheName);
    await cache.put('/?', page.clone());
    await cache.put('/', page);
  };
  self.addEventListener('activate', (event) => event.waitUntil(forgetOthers(cacheName)));
  if (self.registration.active) void caches.has(cacheName).then((isKept) => (isKept ? undefined : keep()));
  return keep;
}

async function forgetOthers(cacheName: string): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(OPENING) && name !== cacheName) await caches.delete(name);
}
