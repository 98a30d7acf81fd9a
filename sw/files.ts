import { cacheNames } from 'workbox-core';
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { SPARING_MARK } from '../src/agreements.ts';
import { openAtOnce } from './opening.ts';

declare const self: ServiceWorkerGlobalScope;

const all = new PrecacheController({ plugins: [{ requestWillFetch: byRevision }] });
const essential = new PrecacheController({ plugins: [{ requestWillFetch: byRevision }] });

/**
 * Adds the revision to the URL of a document. The browser may then keep the document, and the server sends only the
 * difference to it at an update (server/dictionaries.ts).
 */
async function byRevision({ request, event }: { request: Request; event?: ExtendableEvent }): Promise<Request> {
  const named = event?.type === 'install' ? all.getCacheKeyForURL(request.url) : undefined;
  return named?.includes('__WB_REVISION__') ? new Request(named, { credentials: 'same-origin' }) : request;
}

type KeptFile = PrecacheEntry & { readonly essential?: true };

/** Caches the site for visits without a connection; in data saver mode only the files that a quote needs. */
export function keepFiles(files: readonly KeptFile[]): void {
  // Workbox gets the lists without `integrity`: otherwise it would refuse a document of another release. Without a
  // connection, such a document is better than none. Only takeDocument() checks `integrity`.
  const listed = ({ url, revision }: PrecacheEntry) => ({ url, revision });
  all.addToCacheList(files.map(listed));
  essential.addToCacheList(files.filter((file) => file.essential).map(listed));
  const keepOpening = openAtOnce(files, all);
  const { integrity } = files.find(({ url }) => url === 'index.html')!;
  self.addEventListener('install', (event) => event.waitUntil(install(event, integrity).then(keepOpening)));
  self.addEventListener('activate', (event) => void all.activate(event));
  registerRoute(new PrecacheRoute(all));
  // Internal pages and campaign links have a query string. The same document opens for all of them.
  registerRoute(
    new NavigationRoute(all.createHandlerBoundToURL('/index.html'), { allowlist: [/^\/(index\.html)?(\?|$)/] }),
  );
}

const isSparing = () => caches.has(SPARING_MARK);

async function install(event: ExtendableEvent, integrity: string | undefined): Promise<void> {
  if (!(await isSparing())) return void (await all.install(event));
  await takeDocument(integrity).catch(() => undefined);
  await essential.install(event);
}

/**
 * Takes the document from the browser's HTTP cache: the visit has just fetched it, and it is a quarter of the size of
 * the essential files. If its hash does not match, `install` fetches it again.
 */
async function takeDocument(integrity: string | undefined): Promise<void> {
  const document = await fetch('/', { cache: 'only-if-cached', mode: 'same-origin', integrity });
  await (await caches.open(cacheNames.precache)).put(essential.getCacheKeyForURL('/index.html')!, document);
}

/**
 * Caches the remaining files when data saver mode has ended. The cache SPARING_MARK is deleted at the end, so that the
 * next visit tries again if a file fails.
 */
export async function keepRest(): Promise<void> {
  if (!(await isSparing())) return;
  // Workbox fetches missing files only in an install event, so `install` is called with an imitation of one.
  await all.install({ type: 'install', waitUntil: () => undefined } as unknown as ExtendableEvent);
  await caches.delete(SPARING_MARK);
}
