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

/** Content of a file in one encoding, with its headers. */
interface Encoding {
  readonly coding: string;
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

interface ServedFile {
  readonly pathname: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Encodings, shortest first and uncompressed last. */
  readonly encodings: readonly Encoding[];
  /** Deltas from earlier versions of this file, by the hash of the earlier version. */
  readonly deltas: Map<string, Encoding>;
  /** URL pattern of later versions of this file. A browser unpacks their deltas with this file as the dictionary. */
  readonly successors: string | undefined;
  /** Revision of a document in the service worker's list of files. */
  readonly revision: string;
}

export type Site = ((request: IncomingMessage, response: ServerResponse) => void) & {
  /** Path of the file at a URL, for the log. */
  pathOf(url: string): string | undefined;
  /** Adds a delta for browsers that have the file with the hash `sum`. */
  offer(pathname: string, sum: string, delta: Buffer): void;
  add(pathname: string, content: Buffer, brotli: Buffer): void;
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
 * Serves the built site like a static host: compressed in advance, with the headers of its `_headers` file. All files
 * are read at the start. `filled`: texts that replace built documents, by path.
 */
export function openSite(directory: string, filled: Readonly<Record<string, string>> = {}): Site {
  if (!existsSync(path.join(directory, 'index.html'))) {
    throw new Error(`There is no built site in ${directory}: run "npm run build".`);
  }
  const rules = readRules(readFileSync(path.join(directory, '_headers'), 'utf8'));
  const files = readFiles(directory, rules);
  for (const [pathname, text] of Object.entries(filled)) files.set(pathname, filledDocument(pathname, text, rules));
  const notFound = files.get('/404.html')!;
  // An answer 404 must not be cached, because the next release may have the file.
  const notFoundHeaders = { ...notFound.headers, 'cache-control': 'no-store' };

  const serve = (request: IncomingMessage, response: ServerResponse) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { ...notFoundHeaders, allow: 'GET, HEAD' }).end();
      return;
    }
    const found = find(files, request.url ?? '/');
    const isAccepted = readAcceptEncoding(request.headers['accept-encoding'] ?? '');
    const { content, headers } =
      (isAccepted('dcz') && found?.deltas.get(offeredDictionary(request.headers['available-dictionary']) ?? '')) ||
      encodingFor(isAccepted, found ?? notFound);
    const etag = headers['etag']!;
    if (found && isCached(request.headers['if-none-match'] ?? '', etag)) {
      response.writeHead(304, { ...found.headers, etag }).end();
      return;
    }
    const own = found ? { ...found.headers, ...dictionaryHeaders(found, request.url ?? '') } : notFoundHeaders;
    // Node adds `connection: keep-alive` unless the header is removed. The header only repeats the default of HTTP, and
    // would cost 47 bytes of the first TCP packets.
    if (!response.hasHeader('connection')) response.removeHeader('connection');
    response.writeHead(found ? 200 : 404, { ...own, ...headers }).end(content);
  };
  return Object.assign(serve, {
    pathOf: (url: string) => find(files, url)?.pathname,
    offer(pathname: string, sum: string, delta: Buffer) {
      if (!(pathname in filled)) files.get(pathname)?.deltas.set(sum, encodingOf(pathname, 'dcz', delta));
    },
    add(pathname: string, content: Buffer, brotli: Buffer) {
      if (files.has(pathname)) return;
      const encodings = [encodingOf(pathname, 'br', brotli), encodingOf(pathname, 'identity', content)];
      const headers = headersOf(pathname, rules);
      files.set(pathname, { pathname, headers, encodings, deltas: new Map(), successors: undefined, revision: '' });
    },
  });
}

/**
 * Offers a file as the dictionary of its later versions. A document may be cached for good only under a URL that names
 * its current revision, because the content of its usual URL changes.
 */
function dictionaryHeaders({ successors, revision }: ServedFile, url: string): Record<string, string> {
  if (!successors) return {};
  const header = { 'use-as-dictionary': `match="${successors}"` };
  if (!revision) return header;
  const revisionInUrl = new URLSearchParams(url.replace(/^[^?]*/, '')).get('__WB_REVISION__');
  return revisionInUrl === revision ? { ...header, 'cache-control': 'private, max-age=31536000, immutable' } : {};
}

