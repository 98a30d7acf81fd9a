// Takes the place of worker.js when a release is withdrawn (VITE_RETIRE_WORKER=1). It deletes all caches and then
// itself. Waiting quotes are in IndexedDB, so they are not deleted.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(retire()));

async function retire() {
  for (const name of await caches.keys()) await caches.delete(name);
  await self.registration.unregister();
}
