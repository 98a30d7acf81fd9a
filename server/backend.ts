import { SHARED_ADDRESS, SHARED_PATH } from '../src/agreements.ts';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { createBackgroundJobs, waitForAll } from './background-jobs.ts';
import type { BackupState } from './database/backups.ts';
import { createAuth } from './auth/handler.ts';
import { BACKUP_TYPE, serveWith } from './http.ts';
import { openQuoteStore, type QuoteStore, type StoreSettings } from './quote-store.ts';
import { LIMITS, type Limits } from './limits.ts';
import { nextRequestId, record } from './log.ts';
import { createMeter, createMetrics, type Meter } from './metrics.ts';
import type { Machine } from './doctor/finding.ts';
import { migrationsFolder } from './database/migrate.ts';
import { KEEP_PROMISE } from './database/promise.ts';
import { DISK_FULL } from './database/disk-space.ts';
import { nodeHealth } from './node-version.ts';
import { answerOnce } from './answer-once.ts';
import { createPostedQuote, POSTED_PATH } from './posted-quote.ts';
import { noteRelease } from './release.ts';
import { createRest, TABLES } from './rest/handler.ts';
import { createGate, type Gate } from './rest/identity.ts';
import { asResponse, Refusal } from './rest/refusal.ts';
import type { Settings } from './settings.ts';
import { createSystemStatus, STATUS_PATH } from './system-status.ts';
import { createWhatsApp } from './channels/whatsapp/intake.ts';

/** Replacement of hosted Supabase inside the server: REST interface and sign-in over its own database. */
export interface Backend {
  /** Makes a short-lived key that reads every quote, for the role service_role. */
  serviceKey(): Promise<string>;
  answer(request: Request, address: string): Promise<Response>;
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /**
   * Writes the server's address into the data directory, where commands find it. Starts alerts, backups and retention.
   */
  announce(address: string): void;
  close(): Promise<void>;
}

type BackendSettings = Pick<Settings, 'limits' | 'publishableKey'> &
  StoreSettings &
  Partial<
    Pick<Settings, 'trustedProxies' | 'siteUrl' | 'alerts' | 'metricsToken' | 'retentionMonths' | 'webhookHosts'>
  > & {
    /** True for a server, which may migrate the database and store its settings in it. Absent for a command. */
    readonly serves?: boolean;
    readonly meter?: Meter;
    /** Machine that the checks of `aeropuente doctor` examine. Supervisors see the results at the desk. */
    readonly machine?: Omit<Machine, 'address' | 'devices' | 'asideWebhooks' | 'stuckHooks'>;
  };

/** Opens PGlite in the data directory, or PostgreSQL. A failure leaves the data unchanged. */
export async function openBackend(settings: BackendSettings, migrations = migrationsFolder): Promise<Backend> {
  const { publishableKey, limits, serves = false, meter = createMeter() } = settings;
  const store = await openQuoteStore(settings, { migrations, serves, settings: [settingLimits(limits), KEEP_PROMISE] });
  try {
    const gate = createGate({ publishableKey, secret: store.secret });
    noteRelease(settings.dataDir);
    const jobs = createBackgroundJobs(settings, store, meter);
    const whatsApp = createWhatsApp(store.database, settings.alerts);
    let announced = '';
    const answer = createRouter({
      settings,
      store,
      gate,
      meter,
      backupState: jobs.backupState,
      address: () => announced,
      whatsApp: whatsApp?.answer,
    });
    return {
      serviceKey: () => gate.serviceKey(),
      answer,
      serve: serveWith(withLog(answer, meter), { trustedProxies: settings.trustedProxies ?? 0 }),
      announce(address) {
        announced = address;
        store.announce(address);
        jobs.start(address);
        whatsApp?.start();
      },
      async close() {
        try {
          await waitForAll([jobs.stop(), whatsApp?.stop()]);
        } finally {
          await store.close();
        }
      },
    };
  } catch (error) {
    await store.close();
    throw error;
  }
}

interface RouterDependencies {
  readonly settings: BackendSettings;
  readonly store: QuoteStore;
  readonly gate: Gate;
  readonly meter: Meter;
  readonly backupState: () => BackupState | undefined;
  readonly address: () => string;
  readonly whatsApp: ((request: Request) => Promise<Response>) | undefined;
}

