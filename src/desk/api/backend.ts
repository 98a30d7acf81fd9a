import { createClient, type PostgrestError } from '@supabase/supabase-js';
import { config } from '../../config.ts';
import { CLIENT_OPTIONS, fetchWithKey } from '../../lead/api-key.ts';
import { newId } from '../../lead/quote.ts';
import { persisted } from '../../phone/persisted.ts';
import { setServerClock } from './server-clock.ts';
import { tabStorage } from './tab-storage.ts';
import { RequestError } from './request-error.ts';

export const SESSION = 'aeropuente.desk.session';
const PATIENCE = 15_000;

/**
 * Storage key of the session. It is random, because auth-js would share sign-ins and sign-outs with all other tabs that
 * use the same key.
 */
const ownKey = `${SESSION}.${newId()}`;
const tabKey = (key: string) => key.replace(ownKey, SESSION);
/** Session storage under a fixed key, because the random key of a page changes when it is reloaded. */
const storage = {
  getItem: (key: string) => tabStorage.getItem(tabKey(key)),
  setItem: (key: string, value: string) => tabStorage.setItem(tabKey(key), value),
  removeItem: (key: string) => tabStorage.removeItem(tabKey(key)),
};

const origin = config.supabaseUrl ?? location.origin;

/**
 * Authorization header that supabase-js sends while nobody is signed in. For a newer kind of publishable key,
 * `fetchWithKey` removes this header. `fetch` below lets requests with this header or without any only sign in.
 */
const ofKey = `Bearer ${config.publishableKey}`;

/** Supabase client of the desk. Its session ends with the tab. */
export const backend = createClient(origin, config.publishableKey, {
  ...CLIENT_OPTIONS,
  auth: { storage, storageKey: ownKey, detectSessionInUrl: false, experimental: { recoveryCodes: true } },
  global: {
    fetch: fetchWithKey(config.publishableKey, async (input, init) => {
      // Without a session the database would treat the request as an anonymous visitor's, so it is not sent.
      const bearer = new Headers(init?.headers).get('authorization') ?? ofKey;
      if (bearer === ofKey && !isSigningIn(input)) throw new TypeError('Nobody is signed in');
      const response = await fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(PATIENCE) });
      // A server on another origin may hide the date header. The header is then null, and the clock is not set.
      setServerClock(response.headers.get('date'));
      return isSigningIn(input) && response.status === 200 ? byOwnClock(response) : response;
    }),
  },
});

/**
 * Removes `expires_at`, because auth-js would compare it with the clock of this computer: if that clock is wrong,
 * auth-js would renew the token too late or too often. Without it, auth-js uses the duration `expires_in`.
 */
async function byOwnClock(response: Response): Promise<Response> {
  const { expires_at: _, ...rest } = (await response.json()) as { expires_at?: number };
  return Response.json(rest, { headers: response.headers });
}

function isSigningIn(input: Parameters<typeof fetch>[0]): boolean {
  return new URL(input instanceof Request ? input.url : input).pathname.startsWith('/auth/');
}

const storedSession = persisted(
  SESSION,
  (stored) => stored as { readonly access_token?: string } | undefined,
  () => tabStorage,
);

export const sessionToken = () => storedSession.get()?.access_token;

/** Reads JSON by a plain fetch. The token of the session is sent only if `headers` contain it. */
export async function readJsonAt(path: string, headers: Readonly<Record<string, string>>): Promise<unknown> {
  const response = await fetch(new URL(path, origin), {
    headers: { apikey: config.publishableKey, ...headers },
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!response.ok) throw new Error(`The server says ${response.status}`);
  return response.json();
}

/** Sends one request that the browser completes even if the page closes. */
export function sendOnLeaving(path: string, row: object, token = sessionToken(), method = 'POST'): Promise<Response> {
  return fetch(new URL(`/rest/v1/${path}`, origin), {
    method,
    keepalive: true,
    headers: {
      apikey: config.publishableKey,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      prefer: path.includes('on_conflict') ? 'resolution=ignore-duplicates,return=minimal' : 'return=minimal',
    },
    body: JSON.stringify(row),
  });
}

interface Answered {
  readonly data: unknown;
  readonly error: PostgrestError | null;
  readonly status: number;
}

/**
 * Returns the rows of a response. Throws a RequestError if the request failed, or if a row has an unknown shape: the
 * server then has another version.
 */
export async function rows<Row = unknown>(
  request: PromiseLike<Answered>,
  read: (row: unknown) => Row | undefined = (row) => row as Row,
): Promise<readonly Row[]> {
  const { data, error, status } = await request;
  if (!error) {
    const found = Array.isArray(data) ? data.map(read) : [];
    if (found.includes(undefined)) throw new RequestError('unreachable', '', 'The answer is none of our server.');
    return found as readonly Row[];
  }
  const isPassing = status < 400 || status === 401 || status === 408 || status === 429 || status >= 500;
  throw new RequestError(isPassing ? 'unreachable' : 'refused', error.code, error.message, error.hint);
}
