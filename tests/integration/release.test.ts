import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readLock } from '../../build/release/bill-of-materials.ts';
import type { Release } from '../../server/release.ts';
import { send, temporaryDirectory } from './processes.ts';
import {
  archiveIn,
  done,
  installedRelease,
  machine,
  madeRelease,
  ran,
  releaseInto,
  startInstalled,
} from './releases.ts';
import { sampleQuote } from './sample-quote.ts';

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(path.join(entry.parentPath, entry.name)).size, 0);

const manifestOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;

test('a release that is unpacked and installed with npm serves without a build', async () => {
  const folder = await installedRelease();
  await done(folder, 'sha256sum', ['--quiet', '-c', 'SHA256SUMS']);
  const { address, stop, said } = await startInstalled(folder, { DATA_DIR: temporaryDirectory() });
  expect(await (await fetch(`${address}/healthz`)).json()).toMatchObject({ database: 'ok' });
  const page = await fetch(address);
  expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
  expect(await page.text()).toContain('form id="reservar-espacio"');
  expect((await fetch(`${address}/worker.js`)).headers.get('content-type')).toBe('text/javascript');
  expect((await send(address, sampleQuote())).status).toBe(201);
  await stop();
  expect(said()).not.toContain('Building');
  expect(existsSync(path.join(folder, '.cache'))).toBe(false);
});

