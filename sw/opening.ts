import type { PrecacheController, PrecacheEntry } from 'workbox-precaching';
import { config } from '../src/config.ts';

const OPENING = 'opening-';

declare const self: ServiceWorkerGlobalScope;

/**
 * Opens the site from a cache, without starting the worker, in browsers that have static routes. The name of the cache
 * contains the document's revision, so that each release serves its own document. Returns the function that fills the
 * cache.
 */
export function openAtOnce(files: readonly PrecacheEntry[], precache: PrecacheController): () => Promise<void> {
  const cacheName = OPENING + files.find(({ url }) => url === 'index.html')!.revision;
  self.addEventListener('install', (event) => {
    // A URL with a query string does not match this route; the worker answers it.
    const urlPattern = { pathname: '/', search: '' };
    void event.addRoutes?.([
      { condition: { urlPattern, requestMode: 'navigate' }, source: { cacheName } },
      // With this route, requests to the database do not wait until the worker has started.
      { condition: { urlPattern: `${config.supabaseUrl ?? ''}/rest/v1/*` }, source: 'network' },
    ]);
  });
  const keep = async () => {
    const { body, headers } = (await precache.matchPrecache('/index.html'))!;
    // The header `vary` would make the cached page useless: the worker's request lacks headers that the browser's
    // request has, so the two would never match.
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
