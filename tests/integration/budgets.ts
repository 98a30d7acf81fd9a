import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import type { PrecacheEntry } from 'workbox-precaching';
import { isOfTheLeast } from '../../sw/least.ts';

// Of the built site, as brotli: the bytes that travel. The figures are promises to people with one bar of signal.

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

/** A chunk with all that it imports statically, but for React. */
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

/** worker.js has its name alone. */
export const builtWorker = () => `dist/worker/${readdirSync('dist/worker').find((name) => name.endsWith('.js'))!}`;

/** The list that the build has put into the worker. */
export const precacheList = (): readonly PrecacheEntry[] =>
  JSON.parse(/\[\{"\w+":[^\]]*"url":[^\]]*\]/.exec(readFileSync(builtWorker(), 'utf8'))![0]);

export const everythingKept = () => precacheList().map(({ url }) => url);

/** What the document asks for before anybody has touched it. */
export const linkedAtOnce = () =>
  [
    ...readFileSync('dist/index.html', 'utf8')
      .replaceAll(/<img[^>]*loading="lazy"[^>]*>/g, '')
      .matchAll(/["'`](\/[\w./-]+\.(?:js|svg|woff2|webmanifest|css))[#"'`]/g),
  ].map(([, path]) => `dist${path}`);

const fonts = () =>
  readdirSync('dist', { recursive: true })
    .map((file) => `dist/${String(file)}`)
    .filter((file) => file.endsWith('.woff2'));

const deskFiles = () =>
  readdirSync('dist/mesa')
    .filter((name) => /\.(js|css)$/.test(name))
    .map((name) => `dist/mesa/${name}`);

export interface Budget {
  readonly what: string;
  readonly most: number;
  readonly files: () => Iterable<string>;
}

export const BUDGETS: readonly Budget[] = [
  { what: 'the document, with all its styles', most: 16 * KB, files: () => ['dist/index.html'] },
  {
    what: 'everything fetched before an island wakes',
    // 40.5 and not 30: what keeps a quote is there before it is needed (record 38).
    // And 0.1 for an internal page that is fetched again, for an idle moment where nothing moves, and for drafts of a tab
    // that another one has erased. And 0.1 for the key that goes to the next field,
    // and 0.15 for a worker that a weak line has not let come at first, or a press on the call button.
    // And 0.3 for whose words they are that a browser fills in again, and for a press that asks again for what was lost.
    // And 0.5 for workbox-window, which registers and follows the worker (record 37), and 0.8 for the toast of a press
    // before React has come, with its styles (record 38).
    most: 42.7 * KB,
    // A wide screen has the typeface at once; the call button is drawn without React.
    files: () => [
      'dist/index.html',
      ...linkedAtOnce(),
      ...fonts(),
      ...withImports('keeper'),
      ...sheetsOf('keeper'),
      ...withImports('after-load'),
      ...withImports('start'),
      ...sheetsOf('voice-button'),
    ],
  },
  { what: 'React', most: 62 * KB, files: () => [asset('react')] },
  // Nothing came to it that made 9.0 of it 9.03: the same modules in another order pack worse by that. 0.07 for a mark
  // that no older look at a slow disk takes away, and as much for the key of a phone's keyboard that goes to the next field;
  // 0.15 for a draft that the browser fills in again, and for a press while the form wakes. And 0.2 for who asks in it,
  // though the rest was changed, and for what nobody has confirmed. And 0.45 for a toast (record 38).
  { what: 'what keeps a quote before React has come', most: 10.05 * KB, files: () => [asset('keeper')] },
  {
    what: 'what sends it then',
    // 0.1 of it for the link that its sender closes (record 49), here and in the two below, and 0.2 for files that wait
    // behind everything else (record 52); 0.1, here and in what is kept for who saves data, so that a thousand that wait go
    // in half the time. And 0.1 for the version of the notice and a consent that is withdrawn (record 57), here, in the
    // form and, with a chunk more, the worker. And 0.05 for a page that was put aside, and for words on a quote that was
    // corrected too late. And 0.15, here, in the form and in the worker, for an acceptance that binds nobody.
    // 0.05, here and on the desk, for a key that must not be a bearer (record 68).
    // Claimed acceptances (record 73) take 0.1 here and in what is kept for who saves data, and 0.15 in the form.
    most: 12.15 * KB,
    files: () => [...withImports('sender')].filter((file) => !withImports('keeper').has(file)),
  },
  {
    what: 'the form with its rules, outbox, delivery and the words of its receipt, besides React',
    // Record 38, 0.1 for a reply whose quote the server has lost, 1.1 for what became of an offer (record 39) and 0.1
    // for what one shipment weighs, 0.1 for closing a link; of the two of the worker below record 35, and 39.
    // And 0.4 for contact data that are remembered (record 48).
    // And 0.1 for details that follow the quote, here and in the two of the worker, and 0.1 for what a call fills in.
    // And 0.2 for files; 0.1, here and in the two of the worker, for what an older database takes of a quote (record 77).
    // And 0.1 for a receipt, and a mark for the next visit, that wait for no slow disk.
    // And 0.1 because the names of files it loads differ from build to build, and weigh up to ten bytes more or less.
    // And 0.25 for the focus of what goes, for words under an id that others were sent by, and so that 'Borrar todo' takes
    // all of the form along. And 0.5, here and in what is kept for who saves data, for what came to the keeper,
    // and 0.2 for what became of an offer that another phone accepted. And 0.25 for the keeper's toast.
    most: 35.95 * KB,
    files: () => withImports('quote'),
  },
  {
    what: 'the map with Leaflet, besides React and its land',
    // 0.2 of it for its name, and for the focus of a button that was pressed before it came.
    most: 47.2 * KB,
    files: () => [...withImports('NetworkMap'), ...withImports('MapView')].filter((file) => file !== asset('land')),
  },
  { what: 'the map’s land', most: 20 * KB, files: () => [asset('land')] },
  { what: 'the map’s styles', most: 3 * KB, files: () => sheetsOf('MapView', 'NetworkMap', 'MapButtons') },
  {
    what: 'the icon designer, with its styles and its lazy part, besides React',
    most: 10 * KB,
    files: () => [...withImports('page'), asset('zip'), ...sheetsOf('page')],
  },
  {
    what: 'the call button with all that it says, besides React',
    most: 10 * KB,
    files: () => [
      ...withImports('start'),
      ...withImports('VoiceWidget'),
      ...sheetsOf('voice-button'),
      ...sheetsOf('VoiceWidget'),
    ],
  },
  {
    what: 'the desk with React, supabase-js and its styles',
    // Without what supabase-js has for sockets, which was 14; 'Alta', the figures of all requests and a locked desk
    // that counts are 4.
    // And 1.2 for what is shipped, 0.5 for what is attached; 0.2 so that a row answers before all of it is drawn.
    // 0.5 for a session that is its tab's alone, and for answers whose arrival nobody heard of.
    // 0.1 for what is written in a dialog, which Escape does not lose.
    // 0.2 so that the way back finds the row that was opened, and for who has come in the last minute.
    // And 0.5 for a clock that is wrong, for a saved answer whose request is on no list, and for what is written for one
    // end of an offer alone.
    // Claimed acceptances (record 73) take 0.2.
    most: 137.5 * KB,
    files: () => [`dist/${DESK}`, ...deskFiles()],
  },
  // 1 of it brings files while no page is open; 0.1 asks for documents by their revision (record 60).
  // 0.3 has the document ready for a press on the icon (record 62).
  // 0.05 for two files more of the internal pages, of which the loader, which everybody waits for, names fewer.
  // 0.05 for the names of files, as of the form, and as much for a document that who saves data does not fetch twice.
  // And 0.1 for words on a quote that was corrected too late, 0.1 for a notification that is pressed while a page loads,
  // and 0.15 for what is pushed of an answer that is not the first.
  // 0.35 for newer keys, a false sum, a claimed acceptance and a push of either form (records 68, 72, 73, 69).
  { what: 'the worker', most: 25.3 * KB, files: () => [builtWorker()] },
  {
    what: 'what the worker keeps for who saves data',
    // And 0.2 for the store of what a call fills in.
    // And 0.5 for files that wait, 0.1 for a late answer that undoes nothing, 0.1 so that a press is answered before all of
    // the shipment's form is drawn. And 0.2 for what keeps the focus and the place, and for notices in text of twice its size.
    // And 0.2 for a disk that cannot erase, which says so, and for details that another tab has erased.
    // And 0.1 for the focus of who closes a notice by keyboard, and 0.2 for a question that outlives the tab.
    // And 0.4 for what keeps the focus where something goes, and for all that an erasure takes along.
    // And 1.1 for what came to the keeper and the form, and for what a weak line has lost.
    // And 0.5 for workbox-window (record 37), and 0.15 for the keeper's toast.
    most: 136 * KB,
    files: () =>
      everythingKept()
        .filter((url) => isOfTheLeast({ url }))
        .map((url) => `dist/${url}`),
  },
  {
    what: 'what the worker keeps for a visit without signal',
    most: 320 * KB,
    files: () => everythingKept().map((url) => `dist/${url}`),
  },
];
