import { cleanupOutdatedCaches, createHandlerBoundToURL, precacheAndRoute } from 'workbox-precaching';
import { NavigationRoute, registerRoute } from 'workbox-routing';
import { SYNC_TAG, type ToWorker } from '../src/agreements.ts';
import { keepEarlierFiles } from './earlier-files.ts';
import { deliverWaiting, lookForAnswers, openQuotes } from './quotes.ts';
import { cacheHeroImage, cacheTiles } from './pictures.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: Parameters<typeof precacheAndRoute>[0] };

precacheAndRoute(self.__WB_MANIFEST);
cleanupOutdatedCaches();
keepEarlierFiles();
cacheHeroImage();
cacheTiles();

// Any query string opens the one document: internal pages and campaign links come in it.
registerRoute(new NavigationRoute(createHandlerBoundToURL('/index.html'), { allowlist: [/^\/(index\.html)?(\?|$)/] }));

// A part that wakes in the first visit, after the signal went, comes from the phone too.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(deliverWaiting({ again: event.lastChance ? SYNC_TAG : undefined }));
});

self.addEventListener('periodicsync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(Promise.all([deliverWaiting({}), lookForAnswers()]));
});

self.addEventListener('message', (event) => {
  const { type } = event.data as ToWorker;
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
  // From a page that goes: what waits is the worker's from here. Nobody is left to hear of a failure.
  if (type === 'FLUSH') event.waitUntil(deliverWaiting({}).catch(() => undefined));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openQuotes());
});
