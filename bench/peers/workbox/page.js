import { openDB } from 'idb';
import { send } from '../send.js';

const words = {};
await navigator.serviceWorker.register('/worker.js');
// The worker queues failed requests only once it controls the page.
while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20));

Object.assign(globalThis, {
  words,
  async ask(quote) {
    // If the request fails, the plugin in the worker has already queued it, so the quote counts as kept.
    words[quote.nombre] = await send(quote).then(
      ({ ok }) => (ok ? 'sent' : 'failed'),
      () => 'kept',
    );
  },
  async waiting() {
    const database = await openDB('workbox-background-sync');
    const entries = database.objectStoreNames.contains('requests') ? await database.getAll('requests') : [];
    database.close();
    return entries.map(({ requestData }) => JSON.parse(new TextDecoder().decode(requestData.body)).nombre);
  },
});
