import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Quote } from '../../src/lead/quote.ts';
import type { Fault } from '../e2e/service.ts';
import { listening } from '../listening.ts';

type Row = Quote & { readonly created_at: string };

/** Server that stores each id once, like the real server, and on whose connection the test causes faults. */
export class QuoteServer {
  fault: Fault | ((quote: Quote) => Fault) = { kind: 'none' };
  createdAt = '';
  promisedAt = '';
  /** Whether the connection breaks when the phone reads a stored row. */
  losesReadBacks = false;
  readonly rows: Row[] = [];
  /** Id of each quote that was inserted, once for each attempt; `readBacks`: id of each quote that was read again. */
  readonly inserts: string[] = [];
  readonly readBacks: string[] = [];
  /** Ids sent in the header of each insert. */
  readonly presented: (string | undefined)[] = [];
  origin = '';
  readonly #server = createServer((incoming, outgoing) => void this.#answer(incoming, outgoing));

  static async start(): Promise<QuoteServer> {
    const server = new QuoteServer();
    server.origin = await listening(server.#server);
    return server;
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray()).toString();
    const { pathname, searchParams } = new URL(incoming.url!, this.origin);
    if (pathname !== '/rest/v1/quotes') {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end('<h1>AeroPuente</h1>');
      return;
    }
    if (incoming.method === 'GET' && this.losesReadBacks) return void incoming.socket.destroy();
    if (incoming.method === 'GET') return this.#readBack(incoming, outgoing);
    const quote = JSON.parse(body) as Quote;
    this.inserts.push(quote.id);
    this.presented.push(incoming.headers['x-submission-id'] as string | undefined);
    const fault = typeof this.fault === 'function' ? this.fault(quote) : this.fault;
    if (fault.kind === 'lose-request') return void incoming.socket.destroy();
    if (fault.kind === 'answer') return void outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    const answer = this.#insert(quote, searchParams, incoming);
    if (fault.kind === 'lose-answer') return void incoming.socket.destroy();
    sendJson(outgoing, 201, answer);
  }

  #insert(quote: Quote, search: URLSearchParams, { headers }: IncomingMessage): readonly Row[] {
    const ignores = search.get('on_conflict') === 'id' && headers['prefer']?.includes('resolution=ignore-duplicates');
    if (this.rows.some(({ id }) => id === quote.id) && ignores) return [];
    const row = { ...quote, created_at: this.createdAt, ...(this.promisedAt && { promised_at: this.promisedAt }) };
    this.rows.push(row);
    return [row];
  }

  /** Returns a row only to a caller who sends its id in a header. The id must not be in the URL, which servers log. */
  #readBack({ url, headers }: IncomingMessage, outgoing: ServerResponse): void {
    const shown = String(headers['x-submission-id']);
    if (url!.includes(shown)) throw new Error('A log of addresses would hold what reads the row.');
    this.readBacks.push(shown);
    sendJson(
      outgoing,
      200,
      this.rows.filter(({ id }) => id === shown),
    );
  }
}

function sendJson(outgoing: ServerResponse, status: number, body: unknown): void {
  outgoing.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body));
}
