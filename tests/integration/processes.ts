import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { format } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, vi } from 'vitest';
import { listening } from '../listening.ts';
import { freshDataDirectory, SHORT_LIVED } from '../run-folder.ts';
import { scratchFolder } from '../scratch.ts';
import { asInsert, INSERT } from './sample-quote.ts';

type Environment = Readonly<Record<string, string>>;

/** Makes a directory that is removed when the test ends. */
export function temporaryDirectory(): string {
  const directory = mkdtempSync(path.join(scratchFolder(), 'aeropuente-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Starts an HTTP server that is closed when the test ends. Returns its address. */
export async function serving(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  onTestFinished(() => server.close().closeAllConnections());
  return listening(server);
}

/** Sends these bytes as a request. Returns the response until it suffices, or until the server closes the connection. */
export function exchange(address: string, bytes: string, suffices = (text: string) => text.includes('\r\n\r\n')) {
  return new Promise<string>((resolve) => {
    let response = '';
    const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1').on('data', (part: string) => {
      response += part;
      if (suffices(response)) socket.destroy();
    });
    // The server may close the connection while the test writes.
    socket.on('error', () => undefined).on('close', () => resolve(response));
  });
}

/** Returns a data directory as a server’s first start leaves it. The directory is removed when the test ends. */
export async function dataDirectory(): Promise<string> {
  const directory = await freshDataDirectory();
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Returns NODE_OPTIONS that preload a file of tests/disk, such as `scarce`. */
export const preloaded = (name: string) => `--import ${pathToFileURL(`tests/disk/${name}.ts`).href}`;

/** Returns NODE_OPTIONS that make timers of `milliseconds` end after `ended` milliseconds. */
export function sooner(milliseconds: number, ended: number): string {
  const preload = `
    const [later, timeout] = [setTimeout, AbortSignal.timeout];
    const of = (ms) => (ms === ${milliseconds} ? ${ended} : ms);
    globalThis.setTimeout = (work, ms, ...rest) => later(work, of(ms), ...rest);
    AbortSignal.timeout = (ms) => timeout.call(AbortSignal, of(ms));`;
  return `--import=data:text/javascript,${encodeURIComponent(preload)}`;
}

const PEAK = `process.on('exit', () => console.error('Peak of memory: %d MB', process.resourceUsage().maxRSS >> 10))`;
/** NODE_OPTIONS that make a process print its peak memory at the end. */
export const SAYS_PEAK = `--import=data:text/javascript,${encodeURIComponent(PEAK)}`;
export const peakIn = (errors: string): number => Number(/^Peak of memory: (\d+) MB$/m.exec(errors)?.[1]);

/** Script of the server that runs in its own process. */
export class Script {
  readonly #child: ChildProcess;
  readonly #exit: Promise<number | null>;
  output = '';
  errors = '';

  constructor(
    script: 'main' | 'demo' | Command,
    environment: Environment,
    parameters: readonly string[] = [],
    written = '',
    release = '.',
    whenDone: (end: () => Promise<void>) => void = onTestFinished,
  ) {
    const env = { ...process.env, NODE_OPTIONS: '', TZ: 'UTC', ...environment };
    const child = spawn(
      process.execPath,
      [SHORT_LIVED, path.resolve(release, `server/${script === 'main' ? script : `cli/${script}`}.ts`), ...parameters],
      {
        env,
        // A release without a built site serves the site of this folder.
        cwd: existsSync(path.join(release, 'index.html')) ? release : '.',
        stdio: ['pipe', 'pipe', 'pipe'],
      },
    );
    child.stdin.on('error', () => {}).end(written);
    child.stdout.on('data', (text: Buffer) => (this.output += text));
    child.stderr.on('data', (text: Buffer) => (this.errors += text));
    this.#child = child;
    this.#exit = once(child, 'close').then(([code]) => code as number | null);
    whenDone(async () => void (await this.end('SIGKILL')));
  }

  /** Waits for the end of the process and of its output. Returns the exit code. */
  ended(): Promise<number | null> {
    return this.#exit;
  }

  /** Stops reading the output, and closes the pipe. */
  hangUp(): void {
    this.#child.stdout!.destroy();
    this.#child.stderr!.destroy();
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    this.#child.kill(signal);
    return this.ended();
  }

  /** Waits until the standard output matches the pattern. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const match = pattern.exec(this.output);
      if (match) return match;
      const { exitCode, signalCode } = this.#child;
      if (exitCode !== null || signalCode !== null)
        throw new Error(`It ended without saying ${pattern}: ${this.output}${this.errors}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

/** Starts the server on a free port. Returns its address. `release` is the folder of another release. */
export async function startServer(
  dataDir: string,
  environment: Environment = {},
  release = '.',
): Promise<{ server: Script; address: string }> {
  const settings = { PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_ADDRESS: '0', ...environment };
  const server = new Script('main', settings, [], '', release);
  const [, address] = await server.says(/AeroPuente is at (\S+)/);
  return { server, address: address! };
}

/** Starts a server that all tests of a file share. `fill` writes to its data directory first. */
export function serverOfFile(environment: Environment = {}, fill: (dataDir: string) => Promise<void> = async () => {}) {
  const shared = { dataDir: '', address: '' };
  let server: Script;
  beforeAll(async () => {
    shared.dataDir = await freshDataDirectory();
    await fill(shared.dataDir);
    const settings = { PORT: '0', DATA_DIR: shared.dataDir, RATE_LIMIT_PER_ADDRESS: '0', ...environment };
    server = new Script('main', settings, [], '', '.', () => undefined);
    shared.address = (await server.says(/AeroPuente is at (\S+)/))[1]!;
  });
  afterAll(async () => {
    await server.end('SIGKILL');
    rmSync(shared.dataDir, { recursive: true, force: true });
  });
  return Object.assign(shared, { server: () => server });
}

/** Runs a command in its own process, and waits for its end. */
export async function runProcess(...command: ConstructorParameters<typeof Script>): Promise<Ended> {
  const script = new Script(...command);
  const code = await script.ended();
  return { code, output: script.output, errors: script.errors };
}

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

type Command = 'hosted' | 'quotes' | 'backup' | 'staff' | 'alerts' | 'personas' | 'upgrade' | 'doctor' | 'webhooks';

let running: Promise<unknown> = Promise.resolve();
let runs = 0;

/**
 * Runs a command in the process of the tests, one at a time, because the start of Node takes longer than the command.
 * At least one test of each command uses `runProcess`.
 */
export async function runScript(...command: Parameters<typeof runHere>): Promise<Ended> {
  const turn = running.then(() => runHere(...command));
  running = turn.catch(() => undefined);
  return turn;
}

async function runHere(
  script: Command,
  environment: Environment,
  parameters: readonly string[] = [],
  written = '',
): Promise<Ended> {
  const ended: { -readonly [Part in keyof Ended]: Ended[Part] } = { code: 0, output: '', errors: '' };
  const [variables, words, exitCode] = [{ ...process.env }, process.argv, process.exitCode];
  const exit = new Error('The command ends its process.');
  const write = (text: unknown) => ((ended.output += String(text)), true);
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(write),
    vi.spyOn(console, 'log').mockImplementation((...said) => void write(`${format(...said)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...said) => void (ended.errors += `${format(...said)}\n`)),
    vi.spyOn(process, 'exit').mockImplementation((code) => {
      ended.code = Number(code);
      throw exit;
    }),
    vi.spyOn(process, 'stdin', 'get').mockReturnValue(Readable.from([Buffer.from(written)]) as typeof process.stdin),
  ];
  const listeners = process.stdout.listeners('error');
  Object.assign(process.env, { TZ: 'UTC' }, environment);
  Object.assign(process, { argv: [process.execPath, script, ...parameters], exitCode: undefined });
  try {
    // The query makes each import a new module, because Node runs a module only once.
    await import(/* @vite-ignore */ `../../server/cli/${script}.ts?${(runs += 1)}`);
  } catch (error) {
    if (error !== exit) throw error;
  } finally {
    ended.code ||= Number(process.exitCode ?? 0);
    process.exitCode = exitCode;
    for (const spy of spies) spy.mockRestore();
    for (const listener of process.stdout.listeners('error'))
      if (!listeners.includes(listener)) process.stdout.off('error', listener as () => void);
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    process.argv = words;
  }
  return ended;
}

export const runQuotes = (environment: Environment, ...parameters: string[]) =>
  runScript('quotes', environment, parameters);

/** Creates a colleague’s account. Returns the temporary password that the command prints. */
export async function hire(dataDir: string) {
  const email = 'ana@ejemplo.mx';
  const added = await runScript('staff', { DATA_DIR: dataDir }, ['add', email, '--name', 'Ana Ruiz']);
  expect(added).toMatchObject({ code: 0, errors: '' });
  return { email, password: /^Contraseña: (\S+)$/m.exec(added.output)![1]! };
}

/** Requests a session by password or by the refresh token of an earlier session. */
export const askAuth = (address: string, grant: 'password' | 'refresh_token', body: object): Promise<Response> =>
  fetch(`${address}/auth/v1/token?grant_type=${grant}`, {
    method: 'POST',
    headers: { apikey: 'aeropuente-public', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

export const send = (address: string, quote: object, headers: Environment = {}): Promise<Response> =>
  fetch(`${address}${INSERT}`, asInsert(quote, headers));
