import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PER_WIDER_NETWORK, networksOf, tooBusy } from './admission.ts';
import { write, type createAddressOf, type NodeHandler } from './http.ts';
import { asResponse } from './rest/refusal.ts';

const SECONDS = 1000;

/**
 * Milliseconds in which the whole body of a request must arrive. `part`: for a piece of a file, which takes 16 s at 50
 * kbit/s.
 */
const LONGEST = { body: 10 * SECONDS, part: 30 * SECONDS };
const FILE_PARTS = '/rest/v1/quote_file_parts';

export const timeoutsFor = (trustedProxies: number) => ({
  headersTimeout: 10 * SECONDS,
  requestTimeout: LONGEST.part,
  connectionsCheckingInterval: 2 * SECONDS,
  // The server keeps an idle connection longer than the proxy does. Otherwise the proxy could send a request while the
  // server closes the connection.
  keepAliveTimeout: (trustedProxies > 0 ? 75 : 5) * SECONDS,
});

interface Counter {
  add(address: string): boolean;
  remove(address: string): void;
}

function countPerNetwork(most: number): Counter {
  const counts = new Map<string, number>();
  const limited = (address: string): [network: string, most: number][] => {
    const { network, wider } = networksOf(address);
    if (!network) return [];
    return [[network, most], ...(wider ? [[wider, PER_WIDER_NETWORK * most] as [string, number]] : [])];
  };
  return {
    add(address) {
      const networks = limited(address);
      if (networks.some(([network, limit]) => (counts.get(network) ?? 0) >= limit)) return false;
      for (const [network] of networks) counts.set(network, (counts.get(network) ?? 0) + 1);
      return true;
    },
    remove(address) {
      for (const [network] of limited(address)) {
        const left = counts.get(network)! - 1;
        if (left > 0) counts.set(network, left);
        else counts.delete(network);
      }
    },
  };
}

type AddressOf = ReturnType<typeof createAddressOf>;

interface ConnectionLimits {
  readonly most: number;
  /**
   * Maximum number of connections of one address. Undefined behind a proxy, whose address has the connections of all
   * visitors.
   */
  readonly perAddress: number | undefined;
  readonly addressOf: AddressOf;
}

/**
 * Limits the number of connections, in total and per address. A new connection above the total closes the one that has
 * been idle longest.
 */
export function limitConnections(server: Server, { most, perAddress = Infinity, addressOf }: ConnectionLimits): void {
  const open = new Set<Socket>();
  const idle = new Set<Socket>();
  /**
   * Addresses of proxies that TRUST_PROXY does not count: their requests state no visitor's address. They have no
   * limit, because many visitors share them.
   */
  const proxies = new Set<string>();
  const counter = countPerNetwork(perAddress);

  server.on('connection', (socket: Socket) => {
    const { remoteAddress: from = '' } = socket;
    const address = proxies.has(from) ? '' : from;
    if (!counter.add(address)) return void socket.destroy();
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
      counter.remove(address);
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

/** Ends requests whose body arrives too slowly, because they would occupy connections. */
export function limitBodyTime(handle: NodeHandler, longest = LONGEST): NodeHandler {
  return (incoming, outgoing) => {
    const kind = incoming.url?.startsWith(FILE_PARTS) ? 'part' : 'body';
    const timer = setTimeout(() => {
      if (incoming.complete) return;
      if (!outgoing.headersSent) outgoing.writeHead(408, { connection: 'close', 'content-length': 0 }).end();
      outgoing.socket?.destroySoon();
    }, longest[kind]);
    for (const end of ['end', 'close']) incoming.once(end, () => clearTimeout(timer));
    return handle(incoming, outgoing);
  };
}

/** Limits the concurrent requests of a visitor. Unlike limitConnections, this also works behind a proxy. */
export function limitPerVisitor(perAddress: number, addressOf: AddressOf, handle: NodeHandler): NodeHandler {
  const counter = countPerNetwork(perAddress);
  return (incoming, outgoing) => {
    const address = addressOf(incoming);
    if (!counter.add(address)) return write(asResponse(tooBusy()), incoming, outgoing.setHeader('connection', 'close'));
    outgoing.once('close', () => counter.remove(address));
    return handle(incoming, outgoing);
  };
}
