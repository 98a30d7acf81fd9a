import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import path from 'node:path';
import { buildIfStale } from '../build/build-if-stale.ts';
import { closedBackend, isForBackend, openBackend, type Backend } from './backend.ts';
import { keepEarlier, offerDeltas, rememberRelease } from './deltas.ts';
import { boundBodies, boundConnections, boundEachVisitor, patienceOf } from './connections.ts';
import { databaseFolderIn, DirectoryInUse } from './database/data-directory.ts';
import type { Machine } from './doctor/finding.ts';
import { measureDisk, memoryHere } from './doctor/machine.ts';
import { localize } from './language.ts';
import { reportError } from './report-error.ts';
import { nextRequestId, outliveReaders, record, writeLogAs } from './log.ts';
import { createMeter, type Meter } from './metrics.ts';
import { nodeWarning } from './node-version.ts';
import { fillNotice, NOTICE, noteHandling } from './privacy-notice.ts';
import { boundEachConnection, createAddressOf, createHttpServer } from './http.ts';
import { changedLimits, readSettings, WRONG_SETTING, type Settings } from './settings.ts';
import { plainFetch } from './plain-fetch.ts';
import { openSite, type Site } from './site.ts';

const SECONDS = 1000;
const TRY_AGAIN = 10 * SECONDS;

/** Nothing of an answer was taken for so long, or nothing done: a client that reads no more holds its connection for ever. */
const STALLED = 5 * 60 * SECONDS;

/** `npm start`: the built site and, unless it speaks to hosted Supabase, the backend under the same address. */
async function start(settings: Settings): Promise<void> {
  writeLogAs(settings.logFormat);
  outliveReaders();
  const { hosted, limits, trustedProxies } = settings;
  const meter = createMeter();
  await requirePort(settings);
  if (!hosted && !settings.database && !existsSync(databaseFolderIn(settings.dataDir)))
    console.log(`The database is made in ${settings.dataDir}: up to half a minute, the first time only.`);
  // A second start on the same directory is refused before it touches anything.
  const backend = hosted ? undefined : await holdBackend(settings, meter);
  try {
    await buildIfStale();
    const site = openSite('dist', noticeOf(settings));
    // The backend has one of its own, which warns.
    const addressOf = createAddressOf(trustedProxies, backend === undefined);
    const perAddress = limits.LIMIT_CONNECTIONS_PER_ADDRESS;
    const handle = boundBodies(
      boundEachConnection(
        limits.LIMIT_PER_CONNECTION,
        boundEachVisitor(perAddress, addressOf, (request, response) => {
          if (backend && isForBackend(request)) return backend.serve(request, response);
          measurePage(response, meter);
          recordPage(request, response, site.pathOf(request.url ?? ''));
          site(request, response);
        }),
      ),
    );
    const options = { ...patienceOf(trustedProxies), maxHeaderSize: limits.LIMIT_HEADER_BYTES };
    const server = createHttpServer(options, handle);
    boundConnections(server, {
      most: limits.LIMIT_CONNECTIONS,
      perAddress: trustedProxies > 0 ? undefined : perAddress,
      addressOf,
    });
    server.timeout = STALLED;
    const address = await listen(server, settings);
    // A fault beside a request, in a socket or a timer, must not end the intake: the database has its own thread.
    process.on('uncaughtException', (error) => reportError(error, 'nothing was asked'));
    backend?.announce(address);
    void offerUpdates(site, settings);
    stopOnSignal(server, backend);
    const changed = changedLimits(limits);
    const warning = nodeWarning();
    if (warning) console.log(localize(warning));
    if (changed.length > 0) console.log(`Limits that are not as usual: ${changed.join(', ')}`);
    const isKept = backend?.isOpen?.() !== false;
    const kept = isKept ? `quotes are kept in ${placeOf(settings)}` : 'quotes stay on the phones for now';
    console.log(`AeroPuente is at ${address} · ${hosted ? `quotes go to ${hosted}` : kept}`);
  } catch (error) {
    await backend?.close();
    throw error;
  }
}