function createRouter({
  settings,
  store,
  gate,
  meter,
  backupState,
  address: own,
  whatsApp,
}: RouterDependencies): Backend['answer'] {
  const { publishableKey, limits, machine } = settings;
  const { database, secret, backup } = store;
  const rest = createRest(database, gate, limits, store.erasing);
  const postedQuote = createPostedQuote({ rest, publishableKey, secret, mostBytes: limits.LIMIT_BODY_BYTES });
  const auth = createAuth({ database, gate, publishableKey, secret, limits, siteUrl: settings.siteUrl });
  const probe = async () => {
    store.requireSpace();
    return database.transaction([PROBE], { access: 'read' });
  };
  const health = createHealth(probe, backupState);
  const metrics = createMetrics({
    token: settings.metricsToken,
    meter,
    database,
    waiting: rest.waiting,
    backup: backupState,
    folder: settings.dataDir,
  });
  const count = (from: string) => async () => {
    const sql = `select count(*)::integer from ${from}`;
    const [row] = await database.transaction<{ count: number }>([{ sql, parameters: [] }], { access: 'read' });
    return row!.count;
  };
  // Devices on which colleagues turned alerts on.
  const devices = count('public.push_devices where quote_id is null');
  const asideWebhooks = count("public.webhook_deliveries where state = 'aside'");
  const stuckHooks = count('public.whatsapp_hooks where attempts >= 10');
  const systemStatus =
    machine && createSystemStatus(gate, () => ({ ...machine, address: own(), devices, asideWebhooks, stuckHooks }));
  return async (request, address) => {
    const { pathname } = new URL(request.url);
    if (pathname === POSTED_PATH) return postedQuote(request, address);
    if (request.headers.get('sec-fetch-site') === 'cross-site') return asResponse(crossSiteRefusal());
    if (isEncoded(request)) return asResponse(ENCODED);
    if (pathname === '/whatsapp') return whatsApp ? whatsApp(request) : asResponse(NO_WHATSAPP);
    // Normally the service worker answers this path, to which other apps share data. A request that reaches the server
    // had no service worker, so the page says that nothing arrived.
    if (pathname === SHARED_PATH)
      return new Response(null, { status: 303, headers: { location: `/${SHARED_ADDRESS}` } });
    if (pathname === '/healthz') return health(address);
    if (pathname === '/metrics') return metrics(request);
    if (pathname.startsWith('/auth/v1/')) return auth(request, address);
    if (pathname === STATUS_PATH && systemStatus) return systemStatus(request);
    if (pathname === '/backup') return backupFor(request, gate, backup);
    return rest(request, address);
  };
}

/** Replaces the backend while the database cannot be opened: refuses quotes, which the phones then send again later. */
export function closedBackend(meter: Meter, trustedProxies: number): Pick<Backend, 'serve'> {
  const refusal = new Refusal(503, 'PT503', 'Quotes cannot be stored at the moment', {
    headers: { 'retry-after': '60' },
  });
  const rest = Object.assign(async () => asResponse(refusal), { waiting: () => 0 });
  const mostBytes = LIMITS.LIMIT_BODY_BYTES.usual;
  const postedQuote = createPostedQuote({ rest, publishableKey: '', secret: new Uint8Array(), mostBytes });
  const answer = (request: Request, address: string) =>
    new URL(request.url).pathname === POSTED_PATH ? postedQuote(request, address) : rest();
  return { serve: serveWith(withLog(answer, meter), { trustedProxies }) };
}

/**
 * Refusal of requests that pages of other sites make a visitor's browser send. Such requests would use up the limits of
 * the visitor's address.
 */
const crossSiteRefusal = () => new Refusal(403, '403', 'Requests from other sites are refused');

export function isForBackend({ url = '' }: IncomingMessage): boolean {
  return /^\/((rest|auth)\/v1\/|(healthz|backup|metrics|doctor|cotizar|compartir|whatsapp)(\?|$))/.test(url);
}

/** Query that fails if the database does not answer. Counts the staff present, and those whom an alert would reach. */
const PROBE = {
  sql: 'select count(*)::integer as here, (count(*) filter (where devices > 0))::integer as reached from public.desk_reach where here',
  parameters: [],
};

