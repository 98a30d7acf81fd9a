import { send } from '../send.js';
import { database } from './database.js';

// Usual tutorial of Background Sync: send the store, delete what was answered with success.
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));
self.addEventListener('sync', (event) => {
  if (event.tag === 'sync-quotes') event.waitUntil(sendAll());
});

async function sendAll() {
  const store = await database();
  for (const key of await store.getAllKeys('outbox')) {
    const response = await send(await store.get('outbox', key));
    if (response.ok) await store.delete('outbox', key);
  }
  store.close();
}
