import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findOnPath } from '../../build/on-path.ts';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { freePort } from '../free-port.ts';
import { addNextMigrations } from './next-release.ts';
import { preloaded, send, temporaryDirectory } from './processes.ts';
import { machine, ran } from './releases.ts';
import { sampleQuote } from './sample-quote.ts';

// Runs the commands of docs/operar.md from top to bottom, with a folder as the root of the machine. A substitute for
// systemd starts and stops the program of the unit. The test skips Debian’s packages.

interface Step {
  readonly kind: 'commands' | 'event';
  readonly text: string;
  /** Output of the command that docs/operar.md shows, if any. */
  printed?: string;
}

function stepsOf(page: string): Step[] {
  const steps: Step[] = [];
  for (const [, event, kind, text] of page.matchAll(/<!-- prueba: (.*?) -->|^```(\w+)\n([\s\S]*?)^```$/gm)) {
    if (event) steps.push({ kind: 'event', text: event });
    else if (kind === 'sh') steps.push({ kind: 'commands', text: text! });
    else if (kind === 'text') steps.at(-1)!.printed = text!;
    else throw new Error(`A block of another kind: ${kind}`);
  }
  return steps;
}

/** Returns the commands of a code block, each with its here-document. */
function commandsIn(block: string): string[] {
  return block.match(/^.*<<'(\w+)'\n[\s\S]*?\n\1$|^.+$/gm) ?? [];
}

/** Commands that this test skips, with the reason. */
const LEFT_OUT: readonly [pattern: RegExp, why: string][] = [
  [/^(apt-get|dpkg-reconfigure) /, 'packages of the machine'],
  [/\.deb\b|--package|\/opt\/nueva/, 'package.test installs the package on a bare machine'],
  [/aeropuente-1\.1\.0/, 'the next release, which is not made here'],
  [/restic|aeropuente-copias/, 'a second machine'],
  [/^(timedatectl|ufw) /, 'clock and firewall of the machine'],
  [/\/root\/copias|database\.vacia/, 'a second machine; backup.test has what becomes of it'],
  [/^(systemctl (disable|daemon-reload)|userdel|rm)\b/, 'the end of the machine'],
  [/^journalctl --vacuum/, 'the log of the machine'],
  [/^systemctl (status|is-failed)/, 'systemd itself'],
  [/^export LANG=/, 'commands of this test speak Spanish already'],
  [/^VITE_RETIRE_WORKER=1 /, 'retired-worker.test.ts in e2e/ has what becomes of it'],
  [/nodejs\.org|node-v/, 'Node of the machine'],
];

/** Commands that may fail in this test, because nobody has turned alerts on and no domain leads to this machine. */
const FAIL = /alerts (test|status)|doctor/;

/** Makes a pattern of the shown output. `…` in a line matches any text; a line with only `…` matches any lines. */
function patternOf(printed: string): RegExp {
  const lines = printed
    .trimEnd()
    .split('\n')
    .map((line) =>
      line === '…'
        ? '(?:.*\\n)*?'
        : `${line
            .split('…')
            .map((part) => RegExp.escape(part).replaceAll('\\x20', ' ').replaceAll(/ +/g, '\\s+'))
            .join('.*')}\\n`,
    );
  return new RegExp(`^${lines.join('')}$`);
}

const LITTLE_EFFORT = new URL('../e2e/little-effort.ts', import.meta.url).href;

/** Time limit for the start of a server, which is slow while other tests run. */
const SLOWLY = { timeout: 60_000 };

/** Substitute for the machine on which docs/operar.md installs the server. */
class Place {
  readonly root = temporaryDirectory();
  readonly #port: number;
  #at = path.join(this.root, 'sources');
  #server: ChildProcess | undefined;
  #said = '';

