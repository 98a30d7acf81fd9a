import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { buildIfStale } from '../build/build-if-stale.ts';
import { closedBackend, isForBackend, openBackend } from './backend.ts';
import { serveEarlier, offerDeltas, rememberRelease } from './deltas.ts';
import { limitBodyTime, limitConnections, limitPerVisitor, timeoutsFor } from './connections.ts';
import { databaseFolderIn } from './database/data-directory.ts';
import type { Machine } from './doctor/finding.ts';
import { measureDisk, memoryHere } from './doctor/machine.ts';
import { localize } from './language.ts';
import { reportError } from './report-error.ts';
import { nextRequestId, ignoreLogErrors, record, setLogFormat } from './log.ts';
import { createMeter, type Meter } from './metrics.ts';
import { nodeWarning } from './node-version.ts';
import { fillNotice, NOTICE, noteHandling } from './privacy-notice.ts';
import { limitPerConnection, createAddressOf, createHttpServer } from './http.ts';
import { changedLimits, readSettings, WRONG_SETTING, type Settings } from './settings.ts';
import { plainFetch } from './plain-fetch.ts';
import { openOrRetry, type RunningBackend } from './reopening.ts';
import { openSite, type Site } from './site.ts';

const SECONDS = 1000;

/** Milliseconds without progress after which a connection is closed, because a client may stop reading. */
const STALLED = 5 * 60 * SECONDS;

/** Serves the built site and, unless it uses hosted Supabase, the backend. */
async function start(settings: Settings): Promise<void> {
  setLogFormat(settings.logFormat);
  ignoreLogErrors();
  const { hosted, limits, trustedProxies } = settings;
  const meter = createMeter();
  await requirePort(settings);
  if (!hosted && !settings.database && !existsSync(databaseFolderIn(settings.dataDir)))
    console.log(`The database is created in ${settings.dataDir}: up to half a minute, only the first time.`);
  const opening = { ...settings, serves: true, meter, machine: machineOf(settings) };
  const closed = closedBackend(meter, trustedProxies);
  // The backend is opened first and locks the data directory: a second server then stops before it changes anything.
  const backend = hosted ? undefined : await openOrRetry(() => openBackend(opening), closed, placeOf(settings));
  try {
    await buildIfStale();
    const site = openSite('dist', noticeOf(settings));
    // The warning about unknown proxies is logged once: by the backend, or here if the server has no backend.
    const addressOf = createAddressOf(trustedProxies, backend === undefined);
    const perAddress = limits.LIMIT_CONNECTIONS_PER_ADDRESS;
    const handle = limitBodyTime(
      limitPerConnection(
        limits.LIMIT_PER_CONNECTION,
        limitPerVisitor(perAddress, addressOf, (request, response) => {
          if (backend && isForBackend(request)) return backend.serve(request, response);
          measurePage(response, meter);
          recordPage(request, response, site.pathOf(request.url ?? ''));
          site(request, response);
        }),
      ),
    );
    const options = { ...timeoutsFor(trustedProxies), maxHeaderSize: limits.LIMIT_HEADER_BYTES };
    const server = createHttpServer(options, handle);
    limitConnections(server, {
      most: limits.LIMIT_CONNECTIONS,
      perAddress: trustedProxies > 0 ? undefined : perAddress,
      addressOf,
    });
    server.timeout = STALLED;
    const address = await listen(server, settings);
    // An error outside a request does not end the server. The data are safe, because the database runs in its own
    // thread.
    process.on('uncaughtException', (error) => reportError(error, 'outside a request'));
    backend?.announce(address);
    void offerUpdates(site, settings);
    stopOnSignal(server, backend);
    const changed = changedLimits(limits);
    const warning = nodeWarning();
    if (warning) console.log(localize(warning));
    if (changed.length > 0) console.log(`Changed limits: ${changed.join(', ')}`);
    const isOpen = backend?.isOpen?.() !== false;
    const place = isOpen ? `quotes are stored in ${placeOf(settings)}` : 'quotes stay on the phones for now';
    console.log(`AeroPuente is at ${address} · ${hosted ? `quotes go to ${hosted}` : place}`);
  } catch (error) {
    await backend?.close();
    throw error;
  }
}