test('a release has at most 110 packages and 150 MB, not counting Node', async () => {
  const folder = await installedRelease();
  const { packages } = readLock(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  expect(Object.keys(packages).length).toBeLessThanOrEqual(110);
  const node = existsSync(path.join(folder, 'runtime/node_modules')) ? sizeOf(path.join(folder, 'runtime')) : 0;
  expect((sizeOf(folder) - node) / 1e6).toBeLessThanOrEqual(150);
  expect(node / 1e6).toBeLessThan(140);
  // The expression is TypeScript, which an older Node cannot run, so npm must have used the Node of the release.
  expect((await done(folder, 'npm', ['exec', '--', 'node', '-p', '2 > 1 as boolean'])).trim()).toBe('true');
});

test('each command of a release prints its help from any folder', async () => {
  const folder = await installedRelease();
  const command = path.join(folder, 'bin/aeropuente');
  const elsewhere = temporaryDirectory();
  const help = await done(elsewhere, command, []);
  const commands = [...help.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!);
  expect(commands).toEqual(expect.arrayContaining(['quotes', 'staff', 'personas', 'alerts', 'backup', 'restore']));
  const settings = machine({ DATA_DIR: temporaryDirectory() });
  for (const name of commands.filter((each) => each !== 'logs'))
    expect(await done(elsewhere, command, [name, '--help'], settings), name).toContain(`aeropuente ${name}`);
  // A release has no npm scripts for commands, because npm’s logs would contain the typed data.
  const { scripts } = manifestOf(path.join(folder, 'package.json'));
  expect(Object.keys(scripts!).toSorted()).toEqual(['postinstall', 'prestart', 'start']);
  const home = temporaryDirectory();
  const personas = ['run', 'personas', 'find', 'maria@berries.mx'];
  await ran(folder, 'npm', personas, machine({ HOME: home, npm_config_cache: home }));
  const inHome = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(inHome.filter((name) => name.endsWith('.log'))).toEqual([]);
});

test('a mistyped command prints its error in one sentence', async () => {
  const folder = await installedRelease();
  const mistyped = await ran('/', path.join(folder, 'bin/aeropuente'), ['bakcup'], machine({ LANG: 'es_MX.UTF-8' }));
  expect([mistyped.status, mistyped.stdout]).toEqual([2, '']);
  expect(mistyped.stderr).toContain('No hay una orden "bakcup".');
  const unpacked = temporaryDirectory();
  const made = await madeRelease();
  await done(unpacked, 'tar', ['xzf', path.join(made, archiveIn(made)), '--strip-components=1']);
  for (const [LANG, says] of [
    ['es_MX.UTF-8', 'Faltan los paquetes de esta versión: cd '],
    ['C', 'The packages of this release are missing: cd '],
  ] as const) {
    const early = await ran('/', path.join(unpacked, 'bin/aeropuente'), ['quotes'], machine({ LANG }));
    expect(early).toEqual({ status: 1, stdout: '', stderr: `${says}${unpacked} && npm ci --omit=dev\n` });
  }
});

test('a release from the same sources is always the same archive, to the byte', async () => {
  const made = await madeRelease();
  const archive = readFileSync(path.join(made, archiveIn(made)));
  expect(readFileSync(path.join(made, `${archiveIn(made)}.sha256`), 'utf8')).toBe(
    `${createHash('sha256').update(archive).digest('hex')}  ${archiveIn(made)}\n`,
  );
  const elsewhere = temporaryDirectory();
  for (const name of readdirSync('.'))
    if (!['node_modules', 'dist', '.git', '.cache', 'tests', 'bench', 'test-results'].includes(name))
      cpSync(name, path.join(elsewhere, name), { recursive: true });
  symlinkSync(path.resolve('node_modules'), path.join(elsewhere, 'node_modules'));
  // The name of the archive contains the commit, so the copied sources need the repository.
  const { stdout: repository } = await ran('.', 'git', ['rev-parse', '--absolute-git-dir'], process.env);
  const git = { GIT_DIR: repository.trim(), GIT_WORK_TREE: path.resolve('.') };
  const environment = { ...process.env, ...git, TZ: 'Asia/Tokyo' };
  await done(elsewhere, process.execPath, releaseInto('release'), environment);
  expect(readFileSync(path.join(elsewhere, 'release', archiveIn(made))).equals(archive)).toBe(true);
});

test('the bill of materials names each package with version, licence and hash', async () => {
  const folder = await installedRelease();
  const { components } = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8')) as {
    components: readonly object[];
  };
  for (const component of components)
    expect(component).toMatchObject({
      type: 'library',
      version: expect.any(String),
      purl: expect.stringMatching(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/),
      hashes: [{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) }],
      licenses: [expect.anything()],
    });
  const refs = components.map((component) => (component as { 'bom-ref': string })['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  const { packages } = readLock(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).map(
    ([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`,
  );
  expect(refs).toEqual(expect.arrayContaining(installed));
  const names = refs.map((ref) => ref.slice(0, ref.lastIndexOf('@')));
  expect(names).toEqual(expect.arrayContaining(['react-dom', 'leaflet', 'idb', 'workbox-routing', '@vapi-ai/web']));
  expect(names.filter((name) => /^(vite|vitest|typescript|@playwright\/test|oxlint|knip)$/.test(name))).toEqual([]);
});

test('a release does not start with a setting that contradicts its built site', async () => {
  const folder = await installedRelease();
  const settings = machine({ VITE_SITE_URL: 'https://carga.example.com', DATA_DIR: temporaryDirectory() });
  await expect(done(folder, 'npm', ['start'], settings)).rejects.toThrow(
    'VITE_SITE_URL is "https://carga.example.com" here, and this release was built without it. Take it out of .env, or make a release with it.',
  );
});

test('a release needs a recent date on which Node’s security advisories were read', async () => {
  const folder = await installedRelease();
  const { advisoriesRead } = JSON.parse(readFileSync(path.join(folder, 'release.json'), 'utf8')) as Release;
  expect(Date.now() - Date.parse(advisoriesRead)).toBeLessThan(2 * 24 * 3_600_000);
  const into = path.join(temporaryDirectory(), 'release');
  const old = new Date(Date.now() - 32 * 24 * 3_600_000).toISOString().slice(0, 10);
  for (const given of [[], ['--advisories-read', old], ['--advisories-read', '2999-01-01']]) {
    const words = [...releaseInto(into).slice(0, 3), ...given];
    const { status, stderr } = await ran('.', process.execPath, words, process.env);
    expect([status, stderr]).toEqual([1, expect.stringContaining('ADVISORIES_READ')]);
  }
  expect(existsSync(into)).toBe(false);
});

test('a release contains the Node version that the sources require', () => {
  const [sources, runtime] = ['package.json', 'runtime/package.json'].map(
    (file) => manifestOf(file)['optionalDependencies'],
  );
  expect(runtime).toEqual(sources);
});
