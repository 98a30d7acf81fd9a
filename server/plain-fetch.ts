import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

export type Fetch = typeof globalThis.fetch;

/** Milliseconds without a byte until a request ends, the same as in Node's `fetch`. */
const LONGEST_SILENCE = 300_000;
const WITHOUT_BODY = [204, 205, 304];

/**
 * Resolves localhost without the system, as RFC 6761 recommends, because /etc/hosts of a minimal machine may lack it.
 */
const lookUpLoopback: LookupFunction = (_name, _options, found) =>
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);

class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer';
}

/**
 * Sends all outgoing requests of the server, with the interface of `fetch`. Node's own `fetch` starts a decoder for
 * every encoded answer, even for one that nobody reads, which is a vulnerability (CVE-2026-111497).
 */
export const plainFetch: Fetch = async (input, init) => {
  const request = new Request(input, init);
  const { host } = new URL(request.url);
  const incoming = await requestOnce(request, init?.signal ?? undefined);
  const { statusCode: status = 0, headers } = incoming;
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw refused(incoming, `${host} answered in ${coding}, which is not supported.`);
  if (headers.location && status >= 300 && status < 400)
    throw refused(incoming, `${host} answered with a redirect (${status}), which is not followed.`);
  const answerHeaders = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) answerHeaders.append(name, value);
  const body = Readable.toWeb(incoming) as unknown as ReadableStream;
  if (!WITHOUT_BODY.includes(status)) return new Response(body, { status, headers: answerHeaders });
  incoming.resume();
  return new Response(null, { status, headers: answerHeaders });
};

function refused(incoming: IncomingMessage, sentence: string): RefusedAnswer {
  incoming.destroy();
  return new RefusedAnswer(sentence);
}

/** Sends a request on a connection of its own. `lookUp` replaces the system's resolution of the host name. */
export async function requestOnce(
  request: Request,
  signal: AbortSignal | undefined,
  lookUp?: LookupFunction,
): Promise<IncomingMessage> {
  const { host } = new URL(request.url);
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = {
    ...Object.fromEntries(request.headers),
    // Node sends no content-length with a DELETE by default.
    ...(request.body && { 'content-length': String(body.byteLength) }),
    'accept-encoding': 'identity',
    // Each request gets a new connection, because a reused one may deliver the answer to an earlier request
    // (CVE-2026-105481).
    connection: 'close',
  };
  const send = request.url.startsWith('https:') ? requestHttps : requestHttp;
  const outgoing = send(request.url, {
    method: request.method,
    // `connection: close` alone does not prevent reuse: Node's default agent reuses the connection unless the answer
    // has this header too.
    agent: false,
    headers,
    timeout: LONGEST_SILENCE,
    ...(signal && { signal }),
    ...(/^localhost(:|$)/.test(host) && { lookup: lookUpLoopback }),
    ...(lookUp && { lookup: lookUp }),
  });
  return new Promise((resolve, reject) => {
    outgoing.once('response', resolve);
    outgoing.once('timeout', () => outgoing.destroy(new Error('it stopped answering')));
    // This listener stays after the promise has settled, because a later error would otherwise end the process.
    outgoing.on('error', (error: Error & { readonly errors?: readonly Error[] }) => {
      const { message } = error.errors?.[0] ?? error;
      reject(signal?.aborted ? signal.reason : new TypeError(`${host} was not reached: ${message}`, { cause: error }));
    });
    outgoing.end(request.body ? body : undefined);
  });
}
