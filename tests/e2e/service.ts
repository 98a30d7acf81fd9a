import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Lead } from '../../server/cli/leads.ts';
import { findRunningServer } from '../../server/cli/running-server.ts';
import { readSettings } from '../../server/settings.ts';
import { SHORT_LIVED } from '../run-folder.ts';

/** Fault of the connection between phone and server while a quote is inserted. */
export type Fault =
  | { readonly kind: 'none' }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers?: Record<string, string>;
      readonly body?: string;
    }
  /** The server never answers. */
  | { readonly kind: 'hang' }
  /** The server stores the quote, but the response is lost. */
  | { readonly kind: 'lose-answer' }
  | { readonly kind: 'lose-request' };

/** A server started by `npm start` on its own data directory, behind a connection whose faults the test chooses. */
export class Service {
  readonly dataDir: string;
  fault: (quote: { id: string; nombre: string }, attempt: number) => Fault = () => ({ kind: 'none' });
  /** Quote ids of all inserts that the phone sent. */
  readonly inserts: string[] = [];
  /** Number of the server's own answers to inserts, by status. */
  readonly answers: Record<number, number> = {};
  /** Sizes of the responses that reached the phone. */
  readonly carried: { readonly address: string; readonly bytes: number }[] = [];
  latency = 0;
  /** Pattern of the URLs whose requests are lost. */
  lost: Pick<RegExp, 'test'> | undefined;
  /** Promise that holds back all inserts until it resolves. */
  gate: Promise<void> | undefined;
  /** Whether the server hides `Date`, as hosted projects do: the page then relies on its own clock. */
  isSilentAboutTime = false;
  /** Fault for replies, details and files; details have no kind. */
  replyFault: (reply: { kind?: string }) => Fault = () => ({ kind: 'none' });
  /** Quote ids in each request for answers that the phone sent. */
  readonly questions: string[] = [];
  /** Site that is served instead of the present build. */
  site: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;
  origin = '';
  #server: ChildProcess | undefined;
  #upstream = '';
  #line: Server | undefined;
  #environment: Record<string, string>;
  readonly #flags: readonly string[];

  private constructor(dataDir: string, environment: Record<string, string>, flags: readonly string[]) {
    this.dataDir = dataDir;
    this.#environment = environment;
    this.#flags = flags;
  }

  /** `flags` are flags of Node. A measurement passes none. */
  static async start(
    dataDir: string,
    environment: Record<string, string> = {},
    flags: readonly string[] = [SHORT_LIVED],
  ): Promise<Service> {
    const service = new Service(dataDir, { RATE_LIMIT_PER_ADDRESS: '0', ...environment }, flags);
    await service.up();
    await service.lineUp();
    return service;
  }

