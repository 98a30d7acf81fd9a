import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { SPARING_MARK } from '../src/agreements.ts';
import { isOfTheLeast } from './least.ts';
import { openAtOnce } from './opening.ts';

declare const self: ServiceWorkerGlobalScope;

const all = new PrecacheController({ plugins: [{ requestWillFetch: byRevision }] });
const least = new PrecacheController({ plugins: [{ requestWillFetch: byRevision }] });

/**
 * A document is fetched by the address that has its revision, which a server that knows it lets the browser keep: then of
 * the next one only what differs comes.
 */
async function byRevision({ request, event }: { request: Request; event?: ExtendableEvent }): Promise<Request> {
  const named = event?.type === 'install' ? all.getCacheKeyForURL(request.url) : undefined;
  return named?.includes('__WB_REVISION__') ? new Request(named, { credentials: 'same-origin' }) : request;
}

/** The site, for a visit without signal; for who saves data no more of it than a quote needs. */
export function keepFiles(files: readonly PrecacheEntry[]): void {
  all.addToCacheList([...files]);
  least.addToCacheList(files.filter(isOfTheLeast));
  const keepOpening = openAtOnce(files, all);
  self.addEventListener('install', (event) => event.waitUntil(install(event).then(keepOpening)));
  self.addEventListener('activate', (event) => void all.activate(event));
  registerRoute(new PrecacheRoute(all));
  // Any query string opens the one document: internal pages and campaign links come in it.
  registerRoute(
    new NavigationRoute(all.createHandlerBoundToURL('/index.html'), { allowlist: [/^\/(index\.html)?(\?|$)/] }),
  );
}

const isSparing = () => caches.has(SPARING_MARK);

const install = async (event: ExtendableEvent) => ((await isSparing()) ? least : all).install(event);

/** Nobody saves data any more. The mark stays until all of it is here: the next visit asks again. */
export async function keepRest(): Promise<void> {
  if (!(await isSparing())) return;
  // Workbox fetches what is missing in an installation alone.
  await all.install({ type: 'install', waitUntil: () => undefined } as unknown as ExtendableEvent);
  await caches.delete(SPARING_MARK);
}
