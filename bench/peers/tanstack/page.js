import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister';
import { QueryClient, useMutation } from '@tanstack/react-query';
import { PersistQueryClientProvider } from '@tanstack/react-query-persist-client';
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { send } from '../send.js';

// Set up as in https://tanstack.com/query/v5/docs/framework/react/guides/mutations#persisting-offline-mutations
const words = {};
const queryClient = new QueryClient({ defaultOptions: { queries: { gcTime: 1000 * 60 * 60 * 24 } } });
const persister = createAsyncStoragePersister({ storage: window.localStorage });
queryClient.setMutationDefaults(['addQuote'], {
  mutationFn: async (quote) => {
    const response = await send(quote);
    if (!response.ok) throw new Error(`Status ${response.status}`);
    return response.json();
  },
  retry: 3,
});

const nameOf = ({ state }) => state.variables.nombre;
queryClient.getMutationCache().subscribe(({ mutation }) => {
  if (!mutation?.state.variables) return;
  const { status, isPaused } = mutation.state;
  if (status === 'success') words[nameOf(mutation)] = 'sent';
  else if (status === 'error') words[nameOf(mutation)] = 'failed';
  else if (isPaused) words[nameOf(mutation)] = 'kept';
});

function Asking() {
  const { mutate } = useMutation({ mutationKey: ['addQuote'] });
  Object.assign(globalThis, {
    words,
    ask: async (quote) => mutate(quote),
    waiting: async () => {
      const stored = JSON.parse(localStorage.getItem('REACT_QUERY_OFFLINE_CACHE') ?? '{}').clientState?.mutations ?? [];
      const open = queryClient.getMutationCache().findAll({ status: 'pending' });
      return [...new Set([...stored.filter(({ state }) => state.status === 'pending'), ...open].map(nameOf))];
    },
  });
  return null;
}

createRoot(document.getElementById('root')).render(
  createElement(
    PersistQueryClientProvider,
    {
      client: queryClient,
      persistOptions: { persister },
      onSuccess: () => queryClient.resumePausedMutations(),
    },
    createElement(Asking),
  ),
);
