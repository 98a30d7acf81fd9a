import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { startAlerts, type Alerts } from './alerts/embedded.ts';
import { scheduleBackups, dumpState, type BackupState } from './database/backups.ts';
import { createAuth } from './auth/handler.ts';
import { BACKUP_TYPE, serveWith } from './http.ts';
import { openQuoteStore, type StoreSettings } from './quote-store.ts';
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
import { keepRetention } from './retention.ts';
import type { Settings } from './settings.ts';
import { createSystemStatus, STATUS_PATH } from './system-status.ts';

/** The stand-in for hosted Supabase: its REST interface and its sign-in over a database in this process. */
export interface Backend {
  /** The key that reads every quote; the one a hosted project calls service_role. It ends soon. */
  serviceKey(): Promise<string>;
  answer(request: Request, address: string): Promise<Response>;
  /** The same for Node's HTTP server, with a line in the log for each request. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** From now on `aeropuente quotes` knows where this backend can be asked, and alerts are sent, whose links lead there. */
  announce(address: string): void;
  close(): Promise<void>;
}

type BackendSettings = Pick<Settings, 'limits' | 'publishableKey'> &
  StoreSettings &
  Partial<Pick<Settings, 'trustedProxies' | 'siteUrl' | 'alerts' | 'metricsToken' | 'retentionMonths'>> & {
    /** Of a command, which has one for itself and answers nobody else, it is not said. */
    readonly serves?: boolean;
    readonly meter?: Meter;
    /** The machine that supervisors may see examined, but for what the backend knows itself. */
    readonly machine?: Omit<Machine, 'address' | 'devices'>;
  };

/** Opens the data directory or the database, or throws a sentence and leaves it as it was. */
export async function openBackend(settings: BackendSettings, migrations = migrationsFolder): Promise<Backend> {
  const { publishableKey, limits, serves = false, meter = createMeter() } = settings;
  const keeping = await openQuoteStore(settings, {
    migrations,
    serves,
    settings: [settingLimits(limits), KEEP_PROMISE],
  });
  try {
    const { database, secret, backup } = keeping;
    const gate = createGate({ publishableKey, secret });
    noteRelease(settings.dataDir);
    const rest = createRest(database, gate, limits, keeping.erasing);
    const postedQuote = createPostedQuote({
      rest,
      publishableKey,
      secret,
      mostBytes: limits.LIMIT_BODY_BYTES,
    });
    const auth = createAuth({ database, gate, publishableKey, secret, limits });
    let backups: ReturnType<typeof scheduleBackups> | undefined;
    const probe = async () => {
      keeping.requireSpace();
      return database.transaction([PROBE], { access: 'read' });
    };
    const backedUp = () => backups?.state() ?? (backup ? undefined : dumpState(settings.backups));
    const health = createHealth(probe, backedUp);
    const metrics = createMetrics({
      token: settings.metricsToken,
      meter,
      database,
      waiting: rest.waiting,
      backup: backedUp,
      folder: settings.dataDir,
    });
    let announced = '';
    const devices = async () => {
      const [row] = await database.transaction<{ count: number }>([DEVICES], { access: 'read' });
      return row!.count;
    };
    const { machine } = settings;
    const systemStatus = machine && createSystemStatus(gate, () => ({ ...machine, address: announced, devices }));
    const answer = async (request: Request, address: string) => {
      const { pathname } = new URL(request.url);
      if (pathname === POSTED_PATH) return postedQuote(request, address);
      if (request.headers.get('sec-fetch-site') === 'cross-site') return asResponse(ofAnotherSite());
      if (isEncoded(request)) return asResponse(ENCODED);
      if (pathname === '/healthz') return health(address);
      if (pathname === '/metrics') return metrics(request);
      if (pathname.startsWith('/auth/v1/')) return auth(request, address);
      if (pathname === STATUS_PATH && systemStatus) return systemStatus(request);
      if (pathname === '/backup') return backupFor(request, gate, backup);
      return rest(request, address);
    };
    let alerts: Alerts | undefined;
    let retention: ReturnType<typeof keepRetention> | undefined;
    return {
      serviceKey: () => gate.serviceKey(),
      answer,
      serve: serveWith(recorded(answer, meter), { trustedProxies: settings.trustedProxies ?? 0 }),
      announce(address) {
        announced = address;
        keeping.announce(address);
        const site = () => settings.siteUrl ?? address;
        if (settings.backups && backup) backups ??= scheduleBackups({ ...settings.backups, make: backup });
        const { retentionMonths: months = 0 } = settings;
        if (months > 0) retention ??= keepRetention({ database, months, erasing: keeping.erasing });
        if (settings.alerts)
          alerts ??= startAlerts({
            database,
            settings: settings.alerts,
            site,
            heard: (ended) => meter.alert(ended),
          });
      },
      async close() {
        await Promise.all([alerts?.stop(), backups?.stop(), retention?.stop()]);
        await keeping.close();
      },
    };
  } catch (error) {
    await keeping.close();
    throw error;
  }
}

