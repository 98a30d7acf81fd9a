// Supabase API keys of desk, command line and Edge Function. The phone's API key is in src/config.ts.

type Fetch = typeof globalThis.fetch;

/**
 * Returns a `fetch` that removes a new-style API key from the `authorization` header. supabase-js 2.119.0 puts every
 * key there, but Supabase refuses new-style keys in it: https://supabase.com/docs/guides/api/api-keys. Legacy keys are
 * signed tokens, which begin with 'eyJ'; they stay in the header.
 */
export function fetchWithKey(key: string, fetcher: Fetch): Fetch {
  if (key.startsWith('eyJ')) return fetcher;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') === `Bearer ${key}`) headers.delete('authorization');
    return fetcher(input, { ...init, headers });
  };
}

export const CLIENT_OPTIONS = { realtime: { params: { eventsPerSecond: 10 } } } as const;
