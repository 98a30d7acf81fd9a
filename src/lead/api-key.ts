// Keys of Supabase for desk, command line and Edge Function. The phone's headers: src/config.ts.

type Fetch = typeof globalThis.fetch;

/**
 * `fetch` without a newer key as bearer, which Supabase refuses: https://supabase.com/docs/guides/api/api-keys
 * supabase-js 2.119.0 sends every key so, to rows and to sign-in. The older keys are signed tokens, which begin with the
 * JSON of their header.
 */
export function fetchWithKey(key: string, fetcher: Fetch): Fetch {
  if (key.startsWith('eyJ')) return fetcher;
  return (input, init) => {
    const headers = new Headers(init?.headers);
    if (headers.get('authorization') === `Bearer ${key}`) headers.delete('authorization');
    return fetcher(input, { ...init, headers });
  };
}

/** Options of every client of supabase-js. */
export const CLIENT_OPTIONS = { realtime: { params: { eventsPerSecond: 10 } } } as const;
