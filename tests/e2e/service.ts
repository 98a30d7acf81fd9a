import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Lead } from '../../server/cli/leads.ts';
import { findRunningServer } from '../../server/cli/running-server.ts';
import { readSettings } from '../../server/settings.ts';
import { openSite } from '../../server/site.ts';
import { SHORT_LIVED } from '../run-folder.ts';

/** Fault of the connection while a phone sends a row to the server. */
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

/** Refusal of a row by the database, with the code of its error. */
export const refuses =
  (status: number, code: string, message = 'violates a check') =>
  (): Fault => ({
    kind: 'answer',
    status,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, message }),
  });

/** Server started by `npm start` with its own data directory, behind a proxy whose faults the test chooses. */
export class Service {
  readonly dataDir: string;
  fault: (quote: { id: string; nombre: string }, attempt: number) => Fault = () => ({ kind: 'none' });
  /** Ids of all quotes that phones sent, repetitions included. */
  readonly inserts: string[] = [];
  /** Number of the server’s answers to sent quotes, by status. */
  readonly answers: Record<number, number> = {};
  /** Sizes of the responses that reached the phone. */
  readonly carried: { readonly address: string; readonly bytes: number }[] = [];
  /** Pattern of the URLs whose requests are lost. */
  lost: Pick<RegExp, 'test'> | undefined;
  /** Promise for which all sent quotes must wait. */
  gate: Promise<void> | undefined;
  /** Whether responses lack `Date`, as those of hosted projects do. The page then relies on its own clock. */
  isSilentAboutTime = false;
  /** Returns the fault for a row about a stored quote, such as a reply, shipment details or a file. */
  replyFault: (reply: { kind?: string }) => Fault = () => ({ kind: 'none' });
  /** Quote ids in each request for answers. */
  readonly questions: string[] = [];
  /** Handler that serves another site instead of the build in `dist`. */
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

  /** Starts the server with these flags of Node. The default suits short tests; benchmarks pass no flags. */
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

  /** Serves this site, with another response for the matching paths. */
  replace(path: RegExp, respond: (response: ServerResponse) => void, site = openSite('dist')): void {
    this.site = (asked, response) => (path.test(asked.url!) ? respond(response) : site(asked, response));
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

  /** Kills the server at once, as a power cut does. */
  async kill(): Promise<void> {
    const server = this.#server;
    if (!server || server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, 'exit');
    server.kill('SIGKILL');
    await gone;
  }

  async lineUp(): Promise<void> {
    const port = this.origin ? Number(new URL(this.origin).port) : 0;
    // The proxy keeps idle connections as long as the server does, because a request on a closed connection would fail.
    const line = createServer(
      { keepAliveTimeout: 75_000 },
      (incoming, outgoing) => void this.#carry(incoming, outgoing),
    );
    await new Promise<void>((resolve) => line.listen(port, '127.0.0.1', resolve));
    this.#line = line;
    this.origin = `http://localhost:${(line.address() as { port: number }).port}`;
  }

  /** Stops the proxy. The browser still believes that it is online. */
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

  /** Returns the leads as the sales team reads them, oldest first. */
  async quotes(filter = ''): Promise<readonly Lead[]> {
    const leads = await this.#asSales(`desk_leads?select=*&blocked_at=is.null&order=created_at,quote_id${filter}`);
    const rows = (await leads.json()) as readonly (Omit<Lead, 'id'> & { readonly quote_id: string })[];
    return rows.map(({ quote_id: id, ...row }) => ({ id, ...row }));
  }

  /** Returns the leads with this name. `someone()` gives each name only once. */
  rowsOf(nombre: string): Promise<readonly Lead[]> {
    return this.quotes(`&nombre=eq.${encodeURIComponent(nombre)}`);
  }

  /** Erases the quotes of earlier tests: the server delays the alert for a sixth quote within ten minutes. */
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

  /** Returns the rows of a table that phones sent about a quote. */
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

  /** Returns the files of a quote, each with the bytes that have arrived. */
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

  /** Returns the row of a quote, with the columns that only the operator may read. */
  async quoteRow(quoteId: string): Promise<Record<string, unknown>> {
    const rows = (await (await this.#asSales(`quotes?select=*&id=eq.${quoteId}`)).json()) as Record<string, unknown>[];
    return rows[0]!;
  }

  #asSales(path: string, row?: object, method = row ? 'POST' : 'GET'): Promise<Response> {
    return this.asOperator(`/rest/v1/${path}`, row, method);
  }

  /** Sends a request with the server’s service key, which has the operator’s rights. */
  async asOperator(path: string, row?: object, method = row ? 'POST' : 'GET'): Promise<Response> {
    const { address, key } = await findRunningServer(readSettings({ DATA_DIR: this.dataDir }));
    return fetch(new URL(path, address), {
      headers: { apikey: key, 'content-type': 'application/json' },
      method,
      ...(row && { body: JSON.stringify(row) }),
    });
  }

  async #carry(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    // An incomplete request comes from a closed page, and counts as not sent.
    const chunks = await incoming.toArray().catch(() => undefined);
    if (!chunks) return;
    const body = Buffer.concat(chunks);
    const isInsert = incoming.method === 'POST' && incoming.url?.startsWith('/rest/v1/quotes');
    if (this.lost?.test(incoming.url!)) return void incoming.socket.destroy();
    if (this.site && !incoming.url?.startsWith('/rest/')) return this.site(incoming, outgoing);
    let fault: Fault = { kind: 'none' };
    if (incoming.headers['x-submission-id'] && incoming.url?.startsWith('/rest/v1/quote_words'))
      this.questions.push(String(incoming.headers['x-submission-id']));
    // Rows about a stored quote get their faults from `replyFault`.
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
        // Phone or server may close the connection before the whole response has passed.
        pipeline(answer, outgoing).catch(() => undefined);
      },
    );
    onward.on('error', () => incoming.socket.destroy());
    onward.end(body);
  }
}