function settingLimits({ RATE_LIMIT_PER_ADDRESS: each, RATE_LIMIT_OVERALL: all }: Limits) {
  return {
    sql: 'update private.quote_limits set per_address = $1, overall = $2 where (per_address, overall) <> ($1, $2)',
    parameters: [each, all],
  };
}

/** True if a body is compressed. Such requests are refused, because the server does not unpack bodies. */
const isEncoded = ({ headers }: Request) => (headers.get('content-encoding') ?? 'identity') !== 'identity';
const ENCODED = new Refusal(415, '415', 'A body must have no content-encoding', {
  headers: { 'accept-encoding': 'identity' },
});

const NO_WHATSAPP = new Refusal(404, '404', 'WhatsApp is not set up');

const LOOPBACK = ['127.0.0.1', '::1'];

/**
 * Answers `GET /healthz`: 200 while quotes can be stored. Only requests from this machine get the numbers of staff and
 * the version of Node, because a stranger could look up the vulnerabilities of that version.
 */
function createHealth(
  ask: () => Promise<readonly object[]>,
  backup: () => BackupState | undefined,
): (address: string) => Promise<Response> {
  const look = answerOnce(() =>
    ask().then(
      ([staff]) => ({ database: 'ok', staff }),
      ({ code }: { code?: string }) => ({ database: code === DISK_FULL ? 'disk full' : 'not there', staff: undefined }),
    ),
  );
  return async (address) => {
    const health = await look();
    const status = health.database === 'ok' ? 200 : 503;
    const { staff, ...open } = health;
    const body = { ...open, backup: backup(), ...(LOOPBACK.includes(address) && { staff, node: nodeHealth() }) };
    return Response.json(body, { status, headers: { 'cache-control': 'no-store' } });
  };
}

async function backupFor(
  request: Request,
  gate: Gate,
  make: (() => AsyncIterable<Uint8Array>) | undefined,
): Promise<Response> {
  if (!(await gate.isService(request))) return asResponse(new Refusal(401, '401', 'Only with the service key'));
  if (!make) return asResponse(new Refusal(404, '404', 'A PostgreSQL server of your own is backed up with pg_dump'));
  // TypeScript has different types for the web streams of Node and of the DOM, although the objects are the same.
  const archive: unknown = Readable.toWeb(Readable.from(make()));
  return new Response(archive as ReadableStream, { headers: { 'content-type': BACKUP_TYPE } });
}

const AUTH_PATH = /^\/auth\/v1\/(token|user|logout|factors|admin\/users)/;

/** Returns the path for the log. An unknown name in the path becomes `…`, because it may contain a visitor's words. */
function loggedPath(pathname: string): string {
  const [, start = '', name = ''] = /^(\/\w+(?:\/v1\/)?)(.*)/.exec(pathname) ?? [];
  if (!name || (start === '/rest/v1/' && TABLES.has(name))) return pathname;
  return AUTH_PATH.exec(pathname)?.[0] ?? `${start}…`;
}

const FULL = 'THE DISK IS FULL: quotes stay on the phones. Free some space; no restart is needed (docs/operar.md).';

/** Logs each request without query string, headers and body, which may contain personal data. */
function withLog(answer: Backend['answer'], meter: Meter): Backend['answer'] {
  let isFull = false;
  return async (request, address) => {
    const began = performance.now();
    const id = nextRequestId();
    const response = await answer(request, address);
    const path = loggedPath(new URL(request.url).pathname);
    const code = /error=(\w+)/.exec(response.headers.get('proxy-status') ?? '')?.[1];
    const { method } = request;
    const { status } = response;
    const ms = performance.now() - began;
    meter.request({
      isInsert: method === 'POST' && (path === '/rest/v1/quotes' || path === POSTED_PATH),
      status,
      code,
      ms,
    });
    const refusedForRoom = code === DISK_FULL;
    // A POST shows whether the disk has room for quotes. A DELETE does not: it needs more space than a quote, so it may
    // be refused while quotes can still be stored.
    if (method === 'POST' && refusedForRoom !== isFull && (refusedForRoom || status < 400)) {
      isFull = refusedForRoom;
      console.error(isFull ? FULL : 'The disk has space again: quotes are stored.');
    }
    record('request', { id, method, path, status, code, ms: Math.round(ms) });
    response.headers.set('x-request-id', id);
    return response;
  };
}
