// Replaces worker.js when a release is withdrawn (VITE_RETIRE_WORKER=1). Deletes all caches and the worker; quotes that
// wait are in IndexedDB and stay.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
