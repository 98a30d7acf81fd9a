import { createServer, type IncomingMessage, type Server, type ServerOptions, ServerResponse } from 'node:http';
import { BlockList, isIP, type Socket } from 'node:net';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { tooBusy } from './admission.ts';
import { reportError } from './report-error.ts';
import { asResponse, Refusal } from './rest/refusal.ts';

export type WebHandler = (request: Request, address: string) => Promise<Response>;
export type NodeHandler = (incoming: IncomingMessage, outgoing: ServerResponse) => void | Promise<void>;

const POLICY = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
};

class ResponseWithPolicy<Incoming extends IncomingMessage = IncomingMessage> extends ServerResponse<Incoming> {
  constructor(incoming: Incoming) {
    super(incoming);
    for (const [name, value] of Object.entries(POLICY)) this.setHeader(name, value);
  }
}

/**
 * Creates an HTTP server that keeps running if a request fails. Its error answers have a content security policy too.
 */
export function createHttpServer(options: ServerOptions, handle: NodeHandler): Server {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    try {
      await handle(incoming, outgoing);
    } catch (error) {
      reportError(error, 'answering');
      if (outgoing.headersSent) outgoing.destroy();
      else await write(asResponse(new Refusal(500, 'XX000', 'The server could not do this')), incoming, outgoing);
    }
  };
  const server = createServer({ ...options, ServerResponse: ResponseWithPolicy }, (incoming, outgoing) => {
    void answer(incoming, outgoing);
  });
  return server.on('clientError', refuseInvalid);
}

const STATUS_BY_ERROR: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/** Answers invalid or slow HTTP as Node does, but with the content security policy. */
function refuseInvalid({ code = '' }: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable) return void socket.destroy();
  const headers = Object.entries({ connection: 'close', 'content-length': '0', ...POLICY });
  const lines = [`HTTP/1.1 ${STATUS_BY_ERROR[code] ?? '400 Bad Request'}`, ...headers.map((each) => each.join(': '))];
  socket.end(`${lines.join('\r\n')}\r\n\r\n`, () => socket.destroy());
}

/** Adapts a web handler to Node's HTTP server. Bodies are streamed. */
export function serveWith(answer: WebHandler, { trustedProxies }: { trustedProxies: number }) {
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

/** Closes a connection with more unanswered requests than a browser ever sends. */
export function limitPerConnection(most: number, handle: NodeHandler): NodeHandler {
  const underWay = new WeakMap<Socket, number>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const now = (underWay.get(socket) ?? 0) + 1;
    underWay.set(socket, now);
    outgoing.once('close', () => underWay.set(socket, underWay.get(socket)! - 1));
    if (now <= most) return handle(incoming, outgoing);
    if (now === most + 1) return write(asResponse(tooBusy()), incoming, outgoing.setHeader('connection', 'close'));
  };
}

/** Content type of backups, which are streamed because they may exceed the memory. */
export const BACKUP_TYPE = 'application/gzip';

export async function write(response: Response, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  // A connection whose body was not read to the end cannot be used for another request, so it is closed.
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
  // TypeScript has different types for the web streams of Node and of the DOM, although the objects are the same.
  const body: unknown = method === 'GET' || method === 'HEAD' ? null : Readable.toWeb(incoming);
  try {
    return new Request(`http://localhost${url}`, { method, headers, body, duplex: 'half' } as RequestInit);
  } catch {
    return undefined;
  }
}

const PRIVATE = new BlockList();
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
  PRIVATE.addSubnet(network, prefix, familyOf(network));

type Visit = Pick<IncomingMessage, 'headersDistinct'> & { readonly socket: Pick<Socket, 'remoteAddress'> };

/**
 * Returns a function that finds the visitor's address. If the address is unknown, the result is empty, and limits per
 * address do not apply.
 */
export function createAddressOf(trustedProxies: number, warns = true): (incoming: Visit) => string {
  let warned = !warns;

  function warnOnce(): void {
    if (warned) return;
    warned = true;
    console.error(
      'Requests have X-Forwarded-For, but TRUST_PROXY is 0: all visitors look like one. If your own proxies are in front, set TRUST_PROXY to their number.',
    );
  }

  return (incoming) => {
    const socket = plain(incoming.socket.remoteAddress ?? '');
    const forwarded = incoming.headersDistinct['x-forwarded-for'];
    if (!forwarded) return socket;
    if (trustedProxies === 0) {
      warnOnce();
      // A private address belongs to a proxy that TRUST_PROXY does not count. A limit on this address would affect all
      // visitors at once.
      return PRIVATE.check(socket, familyOf(socket)) ? '' : socket;
    }
    // Trusted proxies append addresses on the right. The visitor may have forged all addresses to the left of theirs.
    const seen = plain(forwarded.join(',').split(',').at(-trustedProxies) ?? '');
    return isIP(seen) ? seen : socket;
  };
}

/** Removes ports, quotation marks and IPv6 prefixes, which proxies and sockets add to addresses. */
function plain(address: string): string {
  const bare = address.trim().replaceAll('"', '');
  const inBrackets = /^\[([^\]]+)\]/.exec(bare)?.[1];
  return (inBrackets ?? bare.replace(/^([\d.]+):\d+$/, '$1')).replace(/^::ffff:(?=\d+\.)/i, '');
}