/** The privacy notice with the settings that hold; nothing if this site has none, or one of another build. */
function noticeOf({ dataDir }: Settings): Record<string, string> {
  const file = path.join('dist', NOTICE);
  if (!existsSync(file)) return {};
  let since: Date | undefined;
  try {
    since = noteHandling(dataDir, process.env);
  } catch (error) {
    console.error(`The settings of the privacy notice could not be noted: ${(error as Error).message}`);
  }
  const filled = fillNotice(readFileSync(file, 'utf8'), process.env, since);
  if (!filled) console.error('The privacy notice of this build is not that of this release: build it again.');
  return filled ? { [NOTICE]: filled } : {};
}

/** Beside the answers, and without it the site is whole. */
async function offerUpdates(site: Site, { dataDir }: Settings): Promise<void> {
  try {
    const earlier = await rememberRelease('dist', path.join(dataDir, 'releases'));
    await keepEarlier(site, earlier);
    await offerDeltas(site, 'dist', earlier);
  } catch (error) {
    console.error(`Phones fetch updates whole: ${(error as Error).message}`);
  }
}

type Held = Pick<Backend, 'serve' | 'announce' | 'close'> & {
  /** Of one that could not be opened at once: whether it has been since. */
  readonly isOpen?: () => boolean;
};

/** Where only the database cannot be opened, the pages are served all the same, and it is tried again. */
async function holdBackend(settings: Settings, meter: Meter): Promise<Held> {
  let reason: string;
  const opening = { ...settings, serves: true, meter, machine: machineOf(settings) };
  try {
    return await openBackend(opening);
  } catch (error) {
    if (error instanceof DirectoryInUse) throw error;
    reason = (error as Error).message;
    console.error(reason);
    console.error('The pages are served; quotes stay on the phones until this is put right. Trying again every 10 s.');
  }
  let present: Pick<Backend, 'serve'> & Partial<Backend> = closedBackend(meter);
  let address: string | undefined;
  let timer: ReturnType<typeof setTimeout>;
  let trying = Promise.resolve();
  let closing = false;
  // One after the other: to bring a large database up to date takes longer than from one to the next.
  const tryLater = () => (timer = setTimeout(() => (trying = tryAgain()), TRY_AGAIN));
  async function tryAgain(): Promise<void> {
    const opened = await openBackend(opening).catch(({ message }: Error) => {
      // Behind a reason that was put right another may stand.
      if (message !== reason) console.error((reason = message));
    });
    if (opened) present = opened;
    if (closing) return;
    if (!opened) return void tryLater();
    if (address) opened.announce(address);
    console.log(`Quotes are kept in ${placeOf(settings)} now.`);
  }
  tryLater();
  return {
    serve: (request, response) => present.serve(request, response),
    isOpen: () => present.close !== undefined,
    announce: (at) => (address = at),
    async close() {
      closing = true;
      clearTimeout(timer);
      await trying;
      await present.close?.();
    },
  };
}

const machineOf = (settings: Settings): Omit<Machine, 'address' | 'devices'> => ({
  settings,
  environment: process.env,
  fetch: plainFetch,
  now: Date.now,
  disk: measureDisk,
  memory: memoryHere,
  node: process.versions.node,
  sends: false,
});

/** The path of the file, and not the address as a visitor wrote it. */
function recordPage({ method }: IncomingMessage, response: ServerResponse, pathname = '…'): void {
  const began = performance.now();
  response.once('close', () => {
    const ms = Math.round(performance.now() - began);
    record('request', { id: nextRequestId(), method, path: pathname, status: response.statusCode, ms });
  });
}

/** Documents alone: what belongs to one is from a cache, mostly. */
function measurePage(response: ServerResponse, meter: Meter): void {
  const began = performance.now();
  response.once('finish', () => {
    const isPage = response.statusCode === 200 && String(response.getHeader('content-type')).startsWith('text/html');
    if (isPage) meter.page(performance.now() - began);
  });
}

/** Before the database is opened, which takes longer. */
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
    return `Port ${port} is taken by another program, or AeroPuente runs already. Set PORT to a free one.`;
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Set PORT to one above 1023.`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `This machine has no address ${host}. Set HOST to one it has.`;
  return `The server could not listen on ${host}:${port}: ${message}`;
}

/** Requests under way are answered before the database closes; connections that only wait are closed. */
function stopOnSignal(server: Server, backend: Held | undefined): void {
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
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
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
