import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { openSite } from '../../server/site.ts';
import {
  asset,
  BUDGETS,
  builtAssets,
  builtWorker,
  bytes,
  DESK,
  everythingKept,
  KB,
  leastKept,
  linkedAtOnce,
  precacheList,
  sheetsOf,
  sum,
  withImports,
} from './budgets.ts';

const assets = builtAssets();

test.each(BUDGETS)('$what: at most $most bytes', ({ most, files }) => {
  const counted = new Set(files());
  expect(counted.size).toBeGreaterThan(0);
  expect(sum(counted)).toBeLessThanOrEqual(most);
});

test('the face is at most 20 kB', () => {
  expect(bytes('dist/fonts/barlow-condensed-600.woff2')).toBeLessThanOrEqual(20 * KB);
});

/** What a server may send before it hears from the phone is ten packets. */
const FIRST_FLIGHT = 10 * 1460;

test('the document and its headers travel in the first flight', async () => {
  const server = createServer(openSite('dist')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n');
  // As a browser asks: the connection stays, and the answer ends where it says.
  let answer = Buffer.alloc(0);
  let whole = Infinity;
  for await (const part of socket) {
    answer = Buffer.concat([answer, part as Buffer]);
    const head = answer.indexOf('\r\n\r\n') + 4;
    whole = head + Number(/content-length: (\d+)/.exec(answer.toString('latin1', 0, head))![1]);
    if (answer.length >= whole) break;
  }
  server.closeAllConnections();
  server.close();
  expect(whole).toBeGreaterThan(bytes('dist/index.html'));
  expect(whole).toBeLessThanOrEqual(FIRST_FLIGHT);
});

test('the loader is under 2.15 kB and imports nothing', () => {
  expect(bytes(asset('index'))).toBeLessThan(2.15 * KB);
  expect(readFileSync(asset('index'), 'utf8')).not.toMatch(/^import|[;}]import[{"' ]/);
  const html = readFileSync('dist/index.html', 'utf8');
  // And, once half of the document is there, what keeps a quote.
  const early = [asset('form'), asset('index')].map((file) => file.replace('dist', ''));
  expect(html.match(/\/assets\/[\w-]+\.js/g)?.toSorted()).toEqual(early.toSorted());
  expect(html).not.toMatch(/<script[^>]*src=/);
});

test('what the document asks for at once is found, and what the worker keeps', () => {
  expect(linkedAtOnce()).toEqual(
    expect.arrayContaining([asset('index'), 'dist/hero-globe.svg', 'dist/manifest.webmanifest']),
  );
  expect(everythingKept().length).toBeGreaterThan(30);
});

test('what the worker keeps for who saves data lacks nothing that a quote or its answer needs', () => {
  const parts = ['after-load', 'update', 'form', 'quote', 'WeightHelper', 'receipt', 'phone', 'others'];
  const needed = [...parts, 'TrayDialog', 'Answers', 'keep-asking'].flatMap((name) => [
    ...withImports(name),
    ...sheetsOf(name),
  ]);
  const all = [
    'dist/index.html',
    'dist/hero-globe.svg',
    asset('index'),
    asset('react'),
    ...sheetsOf('basis'),
    ...needed,
  ];
  expect(
    leastKept()
      .map((url) => `dist/${url}`)
      .toSorted(),
  ).toEqual([...new Set(all)].toSorted());
});

test('the library of calls is not there unconfigured', () => {
  expect(assets.filter((file) => file.startsWith('vapi'))).toEqual([]);
});

test('the styles of map, designer and call are files of their own, the desk is two', () => {
  // Of the map, and of its controls, which come before it.
  expect(sheetsOf('MapView', 'NetworkMap', 'MapButtons')).toHaveLength(2);
  expect(sheetsOf('IconDesigner', 'InternalPage')).toHaveLength(2);
  expect(sheetsOf('voice-button', 'VoiceWidget')).toHaveLength(2);
  expect(readdirSync('dist/mesa').filter((name) => /\.(js|css)$/.test(name))).toHaveLength(2);
});

test('nothing of the desk is in a file of the site, in the worker’s list or open to search engines', () => {
  const texts = [
    ...assets.map((name) => `assets/${name}`),
    'index.html',
    builtWorker().slice('dist/'.length),
    '404.html',
  ];
  const scripts = texts.filter((name) => /\.(js|css|html)$/.test(name));
  expect(scripts.filter((name) => /desk_leads|mesa/.test(readFileSync(`dist/${name}`, 'utf8')))).toEqual([]);
  expect(everythingKept().filter((url) => url.includes('mesa'))).toEqual([]);
  const html = readFileSync(`dist/${DESK}`, 'utf8');
  expect(html).toContain('<meta name="robots" content="noindex" />');
  // Under the same policy as the rest of the site, which allows no script or style of its own in it.
  expect(html).not.toMatch(/<style|style=|<script(?![^>]* src="\/mesa\/)/);
  expect(readFileSync('dist/_headers', 'utf8')).toMatch(/^\/mesa\*\n {2}X-Robots-Tag: noindex$/m);
});

test('the worker keeps the page as it was built: each file once, the documents under their own content', async () => {
  const { createHash } = await import('node:crypto');
  expect(readFileSync('dist/worker.js', 'utf8')).toBe(`importScripts('${builtWorker().slice('dist'.length)}');\n`);
  const list = precacheList();
  const kept = new Map(list.map(({ url, revision }) => [url, revision]));
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
