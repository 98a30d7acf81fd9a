import { createCollection, localOnlyCollectionOptions } from '@tanstack/db';
import { NonRetriableError, startOfflineExecutor } from '@tanstack/offline-transactions';
import { send } from '../send.js';

// Set up as in the quick start of https://www.npmjs.com/package/@tanstack/offline-transactions: the page makes the id,
// and an error of type NonRetriableError is not retried.
const words = {};
const quotes = createCollection(localOnlyCollectionOptions({ id: 'quotes', getKey: ({ id }) => id }));
const offline = startOfflineExecutor({
  collections: { quotes },
  mutationFns: {
    sendQuotes: async ({ transaction }) => {
      for (const { modified } of transaction.mutations) {
        const response = await send(modified);
        if (response.status === 422) throw new NonRetriableError('Invalid data');
        if (!response.ok) throw new Error(`Status ${response.status}`);
        await response.json();
        words[modified.nombre] = 'sent';
      }
    },
  },
});
await offline.waitForInit();

const waiting = async () =>
  (await offline.peekOutbox()).flatMap(({ mutations }) => mutations.map(({ modified }) => modified.nombre));

Object.assign(globalThis, {
  words,
  waiting,
  async ask(quote) {
    const transaction = offline.createOfflineTransaction({ mutationFnName: 'sendQuotes', autoCommit: false });
    transaction.mutate(() => quotes.insert(quote));
    transaction.commit().catch(() => (words[quote.nombre] = 'failed'));
    // commit() resolves only after the quote is sent. A quote that is stored in the peer's outbox already counts as
    // kept.
    while (!words[quote.nombre] && !(await waiting()).includes(quote.nombre))
      await new Promise((resolve) => setTimeout(resolve, 20));
    words[quote.nombre] ??= 'kept';
  },
});
