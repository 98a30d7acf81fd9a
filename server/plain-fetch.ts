import { request as requestHttp, type IncomingMessage } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Readable } from 'node:stream';

export type Fetch = typeof globalThis.fetch;

/** Milliseconds without a byte after which a request ends, as with `fetch`. */
const LONGEST_SILENCE = 300_000;
const WITHOUT_BODY = [204, 205, 304];

/** Resolves localhost without asking (RFC 6761): a bare machine has no line for it in /etc/hosts. */
const lookUpLoopback: LookupFunction = (_name, _options, found) =>
  found(null, [
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);

/** An answer that came and is not taken. */
class RefusedAnswer extends Error {
  override readonly name = 'RefusedAnswer';
}

/**
 * The one way in which this server asks others, in the shape of `fetch`. Node's own `fetch` starts a decoder as soon as
 * an answer names its coding, although nobody reads the body (CVE-2026-111497); `node:http` never decodes.
 */
export const plainFetch: Fetch = async (input, init) => {
  const request = new Request(input, init);
  const { host } = new URL(request.url);
  const incoming = await answerTo(request, host, init?.signal ?? undefined);
  const { statusCode: status = 0, headers } = incoming;
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding !== 'identity') throw refused(incoming, `${host} answered in ${coding}, which is not decoded here.`);
  if (headers.location && status >= 300 && status < 400)
    throw refused(incoming, `${host} answered with a redirect (${status}), which is not followed.`);
  const answered = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct))
    for (const value of values) answered.append(name, value);
  // Node's streams and the web's are the same at run time, and two in their types.
  const body = Readable.toWeb(incoming) as unknown as ReadableStream;
  if (!WITHOUT_BODY.includes(status)) return new Response(body, { status, headers: answered });
  incoming.resume();
  return new Response(null, { status, headers: answered });
};

function refused(incoming: IncomingMessage, sentence: string): RefusedAnswer {
  incoming.destroy();
  return new RefusedAnswer(sentence);
}

async function answerTo(request: Request, host: string, signal: AbortSignal | undefined): Promise<IncomingMessage> {
  const body = new Uint8Array(await request.arrayBuffer());
  const headers = {
    ...Object.fromEntries(request.headers),
    // Node frames the body of a DELETE by nothing.
    ...(request.body && { 'content-length': String(body.byteLength) }),
    'accept-encoding': 'identity',
    // A connection that is used again may bring an answer from before its request (CVE-2026-105481).
    connection: 'close',
  };
  const send = request.url.startsWith('https:') ? requestHttps : requestHttp;
  const asked = send(request.url, {
    method: request.method,
    // Node's own agent keeps the connection if the answer does not say 'close' too.
    agent: false,
    headers,
    timeout: LONGEST_SILENCE,
    ...(signal && { signal }),
    ...(/^localhost(:|$)/.test(host) && { lookup: lookUpLoopback }),
  });
  return new Promise((resolve, reject) => {
    asked.once('response', resolve);
    asked.once('timeout', () => asked.destroy(new Error('it stopped answering')));
    // This listener stays: an error after the answer belongs to its body, and must not end the process.
    asked.on('error', (error: Error & { readonly errors?: readonly Error[] }) => {
      const { message } = error.errors?.[0] ?? error;
      reject(signal?.aborted ? signal.reason : new TypeError(`${host} was not reached: ${message}`, { cause: error }));
    });
    asked.end(request.body ? body : undefined);
  });
}
