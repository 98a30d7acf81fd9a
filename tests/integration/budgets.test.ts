import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { openSite } from '../../server/site.ts';
import { isOfTheLeast } from '../../sw/least.ts';

// Of the built site, as brotli: the bytes that travel. The figures are promises to people with one bar of signal.

const KB = 1000;
const DESK = 'mesa.html';
const assets = readdirSync('dist/assets');

function asset(name: string): string {
  const found = assets.filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  expect(found, name).toHaveLength(1);
  return `dist/assets/${found[0]}`;
}

const bytes = (file: string) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;

/** A chunk with all that it imports statically, but for React. */
function withImports(name: string, seen = new Set<string>()): Set<string> {
  const file = asset(name);
  if (name === 'react' || name === 'index' || seen.has(file)) return seen;
  seen.add(file);
  for (const [, imported] of readFileSync(file, 'utf8').matchAll(
    /(?:from|import)\s*["'`]\.\/([\w.-]+?)-[\w-]{8}\.js["'`]/g,
  )) {
    withImports(imported!, seen);
  }
  return seen;
}

const sheetsOf = (name: string) =>
  assets.filter((file) => file.startsWith(`${name}-`) && file.endsWith('.css')).map((file) => `dist/assets/${file}`);

const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + bytes(file), 0);

test('the document, with all its styles, is at most 16 kB', () => {
  expect(bytes('dist/index.html')).toBeLessThanOrEqual(16 * KB);
});

/** What a server may send before it hears from the phone: ten packets. */
const FIRST_FLIGHT = 10 * 1460;

