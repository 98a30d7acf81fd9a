import { cacheNames } from 'workbox-core';
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { SPARING_MARK } from '../src/agreements.ts';
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

/** A file of the site. `least`: a quote needs it. */
type KeptFile = PrecacheEntry & { readonly least?: true };

/** The site, for a visit without signal; for who saves data no more of it than a quote needs. */
export function keepFiles(files: readonly KeptFile[]): void {
  // Without the sum, which is there to know the document again: a page of another release is better than none.
  const listed = ({ url, revision }: PrecacheEntry) => ({ url, revision });
  all.addToCacheList(files.map(listed));
  least.addToCacheList(files.filter((file) => file.least).map(listed));
  const keepOpening = openAtOnce(files, all);
  const { integrity } = files.find(({ url }) => url === 'index.html')!;
  self.addEventListener('install', (event) => event.waitUntil(install(event, integrity).then(keepOpening)));
  self.addEventListener('activate', (event) => void all.activate(event));
  registerRoute(new PrecacheRoute(all));
  // Any query string opens the one document: internal pages and campaign links come in it.
  registerRoute(
    new NavigationRoute(all.createHandlerBoundToURL('/index.html'), { allowlist: [/^\/(index\.html)?(\?|$)/] }),
  );
}

const isSparing = () => caches.has(SPARING_MARK);

async function install(event: ExtendableEvent, integrity: string | undefined): Promise<void> {
  if (!(await isSparing())) return void (await all.install(event));
  await takeDocument(integrity).catch(() => undefined);
  await least.install(event);
}

/**
 * The visit that brings the worker has just brought the document, a quarter of all that the least weighs: where the browser
 * has it still, and it is this release's, it is not fetched again. Others fetch it by its revision, as what the next one
 * differs from.
 */
async function takeDocument(integrity: string | undefined): Promise<void> {
  const document = await fetch('/', { cache: 'only-if-cached', mode: 'same-origin', integrity });
  await (await caches.open(cacheNames.precache)).put(least.getCacheKeyForURL('/index.html')!, document);
}

/** Nobody saves data any more. The mark stays until all of it is here: the next visit asks again. */
export async function keepRest(): Promise<void> {
  if (!(await isSparing())) return;
  // Workbox fetches what is missing in an installation alone.
  await all.install({ type: 'install', waitUntil: () => undefined } as unknown as ExtendableEvent);
  await caches.delete(SPARING_MARK);
}