/** In its place while the data directory cannot be opened: the pages are served, and phones keep their quotes. */
export function closedBackend(meter: Meter): Pick<Backend, 'serve'> {
  const refusal = new Refusal(503, 'PT503', 'The quotes cannot be stored just now', {
    headers: { 'retry-after': '60' },
  });
  const rest = Object.assign(async () => asResponse(refusal), { waiting: () => 0 });
  const mostBytes = LIMITS.LIMIT_BODY_BYTES.usual;
  const postedQuote = createPostedQuote({ rest, publishableKey: '', secret: new Uint8Array(), mostBytes });
  const answer = (request: Request, address: string) =>
    new URL(request.url).pathname === POSTED_PATH ? postedQuote(request, address) : rest();
  return { serve: serveWith(recorded(answer, meter), { trustedProxies: 0 }) };
}

/** A page of another site can make a visitor's browser ask, and must not use up what their address may. */
const ofAnotherSite = () => new Refusal(403, '403', 'Requests of other sites are not answered');

export function isForBackend({ url = '' }: IncomingMessage): boolean {
  return /^\/((rest|auth)\/v1\/|(healthz|backup|metrics|doctor|cotizar)(\?|$))/.test(url);
}

/** Whether the database answers, and how many of those who are here a device would tell. */
const PROBE = {
  sql: 'select count(*)::integer as here, (count(*) filter (where devices > 0))::integer as reached from public.desk_reach where here',
  parameters: [],
};

/** Devices on which colleagues turned alerts on. */
const DEVICES = { sql: 'select count(*)::integer from public.push_devices where quote_id is null', parameters: [] };

function settingLimits({ RATE_LIMIT_PER_ADDRESS: each, RATE_LIMIT_OVERALL: all }: Limits) {
  return {
    sql: 'update private.quote_limits set per_address = $1, overall = $2 where (per_address, overall) <> ($1, $2)',
    parameters: [each, all],
  };
}

/** Bodies are read as they come: an encoded one would be misread, because no decoder runs here. */
const isEncoded = ({ headers }: Request) => (headers.get('content-encoding') ?? 'identity') !== 'identity';
const ENCODED = new Refusal(415, '415', 'A body is taken without a content-encoding', {
  headers: { 'accept-encoding': 'identity' },
});

/** Addresses of this machine itself. Behind a proxy a visitor's is another one, or unknown. */
const OWN = ['127.0.0.1', '::1'];

/**
 * Health of the server: 200 while a quote would be stored. This machine alone is shown its Node, from which a stranger
 * would learn which vulnerability to try, and how many of the team are here.
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
    const said = { ...open, backup: backup(), ...(OWN.includes(address) && { staff, node: nodeHealth() }) };
    return Response.json(said, { status, headers: { 'cache-control': 'no-store' } });
  };
}

async function backupFor(
  request: Request,
  gate: Gate,
  make: (() => AsyncIterable<Uint8Array>) | undefined,
): Promise<Response> {
  if (!(await gate.isService(request))) return asResponse(new Refusal(401, '401', 'Only with the service key'));
  if (!make) return asResponse(new Refusal(404, '404', 'A PostgreSQL of one’s own is kept with pg_dump'));
  // Node's streams and the web's are one thing at run time, and two in their types.
  const archive: unknown = Readable.toWeb(Readable.from(make()));
  return new Response(archive as ReadableStream, { headers: { 'content-type': BACKUP_TYPE } });
}

const AUTH_PATH = /^\/auth\/v1\/(token|user|logout|admin\/users)/;

/** The part of a path that this server gave its name. The rest may be a visitor's words. */
function loggedPath(pathname: string): string {
  const [, start = '', name = ''] = /^(\/\w+(?:\/v1\/)?)(.*)/.exec(pathname) ?? [];
  if (!name || (start === '/rest/v1/' && TABLES.has(name))) return pathname;
  return AUTH_PATH.exec(pathname)?.[0] ?? `${start}…`;
}

const FULL =
  'THE DISK IS FULL: quotes stay on the phones until there is room. Nothing has to be started again (docs/operar.md).';

/** Writes a line for each request, and nothing that a visitor wrote in it: no query string, no header, no body. */
function recorded(answer: Backend['answer'], meter: Meter): Backend['answer'] {
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
    // To erase needs more room than to store, and is refused earlier.
    if (method === 'POST' && refusedForRoom !== isFull && (refusedForRoom || status < 400)) {
      isFull = refusedForRoom;
      console.error(isFull ? FULL : 'There is room on the disk again: quotes are stored.');
    }
    record('request', { id, method, path, status, code, ms: Math.round(ms) });
    response.headers.set('x-request-id', id);
    return response;
  };
}
