import { cacheNames } from 'workbox-core';
import { PrecacheController, PrecacheRoute, type PrecacheEntry } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { SPARING_MARK } from '../src/agreements.ts';
import { openAtOnce } from './opening.ts';

declare const self: ServiceWorkerGlobalScope;

const all = new PrecacheController({ plugins: [{ requestWillFetch: byRevision }] });
const essential = new PrecacheController({ plugins: [{ requestWillFetch: byRevision }] });

/**
 * Requests a document at a URL with its revision, which browsers may cache: a later update then transfers only the
 * difference.
 */
async function byRevision({ request, event }: { request: Request; event?: ExtendableEvent }): Promise<Request> {
  const named = event?.type === 'install' ? all.getCacheKeyForURL(request.url) : undefined;
  return named?.includes('__WB_REVISION__') ? new Request(named, { credentials: 'same-origin' }) : request;
}

type KeptFile = PrecacheEntry & { readonly essential?: true };

/** Caches the site for offline visits; with data saving, only the files that a quote needs. */
export function keepFiles(files: readonly KeptFile[]): void {
  // `integrity` is left out of the cache lists, because offline a document of another release is better than none. Only
  // takeDocument() checks it.
  const listed = ({ url, revision }: PrecacheEntry) => ({ url, revision });
  all.addToCacheList(files.map(listed));
  essential.addToCacheList(files.filter((file) => file.essential).map(listed));
  const keepOpening = openAtOnce(files, all);
  const { integrity } = files.find(({ url }) => url === 'index.html')!;
  self.addEventListener('install', (event) => event.waitUntil(install(event, integrity).then(keepOpening)));
  self.addEventListener('activate', (event) => void all.activate(event));
  registerRoute(new PrecacheRoute(all));
  // Every query string opens the same document; internal pages and campaign links have one.
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
 * Takes the document from the HTTP cache if its hash matches: the visit has just fetched these bytes, a quarter of the
 * essential files. Without a match, or without data saving, the document is fetched at the URL with its revision.
 */
async function takeDocument(integrity: string | undefined): Promise<void> {
  const document = await fetch('/', { cache: 'only-if-cached', mode: 'same-origin', integrity });
  await (await caches.open(cacheNames.precache)).put(essential.getCacheKeyForURL('/index.html')!, document);
}

/**
 * Caches the remaining files after data saving has ended. The cache SPARING_MARK stays until all are cached, so
 * that the next visit retries.
 */
export async function keepRest(): Promise<void> {
  if (!(await isSparing())) return;
  // `install` is called directly, because Workbox fetches missing files only during installation.
  await all.install({ type: 'install', waitUntil: () => undefined } as unknown as ExtendableEvent);
  await caches.delete(SPARING_MARK);
}
