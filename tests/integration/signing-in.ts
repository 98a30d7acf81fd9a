import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { type AuthChangeEvent, createClient, type Session, type SupabaseClient } from '@supabase/supabase-js';
import { expect, onTestFinished } from 'vitest';
import { createAuth } from '../../server/auth/handler.ts';
import { AUTH_SCHEMA } from '../../server/auth/schema.ts';
import { codeOf } from '../../server/auth/totp.ts';
import { stepWithTimeLeft } from './code-step.ts';
import { serveWith } from '../../server/http.ts';
import { createGate } from '../../server/rest/identity.ts';
import { createRest } from '../../server/rest/handler.ts';
import { readLimits } from '../../server/settings.ts';
import { listening } from '../listening.ts';
import { AuthDocument } from './auth-document.ts';
import { pgliteEngine, type Engine } from './engines.ts';

export interface Person {
  readonly email: string;
  readonly password: string;
}

/** Server where colleagues sign in: the embedded server or a hosted project. */
export interface Side {
  readonly url: string;
  readonly publicKey: string;
  readonly admin: SupabaseClient['auth']['admin'];
  close(): Promise<void>;
}

export interface EmbeddedSide extends Side {
  readonly secret: Uint8Array;
  readonly engine: Engine;
  /** OpenAPI document of Supabase Auth, against which every answer of the sign-in is checked. */
  readonly document: AuthDocument;
  /** Milliseconds by which the server’s clock is ahead. */
  ahead: number;
  /** Restarts the server, which then has only the data in the database. */
  restart(limits?: Readonly<Record<string, string>>): void;
}

const PUBLIC_KEY = 'aeropuente-public';

export async function embeddedSide(): Promise<EmbeddedSide> {
  const engine = await pgliteEngine();
  await engine.database.transaction([AUTH_SCHEMA]);
  const secret = randomBytes(32);
  const document = new AuthDocument();
  const gate = createGate({ publishableKey: PUBLIC_KEY, secret });
  const begin = (changes: Readonly<Record<string, string>> = {}) => {
    const limits = readLimits({ LIMIT_REFUSED_PER_ADDRESS: '0', ...changes });
    const { database } = engine;
    const now = () => Date.now() + side.ahead;
    const auth = createAuth({ database, gate, publishableKey: PUBLIC_KEY, secret, limits, now });
    const rest = createRest(database, gate, limits);
    return async (request: Request, address: string) => {
      const { pathname } = new URL(request.url);
      if (!pathname.startsWith('/auth/')) return rest(request, address);
      const answered = await auth(request, address);
      await document.check(request.method, pathname, answered);
      return answered;
    };
  };
  // The keep-alive time is that of the real server, because a busy test may send its next request seconds later.
  const server = createServer(
    { keepAliveTimeout: 75_000 },
    serveWith((request, address) => answer(request, address), { trustedProxies: 1 }),
  );
  const url = await listening(server);
  const side: EmbeddedSide = {
    url,
    publicKey: PUBLIC_KEY,
    admin: adminOf(url, await gate.serviceKey()),
    secret,
    engine,
    document,
    ahead: 0,
    restart(limits) {
      side.ahead = 0;
      answer = begin(limits);
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await engine.close();
    },
  };
  let answer = begin();
  return side;
}

/** Returns the hosted project that the environment names, or undefined. */
export function hostedSide(): Side | undefined {
  const { HOSTED_SUPABASE_URL: url, HOSTED_SERVICE_KEY: key } = process.env;
  if (url && key) return { url, publicKey: key, admin: adminOf(url, key), close: async () => {} };
  console.warn('NOT TESTED ON A HOSTED PROJECT: set HOSTED_SUPABASE_URL and HOSTED_SERVICE_KEY to one made for tests.');
  return undefined;
}

const unkept = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };

function adminOf(url: string, key: string) {
  return createClient(url, key, { auth: unkept }).auth.admin;
}

/** Makes an account as `aeropuente staff add` does, and removes it at the end of the test. */
export async function hired(
  side: Side,
  name = 'Ana Ruiz',
  about: object = {},
): Promise<Person & { readonly id: string }> {
  const person = { email: `ana.${randomUUID()}@example.com`, password: `first ${randomUUID()}` };
  const { data, error } = await side.admin.createUser({
    ...person,
    email_confirm: true,
    app_metadata: { role: 'staff', name, ...about },
    user_metadata: { must_change: true },
  });
  expect(error).toBe(null);
  const { id } = data.user!;
  onTestFinished(async () => void (await side.admin.deleteUser(id)));
  return { ...person, id };
}

