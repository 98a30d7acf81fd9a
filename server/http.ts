import { createServer, type IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooBusy } from './admission.ts';
import { reportError } from './report-error.ts';
import { asResponse, Refusal } from './rest/refusal.ts';

export type Answer = (request: Request, address: string) => Promise<Response>;
export type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

/** The policy of every answer that has none of its own, as the pages have: none of them is a document. */
const POLICY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

class AnswerWithPolicy<Asked extends IncomingMessage = IncomingMessage> extends ServerResponse<Asked> {
  constructor(asked: Asked) {
    super(asked);
    for (const [name, value] of Object.entries(POLICY)) this.setHeader(name, value);
  }
}

/** Node's HTTP server, of which no request is the last: whatever becomes of it, it has one answer, with a policy. */
export function createHttpServer(options: ServerOptions, handle: Handler): Server {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      await handle(incoming, outgoing);
    } catch (error) {
      reportError(error, 'answering');
      if (outgoing.headersSent) outgoing.destroy();
      else await write(asResponse(new Refusal(500, 'XX000', 'The server could not do this')), incoming, outgoing);
    }
  };
  const server = createServer({ ...options, ServerResponse: AnswerWithPolicy }, (incoming, outgoing) => {
    void answer(incoming, outgoing);
  });
  return server.on('clientError', refuseBroken);
}

const STATUS_OF_BROKEN: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** The answer to what is no HTTP, or comes too slowly: Node's own, with the policy. */
function refuseBroken({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const headers = Object.entries({ connection: 'close', 'content-length': '0', ...POLICY });
  const lines = [`HTTP/1.1 ${STATUS_OF_BROKEN[code] ?? '400 Bad Request'}`, ...headers.map((each) => each.join(': '))];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
}

/** Lets Node's HTTP server answer with web requests and responses. Bodies stream in; nothing is gathered here. */
export function serveWith(answer: Answer, { trustedProxies }: { trustedProxies: number }) {
  const addressOf = createAddressOf(trustedProxies);
  return async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const request = toRequest(incoming);
    if (!request) {
      outgoing.writeHead(400, { connection: 'close' }).end();
      return;
    }
    await write(await answer(request, addressOf(incoming)), incoming, outgoing);
  };
}

/** One connection that asks faster than it is answered, as no browser does, is answered no more. */
export function boundEachConnection(most: number, handle: Handler): Handler {
  const underWay = new WeakMap<Socket, number>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const now = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, now);
    outgoing.once('close', () => underWay.set(socket, underWay.get(socket)! - 1));
    if (now <= most) return handle(incoming, outgoing);
    if (now === most + 1) return write(asResponse(tooBusy()), incoming, outgoing.setHeader('connection', 'close'));
    // More in the same packet is not even refused: the connection is about to close.
  };
}

/** The type of an answer that may be larger than the memory of this process: it is passed on piece by piece. */
export const BACKUP_TYPE = 'application/gzip';

/** Sends the answer, unless the request was ended in the meantime. */
export async function write(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  // A refused upload is not read to its end: the connection cannot be used again.
  if (!incoming.complete) response.headers.set('connection', 'close');
  if (response.headers.get('content-type') === BACKUP_TYPE) {
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    return pipeline(response.body!, outgoing);
  }
  const body = Buffer.from(await response.arrayBuffer());
  if (outgoing.headersSent) return;
  if (incoming.method !== 'HEAD') response.headers.set('content-length', String(body.byteLength));
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
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

const WITHIN_REACH = new BlockList();
const familyOf = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4');
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  WITHIN_REACH.addSubnet(network, prefix, familyOf(network));

type Visit = Pick<IncomingMessage, 'headersDistinct'> & { readonly socket: Pick<Socket, 'remoteAddress'> };

/** The address of the client; empty where that cannot be known, and then no bound of one address holds. */
export function createAddressOf(trustedProxies: number, warns = true): (incoming: Visit) => string {
  let warned = !warns;

  function warnOnce(): void {
    if (warned) return;
    warned = true;
    console.error(
      'X-Forwarded-For arrives, and TRUST_PROXY is 0: visitors cannot be told apart. If a proxy of yours stands in front, set TRUST_PROXY to the number of them.',
    );
  }

  return (incoming) => {
    const socket = plain(incoming.socket.remoteAddress ?? '');
    const forwarded = incoming.headersDistinct['x-forwarded-for'];
    if (!forwarded) return socket;
    if (trustedProxies === 0) {
      warnOnce();
      // All visitors of a proxy that nobody told us of have its address: one of them could use up what all of them may.
      return WITHIN_REACH.check(socket, familyOf(socket)) ? '' : socket;
    }
    // The right-hand items were written by our own proxies; everything left of them by the visitor.
    const seen = plain(forwarded.join(',').split(',').at(-trustedProxies) ?? '');
    return isIP(seen) ? seen : socket;
  };
}

/** Some proxies add a port or quotation marks, and a socket writes IPv4 as IPv6. */
function plain(address: string): string {
  const bare = address.trim().replaceAll('"', '');
  const inBrackets = /^\[([^\]]+)\]/.exec(bare)?.[1];
  return (inBrackets ?? bare.replace(/^([\d.]+):\d+$/, '$1')).replace(/^::ffff:(?=\d+\.)/i, '');
}