function readFiles(directory: string, rules: readonly Rule[]): Map<string, ServedFile> {
  const names = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
  const all = new Set(names);
  // `_headers` is only for static hosts. A compressed file has no URL of its own, because it is sent in place of the
  // uncompressed file.
  const isServed = (file: string) =>
    !/[/\\]_headers$/.test(file) && !(/\.(br|gz)$/.test(file) && all.has(file.slice(0, -3)));
  return new Map(
    names.filter(isServed).map((file) => {
      const pathname = `/${path.relative(directory, file).replaceAll(path.sep, '/')}`;
      const successors = successorsOf(pathname);
      const headers = headersOf(pathname, rules, successors);
      const revision = file.endsWith('.html') ? createHash('md5').update(readFileSync(file)).digest('hex') : '';
      return [
        pathname,
        { pathname, headers, encodings: encodingsOf(file, all), deltas: new Map(), successors, revision },
      ];
    }),
  );
}

function filledDocument(pathname: string, text: string, rules: readonly Rule[]): ServedFile {
  const content = Buffer.from(text);
  const encodings = [
    encodingOf(pathname, 'br', brotliCompressSync(content)),
    encodingOf(pathname, 'gzip', gzipSync(content)),
    encodingOf(pathname, 'identity', content),
  ];
  return {
    pathname,
    headers: headersOf(pathname, rules),
    encodings,
    deltas: new Map(),
    successors: undefined,
    revision: '',
  };
}

function headersOf(pathname: string, rules: readonly Rule[], successors?: string): Record<string, string> {
  const own = rules.flatMap(({ matches, headers }) => (matches(pathname) ? headers : []));
  const vary = successors ? 'accept-encoding,available-dictionary' : 'accept-encoding';
  // The header Accept-Ranges is not sent: HTTP allows a server to ignore Range, and the files are small.
  const headers: Record<string, string> = { vary, ...Object.fromEntries(own) };
  // Scripts and styles do not need the headers of documents, such as the content security policy, which would be longer
  // than a delta (a small update of the file).
  if (/\/.+\/.+\.(?:js|css)$/.test(pathname)) for (const name of OF_DOCUMENTS) delete headers[name];
  return headers;
}

function encodingsOf(file: string, all: ReadonlySet<string>): Encoding[] {
  return Object.entries(CODINGS).flatMap(([coding, ending]) =>
    all.has(file + ending) ? [encodingOf(file, coding, readFileSync(file + ending))] : [],
  );
}

function encodingOf(pathname: string, coding: string, content: Buffer): Encoding {
  const headers = {
    'content-type': TYPES[path.extname(pathname).slice(1)] ?? 'application/octet-stream',
    'content-length': String(content.length),
    etag: `"${createHash('sha256').update(content).digest('base64url').slice(0, 16)}"`,
    ...(coding !== 'identity' && { 'content-encoding': coding }),
  };
  return { coding, content, headers };
}

function find(files: ReadonlyMap<string, ServedFile>, url: string): ServedFile | undefined {
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

/** Reads Accept-Encoding (https://www.rfc-editor.org/rfc/rfc9110#section-12.5.3). */
function readAcceptEncoding(acceptEncoding: string): (coding: string) => boolean {
  const weights = new Map(
    acceptEncoding.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((each) => each.trim().toLowerCase());
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  return (coding) => (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}

const encodingFor = (isAccepted: (coding: string) => boolean, { encodings }: ServedFile): Encoding =>
  encodings.find(({ coding }) => coding === 'identity' || isAccepted(coding))!;

function isCached(tags: string, etag: string): boolean {
  return tags.split(',').some((tag) => ['*', etag].includes(tag.trim().replace(/^W\//, '')));
}

/** Parses `_headers` like Netlify and Cloudflare Pages: a path with an optional `*`, then indented headers. */
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