test('the document and its headers travel in the first flight', async () => {
  const server = createServer(openSite('dist')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n');
  let answer = 0;
  for await (const part of socket) answer += (part as Buffer).length;
  server.close();
  expect(answer).toBeGreaterThan(bytes('dist/index.html'));
  expect(answer).toBeLessThanOrEqual(FIRST_FLIGHT);
});

test('the loader is under 2 kB and imports nothing', () => {
  expect(bytes(asset('index'))).toBeLessThan(2 * KB);
  expect(readFileSync(asset('index'), 'utf8')).not.toMatch(/^import|[;}]import[{"' ]/);
  const html = readFileSync('dist/index.html', 'utf8');
  expect(html.match(/\/assets\/[\w-]+\.js/g)).toEqual([asset('index').replace('dist', '')]);
  expect(html).not.toMatch(/<script[^>]*src=|modulepreload/);
});

test('everything fetched before an island wakes is at most 30 kB', () => {
  const html = readFileSync('dist/index.html', 'utf8');
  const atOnce = html.replaceAll(/<img[^>]*loading="lazy"[^>]*>/g, '');
  const linked = [...atOnce.matchAll(/["'`](\/[\w./-]+\.(?:js|svg|woff2|webmanifest|css))[#"'`]/g)].map(
    ([, path]) => `dist${path}`,
  );
  expect(linked).toEqual(expect.arrayContaining([asset('index'), 'dist/hero-globe.svg', 'dist/manifest.webmanifest']));
  // A wide screen has the typeface at once.
  const fonts = readdirSync('dist', { recursive: true })
    .map((file) => `dist/${String(file)}`)
    .filter((file) => file.endsWith('.woff2'));
  // The call button is drawn without React.
  const idle = [...withImports('after-load'), ...withImports('start'), ...sheetsOf('voice-button')];
  expect(sum(new Set(['dist/index.html', ...linked, ...fonts, ...idle]))).toBeLessThanOrEqual(30 * KB);
});

const everythingKept = () =>
  [...readFileSync('dist/worker.js', 'utf8').matchAll(/["`]?url["`]?:\s*["`]([^"`]+)["`]/g)].map(([, url]) => url!);

test('what the worker keeps for a visit without signal is at most 320 kB', () => {
  expect(everythingKept().length).toBeGreaterThan(30);
  expect(sum(new Set(everythingKept().map((url) => `dist/${url}`)))).toBeLessThanOrEqual(320 * KB);
});

test('what it keeps for who saves data is at most 117 kB, and lacks nothing that a quote or its answer needs', () => {
  const least = everythingKept().filter((url) => isOfTheLeast({ url }));
  expect(sum(least.map((url) => `dist/${url}`))).toBeLessThanOrEqual(117 * KB);
  const parts = ['after-load', 'update', 'quote', 'CallBackNote', 'WeightHelper', 'receipt', 'phone', 'others'];
  const needed = [...parts, 'TrayDialog', 'Answers', 'keep-asking'].flatMap((name) => [
    ...withImports(name),
    ...sheetsOf(name),
  ]);
  const all = ['dist/index.html', 'dist/hero-globe.svg', asset('index'), asset('react'), ...needed];
  expect(least.map((url) => `dist/${url}`).toSorted()).toEqual([...new Set(all)].toSorted());
});

test('React is at most 62 kB', () => {
  expect(bytes(asset('react'))).toBeLessThanOrEqual(62 * KB);
});

test('the form with its rules, outbox and delivery is at most 20 kB besides React', () => {
  expect(sum(withImports('quote'))).toBeLessThanOrEqual(20 * KB);
});

test('the map with Leaflet is at most 46 kB besides React, its land 20 kB and its styles 3 kB', () => {
  const chunks = new Set([...withImports('NetworkMap'), ...withImports('MapView')]);
  const land = asset('land');
  expect(sum([...chunks].filter((chunk) => chunk !== land))).toBeLessThanOrEqual(46 * KB);
  expect(bytes(land)).toBeLessThanOrEqual(20 * KB);
  const sheets = assets.filter((file) => /^(MapView|NetworkMap|MapButtons)-[\w-]{8}\.css$/.test(file));
  // Of the map, and of its controls, which come before it.
  expect(sheets).toHaveLength(2);
  expect(sum(sheets.map((file) => `dist/assets/${file}`))).toBeLessThanOrEqual(3 * KB);
});

test('the icon designer, with its styles and its lazy part, is at most 10 kB besides React', () => {
  const styles = assets.filter((file) => /^page-[\w-]{8}\.css$/.test(file)).map((file) => `dist/assets/${file}`);
  expect(styles).toHaveLength(1);
  expect(sum([...withImports('page'), asset('zip'), ...styles])).toBeLessThanOrEqual(10 * KB);
});

test('the call button with all that it says is at most 10 kB besides React, and the library is not there unconfigured', () => {
  const widget = [...withImports('start'), ...withImports('VoiceWidget')];
  const styles = [...sheetsOf('voice-button'), ...sheetsOf('VoiceWidget')];
  expect(styles).toHaveLength(2);
  expect(sum(new Set([...widget, ...styles]))).toBeLessThanOrEqual(10 * KB);
  expect(assets.filter((file) => file.startsWith('vapi'))).toEqual([]);
});

test('the desk with React, supabase-js and its styles is at most 130 kB', () => {
  const files = readdirSync('dist/mesa').filter((name) => /\.(js|css)$/.test(name));
  expect(files).toHaveLength(2);
  expect(sum([`dist/${DESK}`, ...files.map((name) => `dist/mesa/${name}`)])).toBeLessThanOrEqual(130 * KB);
});

test('nothing of the desk is in a file of the site, in the worker’s list or open to search engines', () => {
  const texts = [...assets.map((name) => `assets/${name}`), 'index.html', 'worker.js', '404.html'];
  const scripts = texts.filter((name) => /\.(js|css|html)$/.test(name));
  expect(scripts.filter((name) => /desk_leads|mesa/.test(readFileSync(`dist/${name}`, 'utf8')))).toEqual([]);
  expect(everythingKept().filter((url) => url.includes('mesa'))).toEqual([]);
  const html = readFileSync(`dist/${DESK}`, 'utf8');
  expect(html).toContain('<meta name="robots" content="noindex" />');
  // Under the same policy as the rest of the site, which allows no script or style of its own in it.
  expect(html).not.toMatch(/<style|style=|<script(?![^>]* src="\/mesa\/)/);
  expect(readFileSync('dist/_headers', 'utf8')).toMatch(/^\/mesa\*\n {2}X-Robots-Tag: noindex$/m);
});

test('the worker is at most 18 kB', () => {
  expect(bytes('dist/worker.js')).toBeLessThanOrEqual(18 * KB);
});

test('the worker keeps the page as it was built: each file once, the documents under their own content', async () => {
  const { createHash } = await import('node:crypto');
  const worker = readFileSync('dist/worker.js', 'utf8');
  const list = [...worker.matchAll(/\{(?:"?revision"?:\s*(?:"(\w+)"|`(\w+)`|null),\s*)"?url"?:\s*["`]([^"`]+)["`]\}/g)];
  const kept = new Map(list.map(([, a, b, url]) => [url!, a ?? b]));
  expect(kept.size).toBe(list.length);
  for (const file of readdirSync('dist').filter((name) => name.endsWith('.html') && name !== DESK)) {
    expect(kept.get(file), file).toBe(
      createHash('md5')
        .update(readFileSync(`dist/${file}`))
        .digest('hex'),
    );
  }
  for (const file of assets.filter((name) => /\.(js|css)$/.test(name)))
    expect(kept.has(`assets/${file}`), file).toBe(true);
});
