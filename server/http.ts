import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

type Answer = (request: Request, address: string) => Promise<Response>;

/** Lets Node's HTTP server answer with web requests and responses. Bodies stream; nothing is gathered here. */
export function serveWith(answer: Answer, { trustedProxies }: { trustedProxies: number }) {
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = toRequest(incoming);
    if (!request) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    const response = await answer(request, addressOf(incoming, trustedProxies));
    // A refused upload is not read to its end: the connection cannot be used again.
    if (!incoming.complete) response.headers.set('connection', 'close');
    const body = await response.text();
    if (incoming.method !== 'HEAD') response.headers.set('content-length', String(Buffer.byteLength(body)));
    outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
  };
}

function toRequest(incoming: IncomingMessage): Request | undefined {
  const { method = 'GET', url = '/' } = incoming;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(incoming.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  // Node's streams and the web's are one thing at run time, and two in their types.
  const body: unknown = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming);
  try {
    return new Request(`http://localhost${url}`, { method, headers, body, duplex: 'half' } as RequestInit);
  } catch {
    return undefined;
  }
}

/** The right-hand items of x-forwarded-for were written by our own proxies; everything left of them by the visitor. */
function addressOf(incoming: IncomingMessage, trustedProxies: number): string {
  const socket = incoming.socket.remoteAddress ?? '';
  if (trustedProxies === 0) return socket;
  const forwarded = (incoming.headersDistinct['x-forwarded-for'] ?? []).join(',').split(',');
  return forwarded.at(-trustedProxies)?.trim() || socket;
}