  constructor(port: number) {
    this.#port = port;
    for (const folder of ['opt', 'var/backups', 'var/lib/aeropuente', 'usr/local/bin', 'sources'])
      mkdirSync(path.join(this.root, folder), { recursive: true });
    const sources = ['node_modules', 'dist', '.git', '.cache', '.env', 'tests', 'bench', 'test-results', 'release'];
    for (const name of readdirSync('.'))
      if (!sources.includes(name)) cpSync(name, path.join(this.#at, name), { recursive: true });
    symlinkSync(path.resolve('node_modules'), path.join(this.#at, 'node_modules'));
    onTestFinished(async () => void (await this.stop()));
  }

  get address() {
    return `http://127.0.0.1:${this.#port}`;
  }

  get dataDir() {
    return path.join(this.root, 'var/lib/aeropuente');
  }

  /** Replaces the paths and addresses of docs/operar.md by those of this test. */
  here(text: string): string {
    return (
      text
        .replaceAll(/(?<![\w.])\/(opt|etc|var|usr\/local\/bin)\//g, `${this.root}/$1/`)
        // Caddy adds this header with the visitor’s IP address. The test runs without Caddy, so the request brings the
        // header itself.
        .replaceAll('https://cotiza.ejemplo.mx/healthz', `-H 'x-forwarded-for: 203.0.113.1' ${this.address}/healthz`)
        .replaceAll('cd /opt', `cd ${this.root}/opt`)
        .replaceAll('127.0.0.1:4173', `127.0.0.1:${this.#port}`)
    );
  }

  /** Current folder of the commands. */
  get at() {
    return this.#at;
  }

  /** Replaces the test’s paths and addresses in an output by those of docs/operar.md. */
  asThere(said: string): string {
    // The machine of the test may have another Node version, about which commands print a warning. docs/operar.md does
    // not show the warning.
    const expected = said.replace(/^(?:WARNING|ATENCIÓN): Node .*\n/m, '');
    return expected.replaceAll(this.root, '').replaceAll(`127.0.0.1:${this.#port}`, '127.0.0.1:4173');
  }

  /** Runs a command. Returns the output, or undefined if the test skips the command. */
  async carryOut(command: string): Promise<string | undefined> {
    if (LEFT_OUT.some(([pattern]) => pattern.test(command))) return undefined;
    const [, folder] = /^cd (\S+)$/.exec(command) ?? [];
    if (folder) {
      this.#at = path.resolve(this.#at, this.here(`${folder}/`));
      return '';
    }
    const [, order] = /^systemctl (start|stop) aeropuente$/.exec(command) ?? [];
    if (order) return this[order as 'start' | 'stop']();
    const [, count] = /^aeropuente logs -n (\d+)$/.exec(command) ?? [];
    if (count) return `${this.#said.trimEnd().split('\n').slice(-Number(count)).join('\n')}\n`;
    if (command.startsWith('scp ')) return this.#run(`cp ${command.slice(4).replace(/root@\S+:/, '')}`);
    // The test starts the script with Node, because npm would need installed packages, and the test only links them.
    if (command.startsWith('npm run -s release -- '))
      return this.#run(
        command.replace('npm run -s release --', 'node --import ./build/dotenv.ts build/release/release.ts'),
      );
    // The second installation reads the existing settings, and moves the service to the new folder.
    if (command === 'bin/aeropuente install') {
      expect(await this.#run(`${command} --root ${this.root}`)).toContain('no se cambia.');
      return this.start();
    }
    if (command.startsWith('bin/aeropuente install --backups')) return this.#install(command);
    return this.#run(command);
  }

  async #run(command: string): Promise<string> {
    const inSources = this.#at.endsWith('/sources');
    // The build uses the Node of the tests, and weak compression to save time.
    const builds = { PATH: process.env['PATH']!, NODE_OPTIONS: `--import ${LITTLE_EFFORT}` };
    const typed = { LANG: 'es_MX.UTF-8', PATH: `${this.root}/usr/local/bin:${machine()['PATH']}` };
    const { status, stdout } = await ran(
      this.#at,
      'sh',
      ['-c', `{ ${this.here(command)}\n} 2>&1`],
      machine(inSources ? builds : typed),
    );
    if (status !== 0 && !FAIL.test(command)) throw new Error(`${command}: ${stdout}`);
    return stdout;
  }

  /** Installs the service below the test’s root folder, and starts the server without systemd. */
  async #install(command: string): Promise<undefined> {
    const said = await this.#run(`${command} --root ${this.root} --data ${this.dataDir} --port ${this.#port}`);
    for (const file of [
      'etc/aeropuente/settings.env',
      'etc/systemd/system/aeropuente.service',
      'etc/caddy/aeropuente.caddy',
      'etc/caddy/Caddyfile',
    ])
      expect(said).toContain(`Se escribió ${path.join(this.root, file)}.`);
    symlinkSync(path.join(this.root, 'etc/aeropuente/settings.env'), path.join(this.#at, '.env'));
    symlinkSync(path.join(this.#at, 'bin/aeropuente'), path.join(this.root, 'usr/local/bin/aeropuente'));
    await this.start();
    // The server makes its first backup at the start, which is slow on a busy machine.
    const health = async () => (await fetch(`${this.address}/healthz`)).json() as Promise<{ backup?: { at: unknown } }>;
    await expect.poll(async () => (await health()).backup?.at, SLOWLY).not.toBeNull();
    return undefined;
  }

  async start(environment: Readonly<Record<string, string>> = {}): Promise<''> {
    this.#begin(environment);
    await expect.poll(() => this.#said, SLOWLY).toContain('AeroPuente is at');
    return '';
  }

  /** Starts a server that must fail with the exit code after which systemd does not restart it. */
  async failToStart(environment: Readonly<Record<string, string>>): Promise<void> {
    const [status] = (await once(this.#begin(environment), 'close')) as [number];
    const unit = readFileSync(path.join(this.root, 'etc/systemd/system/aeropuente.service'), 'utf8');
    expect(unit).toContain(`RestartPreventExitStatus=${status}\n`);
  }

  #begin(environment: Readonly<Record<string, string>>): ChildProcess {
    const unit = readFileSync(path.join(this.root, 'etc/systemd/system/aeropuente.service'), 'utf8');
    const [, words] = /^ExecStart=(.*)$/m.exec(unit)!;
    const [, folder] = /^WorkingDirectory=(.*)$/m.exec(unit)!;
    const [program, ...parameters] = words!.split(' ');
    const server = spawn(program!, parameters, {
      cwd: folder,
      env: machine(environment),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#server = server;
    this.#said = '';
    for (const stream of [server.stdout, server.stderr]) stream.on('data', (text: Buffer) => (this.#said += text));
    return server;
  }

  async stop(): Promise<''> {
    const server = this.#server;
    this.#server = undefined;
    if (!server || server.exitCode !== null) return '';
    const ended = once(server, 'close');
    server.kill('SIGTERM');
    await ended;
    return '';
  }

  /** Waits for the first backup, which the server makes at its start. */
  readonly backedUp = () => expect.poll(() => this.#said, SLOWLY).toContain('contains all quotes.');
}

const isFilled = (place: Place) => path.join(place.root, 'free');

const EVENTS: Readonly<Record<string, (place: Place) => Promise<unknown>>> = {
  'llega una solicitud': async (place) => {
    expect((await send(place.address, sampleQuote())).status).toBe(201);
    await place.backedUp();
  },
  'un ajuste equivocado': async (place) => {
    await place.stop();
    await place.failToStart({ BACKUP_EVERY: 'diario' });
  },
  'el ajuste corregido': (place) => place.start(),
  'disco lleno': async (place) => {
    await place.stop();
    await place.start({ FREE: isFilled(place), NODE_OPTIONS: preloaded('scarce') });
    writeFileSync(isFilled(place), '10');
    expect((await send(place.address, sampleQuote())).status).toBe(503);
  },
  'disco libre': async (place) => {
    rmSync(isFilled(place));
    expect((await send(place.address, sampleQuote())).status).toBe(201);
    // The server caches its status for a second, so the first response may be an older one.
    await expect.poll(async () => (await fetch(`${place.address}/healthz`)).status).toBe(200);
  },
  'base dañada': async (place) => {
    await place.stop();
    rmSync(path.join(databaseFolderIn(place.dataDir), 'PG_VERSION'));
    await place.start();
  },
  'una solicitud de maria@berries.mx': async (place) => {
    expect((await send(place.address, sampleQuote({ email: 'maria@berries.mx' }))).status).toBe(201);
  },
  'una versión con dos migraciones más': async (place) => {
    await place.stop();
    rmSync(databaseFolderIn(place.dataDir), { recursive: true });
    rmSync(path.join(place.dataDir, 'erased'), { force: true });
    await place.start();
    for (const quote of [sampleQuote(), sampleQuote(), sampleQuote()])
      expect((await send(place.address, quote)).status).toBe(201);
    addNextMigrations(path.join(place.at, 'supabase/migrations'));
  },
};

const whyNotHere = findOnPath('curl') ? '' : 'left out: curl is not installed';

test.skipIf(whyNotHere)(`the commands of docs/operar.md print the output given there ${whyNotHere}`, async () => {
  const place = new Place(await freePort());
  const steps = stepsOf(readFileSync('docs/operar.md', 'utf8'));
  let compared = 0;
  for (const { kind, text, printed } of steps) {
    if (kind === 'event') {
      const happen = EVENTS[text];
      if (!happen) throw new Error(`Nobody knows how this happens: ${text}`);
      await happen(place);
      continue;
    }
    const outputs: (string | undefined)[] = [];
    for (const command of commandsIn(text)) outputs.push(await place.carryOut(command));
    if (outputs.includes(undefined) && outputs.every((output) => !output)) continue;
    if (printed === undefined) continue;
    const whole = outputs.map((output) => (output && !output.endsWith('\n') ? `${output}\n` : (output ?? ''))).join('');
    expect(place.asThere(whole), text).toMatch(patternOf(printed));
    compared += 1;
  }
  expect(compared).toBeGreaterThan(15);
  expect(existsSync(path.join(place.root, 'var/lib/aeropuente/database.mala'))).toBe(true);
});
