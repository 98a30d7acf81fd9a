import { database } from './database.js';

const words = {};
await navigator.serviceWorker.register('/worker.js');
const registration = await navigator.serviceWorker.ready;
const store = await database();

Object.assign(globalThis, {
  words,
  async ask(quote) {
    await store.add('outbox', quote);
    words[quote.nombre] = 'kept';
    await registration.sync.register('sync-quotes');
  },
  waiting: async () => (await store.getAll('outbox')).map(({ nombre }) => nombre),
});
