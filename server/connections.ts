import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PER_WIDER_NETWORK, networksOf, tooBusy } from './admission.ts';
import { write, type createAddressOf, type Handler } from './http.ts';
import { asResponse } from './rest/refusal.ts';

const SECONDS = 1000;

/** Longest time in which a body has to be there. A part of a file takes 16 s at 50 kbit/s. */
const LONGEST = { body: 10 * SECONDS, part: 30 * SECONDS };
const FILE_PARTS = '/rest/v1/quote_file_parts';

/** Waits of Node's server. */
export const patienceOf = (trustedProxies: number) => ({
  headersTimeout: 10 * SECONDS,
  requestTimeout: LONGEST.part,
  connectionsCheckingInterval: 2 * SECONDS,
  // Longer than a proxy in front keeps its own, so that none writes into a closing connection.
  keepAliveTimeout: (trustedProxies > 0 ? 75 : 5) * SECONDS,
});

interface Counted {
  /** Adds one, or answers `false` where a place has as many as it may. */
  add(address: string): boolean;
  remove(address: string): void;
}

/** Counts what each address has at one moment; an IPv6 address by /64 and by /48. */
function countPerAddress(most: number): Counted {
  const counts = new Map<string, number>();
  const bounded = (address: string): [place: string, most: number][] => {
    const { place, wider } = networksOf(address);
    if (!place) return [];
    return [[place, most], ...(wider ? [[wider, PER_WIDER_NETWORK * most] as [string, number]] : [])];
  };
  return {
    add(address) {
      const places = bounded(address);
      if (places.some(([place, bound]) => (counts.get(place) ?? 0) >= bound)) return false;
      for (const [place] of places) counts.set(place, (counts.get(place) ?? 0) + 1);
      return true;
    },
    remove(address) {
      for (const [place] of bounded(address)) {
        const left = counts.get(place)! - 1;
        if (left > 0) counts.set(place, left);
        else counts.delete(place);
      }
    },
  };
}

type AddressOf = ReturnType<typeof createAddressOf>;

interface Bounds {
  readonly most: number;
  /** None behind a trusted proxy, which has the connections of all its visitors. */
  readonly perAddress: number | undefined;
  readonly addressOf: AddressOf;
}

/**
 * Bounds the connections of all and of each address, before anything of a request is read. The one that has been idle
 * longest makes room for a new one.
 */
export function boundConnections(server: Server, { most, perAddress = Infinity, addressOf }: Bounds): void {
  const open = new Set<Socket>();
  /** Connections without a request, the longest idle first. */
  const idle = new Set<Socket>();
  /** Addresses within reach that forward requests, though no setting names them. */
  const proxies = new Set<string>();
  const counted = countPerAddress(perAddress);

  server.on('connection', (socket: Socket) => {
    const { remoteAddress: from = '' } = socket;
    const address = proxies.has(from) ? '' : from;
    if (!counted.add(address)) return void socket.destroy();
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
      counted.remove(address);
    });
    if (open.size <= most) return;
    const [longestIdle] = idle;
    longestIdle!.destroy();
  });
  server.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming;
    if (!addressOf(incoming)) proxies.add(socket.remoteAddress ?? '');
    idle.delete(socket);
    outgoing.once('close', () => open.has(socket) && idle.add(socket));
  });
}

/** Ends a request whose body comes too slowly: whoever sends it would hold a connection for its own sake. */
export function boundBodies(handle: Handler, longest = LONGEST): Handler {
  return (incoming, outgoing) => {
    const kind = incoming.url?.startsWith(FILE_PARTS) ? 'part' : 'body';
    const timer = setTimeout(() => {
      // The body is there, and the answer takes its time.
      if (incoming.complete) return;
      if (!outgoing.headersSent) outgoing.writeHead(408, { connection: 'close', 'content-length': 0 }).end();
      outgoing.socket?.destroySoon();
    }, longest[kind]);
    for (const end of ['end', 'close']) incoming.once(end, () => clearTimeout(timer));
    return handle(incoming, outgoing);
  };
}

/** Bounds the requests of one visitor at once, before a body is read: behind a proxy no connection tells whose it is. */
export function boundEachVisitor(perAddress: number, addressOf: AddressOf, handle: Handler): Handler {
  const counted = countPerAddress(perAddress);
  return (incoming, outgoing) => {
    const address = addressOf(incoming);
    if (!counted.add(address)) return write(asResponse(tooBusy()), incoming, outgoing.setHeader('connection', 'close'));
    outgoing.once('close', () => counted.remove(address));
    return handle(incoming, outgoing);
  };
}
