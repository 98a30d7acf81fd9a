import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { caddySite } from '../../server/service/files.ts';
import { SETTING_NAMES } from '../../server/settings.ts';
import { copyFolder } from '../run-folder.ts';
import { addressPrintedBy } from '../printed-address.ts';
import { dataDirectory, send, temporaryDirectory } from './processes.ts';
import { done, installedRelease, machine, madeRelease, VERSION } from './releases.ts';
import { sampleQuote } from './sample-quote.ts';

// The tests run the instructions of the Dockerfile themselves, so they need no Docker.

const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll(/^\s*#.*\n/gm, '');
const [, made = '', served = ''] = dockerfile.replaceAll(/\s*\\\n\s*/g, ' ').split(/^FROM /m);
/** Returns the instructions with this name in a stage of the build. */
const all = (stage: string, word: string) =>
  [...stage.matchAll(new RegExp(`^${word} (.*)$`, 'gm'))].map(([, rest]) => rest!);
const one = (stage: string, word: string) => {
  const found = all(stage, word);
  expect(found, word).toHaveLength(1);
  return found[0]!;
};

test('the container image runs without root, and its build ignores files with secrets', () => {
  expect(one(served, 'USER')).toBe('node');
  expect(all(served, 'RUN').join('\n')).not.toMatch(/npm|apt|curl|gcc|make\b/);
  expect(one(served, 'ENV')).toContain(`DATA_DIR=${one(served, 'VOLUME')}`);
  const ignored = readFileSync('.dockerignore', 'utf8').split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.env', '.git', 'node_modules', '.data']));
});

test('the container image installs a release and serves it, and its health check works', async () => {
  const unpack = all(made, 'RUN').at(-1)!;
  const installs = / npm ci --omit=dev [\w -]+$/;
  expect(unpack).toMatch(installs);
  const root = temporaryDirectory();
  const release = await madeRelease();
  const place = (text: string) =>
    text.replaceAll('/release/', `${release}/`).replaceAll(/(?<=[ =])\/(aeropuente|data)/g, `${root}/$1`);
  // The test copies installed packages; release.test.ts tests their installation.
  const installed = path.join(await installedRelease(), 'node_modules');
  await done(root, 'sh', ['-c', place(unpack).replace(installs, ` cp -R '${installed}' .`)]);

  const variables = place(` ${one(served, 'ENV')}`)
    .trim()
    .split(' ');
  const environment = Object.fromEntries(variables.map((each) => each.split('=')));
  copyFolder(await dataDirectory(), environment['DATA_DIR'] as string);
  const [program, ...parameters] = JSON.parse(one(served, 'CMD')) as string[];
  expect(program).toBe('node');
  const folder = path.join(root, 'aeropuente');
  const server = spawn(process.execPath, parameters, {
    cwd: folder,
    env: machine({ ...environment, HOST: '127.0.0.1', PORT: '0' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(server, 'close');
  const stop = async () => {
    server.kill('SIGTERM');
    await ended;
  };
  onTestFinished(stop);
  const address = await addressPrintedBy(server);
  expect((await send(address, sampleQuote())).status).toBe(201);

  const [, checked] = /CMD (\[.*\])$/.exec(one(served, 'HEALTHCHECK'))!;
  const [, ...check] = JSON.parse(checked!) as string[];
  const checks = () => spawnSync(process.execPath, check, { env: machine({ PORT: new URL(address).port }) }).status;
  expect(checks()).toBe(0);
  await stop();
  expect(checks()).toBe(1);
});

const compose = readFileSync('compose.yaml', 'utf8');

test('compose.yaml restricts the server as the systemd unit does, and opens only Caddy’s ports', () => {
  for (const [, file] of compose.matchAll(/- \.\/([\w.]+):/g)) expect(existsSync(file!), file).toBe(true);
  for (const said of ['read_only: true', 'cap_drop: [ALL]', 'no-new-privileges:true']) expect(compose).toContain(said);
  expect(compose).toContain(`image: aeropuente:${VERSION}\n`);
  // Caddy is the only service that publishes ports on the host.
  expect([...compose.matchAll(/ports: (.*)/g)].map(([, ports]) => ports)).toEqual([
    "['80:80', '443:443', '443:443/udp']",
  ]);
  const example = readFileSync('.env.example', 'utf8');
  for (const [, name] of compose.matchAll(/\$\{(\w+)/g)) expect(example).toMatch(new RegExp(`^${name}=`, 'm'));
});

test('compose.yaml passes each setting to the server, except limits and what the image already has', () => {
  const ofImage = [...one(served, 'ENV').matchAll(/(\w+)=/g)].map(([, name]) => name);
  const passed = [...compose.matchAll(/^ {6}(\w+): /gm)].map(([, name]) => name);
  // The build writes all VITE_ settings except VITE_DATA_PLACE into the pages, so compose.yaml need not pass them.
  const isBuiltIn = (name: string) => name.startsWith('VITE_') && name !== 'VITE_DATA_PLACE';
  const expected = SETTING_NAMES.filter((name) => !name.startsWith('LIMIT_') && !isBuiltIn(name));
  expect([...passed, ...ofImage]).toEqual(expect.arrayContaining(expected));
});

test('the Caddyfile of compose.yaml has the same rules as the Caddyfile of aeropuente install', () => {
  const own = caddySite({ domain: '{$VITE_SITE_URL}', port: 4173 }, '2.10');
  const rulesOf = (text: string) => text.slice(text.indexOf('\n'));
  expect(rulesOf(readFileSync('compose.Caddyfile', 'utf8'))).toBe(rulesOf(own).replace('127.0.0.1:', 'aeropuente:'));
});
