import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { offeredDictionary, successorsOf } from './dictionaries.ts';

interface Rule {
  readonly matches: (pathname: string) => boolean;
  readonly headers: [name: string, value: string][];
}

/** A file in one coding, with the headers that belong to this coding. */
interface Form {
  readonly coding: string;
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface Served {
  readonly pathname: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The shortest first, and as it is last. */
  readonly forms: readonly Form[];
  /** What differs from a file of an earlier release, by the sum of that one. */
  readonly deltas: Map<string, Form>;
  /** The path of those that come after it, of which this file is to be the dictionary. */
  readonly successors: string | undefined;
  /** Of a document: by what the worker's list knows it. */
  readonly revision: string;
}

export type Site = ((request: IncomingMessage, response: ServerResponse) => void) & {
  /** Path of the file for an address: without the words of a visitor. */
  pathOf(url: string): string | undefined;
  /** From now on who has the file of this sum is sent the difference. */
  offer(pathname: string, sum: string, delta: Buffer): void;
  /** From now on it is there too, as it is and packed: a file of an earlier release. */
  keep(pathname: string, content: Buffer, brotli: Buffer): void;
};

const CODINGS = { br: '.br', gzip: '.gz', identity: '' } as const;

const OF_DOCUMENTS = [
  'content-security-policy',
  'cross-origin-opener-policy',
  'permissions-policy',
  'referrer-policy',
] as const;

const TYPES: Readonly<Record<string, string>> = {
  avif: 'image/avif',
  css: 'text/css',
  html: 'text/html;charset=utf-8',
  ico: 'image/x-icon',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  webp: 'image/webp',
  woff2: 'font/woff2',
  xml: 'text/xml',
};

/**
 * The built site as a static host would serve it: precompressed, with the headers of its `_headers` file. It is read
 * whole and once, for it is small: a build beside it, or a file that goes away, shows with the next start. `filled`:
 * documents that are served with other words than they were built with, by their paths.
 */
export function openSite(directory: string, filled: Readonly<Record<string, string>> = {}): Site {
  if (!existsSync(path.join(directory, 'index.html'))) {
    throw new Error(`There is no built site in ${directory}: run "npm run build".`);
  }
  const rules = readRules(readFileSync(path.join(directory, '_headers'), 'utf8'));
  const files = readFiles(directory, rules);
  for (const [pathname, text] of Object.entries(filled)) files.set(pathname, filledDocument(pathname, text, rules));
  const notFound = files.get('/404.html')!;
  // Another release may have it in a minute, and the rules of what is there speak of years.
  const headersOfNothing = { ...notFound.headers, 'cache-control': 'no-store' };

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...headersOfNothing, allow: 'GET, HEAD' }).end();
      return;
    }
    const found = find(files, request.url ?? '/');
    const isWanted = readWishes(request.headers['accept-encoding'] ?? '');
    const { content, headers } =
      (isWanted('dcz') && found?.deltas.get(offeredDictionary(request.headers['available-dictionary']) ?? '')) ||
      formFor(isWanted, found ?? notFound);
    const etag = headers['etag']!;
    if (found && isHeld(request.headers['if-none-match'] ?? '', etag)) {
      response.writeHead(304, { ...found.headers, etag }).end();
      return;
    }
    const own = found ? { ...found.headers, ...dictionaryHeaders(found, request.url ?? '') } : headersOfNothing;
    // That a connection stays is understood: 47 bytes of the first flight would say so.
    if (!response.hasHeader('connection')) response.removeHeader('connection');
    response.writeHead(found ? 200 : 404, { ...own, ...headers }).end(content);
  };
  return Object.assign(serve, {
    pathOf: (url: string) => find(files, url)?.pathname,
    offer(pathname: string, sum: string, delta: Buffer) {
      if (!(pathname in filled)) files.get(pathname)?.deltas.set(sum, formOf(pathname, 'dcz', delta));
    },
    keep(pathname: string, content: Buffer, brotli: Buffer) {
      if (files.has(pathname)) return;
      const forms = [formOf(pathname, 'br', brotli), formOf(pathname, 'identity', content)];
      const headers = headersOf(pathname, rules);
      files.set(pathname, { pathname, headers, forms, deltas: new Map(), successors: undefined, revision: '' });
    },
  });
}

