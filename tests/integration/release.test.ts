import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
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
  VERSION,
} from './releases.ts';
import { sampleQuote } from './sample-quote.ts';

// Whoever is first makes a release and installs it, on a machine that may be busy with other tests.
vi.setConfig({ testTimeout: 240_000 });

const sizeOf = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((bytes, entry) => bytes + statSync(path.join(entry.parentPath, entry.name)).size, 0);

const manifestOf = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;

test('unpacked elsewhere and installed from the registry alone, a release serves without building', async () => {
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

test('it is small: at most 60 packages and 150 MB, the Node that an old machine needs not counted', async () => {
  const folder = await installedRelease();
  const { packages } = readLock(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  expect(Object.keys(packages).length).toBeLessThanOrEqual(60);
  const node = existsSync(path.join(folder, 'runtime/node_modules')) ? sizeOf(path.join(folder, 'runtime')) : 0;
  expect((sizeOf(folder) - node) / 1e6).toBeLessThanOrEqual(150);
  expect(node / 1e6).toBeLessThan(140);
  // Whatever the machine has, its commands run on one that reads TypeScript.
  expect((await done(folder, 'npm', ['exec', '--', 'node', '-p', '2 > 1 as boolean'])).trim()).toBe('true');
});

test('each of its commands is whole, and says what it can do from any folder', async () => {
  const folder = await installedRelease();
  const command = path.join(folder, 'bin/aeropuente');
  const elsewhere = temporaryDirectory();
  const help = await done(elsewhere, command, []);
  const commands = [...help.matchAll(/^ {2}(\w+) /gm)].map(([, name]) => name!);
  expect(commands).toEqual(expect.arrayContaining(['quotes', 'staff', 'personas', 'alerts', 'backup', 'restore']));
  const settings = machine({ DATA_DIR: temporaryDirectory() });
  for (const name of commands.filter((each) => each !== 'logs'))
    expect(await done(elsewhere, command, [name, '--help'], settings), name).toContain(`aeropuente ${name}`);
  // npm has nothing to start but the server, and writes no log.
  const { scripts } = manifestOf(path.join(folder, 'package.json'));
  expect(Object.keys(scripts!).toSorted()).toEqual(['postinstall', 'prestart', 'start']);
  const home = temporaryDirectory();
  await ran(
    folder,
    'npm',
    ['run', 'personas', 'find', 'maria@berries.mx'],
    machine({ HOME: home, npm_config_cache: home }),
  );
  const inHome = readdirSync(home, { recursive: true, encoding: 'utf8' });
  expect(inHome.filter((name) => name.endsWith('.log'))).toEqual([]);
});

test('a command that is mistyped, or given before the packages are installed, is one sentence', async () => {
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

test('the same sources give the same archive to the byte, built elsewhere too', async () => {
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
  // Of which commit it is can be known only where git is.
  const { stdout: repository } = await ran('.', 'git', ['rev-parse', '--absolute-git-dir'], process.env);
  const git = { GIT_DIR: repository.trim(), GIT_WORK_TREE: path.resolve('.') };
  const environment = { ...process.env, ...git, TZ: 'Asia/Tokyo' };
  await done(elsewhere, process.execPath, releaseInto('release'), environment);
  expect(readFileSync(path.join(elsewhere, 'release', archiveIn(made))).equals(archive)).toBe(true);
});

test('its bill of materials has what is installed and what is built in, each with version, licence and hash', async () => {
  const folder = await installedRelease();
  const bill = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8')) as Bill;
  expect([bill.bomFormat, bill.specVersion, bill.version]).toEqual(['CycloneDX', '1.5', 1]);
  expect(bill.metadata.component).toMatchObject({ type: 'application', name: 'aeropuente' });
  for (const component of bill.components) {
    expect(component).toMatchObject({ type: 'library', name: expect.any(String), version: expect.any(String) });
    expect(component.purl).toMatch(/^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@[\w.+-]+$/);
    expect(component.hashes[0]).toMatchObject({ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) });
    expect(component.licenses).toHaveLength(1);
  }
  const refs = bill.components.map((component) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  expect(bill.dependencies.map(({ ref }) => ref).toSorted()).toEqual([`aeropuente@${VERSION}`, ...refs].toSorted());
  const named = bill.dependencies.flatMap(({ dependsOn }) => dependsOn);
  expect(named.filter((ref) => !refs.includes(ref))).toEqual([]);

  const { packages } = readLock(readFileSync(path.join(folder, 'node_modules/.package-lock.json'), 'utf8'));
  const installed = Object.entries(packages).map(
    ([place, { version }]) => `${place.split('node_modules/').at(-1)}@${version}`,
  );
  expect(refs).toEqual(expect.arrayContaining(installed));
  for (const built of ['react-dom', 'leaflet', 'idb', 'workbox-routing', '@vapi-ai/web'])
    expect(
      refs.some((ref) => ref.startsWith(`${built}@`)),
      built,
    ).toBe(true);
  expect(refs.filter((ref) => /^(vite|vitest|typescript|@playwright\/test|oxlint|knip)@/.test(ref))).toEqual([]);
});

interface Bill {
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly version: number;
  readonly metadata: { readonly component: object };
  readonly components: readonly {
    readonly 'bom-ref': string;
    readonly purl: string;
    readonly hashes: readonly object[];
    readonly licenses: readonly object[];
  }[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

test('each link of its documents leads to a file of it', async () => {
  const folder = await installedRelease();
  const documents = readdirSync(path.join(folder, 'docs'), { recursive: true, encoding: 'utf8' });
  const links = documents
    .filter((name) => name.endsWith('.md') && !name.startsWith('decisions'))
    .flatMap((name) => {
      const text = readFileSync(path.join(folder, 'docs', name), 'utf8');
      const targets = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target]) => target!);
      return targets.map((target) => path.join('docs', path.dirname(name), target));
    });
  expect(links.length).toBeGreaterThan(20);
  expect(links.filter((link) => !existsSync(path.join(folder, link)))).toEqual([]);
});

test('its notes are what the changelog says of it', async () => {
  const folder = await installedRelease();
  const notes = readFileSync(path.join(folder, 'NOTES.md'), 'utf8');
  const [title, , ...lines] = notes.split('\n');
  expect(title).toBe(`# AeroPuente ${VERSION}`);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(`\n## ${VERSION} `);
  expect(readFileSync('CHANGELOG.md', 'utf8')).toContain(lines.join('\n'));
});

test('a setting that the site was not built with is refused where it is served', async () => {
  const folder = await installedRelease();
  const starting = () =>
    done(
      folder,
      'npm',
      ['start'],
      machine({ VITE_SITE_URL: 'https://carga.example.com', DATA_DIR: temporaryDirectory() }),
    );
  await expect(starting()).rejects.toThrow(
    'VITE_SITE_URL is "https://carga.example.com" here, and this release was built without it. Take it out of .env, or make a release with it.',
  );
});

test('a release names the day on which Node’s advisories were read, and is refused without', async () => {
  const folder = await installedRelease();
  const { advisoriesRead } = JSON.parse(readFileSync(path.join(folder, 'release.json'), 'utf8')) as Release;
  expect(Date.now() - Date.parse(advisoriesRead)).toBeLessThan(2 * 24 * 3_600_000);
  const into = path.join(temporaryDirectory(), 'release');
  const old = new Date(Date.now() - 32 * 24 * 3_600_000).toISOString().slice(0, 10);
  for (const given of [[], ['--advisories-read', old], ['--advisories-read', '2999-01-01']]) {
    const { status, stderr } = await ran(
      '.',
      process.execPath,
      [...releaseInto(into).slice(0, 3), ...given],
      process.env,
    );
    expect([status, stderr]).toEqual([1, expect.stringContaining('ADVISORIES_READ')]);
  }
  expect(existsSync(into)).toBe(false);
});

test('the Node of a release is the one of the sources', () => {
  const [sources, runtime] = ['package.json', 'runtime/package.json'].map(
    (file) => manifestOf(file)['optionalDependencies'],
  );
  expect(runtime).toEqual(sources);
  expect(new Set(Object.values(runtime!)).size).toBe(1);
});
