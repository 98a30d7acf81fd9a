// Use of Supabase API keys by desk, command line and Edge Function. The phone's headers are in src/config.ts.

type Fetch = typeof globalThis.fetch;

/**
 * `fetch` that removes a new-style key from the `authorization` header, where Supabase refuses it:
 * https://supabase.com/docs/guides/api/api-keys (supabase-js 2.119.0 sends every key as a bearer token). Old keys are
 * signed tokens and stay: they begin with 'eyJ', their encoded JSON header.
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