/** A document's address is kept for good only with the revision that it has now. */
function dictionaryHeaders({ successors, revision }: Served, url: string): Record<string, string> {
  if (!successors) return {};
  const header = { 'use-as-dictionary': `match="${successors}"` };
  if (!revision) return header;
  const asked = new URLSearchParams(url.replace(/^[^?]*/, '')).get('__WB_REVISION__');
  return asked === revision ? { ...header, 'cache-control': 'private, max-age=31536000, immutable' } : {};
}

/** The files of the site, by their paths. */
function readFiles(directory: string, rules: readonly Rule[]): Map<string, Served> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const all = new Set(names);
  // The first of these a static host reads and does not serve; the others are forms of what they stand beside.
  const isServed = (file: string) =>
    !/[/\\]_headers$/.test(file) && !(/\.(br|gz)$/.test(file) && all.has(file.slice(0, -3)));
  return new Map(
    names.filter(isServed).map((file) => {
      const pathname = `/${path.relative(directory, file).replaceAll(path.sep, '/')}`;
      const successors = successorsOf(pathname);
      const headers = headersOf(pathname, rules, successors);
      const revision = file.endsWith('.html') ? createHash('md5').update(readFileSync(file)).digest('hex') : '';
      return [pathname, { pathname, headers, forms: formsOf(file, all), deltas: new Map(), successors, revision }];
    }),
  );
}

function filledDocument(pathname: string, text: string, rules: readonly Rule[]): Served {
  const content = Buffer.from(text);
  const forms = [
    formOf(pathname, 'br', brotliCompressSync(content)),
    formOf(pathname, 'gzip', gzipSync(content)),
    formOf(pathname, 'identity', content),
  ];
  return {
    pathname,
    headers: headersOf(pathname, rules),
    forms,
    deltas: new Map(),
    successors: undefined,
    revision: '',
  };
}

function headersOf(pathname: string, rules: readonly Rule[], successors?: string): Record<string, string> {
  const own = rules.flatMap(({ matches, headers }) => (matches(pathname) ? headers : []));
  const vary = successors ? 'accept-encoding,available-dictionary' : 'accept-encoding';
  // Nothing here is so large that a part of it would be asked for: a Range is not heard, as HTTP allows.
  const headers: Record<string, string> = { vary, ...Object.fromEntries(own) };
  // A difference of a script is smaller than what only documents heed.
  if (/\/.+\/.+\.(?:js|css)$/.test(pathname)) for (const name of OF_DOCUMENTS) delete headers[name];
  return headers;
}

function formsOf(file: string, all: ReadonlySet<string>): Form[] {
  return Object.entries(CODINGS).flatMap(([coding, ending]) =>
    all.has(file + ending) ? [formOf(file, coding, readFileSync(file + ending))] : [],
  );
}

function formOf(pathname: string, coding: string, content: Buffer): Form {
  const headers = {
    'content-type': TYPES[path.extname(pathname).slice(1)] ?? 'application/octet-stream',
    'content-length': String(content.length),
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  };
  return { coding, content, headers };
}

function find(files: ReadonlyMap<string, Served>, url: string): Served | undefined {
  const pathname = decoded(url.replace(/[?#].*/s, '')).replace(/\/$/, '');
  return files.get(pathname) ?? files.get(`${pathname}.html`) ?? files.get(`${pathname}/index.html`);
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

/** Which codings are wanted more than not at all: https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3 */
function readWishes(acceptEncoding: string): (coding: string) => boolean {
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  return (coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}

/** The shortest of them. */
const formFor = (isWanted: (coding: string) => boolean, { forms }: Served): Form =>
  forms.find(({ coding }) => coding === 'identity' || isWanted(coding))!;

/** Whether the visitor has this very content already. */
function isHeld(tags: string, etag: string): boolean {
  return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/** `_headers` as Netlify and Cloudflare Pages read it: a path with an optional `*`, then indented headers. */
function readRules(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split('\n')) {
    if (!line.trim() || line.startsWith('#')) continue;
    if (/^\s/.test(line)) {
      const at = line.indexOf(':');
      rules.at(-1)?.headers.push([line.slice(0, at).trim().toLowerCase(), line.slice(at + 1).trim()]);
    } else {
      const [start, end] = line.trim().split('*') as [string, string?];
      const matches = (pathname: string) =>
        end === undefined
          ? pathname === start || pathname === `${start}index.html`
          : pathname.startsWith(start) && pathname.endsWith(end);
      rules.push({ matches, headers: [] });
    }
  }
  return rules;
}
