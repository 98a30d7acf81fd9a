import { SignJWT } from 'jose';
import type { WebHandler } from '../../server/http.ts';

// Substitute for the gateway of a hosted project, built from its documentation: it checks API keys, and turns a
// newer key into a signed token for PostgREST. It was never compared with the real gateway.

export interface Keys {
  readonly publishable: string;
  readonly secret: string;
  /** API key of the older kind: a token signed with PostgREST’s secret. */
  readonly anon: string;
  readonly service: string;
  readonly signedWith: Uint8Array;
}

export async function makeKeys(signedWith: Uint8Array): Promise<Keys> {
  return {
    publishable: 'sb_publishable_only-for-this-test',
    secret: 'sb_secret_only-for-this-test',
    anon: await sign({ role: 'anon', iss: 'supabase' }, signedWith),
    service: await sign({ role: 'service_role', iss: 'supabase' }, signedWith),
    signedWith,
  };
}

export function sign(claims: object, secret: Uint8Array, until: Date | string = '1 hour'): Promise<string> {
  return new SignJWT({ ...claims })
    .setProtectedHeader({ alg: 'HS256', typ: 'JWT' })
    .setExpirationTime(until)
    .sign(secret);
}

const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers':
    'Content-Encoding, Content-Location, Content-Range, Content-Type, Date, Location, Server, Transfer-Encoding, Range-Unit',
};
/** Headers that the gateway does not pass on: they belong to a connection, or to a body that `fetch` decompressed. */
const NOT_PASSED_ON = ['connection', 'host', 'content-length', 'transfer-encoding', 'content-encoding', 'expect'];

interface Behind {
  /** Address of PostgREST. */
  readonly rest: string;
  readonly keys: Keys;
  /** Services other than PostgREST, keyed by the prefix of their paths. */
  readonly others: Readonly<Record<string, WebHandler>>;
}

export function createGateway({ rest, keys, others }: Behind): WebHandler {
  const tokens = new Map([
    [keys.publishable, keys.anon],
    [keys.secret, keys.service],
    [keys.anon, keys.anon],
    [keys.service, keys.service],
  ]);

  return async (request, address) => {
    if (request.method === 'OPTIONS') return preflight(request);
    const url = new URL(request.url);
    // The gateway accepts only signed tokens in the header Authorization. Newer API keys are not signed tokens:
    // https://supabase.com/docs/guides/api/api-keys
    const bearer = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    if (bearer && !bearer.startsWith('eyJ')) return refused(401, 'Expected 3 parts in JWT; got 1');
    const other = Object.entries(others).find(([begins]) => url.pathname.startsWith(begins))?.[1];
    if (other) return withCors(await other(request, address));
    const path = /^\/rest\/v1(\/.*)$/.exec(url.pathname)?.[1];
    if (!path) return refused(404, 'no Route matched with those values');
    const key = request.headers.get('apikey') ?? url.searchParams.get('apikey');
    if (!key) return refused(401, 'No API key found in request', 'No `apikey` request header or url param was found.');
    const token = tokens.get(key);
    if (!token) return refused(401, 'Invalid API key', 'Double check your Supabase `anon` or `service_role` API key.');

    const headers = new Headers(request.headers);
    for (const name of NOT_PASSED_ON) headers.delete(name);
    if (!bearer || bearer === key) headers.set('authorization', `Bearer ${token}`);
    headers.set('cf-connecting-ip', address);
    headers.set('x-forwarded-for', address);
    // The gateway removes the API key from the query, and leaves the rest as the client encoded it.
    const search = url.search
      .slice(1)
      .split('&')
      .filter((part) => part && !part.startsWith('apikey='));
    const answer = await fetch(`${rest}${path}${search.length > 0 ? `?${search.join('&')}` : ''}`, {
      method: request.method,
      headers,
      body: request.body && (await request.arrayBuffer()),
      redirect: 'manual',
    });
    const answered = new Headers(answer.headers);
    for (const name of NOT_PASSED_ON) answered.delete(name);
    const hasBody = ![204, 304].includes(answer.status);
    return withCors(
      new Response(hasBody ? await answer.arrayBuffer() : null, { status: answer.status, headers: answered }),
    );
  };
}

function withCors(response: Response): Response {
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value);
  return response;
}

function preflight({ headers }: Request): Response {
  return new Response(null, {
    headers: {
      ...CORS,
      'access-control-allow-methods': 'GET,HEAD,PUT,PATCH,POST,DELETE,OPTIONS,TRACE,CONNECT',
      'access-control-allow-headers': headers.get('access-control-request-headers') ?? '',
      'access-control-max-age': '3600',
    },
  });
}

function refused(status: number, message: string, hint?: string): Response {
  return Response.json({ message, hint }, { status, headers: CORS });
}
