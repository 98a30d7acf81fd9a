import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { startAlerts, type Alerts } from './alerts/embedded.ts';
import { keepBackups, type BackupState } from './database/backups.ts';
import { createAuth } from './auth/handler.ts';
import { AUTH_SCHEMA } from './auth/schema.ts';
import { holdDataDirectory } from './database/data-directory.ts';
import { openDatabase } from './database/database.ts';
import { eraseAgain, finishErasing, readErased } from './database/erased.ts';
import { serveWith } from './http.ts';
import type { Limits } from './limits.ts';
import { migrationsFolder } from './database/migrate.ts';
import { DISK_FULL, requireRoom } from './database/room.ts';
import { noteRelease } from './release.ts';
import { createRest } from './rest/handler.ts';
import { createGate } from './rest/identity.ts';
import { asResponse, Refusal } from './rest/refusal.ts';
import type { Settings } from './settings.ts';

/** The stand-in for hosted Supabase: its REST interface and its sign-in over a database in this process. */
export interface Backend {
  /** The key that reads every quote; the one a hosted project calls service_role. It ends soon. */
  serviceKey(): Promise<string>;
  answer(request: Request, address: string): Promise<Response>;
  /** The same for Node's HTTP server, with a line in the log for each request. */
  serve(request: IncomingMessage, response: ServerResponse): Promise<void>;
  /** From now on `npm run quotes` knows where this backend can be asked, and alerts are sent, whose links lead there. */
  announce(address: string): void;
  close(): Promise<void>;
}

type BackendSettings = Pick<Settings, 'dataDir' | 'limits' | 'anonKey'> &
  Partial<Pick<Settings, 'trustedProxies' | 'siteUrl' | 'alerts' | 'backups'>>;

/** Opens the data directory, or throws a sentence and leaves it as it was. */
export async function openBackend(settings: BackendSettings, migrations = migrationsFolder): Promise<Backend> {
  const directory = holdDataDirectory(settings.dataDir);
  try {
    const database = await openDatabase({
      folder: directory.databaseFolder,
      migrations,
      backups: settings.backups?.folder ?? join(settings.dataDir, 'backups'),
      afterwards: [settingLimits(settings.limits), AUTH_SCHEMA],
    });
    const { anonKey, limits } = settings;
    const { secret } = directory;
    const gate = createGate({ anonKey, secret });
    const ledgers = [settings.dataDir, ...(settings.backups ? [settings.backups.folder] : [])];
    const again = await eraseAgain(database, [...readErased(ledgers)]);
    if (again > 0) console.log(`${again} quotes that had been erased were in the database again: they are erased.`);
    await finishErasing(database, ledgers);
    noteRelease(settings.dataDir);
    const rest = createRest(database, gate, limits, () => finishErasing(database, ledgers));
    const auth = createAuth({ database, gate, anonKey, secret, limits });
    let backups: ReturnType<typeof keepBackups> | undefined;
    const probe = async () => {
      requireRoom(directory.databaseFolder);
      return database.transaction([PROBE], { access: 'read' });
    };
    const health = createHealth(probe, () => backups?.state());
    const answer = async (request: Request, address: string) => {
      const { pathname } = new URL(request.url);
      if (pathname === '/healthz') return health();
      if (pathname.startsWith('/auth/v1/')) return auth(request, address);
      if (pathname === '/backup') return backupFor(request, gate, () => database.backup());
      return rest(request, address);
    };
    let alerts: Alerts | undefined;
    return {
      serviceKey: () => gate.serviceKey(),
      answer,
      serve: serveWith(recorded(answer), { trustedProxies: settings.trustedProxies ?? 0 }),
      announce(address) {
        directory.announce(address);
        const site = () => settings.siteUrl ?? address;
        if (settings.backups) backups ??= keepBackups({ ...settings.backups, make: () => database.backup() });
        if (settings.alerts) alerts ??= startAlerts({ database, settings: settings.alerts, site });
      },
      async close() {
        await Promise.all([alerts?.stop(), backups?.stop()]);
        await database.close();
        directory.release();
      },
    };
  } catch (error) {
    directory.release();
    throw error;
  }
}

/** In its place while the data directory cannot be opened: the pages are served, and phones keep their quotes. */
export function closedBackend(): Pick<Backend, 'serve'> {
  const refusal = new Refusal(503, 'PT503', 'The quotes cannot be stored just now', {
    headers: { 'retry-after': '60' },
  });
  return {
    serve: serveWith(
      recorded(async () => asResponse(refusal)),
      { trustedProxies: 0 },
    ),
  };
}

export function isForBackend({ url = '' }: IncomingMessage): boolean {
  return /^\/((rest|auth)\/v1\/|(healthz|backup)$)/.test(url);
}

/** Whether the database answers, and how many of those who are here a device would tell. */
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

const HEALTH_HOLDS = 1000;

/** For whoever watches over the server: 200 while a quote would be stored. Strangers may ask as often as they like. */
function createHealth(
  ask: () => Promise<readonly object[]>,
  backup: () => BackupState | undefined,
): () => Promise<Response> {
  let asked = -Infinity;
  let answer: Promise<{ database: string; staff?: object | undefined }>;
  return async () => {
    if (performance.now() - asked > HEALTH_HOLDS) {
      asked = performance.now();
      answer = ask().then(
        ([staff]) => ({ database: 'ok', staff }),
        ({ code }: { code?: string }) => ({ database: code === DISK_FULL ? 'disk full' : 'not there' }),
      );
    }
    const health = await answer;
    const status = health.database === 'ok' ? 200 : 503;
    return Response.json({ ...health, backup: backup() }, { status, headers: { 'cache-control': 'no-store' } });
  };
}

async function backupFor(
  request: Request,
  gate: ReturnType<typeof createGate>,
  make: () => Promise<Uint8Array>,
): Promise<Response> {
  const role = await gate.identify(request).then(
    (identity) => identity.role,
    () => undefined,
  );
  if (role !== 'service_role') return asResponse(new Refusal(401, '401', 'Only with the service key'));
  return new Response(Buffer.from(await make()), { headers: { 'content-type': 'application/gzip' } });
}

/** One line for each request, and nothing a visitor wrote in it: no query string, no header, no body. */
function recorded(answer: Backend['answer']): Backend['answer'] {
  let count = 0;
  return async (request, address) => {
    const began = performance.now();
    const id = `${process.pid.toString(36)}-${(++count).toString(36)}`;
    const response = await answer(request, address);
    const path = new URL(request.url).pathname.slice(0, 100);
    const code = /error=(\w+)/.exec(response.headers.get('proxy-status') ?? '')?.[1];
    const duration = `${Math.round(performance.now() - began)} ms`;
    console.log([id, request.method, path, response.status, code, duration].filter(Boolean).join(' '));
    response.headers.set('x-request-id', id);
    return response;
  };
}