  async up(): Promise<void> {
    const env = { ...process.env, PORT: '0', DATA_DIR: this.dataDir, ...this.#environment };
    const server = spawn(process.execPath, [...this.#flags, 'server/main.ts'], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#server = server;
    this.#upstream = await new Promise((resolve, reject) => {
      let output = '';
      const listen = (text: Buffer) => {
        output += text;
        const address = /AeroPuente is at (\S+)/.exec(output)?.[1];
        if (address) resolve(address);
      };
      server.stdout.on('data', listen);
      server.stderr.on('data', listen);
      server.once('exit', () => reject(new Error(`The server did not start: ${output}`)));
    });
  }

  /** Ends the server like a power cut. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  async lineUp(): Promise<void> {
    const port = this.origin ? Number(new URL(this.origin).port) : 0;
    // The proxy keeps idle connections as long as the server, because a busy test may reuse one late.
    const line = createServer(
      { keepAliveTimeout: 75_000 },
      (incoming, outgoing) => void this.#carry(incoming, outgoing),
    );
    await new Promise<void>((resolve) => line.listen(port, '127.0.0.1', resolve));
    this.#line = line;
    this.origin = `http://localhost:${(line.address() as { port: number }).port}`;
  }

  /** Cuts the connection to the server, while the phone still believes that it is online. */
  async lineDown(): Promise<void> {
    const line = this.#line!;
    const closed = new Promise((resolve) => line.close(resolve));
    line.closeAllConnections();
    await closed;
  }

  async stop(): Promise<void> {
    await this.lineDown();
    await this.kill();
    await rm(this.dataDir, { recursive: true });
  }

  /** Leads as the sales team reads them, oldest first. */
  async quotes(filter = ''): Promise<readonly Lead[]> {
    const leads = await this.#asSales(`desk_leads?select=*&blocked_at=is.null&order=created_at,quote_id${filter}`);
    const rows = (await leads.json()) as readonly (Omit<Lead, 'id'> & { readonly quote_id: string })[];
    return rows.map(({ quote_id: id, ...row }) => ({ id, ...row }));
  }

  /** Leads with this name, which `someone()` gives only once. */
  rowsOf(nombre: string): Promise<readonly Lead[]> {
    return this.quotes(`&nombre=eq.${encodeURIComponent(nombre)}`);
  }

  /** Erases the quotes of earlier tests, because the alert of a sixth quote within ten minutes is delayed. */
  async eraseQuotes(): Promise<void> {
    const ids = (await this.quotes()).map(({ id }) => id);
    const blocked = { blocked_at: new Date().toISOString() };
    for (const id of ids) {
      await this.#asSales(`quote_desk?quote_id=eq.${id}`, blocked, 'PATCH');
      await this.#asSales(`quotes?id=eq.${id}`, undefined, 'DELETE');
    }
    if ((await this.quotes()).length > 0) throw new Error('The quotes of earlier tests are still there.');
  }

  /** Answers a quote as the sales team does from the command line. */
  async answer(quoteId: string, answer: object): Promise<void> {
    const response = await this.#asSales('quote_answers', { quote_id: quoteId, ...answer });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Rows that phones sent about a quote, from one table. */
  async rowsAbout(
    table:
      | 'quote_replies'
      | 'quote_seen'
      | 'quote_details'
      | 'shipment_papers'
      | 'quote_files'
      | 'promotion_withdrawals'
      | 'mail_stops'
      | 'whatsapp_choices',
    quoteId: string,
  ): Promise<readonly Record<string, unknown>[]> {
    return (await this.#asSales(`${table}?select=*&quote_id=eq.${quoteId}`)).json();
  }

  /** Files of a quote, each with the bytes of it that have arrived. */
  async files(quoteId: string): Promise<readonly { nombre: string; whole: boolean; content: Buffer }[]> {
    const files = await this.rowsAbout('quote_files', quoteId);
    return Promise.all(
      files.map(async ({ id, nombre, whole_at }) => {
        const parts = (await (
          await this.#asSales(`quote_file_parts?select=datos&order=parte&file_id=eq.${String(id)}`)
        ).json()) as readonly { readonly datos: string }[];
        const content = Buffer.concat(parts.map(({ datos }) => Buffer.from(datos.slice(2), 'hex')));
        return { nombre: String(nombre), whole: whole_at !== null, content };
      }),
    );
  }

  /** Row of a quote, with the columns that only its operator reads. */
  async quoteRow(quoteId: string): Promise<Record<string, unknown>> {
    const rows = (await (await this.#asSales(`quotes?select=*&id=eq.${quoteId}`)).json()) as Record<string, unknown>[];
    return rows[0]!;
  }

  #asSales(path: string, row?: object, method = row ? 'POST' : 'GET'): Promise<Response> {
    return this.asOperator(`/rest/v1/${path}`, row, method);
  }

  /** Sends a request with the service key of the running server. */
  async asOperator(path: string, row?: object, method = row ? 'POST' : 'GET'): Promise<Response> {
    const { address, key } = await findRunningServer(readSettings({ DATA_DIR: this.dataDir }));
    return fetch(new URL(path, address), {
      headers: { apikey: key, 'content-type': 'application/json' },
      method,
      ...(row && { body: JSON.stringify(row) }),
    });
  }

  async #carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // An incomplete request, from a page that closed, counts as not sent.
    const chunks = await incoming.toArray().catch(() => undefined);
    if (!chunks) return;
    const body = Buffer.concat(chunks);
    const isInsert = incoming.method === 'POST' && incoming.url?.startsWith('/rest/v1/quotes');
    if (this.lost?.test(incoming.url!)) return void incoming.socket.destroy();
    if (this.site && !incoming.url?.startsWith('/rest/')) return this.site(incoming, outgoing);
    let fault: Fault = { kind: 'none' };
    if (incoming.headers['x-submission-id'] && incoming.url?.startsWith('/rest/v1/quote_words'))
      this.questions.push(String(incoming.headers['x-submission-id']));
    // Phones post to these tables, and the desk merely reads them.
    if (
      incoming.method === 'POST' &&
      /^\/rest\/v1\/(quote_(replies|details|files|file_parts)|shipment_papers)\b/.test(incoming.url ?? '')
    )
      fault = this.replyFault(JSON.parse(body.toString()) as { kind: string });
    if (isInsert) {
      const quote = JSON.parse(body.toString()) as { id: string; nombre: string };
      fault = this.fault(quote, this.inserts.filter((id) => id === quote.id).length);
      this.inserts.push(quote.id);
    }
    if (isInsert) await this.gate;
    if (isInsert && this.latency > 0) await new Promise((resolve) => setTimeout(resolve, this.latency));
    if (fault.kind === 'hang') return;
    if (fault.kind === 'lose-request') return void incoming.socket.destroy();
    if (fault.kind === 'answer') return void outgoing.writeHead(fault.status, fault.headers).end(fault.body);
    const onward = request(
      this.#upstream + incoming.url,
      { method: incoming.method, headers: incoming.headers },
      (answer) => {
        const status = answer.statusCode!;
        if (isInsert) this.answers[status] = (this.answers[status] ?? 0) + 1;
        if (fault.kind === 'lose-answer') {
          answer.resume();
          answer.on('close', () => incoming.socket.destroy());
          return;
        }
        let bytes = 0;
        answer.on('data', (part: Buffer) => (bytes += part.length));
        answer.on('end', () => this.carried.push({ address: incoming.url!, bytes }));
        if (this.isSilentAboutTime) {
          delete answer.headers.date;
          outgoing.sendDate = false;
        }
        outgoing.writeHead(status, answer.headers);
        // Either end may close before the whole response has passed.
        pipeline(answer, outgoing).catch(() => undefined);
      },
    );
    onward.on('error', () => incoming.socket.destroy());
    onward.end(body);
  }
}
