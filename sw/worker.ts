import { cleanupOutdatedCaches, type PrecacheEntry } from 'workbox-precaching';
import { SYNC_TAG, type ToWorker } from '../src/agreements.ts';
import { keepEarlierFiles } from './earlier-files.ts';
import { keepFiles, keepRest } from './files.ts';
import { deliverWaiting, lookForAnswers, openQuotes, showPushed } from './quotes.ts';
import { receiveShared } from './shared.ts';
import { cacheHeroImage, cacheTiles } from './pictures.ts';

declare const self: ServiceWorkerGlobalScope & { __WB_MANIFEST: readonly PrecacheEntry[] };

keepFiles(self.__WB_MANIFEST);
cleanupOutdatedCaches();
keepEarlierFiles();
cacheHeroImage();
cacheTiles();
receiveShared();

// On the first visit the worker takes control of the open page, so that files which the page loads later come from the
// cache, even offline.
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('sync', (event) => {
  if (event.tag === SYNC_TAG) event.waitUntil(deliverWaiting({ retryTag: event.lastChance ? SYNC_TAG : undefined }));
});

self.addEventListener('periodicsync', (event) => {
  // Answers are fetched after the delivery has ended. If both ran at the same time and the delivery rejected, the
  // browser would stop the fetch too.
  if (event.tag === SYNC_TAG) event.waitUntil(deliverWaiting({}).finally(lookForAnswers));
});

self.addEventListener('message', (event) => {
  const { type } = event.data as ToWorker;
  if (type === 'SKIP_WAITING') event.waitUntil(self.skipWaiting());
  // FLUSH comes from a closing page, which cannot receive an error.
  if (type === 'FLUSH') event.waitUntil(deliverWaiting({}).catch(() => undefined));
  if (type === 'KEEP_ALL') event.waitUntil(keepRest().catch(() => undefined));
});

self.addEventListener('push', (event) => event.waitUntil(showPushed(event)));

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openQuotes());
});
