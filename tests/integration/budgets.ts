import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { PrecacheEntry } from 'workbox-precaching';

// Limits for the size of the built site, compressed with Brotli as browsers receive it. Slow connections need them.

export const KB = 1000;
export const DESK = 'mesa.html';

export const builtAssets = () => readdirSync('dist/assets');

export function asset(name: string): string {
  const found = builtAssets().filter((file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file));
  if (found.length !== 1) throw new Error(`There are ${found.length} chunks ${name}.`);
  return `dist/assets/${found[0]}`;
}

export const bytes = (file: string) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size;

export const sum = (files: Iterable<string>) => [...files].reduce((total, file) => total + bytes(file), 0);

/** Returns a script chunk with its static imports, except React. */
export function withImports(name: string, seen = new Set<string>()): Set<string> {
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

export const sheetsOf = (...names: string[]) =>
  builtAssets()
    .filter((file) => file.endsWith('.css') && names.some((name) => new RegExp(`^${name}-[\\w-]{8}\\.`).test(file)))
    .map((file) => `dist/assets/${file}`);

/** Returns the path of the service worker that worker.js imports. */
export const builtWorker = () => `dist/worker/${readdirSync('dist/worker').find((name) => name.endsWith('.js'))!}`;

/** Returns the list of files that the service worker stores. The build has written this list into the worker. */
export const precacheList = (): readonly (PrecacheEntry & { readonly essential?: true })[] =>
  JSON.parse(/\[\{"\w+":[^\]]*"url":[^\]]*\]/.exec(readFileSync(builtWorker(), 'utf8'))![0]);

export const everythingKept = () => precacheList().map(({ url }) => url);

/** Returns the paths that the service worker stores even if the visitor saves data. */
export const leastKept = () => precacheList().flatMap(({ url, essential }) => (essential ? url : []));

/** Returns the files that the page requests before the visitor does anything. */
const linkedAtOnce = () =>
  [
    ...readFileSync('dist/index.html', 'utf8')
      .replaceAll(/<img[^>]*loading="lazy"[^>]*>/g, '')
      .matchAll(/["'`](\/[\w./-]+\.(?:js|svg|woff2|webmanifest|css))[#"'`]/g),
  ].map(([, path]) => `dist${path}`);

/** Returns script chunks with their imports, except those of the form, which are already loaded. */
const afterForm = (...names: string[]) =>
  [...new Set(names.flatMap((name) => [...withImports(name)]))].filter((file) => !withImports('form').has(file));

const fonts = () =>
  readdirSync('dist', { recursive: true })
    .map((file) => `dist/${String(file)}`)
    .filter((file) => file.endsWith('.woff2'));

/** Returns the desk's files that its document names ('at once'), or the files loaded later. */
const deskFiles = (when: 'at once' | 'later') =>
  readdirSync('dist/mesa')
    .filter((name) => /\.(js|css)$/.test(name))
    .filter((name) => readFileSync(`dist/${DESK}`, 'utf8').includes(`/mesa/${name}`) === (when === 'at once'))
    .map((name) => `dist/mesa/${name}`);

const deskPart = (name: string) => deskFiles('later').filter((file) => file.startsWith(`dist/mesa/${name}-`));

export interface Budget {
  readonly what: string;
  readonly most: number;
  readonly files: () => Iterable<string>;
}

export const BUDGETS: readonly Budget[] = [
  { what: 'the document, with all its styles', most: 16 * KB, files: () => ['dist/index.html'] },
  {
    what: 'everything that the landing page loads before React',
    // Decision records that raised this limit: 2, 5, 83, 84, 92, 107.
    most: 50.2 * KB,
    // The list also counts the font, which only wide screens load, and the call button, which works before React has
    // loaded.
    files: () => [
      'dist/index.html',
      ...linkedAtOnce(),
      ...fonts(),
      ...withImports('form'),
      ...sheetsOf('form', 'basis'),
      ...withImports('after-load'),
      ...withImports('start'),
      ...sheetsOf('voice-button'),
    ],
  },
  { what: 'the font file', most: 20 * KB, files: () => ['dist/fonts/barlow-condensed-600.woff2'] },
  { what: 'React', most: 62 * KB, files: () => [asset('react')] },
  // Decision records 84 and 102 raised this limit.
  { what: 'the form that stores quotes before React has loaded', most: 16.9 * KB, files: () => withImports('form') },
  {
    what: 'the part of the form that sends quotes',
    // Decision records that raised this limit: 2, 6, 34, 49, 50, 57, 84, 92, 105, 106.
    most: 13.85 * KB,
    files: () => afterForm('sending'),
  },
  {
    what: 'the form with the sending of quotes and the text of receipts, without React',
    // Decision records that raised this limit: 2, 9, 39, 48, 76, 83, 84, 92.
    most: 37.9 * KB,
    files: () => withImports('quote'),
  },
  {
    what: 'the map with Leaflet, without React and the outlines of land',
    // Decision record 92 raised this limit.
    most: 47.4 * KB,
    files: () => afterForm('NetworkMap', 'MapView').filter((file) => file !== asset('land')),
  },
  { what: 'the map’s outlines of land', most: 20 * KB, files: () => [asset('land')] },
  { what: 'the map’s styles', most: 3 * KB, files: () => sheetsOf('MapView', 'NetworkMap', 'MapButtons') },
  {
    what: 'the icon designer with its styles and its lazy part, without React',
    most: 10 * KB,
    files: () => [...withImports('page'), asset('zip'), ...sheetsOf('page')],
  },
  {
    what: 'the call button with its panel and texts, without React',
    // Decision record 92 raised this limit.
    most: 10.4 * KB,
    files: () => [...afterForm('start', 'VoiceWidget'), ...sheetsOf('voice-button'), ...sheetsOf('VoiceWidget')],
  },
  {
    what: 'the desk with React, supabase-js and its styles',
    // Decision records that raised this limit: 26, 34, 102, 103, 105, 106, 109, 110, 111.
    most: 171.9 * KB,
    files: () => [`dist/${DESK}`, ...deskFiles('at once')],
  },
  { what: 'the desk’s second factor', most: 4.7 * KB, files: () => deskPart('factor') },
  { what: 'the desk’s import of files', most: 8.7 * KB, files: () => deskPart('imports') },
  { what: 'the desk’s script for ONE Record files', most: 2.4 * KB, files: () => deskPart('one-record-file') },
  { what: 'the desk’s log of webhooks', most: 2.6 * KB, files: () => deskPart('WebhooksDialog') },
  // Decision records that raised this limit: 2, 6, 16, 28, 34, 50, 83, 102, 105, 107.
  { what: 'the service worker', most: 26.3 * KB, files: () => [builtWorker()] },
  {
    what: 'everything that the service worker stores if the visitor saves data',
    // Decision records that raised this limit: 2, 5, 83, 92, 102, 103, 105, 107.
    most: 148.8 * KB,
    files: () => leastKept().map((url) => `dist/${url}`),
  },
  {
    what: 'everything that the service worker stores for visits without signal',
    most: 320 * KB,
    files: () => everythingKept().map((url) => `dist/${url}`),
  },
];
