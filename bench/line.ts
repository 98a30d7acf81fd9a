import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Fault } from '../tests/e2e/service.ts';
import { openSite } from '../server/site.ts';

interface Row {
  readonly id: string;
  readonly nombre: string;
}

/**
 * Server of a site whose connection fails in a chosen way. The server stores a quote once for each id. Our real server
 * would also refuse the same quote with another id, and so hide the duplicates that a peer sends.
 */
export class Line {
  fault: Fault = { kind: 'none' };
  readonly rows: Row[] = [];
  origin = '';
  readonly #site: ReturnType<typeof openSite>;
  #server: Server | undefined;

  constructor(directory: string) {
    this.#site = openSite(directory);
  }

  async up(): Promise<void> {
    const server = createServer((incoming, outgoing) => void this.#carry(incoming, outgoing));
    server.listen(this.origin ? Number(new URL(this.origin).port) : 0, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  }

  async down(): Promise<void> {
    const server = this.#server;
    if (!server?.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  }

  countOf = (nombre: string): number => this.rows.filter((row) => row.nombre === nombre).length;

  async #carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    if (!incoming.url?.startsWith('/rest/')) return this.#site(incoming, outgoing);
    const chunks = await incoming.toArray().catch(() => undefined);
    // A page or worker that is killed leaves incomplete requests, which are ignored.
    if (!chunks || !incoming.complete) return;
    const answer = (status: number, rows: readonly object[]) =>
      void outgoing.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(rows));
    if (!incoming.url.startsWith('/rest/v1/quotes')) return answer(200, []);
    if (incoming.method !== 'POST') {
      const shown = String(incoming.headers['x-submission-id']).split(',');
      return answer(
        200,
        this.rows.filter(({ id }) => shown.includes(id)),
      );
    }
    const { fault } = this;
    if (fault.kind === 'hang') return;
    if (fault.kind === 'lose-request') return void incoming.socket.destroy();
    if (fault.kind === 'answer') return void outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    const sent = rowIn(Buffer.concat(chunks).toString());
    if (!sent) return answer(400, []);
    const { id = randomUUID(), nombre = '' } = sent;
    const row = { ...sent, id, nombre, created_at: new Date().toISOString() };
    const isNew = this.rows.every((one) => one.id !== id);
    if (isNew) this.rows.push(row);
    if (fault.kind === 'lose-answer') return void incoming.socket.destroy();
    answer(201, isNew ? [row] : []);
  }
}

function rowIn(body: string): Partial<Row> | undefined {
  try {
    return JSON.parse(body) as Partial<Row>;
  } catch {
    return undefined;
  }
}
