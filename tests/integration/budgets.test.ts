import { readdirSync, readFileSync } from 'node:fs';
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
  precacheList,
  sheetsOf,
  sum,
  withImports,
} from './budgets.ts';
import { exchange, serving } from './processes.ts';

const assets = builtAssets();

test.each(BUDGETS)('the size of $what is at most $most bytes', ({ most, files }) => {
  const counted = new Set(files());
  expect(counted.size).toBeGreaterThan(0);
  expect(sum(counted)).toBeLessThanOrEqual(most);
});

/** Bytes of the ten TCP packets that a server may send before the phone’s first acknowledgement. */
const FIRST_FLIGHT = 10 * 1460;

test('the landing page and its response headers fit into the first ten TCP packets', async () => {
  const request = 'GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: br\r\n\r\n';
  const answer = await exchange(await serving(openSite('dist')), request);
  const whole = answer.indexOf('\r\n\r\n') + 4 + Number(/content-length: (\d+)/.exec(answer)![1]);
  expect(whole).toBeGreaterThan(bytes('dist/index.html'));
  expect(whole).toBeLessThanOrEqual(FIRST_FLIGHT);
});

test('the script that loads React is under 2.15 kB and imports no other file', () => {
  expect(bytes(asset('index'))).toBeLessThan(2.15 * KB);
  expect(readFileSync(asset('index'), 'utf8')).not.toMatch(/^import|[;}]import[{"' ]/);
  const html = readFileSync('dist/index.html', 'utf8');
  // The landing page links only two scripts: that of the form, which works without React, and the loader of React.
  const early = [asset('form'), asset('index')].map((file) => file.replace('dist', ''));
  expect(html.match(/\/assets\/[\w-]+\.js/g)?.toSorted()).toEqual(early.toSorted());
  expect(html).not.toMatch(/<script[^>]*src=/);
});

test('data saving limits the service worker to the files that quotes and answers need', () => {
  const parts = ['after-load', 'update', 'form', 'quote', 'WeightHelper', 'receipt', 'phone', 'others'];
  const needed = [...parts, 'TrayDialog', 'Answers', 'way-back', 'keep-asking'].flatMap((name) => [
    ...withImports(name),
    ...sheetsOf(name),
  ]);
  const all = [
    'dist/index.html',
    'dist/es.css',
    'dist/en-MX.css',
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

test('a build without Vapi keys does not contain the voice-call library', () => {
  expect(assets.filter((file) => file.startsWith('vapi'))).toEqual([]);
});

test('map, icon designer and voice call have their own style sheets, loaded only when needed', () => {
  // The map has two style sheets, because its controls load before the map.
  expect(sheetsOf('MapView', 'NetworkMap', 'MapButtons')).toHaveLength(2);
  expect(sheetsOf('IconDesigner', 'InternalPage')).toHaveLength(2);
  expect(sheetsOf('voice-button', 'VoiceWidget')).toHaveLength(2);
});

test('each script and style sheet of the desk has a size limit', () => {
  const limited = new Set(BUDGETS.flatMap(({ files }) => [...files()]));
  const built = readdirSync('dist/mesa').filter((name) => /\.(js|css)$/.test(name));
  expect(built.filter((name) => !limited.has(`dist/mesa/${name}`))).toEqual([]);
});

test('the public site contains no desk code, and search engines may not index the desk', () => {
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
  // The site’s Content-Security-Policy blocks inline scripts and styles.
  expect(html).not.toMatch(/<style|style=|<script(?![^>]* src="\/mesa\/)/);
  expect(readFileSync('dist/_headers', 'utf8')).toMatch(/^\/mesa\*\n {2}X-Robots-Tag: noindex$/m);
});

test('the service worker lists each file of the build once, HTML documents with a content hash', async () => {
  const { createHash } = await import('node:crypto');
  expect(readFileSync('dist/worker.js', 'utf8')).toBe(`importScripts('${builtWorker().slice('dist'.length)}');\n`);
  const list = precacheList();
  const revisions = new Map(list.map(({ url, revision }) => [url, revision]));
  expect(revisions.size).toBe(list.length);
  for (const file of readdirSync('dist').filter((name) => name.endsWith('.html') && name !== DESK)) {
    expect(revisions.get(file), file).toBe(
      createHash('md5')
        .update(readFileSync(`dist/${file}`))
        .digest('hex'),
    );
  }
  for (const file of assets.filter((name) => /\.(js|css)$/.test(name)))
    expect(revisions.has(`assets/${file}`), file).toBe(true);
});
