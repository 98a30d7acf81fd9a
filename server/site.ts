import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import sirv from 'sirv';

interface Rule {
  readonly matches: (pathname: string) => boolean;
  readonly headers: [name: string, value: string][];
}

/** The built site as a static host would serve it: precompressed, with the headers of its `_headers` file. */
export function openSite(directory: string): (request: IncomingMessage, response: ServerResponse) => void {
  if (!existsSync(path.join(directory, 'index.html'))) {
    throw new Error(`There is no built site in ${directory}: run "npm run build".`);
  }
  const rules = readRules(readFileSync(path.join(directory, '_headers'), 'utf8'));
  const notFound = readFileSync(path.join(directory, '404.html'));
  const setHeaders = (response: ServerResponse, pathname: string) => {
    for (const { matches, headers } of rules) {
      if (matches(pathname)) for (const [name, value] of headers) response.setHeader(name, value);
    }
  };
  const serveFile = sirv(directory, { etag: true, brotli: true, gzip: true, extensions: ['html'], setHeaders });

  return (request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    const answerNotFound = () => {
      setHeaders(response, request.url ?? '/');
      // Another release may have it in a minute, and the rules of what is there speak of years.
      response
        .writeHead(404, { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' })
        .end(notFound);
    };
    // A static host reads it and does not serve it.
    if (/^\/_headers\b/.test(decoded(request.url ?? ''))) answerNotFound();
    else serveFile(request, response, answerNotFound);
  };
}

function decoded(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

/** `_headers` as Netlify and Cloudflare Pages read it: a path with an optional `*`, then indented headers. */
function readRules(text: string): Rule[] {
  const rules: Rule[] = [];
  for (const line of text.split('\n')) {
    if (!line.trim() || line.startsWith('#')) continue;
    if (/^\s/.test(line)) {
      const at = line.indexOf(':');
      rules.at(-1)?.headers.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
    } else {
      const [start, end] = line.trim().split('*') as [string, string?];
      const matches = (pathname: string) =>
        end === undefined ? pathname === start : pathname.startsWith(start) && pathname.endsWith(end);
      rules.push({ matches, headers: [] });
    }
  }
  return rules;
}
