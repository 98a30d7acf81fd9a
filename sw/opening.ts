import type { PrecacheController, PrecacheEntry } from 'workbox-precaching';
import { config } from '../src/config.ts';

const OPENING = 'opening-';

declare const self: ServiceWorkerGlobalScope;

/**
 * A press on the icon is answered from a cache without waiting for the start of the worker, where the browser can. It is
 * a cache of its own, with the document under its plain address, and has the name of what is in it: the routes of a
 * release never open the document of another. Answers what keeps the document there, once it has come.
 */
export function openAtOnce(files: readonly PrecacheEntry[], precache: PrecacheController): () => Promise<void> {
  const cacheName = OPENING + files.find(({ url }) => url === 'index.html')!.revision;
  self.addEventListener('install', (event) => {
    // With anything behind it the address is another key: the worker answers to those.
    const urlPattern = { pathname: '/', search: '' };
    void event.addRoutes?.([
      { condition: { urlPattern, requestMode: 'navigate' }, source: { cacheName } },
      // The worker has nothing to say to what a page sends: a quote does not wait for its start either.
      { condition: { urlPattern: `${config.supabaseUrl ?? ''}/rest/v1/*` }, source: 'network' },
    ]);
  });
  const keep = async () => {
    const { body, headers } = (await precache.matchPrecache('/index.html'))!;
    // It was asked for by a worker, whose request says less than a page's.
    const plain = new Headers(headers);
    plain.delete('vary');
    const page = new Response(body, { headers: plain });
    const cache = await caches.open(cacheName);
    // An empty query is another key, and fits the route all the same.
    await cache.put('/?', page.clone());
    await cache.put('/', page);
  };
  self.addEventListener('activate', (event) => event.waitUntil(forgetOthers(cacheName)));
  // A route whose cache is gone leads to the network.
  if (self.registration.active) void caches.has(cacheName).then((isKept) => (isKept ? undefined : keep()));
  return keep;
}

async function forgetOthers(cacheName: string): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(OPENING) && name !== cacheName) await caches.delete(name);
}