export interface Tab {
  readonly client: SupabaseClient;
  readonly auth: SupabaseClient['auth'];
  readonly storage: Map<string, string>;
  readonly events: readonly AuthChangeEvent[];
  /** Requests that the tab has sent, such as `POST /auth/v1/logout?scope=local`. */
  readonly requests: string[];
  online: boolean;
}

interface Surroundings {
  readonly storage?: Map<string, string>;
  readonly address?: string;
}

/** Makes a client of auth-js with its own storage, like a browser tab. */
export function tab({ url, publicKey }: Side, { storage = new Map(), address = '192.0.2.1' }: Surroundings = {}): Tab {
  const requests: string[] = [];
  const events: AuthChangeEvent[] = [];
  const client = createClient(url, publicKey, {
    auth: {
      ...unkept,
      experimental: { recoveryCodes: true },
      persistSession: true,
      storageKey: 'desk',
      storage: {
        getItem: (key) => storage.get(key) ?? null,
        setItem: (key, value) => void storage.set(key, value),
        removeItem: (key) => void storage.delete(key),
      },
    },
    global: {
      fetch: async (input, init) => {
        requests.push(`${init?.method ?? 'GET'} ${urlOf(input).replace(url, '')}`);
        if (!opened.online) throw new TypeError('fetch failed');
        const headers = new Headers(init?.headers);
        if (new URL(url).hostname === '127.0.0.1') headers.set('x-forwarded-for', address);
        return fetch(input, { ...init, headers });
      },
    },
  });
  client.auth.onAuthStateChange((event) => void events.push(event));
  const opened: Tab = { client, auth: client.auth, storage, events, requests, online: true };
  return opened;
}

const urlOf = (input: Parameters<typeof fetch>[0]) => (input instanceof Request ? input.url : input.toString());

export async function signedIn(
  side: Side,
  { email, password }: Person,
  surroundings?: Surroundings,
): Promise<Tab & { readonly session: Session }> {
  const opened = tab(side, surroundings);
  const { data, error } = await opened.auth.signInWithPassword({ email, password });
  expect(error).toBe(null);
  return Object.assign(opened, { session: data.session! });
}

/** Second factor as an authenticator app stores it. */
export interface Authenticator {
  readonly id: string;
  /** Returns the code that the app shows `steps` half minutes after its enrolment. */
  code(steps?: number): string;
}

/** Adds an authenticator app as the desk does, which raises the session to level aal2. */
export async function enrolled({ auth }: Tab, friendlyName = 'App'): Promise<Authenticator> {
  const { data, error } = await auth.mfa.enroll({ factorType: 'totp', friendlyName });
  expect(error).toBe(null);
  const { id, totp } = data!;
  const step = await stepWithTimeLeft();
  const code = (steps = 0) => codeOf(totp.secret, step + steps);
  // The server accepts the previous, the present and the next code, each once. The test may still need the last two.
  expect((await auth.mfa.challengeAndVerify({ factorId: id, code: code(-1) })).error).toBe(null);
  return { id, code };
}

interface Asked {
  readonly method?: string;
  readonly body?: unknown;
  readonly token?: string;
  readonly address?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request that our own clients would not make. */
export function ask(side: Side, path: string, { method = 'POST', body, token, address, headers }: Asked = {}) {
  const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
  return fetch(side.url + path, {
    method,
    headers: {
      apikey: side.publicKey,
      'content-type': 'application/json',
      'x-forwarded-for': address ?? '192.0.2.1',
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...headers,
    },
    ...(text === undefined ? {} : { body: text }),
  });
}

export async function guess(side: Side, email: string, address?: string, password = 'wrong wrong wrong') {
  const body = { email, password };
  return ask(side, '/auth/v1/token?grant_type=password', address ? { body, address } : { body });
}

export async function refresh(side: Side, refreshToken: string) {
  const response = await ask(side, '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: refreshToken },
  });
  const body = (await response.json()) as { refresh_token: string; access_token: string; error_code?: string };
  return { status: response.status, ...body };
}
