import { send } from '../send.js';
import { database } from './database.js';

// Follows the usual tutorials of Background Sync: sends all stored quotes, and deletes those that the server accepted.
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
