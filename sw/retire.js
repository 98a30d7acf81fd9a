// Takes the place of worker.js when a release has to be taken back (VITE_RETIRE_WORKER=1).
// Everything that is cached goes, and the worker with it; what waits to be sent is in IndexedDB and stays.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
