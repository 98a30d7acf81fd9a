import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';

/** What each file of the page and the worker imports, now or later: a path from the root, or a package. */
const imports = new Map(globSync('{src,sw}/**/*.{ts,tsx}', { exclude: ['**/*.d.ts'] }).map(readImports));

function readImports(file: string): [file: string, imported: string[]] {
  const source = readFileSync(file, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module;
  const requests = [
    ...staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])),
    ...dynamicImports.map(({ moduleRequest: { start, end } }) => source.slice(start + 1, end - 1)),
  ];
  const isOwn = (request: string) => request.startsWith('.');
  return [file, requests.map((request) => (isOwn(request) ? path.join(path.dirname(file), request) : request))];
}

/** Each import that such a file makes and that is not among the allowed, as a line that names both. */
function importsOf(files: string, isWrong: (imported: string) => boolean): string[] {
  const own = [...imports].filter(([file]) => file.startsWith(files));
  expect(own.length).toBeGreaterThan(0);
  return own.flatMap(([file, imported]) => imported.filter(isWrong).map((wrong) => `${file} imports ${wrong}`));
}

test('the words import nothing but words and what is configured', () => {
  expect(importsOf('src/content/', (imported) => !/^src\/(content\/|config\.ts$)/.test(imported))).toEqual([]);
});

const PARTS = ['quote', 'network', 'voice', 'designer', 'desk'];

/** What a quote is and how it is said: the desk reads it as its phone wrote it. None of it sends, keeps or shows. */
const READ_BY_THE_DESK = [
  'date-in-words',
  'describe-answer',
  'fields',
  'folio',
  'hand-off-code',
  'hand-off-text',
  'quote',
  'read-hand-off',
  'use-now',
].map((name) => `src/quote/${name}.ts`);

test.each(PARTS)('%s imports no other part of its kind', (part) => {
  const others = PARTS.filter((other) => other !== part).map((other) => `src/${other}/`);
  const isOthers = (imported: string) => others.some((other) => imported.startsWith(other));
  const isWrong = (imported: string) => isOthers(imported) && !(part === 'desk' && READ_BY_THE_DESK.includes(imported));
  expect(importsOf(`src/${part}/`, isWrong)).toEqual([]);
});

test('what the desk reads of a quote needs nothing of it that sends, keeps or shows', () => {
  const allowed = [...READ_BY_THE_DESK, 'src/quote/conversation.ts', 'src/quote/sending-state.ts'];
  const isWrong = (imported: string) => imported.startsWith('src/quote/') && !allowed.includes(imported);
  expect(READ_BY_THE_DESK.flatMap((file) => importsOf(file, isWrong))).toEqual([]);
});

test('the worker imports the outbox, the delivery and what they need, and no component, rule or sentence but its notifications', () => {
  const reached = new Set<string>();
  const reach = (file: string) => {
    if (reached.has(file)) return;
    reached.add(file);
    imports.get(file)?.forEach(reach);
  };
  globSync('sw/*.ts', { exclude: ['**/*.d.ts'] }).forEach(reach);
  const { include } = JSON.parse(readFileSync('sw/tsconfig.json', 'utf8')) as { include: string[] };
  const named = include.filter((file) => file.startsWith('../')).map((file) => file.slice('../'.length));
  expect([...reached].filter((name) => name.startsWith('src/')).toSorted()).toEqual(named.toSorted());
  expect(
    named.filter(
      (file) => !/^src\/(agreements|config|content\/(bilingual|notifications)|quote\/[\w-]+)\.ts$/.test(file),
    ),
  ).toEqual([]);
  const packages = [...reached].filter((name) => !/^(src|sw)\//.test(name) && !name.startsWith('workbox-'));
  expect(packages.toSorted()).toEqual(['@supabase/postgrest-js', 'idb']);
});

test.each([
  ['idb', 'src/quote/outbox-database.ts'],
  ['@supabase/supabase-js', 'src/desk/'],
  ['@supabase/postgrest-js', 'src/quote/delivery.ts'],
  ['@vapi-ai/web', 'src/voice/vapi.ts'],
  ['leaflet', 'src/network/'],
  ['react-leaflet', 'src/network/'],
])('%s is imported in %s alone', (name, place) => {
  const importers = [...imports].filter(([, imported]) => imported.includes(name)).map(([file]) => file);
  expect(importers.length).toBeGreaterThan(0);
  expect(importers.filter((file) => !file.startsWith(place))).toEqual([]);
});
