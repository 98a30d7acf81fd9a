import { cleanupOutdatedCaches, type PrecacheEntry } from 'workbox-precaching';
import { SYNC_TAG, type ToWorker } from '../src/agreements.ts';
import { keepEarlierFiles } from './earlier-files.ts';
import { keepFiles, keepRest } from './files.ts';
import { deliverWaiting, lookForAnswers, openQuotes, showPushed } from './quotes.ts';
import { cacheHeroImage, cacheTiles } from './pictures.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: readonly PrecacheEntry[] };

keepFiles(self.__WB_MANIFEST);
cleanupOutdatedCaches();
keepEarlierFiles();
cacheHeroImage();
cacheTiles();

// A part that wakes in the first visit, after the signal went, comes from the phone too.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(deliverWaiting({ again: event.lastChance ? SYNC_TAG : undefined }));
});

self.addEventListener('periodicsync', (event) => {
  // One after the other: the first that fails would end the event, and the browser might stop the other.
  if (event.tag === SYNC_TAG) event.waitUntil(deliverWaiting({}).finally(lookForAnswers));
});

self.addEventListener('message', (event) => {
  const { type } = event.data as ToWorker;
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
  // From a page that goes: what waits is the worker's from here. Nobody is left to hear of a failure.
  if (type === 'FLUSH') event.waitUntil(deliverWaiting({}).catch(() => undefined));
  if (type === 'KEEP_ALL') event.waitUntil(keepRest().catch(() => undefined));
});

self.addEventListener('push', (event) => event.waitUntil(showPushed(event)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openQuotes());
});
