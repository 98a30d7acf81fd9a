import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { madeOnce } from '../run-folder.ts';
import { addressPrintedBy } from '../printed-address.ts';

export const { version: VERSION } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/**
 * Returns the environment of an operator’s machine. Variables of the tests’ Node and npm are left out, and so are empty
 * variables, which would override the settings in a file. npm’s registry and cache stay, because an installation is
 * slow without them.
 */
export function machine(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name, value]) =>
      value &&
      !/^(npm_(package|lifecycle|node|command|execpath|config_local_prefix)|NODE_(?!EXTRA_CA_CERTS)|INIT_CWD|VITEST)/.test(
        name,
      ),
  );
  const folders = (process.env['PATH'] ?? '')
    .split(path.delimiter)
    .filter((folder) => !folder.includes('node_modules'));
  return {
    ...Object.fromEntries(kept),
    npm_config_prefer_offline: 'true',
    PATH: folders.join(path.delimiter),
    ...more,
  };
}

/** Runs a program without blocking other tests. Returns its output and exit status. */
export async function ran(
  folder: string,
  command: string,
  parameters: readonly string[],
  environment = machine(),
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const child = spawn(command, parameters, { cwd: folder, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, stdout, stderr };
}

/** Runs a program. Returns its output, or throws if it fails. */
export async function done(...[folder, command, parameters, environment]: Parameters<typeof ran>): Promise<string> {
  const { status, stdout, stderr } = await ran(folder, command, parameters, environment);
  if (status !== 0) throw new Error(`${command} ${parameters.join(' ')}: ${stdout}${stderr}`);
  return stdout;
}

/** Returns the parts of a script’s output that the script began with `== name`. */
export const partsOf = (output: string): Record<string, string> =>
  Object.fromEntries([...output.matchAll(/^== (.*)\n((?:(?!== ).*\n)*)/gm)].map(([, name, text]) => [name!, text!]));

/** Returns the arguments that make a release in `folder`, and state that Node’s security advisories were read today. */
export const releaseInto = (folder: string) => [
  'build/release/release.ts',
  '--into',
  folder,
  '--advisories-read',
  new Date().toISOString().slice(0, 10),
];

/** Returns the folder with the archive of these sources, made once in a test run. */
export const madeRelease = () =>
  madeOnce('release', async (folder) => {
    await done('.', process.execPath, releaseInto(folder), process.env);
  });

/** Returns the folder of the installed release, made once in a test run. */
export async function installedRelease(): Promise<string> {
  const made = await madeRelease();
  const folder = await madeOnce('installed', async (unfinished) => {
    mkdirSync(unfinished, { recursive: true });
    await done(unfinished, 'tar', ['xzf', path.join(made, archiveIn(made))]);
    await done(path.join(unfinished, readdirSync(unfinished)[0]!), 'npm', ['ci', '--omit=dev']);
  });
  return path.join(folder, readdirSync(folder)[0]!);
}

export const archiveIn = (folder: string) => readdirSync(folder).find((file) => file.endsWith('.tar.gz'))!;

/** Starts the installed release with `npm start`, and ends all its processes after the test. */
export async function startInstalled(folder: string, settings: Readonly<Record<string, string>>) {
  const child = spawn('npm', ['start'], {
    cwd: folder,
    env: machine({ PORT: '0', ...settings }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const ended = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text.toString()));
  return { address: await addressPrintedBy(child), stop, said: () => said };
}