/** Fills the privacy notice. Returns no document if the site has no notice of this release. */
function noticeOf({ dataDir }: Settings): Record<string, string> {
  const file = path.join('dist', NOTICE);
  if (!existsSync(file)) return {};
  let since: Date | undefined;
  try {
    since = noteHandling(dataDir, process.env);
  } catch (error) {
    console.error(`The settings of the privacy notice could not be recorded: ${(error as Error).message}`);
  }
  const filled = fillNotice(readFileSync(file, 'utf8'), process.env, since);
  if (!filled) console.error('The built privacy notice is not the one of this release. Build the site again.');
  return filled ? { [NOTICE]: filled } : {};
}

/** Prepares small updates for browsers that have an earlier release of the site, in the background. */
async function offerUpdates(site: Site, { dataDir }: Settings): Promise<void> {
  try {
    const earlier = await rememberRelease('dist', path.join(dataDir, 'releases'));
    await serveEarlier(site, earlier);
    await offerDeltas(site, 'dist', earlier);
  } catch (error) {
    console.error(`Updates are served without deltas: ${(error as Error).message}`);
  }
}

const machineOf = (settings: Settings): Omit<Machine, 'address' | 'devices' | 'asideWebhooks' | 'stuckHooks'> => ({
  settings,
  environment: process.env,
  fetch: plainFetch,
  now: Date.now,
  disk: measureDisk,
  memory: memoryHere,
  node: process.versions.node,
  sends: false,
});

/** Logs a page by the path of its file, because the requested URL may contain a visitor's words. */
function recordPage({ method }: IncomingMessage, response: ServerResponse, pathname = '…'): void {
  const began = performance.now();
  response.once('close', () => {
    const ms = Math.round(performance.now() - began);
    record('request', { id: nextRequestId(), method, path: pathname, status: response.statusCode, ms });
  });
}

/** Measures documents only, because browsers take most other files from their cache. */
function measurePage(response: ServerResponse, meter: Meter): void {
  const began = performance.now();
  response.once('finish', () => {
    const isPage = response.statusCode === 200 && String(response.getHeader('content-type')).startsWith('text/html');
    if (isPage) meter.page(performance.now() - began);
  });
}

/** Throws if the port is taken. Runs before the database is opened. */
async function requirePort(settings: Settings): Promise<void> {
  const probe = createServer();
  await listen(probe, settings);
  probe.close();
  await once(probe, 'close');
}

function placeOf({ database, dataDir }: Settings): string {
  return database ? `PostgreSQL at ${database.address.name}` : dataDir;
}

async function listen(server: Server, { port, host }: Settings): Promise<string> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw new Error(listenFailure(error as NodeJS.ErrnoException, port, host), { cause: error });
  }
  const bound = server.address();
  const actualPort = typeof bound === 'object' && bound ? bound.port : port;
  return `http://${nameOf(host)}:${actualPort}`;
}

function nameOf(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}

function listenFailure({ code, message }: NodeJS.ErrnoException, port: number, host: string): string {
  if (code === 'EADDRINUSE')
    return `Another program uses port ${port}, or AeroPuente is already running. Set PORT to a free one.`;
  if (code === 'EACCES') return `This user may not use port ${port}. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}. Set HOST to one it has.`;
  return `The server could not listen on ${host}:${port}: ${message}`;
}

/** Stops on a signal: closes idle connections, answers pending requests, then closes the database. */
function stopOnSignal(server: Server, backend: RunningBackend | undefined): void {
  const stop = async () => {
    const closed = once(server, 'close');
    server.close();
    server.prependListener('request', (_request, response) => response.setHeader('connection', 'close'));
    setInterval(() => server.closeIdleConnections(), SECONDS / 10).unref();
    setTimeout(() => server.closeAllConnections(), 5 * SECONDS).unref();
    await closed;
    await backend?.close();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop().catch(endFailedStop));
}

function endFailedStop(error: unknown): never {
  reportError(error, 'stopping');
  process.exit(1);
}

function fail(error: unknown, status: number): never {
  console.error(error instanceof Error ? error.message : error);
  process.exit(status);
}

function settingsHere(): Settings {
  try {
    return readSettings(process.env);
  } catch (error) {
    return fail(error, WRONG_SETTING);
  }
}

try {
  await start(settingsHere());
} catch (error) {
  fail(error, 1);
}
