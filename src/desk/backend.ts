import { createClient, type PostgrestError } from '@supabase/supabase-js';
import { config } from '../config.ts';
import { CLIENT_OPTIONS, fetchWithKey } from '../lead/api-key.ts';
import { newId } from '../lead/quote.ts';
import { readWatchRow, type WatchRow } from '../lead/rows.ts';
import { readJson, tabStorage } from './tab-storage.ts';

const SESSION = 'aeropuente.desk.session';
const PATIENCE = 15_000;

/** auth-js tells whoever signs in or out to every page with the same key, and here each tab has its own session. */
const ownKey = `${SESSION}.${newId()}`;
const kept = (key: string) => key.replace(ownKey, SESSION);
/** Kept under one key, so that a reload finds it. */
const storage = {
  getItem: (key: string) => tabStorage.getItem(kept(key)),
  setItem: (key: string, value: string) => tabStorage.setItem(kept(key), value),
  removeItem: (key: string) => tabStorage.removeItem(kept(key)),
};

const origin = config.supabaseUrl ?? location.origin;

let ahead = 0;

/** The server's time, which decides what is late: a computer's own clock may be minutes off. */
export const serverNow = (): number => Date.now() + ahead;

/** Bearer of a request without a session, if the key is an older one. */
const ofKey = `Bearer ${config.publishableKey}`;

/** The one way to the server. The session is in this tab alone and ends with it. */
export const backend = createClient(origin, config.publishableKey, {
  ...CLIENT_OPTIONS,
  auth: { storage, storageKey: ownKey, detectSessionInUrl: false },
  global: {
    fetch: fetchWithKey(config.publishableKey, async (input, init) => {
      // Without a session a request that was under way at its end would ask as a stranger.
      const bearer = new Headers(init?.headers).get('authorization') ?? ofKey;
      if (bearer === ofKey && !isSigningIn(input)) throw new TypeError('Nobody is signed in');
      const response = await fetch(input, { ...init, signal: init?.signal ?? AbortSignal.timeout(PATIENCE) });
      // Another origin does not show it unless it says so.
      const said = Date.parse(response.headers.get('date') ?? '');
      // Whole seconds: in the middle of the one that it names.
      if (said) ahead = said + 500 - Date.now();
      return isSigningIn(input) && response.status === 200 ? byOwnClock(response) : response;
    }),
  },
});

/**
 * When a token ends auth-js compares with the computer's clock: minutes late it would renew only after the server has
 * refused it, minutes early with each request. Without the server's moment it reckons from how long the token lasts.
 */
async function byOwnClock(response: Response): Promise<Response> {
  const { expires_at: _, ...rest } = (await response.json()) as { expires_at?: number };
  return Response.json(rest, { headers: response.headers });
}

function isSigningIn(input: Parameters<typeof fetch>[0]): boolean {
  return new URL(input instanceof Request ? input.url : input).pathname.startsWith('/auth/');
}

const keptToken = () => (readJson(tabStorage.getItem(SESSION)) as { access_token?: string } | undefined)?.access_token;

/** `goodbye`: what is still said in this session. */
export function forgetSession(goodbye: (token: string) => Promise<unknown> = async () => {}): void {
  // auth-js keeps a session that it cannot end at the server. Here it is gone first.
  const token = keptToken();
  tabStorage.removeItem(SESSION);
  if (!token) return;
  void goodbye(token)
    .catch(() => undefined)
    .then(() => backend.auth.admin.signOut(token, 'local'))
    .catch(() => undefined);
}

/** A page that goes is given no time: one request, begun at once, that outlives it. */
export function sendOnLeaving(path: string, row: object, token = keptToken()): Promise<Response> {
  return fetch(new URL(`/rest/v1/${path}`, origin), {
    method: 'POST',
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

/** What the server counts for a desk that is locked; undefined once that is over. */
export async function askWatch(secret: string): Promise<WatchRow | undefined> {
  const response = await fetch(new URL('/rest/v1/desk_watch?select=open,late,newest', origin), {
    headers: { apikey: config.publishableKey, 'x-watch': secret },
    signal: AbortSignal.timeout(PATIENCE),
  });
  if (!response.ok) throw new Error(`The server says ${response.status}`);
  const found = (await response.json()) as readonly unknown[];
  const row = readWatchRow(found[0]);
  if (found.length > 0 && !row) throw new Error('The answer is none of our server.');
  return row;
}

export class Trouble extends Error {
  readonly kind: 'unreachable' | 'refused';
  readonly code: string;

  constructor(kind: Trouble['kind'], code: string, message: string) {
    super(message);
    this.kind = kind;
    this.code = code;
  }
}

interface Answered {
  readonly data: unknown;
  readonly error: PostgrestError | null;
  readonly status: number;
}

/** The rows of an answer, or a Trouble. What is no row of ours was not said by our server. */
export async function rows<Row = unknown>(
  request: PromiseLike<Answered>,
  read: (row: unknown) => Row | undefined = (row) => row as Row,
): Promise<readonly Row[]> {
  const { data, error, status } = await request;
  if (!error) {
    const found = Array.isArray(data) ? data.map(read) : [];
    if (found.includes(undefined)) throw new Trouble('unreachable', '', 'The answer is none of our server.');
    return found as readonly Row[];
  }
  const isPassing = status < 400 || status === 401 || status === 408 || status === 429 || status >= 500;
  throw new Trouble(isPassing ? 'unreachable' : 'refused', error.code, error.message);
}
