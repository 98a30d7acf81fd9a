import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type IncomingHttpHeaders } from 'node:http';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { serveEarlier, offerDeltas, rememberRelease } from '../../server/deltas.ts';
import { createHttpServer, serveWith, type NodeHandler } from '../../server/http.ts';
import { openSite } from '../../server/site.ts';
import { listening } from '../listening.ts';
import { dataDirectory, exchange, startServer, temporaryDirectory } from './processes.ts';

interface WebHandler {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request with exactly these headers, which fetch() cannot do. Returns the raw response. */
function ask(address: string, place: string, { method = 'GET', ...headers }: Record<string, string> = {}) {
  return new Promise<WebHandler>((resolve, reject) => {
    const sending = request(address, { path: place, method, headers }, async (answer) => {
      const body = Buffer.concat((await answer.toArray()) as Buffer[]);
      resolve({ status: answer.statusCode!, headers: answer.headers, body });
    });
    sending.on('error', reject).end();
  });
}

async function serve(handle: NodeHandler): Promise<string> {
  const server = createHttpServer({}, handle);
  onTestFinished(() => server.close().closeAllConnections());
  return listening(server);
}

const decoded = ({ headers, body }: WebHandler) =>
  headers['content-encoding'] === 'br' ? brotliDecompressSync(body) : body;
const SCRIPT = `/assets/${readdirSync('dist/assets').find((name) => name.endsWith('.js'))!}`;
const FILES = { '/': 'index.html', '/mesa': 'mesa.html', '/mesa.html': 'mesa.html', '/not-there': '404.html' };

test('the site always serves whole files, and ignores Range headers', async () => {
  const address = await serve(openSite('dist'));
  const ranges = ['5-2', '2-1', '0-0', '-5', '5-', '0-1,4-5', '0-99999999999999999999', '99999999-', '-', 'x'];
  const values = [...ranges.map((range) => `bytes=${range}`), 'lines=1-2', '5-2', '\u00ff'];
  const files = {
    ...FILES,
    [SCRIPT]: SCRIPT,
    '/icons/icon-192.png': 'icons/icon-192.png',
    '/assets/no.js': '404.html',
  };
  for (const [place, file] of Object.entries(files))
    for (const range of values)
      for (const method of ['GET', 'HEAD'])
        for (const coding of ['br', 'identity']) {
          const answer = await ask(address, place, { method, range, 'accept-encoding': coding });
          const question = `${method} ${place} ${range} ${coding}`;
          const content = readFileSync(path.join('dist', file));
          expect(answer.status, question).toBe(file === '404.html' ? 404 : 200);
          expect(answer.headers, question).not.toHaveProperty('content-range');
          expect(answer.headers, question).not.toHaveProperty('accept-ranges');
          if (method === 'HEAD') expect(answer.body.length, question).toBe(0);
          else expect(decoded(answer).equals(content), question).toBe(true);
          if (method === 'GET') expect(answer.headers['content-length'], question).toBe(String(answer.body.length));
        }
});

test('every response has a Content-Security-Policy, even after an error', async () => {
  const breaking = `setTimeout(() => { throw new Error('María') }, 1); setTimeout(() => Promise.reject(new Error('María')), 1);`;
  const afterStart = `const log = console.log; console.log = (...said) => { log(...said); if (/is at/.test(said[0])) { ${breaking} } };`;
  const { server, address } = await startServer(await dataDirectory(), {
    LIMIT_BODY_BYTES: '1024',
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(afterStart)}`,
  });
  await expect
    .poll(() => server.errors)
    .toMatch(/^Error while outside a request at .*\nError while outside a request at .*\n$/);
  expect(server.errors).not.toContain('María');
  const post = (place: string, body: string) =>
    `POST ${place} HTTP/1.1\r\nhost: x\r\napikey: aeropuente-public\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
  const requests: [bytes: string, status: number][] = [
    ['GET / HTTP/1.1\r\nhost: x\r\n\r\n', 200],
    ['GET http://elsewhere.example/y HTTP/1.1\r\nhost: x\r\n\r\n', 404],
    ['OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['GET /%00%2e%2e/%ff HTTP/1.1\r\nhost: x\r\n\r\n', 404],
    ['DELETE / HTTP/1.1\r\nhost: x\r\n\r\n', 405],
    ['TRACE /rest/v1/quotes HTTP/1.1\r\nhost: x\r\n\r\n', 400],
    ['GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n', 200],
    ['GET /backup HTTP/1.1\r\nhost: x\r\n\r\n', 401],
    ['GET /rest/v1/quotes HTTP/1.1\r\nhost: x\r\n\r\n', 401],
    ['GET /auth/v1/user HTTP/1.1\r\nhost: x\r\n\r\n', 401],
    [post('/rest/v1/quotes', `"${'x'.repeat(2000)}"`), 413],
    ['GET / HTTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nhost: x\r\nexpect: a miracle\r\n\r\n', 417],
    [`GET / HTTP/1.1\r\nhost: x\r\nlong: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    ['no request at all\r\n\r\n', 400],
  ];
  for (const [bytes, status] of requests) {
    const received = await exchange(address, bytes);
    const line = bytes.slice(0, 60);
    expect(received, line).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(received, line).toMatch(/^x-content-type-options: nosniff\r$/im);
    expect(received, line).toMatch(/^content-security-policy: default-src 'none';.*frame-ancestors 'none'\r$/im);
  }
  expect((await ask(address, '/healthz')).status).toBe(200);
});

test('the site compresses a response only in an encoding that the client accepts', async () => {
  const address = await serve(openSite('dist'));
  const coded = async (accepted?: string) => {
    const answer = await ask(address, SCRIPT, accepted === undefined ? {} : { 'accept-encoding': accepted });
    return answer.headers['content-encoding'];
  };
  for (const accepted of ['br', 'gzip, deflate, br', 'BR', 'br;q=0.1', 'gzip;q=1.0, br; q=0.5', '*'])
    expect(await coded(accepted), accepted).toBe('br');
  for (const accepted of ['gzip', 'br;q=0, gzip', 'br;q=0, *', 'brrr, gzip'])
    expect(await coded(accepted), accepted).toBe('gzip');
  const none = [undefined, '', ...'br;q=0 brrr br;q=0.000 br;q=x xbr gzip;q=0 gzipped identity'.split(' ')];
  for (const accepted of none) expect(await coded(accepted), accepted ?? 'none').toBeUndefined();
  const gzipped = await ask(address, SCRIPT, { 'accept-encoding': 'gzip' });
  expect(gunzipSync(gzipped.body)).toEqual(readFileSync(path.join('dist', SCRIPT)));
});

test('a URL with campaign parameters gets the same document as the URL without them', async () => {
  const address = await serve(openSite('dist'));
  const marks = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'fbclid', 'gclid'];
  const { headers } = await ask(address, '/');
  expect(headers['no-vary-search']).toBe(`params=(${marks.map((mark) => `"${mark}"`).join(' ')})`);
  const marked = `/?${marks.map((mark) => `${mark}=x`).join('&')}`;
  const repeated = await ask(address, marked, { 'if-none-match': headers.etag! });
  expect([repeated.status, repeated.headers['no-vary-search']]).toEqual([304, headers['no-vary-search']]);
  // The desk reads the parameters of its URL, so its response must not allow caches to ignore any.
  expect((await ask(address, '/mesa')).headers['no-vary-search']).toBeUndefined();
});

test('a request gets 304 only if the browser has the current content', async () => {
  const address = await serve(openSite('dist'));
  const { headers } = await ask(address, '/', { 'accept-encoding': 'br' });
  const tag = headers.etag!;
  for (const tags of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
    const repeated = await ask(address, '/', { 'accept-encoding': 'br', 'if-none-match': tags });
    expect([repeated.status, repeated.body.length, repeated.headers.etag], tags).toEqual([304, 0, tag]);
    expect(repeated.headers['x-content-type-options']).toBe('nosniff');
  }
  for (const [tags, accepted] of Object.entries({ '"other"': 'br', [tag]: 'gzip', [tag.slice(1, -1)]: 'br' })) {
    const repeated = await ask(address, '/', { 'accept-encoding': accepted, 'if-none-match': tags });
    expect(repeated.status, `${tags} ${accepted}`).toBe(200);
  }
});

/** Serves a site whose files differ from those of the build. */
async function nextRelease() {
  const directory = temporaryDirectory();
  cpSync('dist', directory, { recursive: true });
  for (const name of ['index.html', SCRIPT.slice(1)]) {
    const file = path.join(directory, name);
    writeFileSync(file, `${readFileSync(file, 'utf8')}\n`);
    writeFileSync(`${file}.br`, brotliCompressSync(readFileSync(file)));
  }
  const site = openSite(directory);
  const folder = path.join(temporaryDirectory(), 'releases');
  await rememberRelease('dist', folder);
  await offerDeltas(site, directory, await rememberRelease(directory, folder));
  return { directory, address: await serve(site) };
}
const sumOf = (content: Buffer) => createHash('sha256').update(content).digest();
const offering = (content: Buffer, codings = 'gzip, br, dcz') => ({
  'accept-encoding': codings,
  'available-dictionary': `:${sumOf(content).toString('base64')}:`,
});

test('a browser with an earlier file gets only the difference to the new file', async () => {
  const { directory, address } = await nextRelease();
  const earlier = readFileSync(`dist${SCRIPT}`);
  const answer = await ask(address, SCRIPT, offering(earlier));
  expect(answer.headers).toMatchObject({
    'content-encoding': 'dcz',
    'content-type': 'text/javascript',
    vary: 'accept-encoding,available-dictionary',
  });
  expect(answer.body.subarray(8, 40).equals(sumOf(earlier))).toBe(true);
  expect(answer.body.length).toBeLessThan(200);
  const whole = zstdDecompressSync(answer.body.subarray(40), { dictionary: earlier });
  expect(whole.equals(readFileSync(path.join(directory, SCRIPT)))).toBe(true);
  const others = [
    offering(earlier, 'gzip, br'),
    offering(earlier, 'gzip, br, dcz;q=0'),
    offering(Buffer.from('another file')),
    { 'accept-encoding': 'br, dcz' },
    { 'accept-encoding': 'br, dcz', 'available-dictionary': '::' },
    { 'accept-encoding': 'br, dcz', 'available-dictionary': ':../../etc/passwd:' },
  ];
  for (const headers of others) {
    const plain = await ask(address, SCRIPT, headers);
    expect(plain.headers['content-encoding']).toBe('br');
    expect(decoded(plain).equals(whole)).toBe(true);
  }
});

test('a file of an earlier release is still served to pages that are open', async () => {
  const directory = temporaryDirectory();
  cpSync('dist', directory, { recursive: true });
  const earlier = readFileSync(`dist${SCRIPT}`);
  for (const ending of ['', '.br', '.gz']) rmSync(path.join(directory, SCRIPT + ending));
  const site = openSite(directory);
  const address = await serve(site);
  expect((await ask(address, SCRIPT)).status).toBe(404);
  await serveEarlier(site, ['dist']);
  const answer = await ask(address, SCRIPT, { 'accept-encoding': 'br' });
  expect(answer).toMatchObject({ status: 200, headers: { 'cache-control': 'public, max-age=31536000, immutable' } });
  expect(answer.headers['content-encoding']).toBe('br');
  expect(decoded(answer).equals(earlier)).toBe(true);
  expect((await ask(address, SCRIPT)).body.equals(earlier)).toBe(true);
  // A file of both releases is served from the present release.
  const document = await ask(address, '/index.html');
  expect(document.body.equals(readFileSync(path.join(directory, 'index.html')))).toBe(true);
});

test('the server keeps the files of three earlier releases', async () => {
  const [folder, release] = [path.join(temporaryDirectory(), 'releases'), temporaryDirectory()];
  const counts: number[] = [];
  // The folder `unfinished` simulates a start of the server that was interrupted.
  mkdirSync(path.join(folder, 'unfinished'), { recursive: true });
  writeFileSync(path.join(folder, 'unfinished/index.html.br'), 'old');
  for (const words of ['a', 'b', 'b', 'c', 'd', 'e', 'f']) {
    writeFileSync(path.join(release, 'index.html'), words);
    const earlier = await rememberRelease(release, folder);
    expect(earlier.flatMap((each) => readdirSync(each))).not.toContain('index.html.br');
    expect(earlier.map((each) => readFileSync(path.join(each, 'index.html'), 'utf8'))).not.toContain(words);
    counts.push(earlier.length);
  }
  expect(counts).toEqual([0, 1, 1, 2, 3, 3, 3]);
  expect(readdirSync(folder)).toHaveLength(4);
});

test('the header Use-As-Dictionary of a script names the later files that can be sent as differences', async () => {
  const address = await serve(openSite('dist'));
  const script = await ask(address, SCRIPT);
  const [, stem] = /^(.+)-[\w-]{8}\.js$/.exec(SCRIPT)!;
  expect(script.headers['use-as-dictionary']).toBe(`match="${stem}-*.js"`);
  const revision = createHash('md5').update(readFileSync('dist/index.html')).digest('hex');
  const named = await ask(address, `/index.html?__WB_REVISION__=${revision}`);
  expect(named.headers).toMatchObject({
    'use-as-dictionary': 'match="/index.html*"',
    'cache-control': 'private, max-age=31536000, immutable',
  });
  for (const place of ['/', '/index.html', `/index.html?__WB_REVISION__=${'0'.repeat(32)}`, '/?__WB_REVISION__=x']) {
    const answer = await ask(address, place);
    expect(answer.headers['cache-control'], place).toBe('no-cache');
    expect(answer.headers['use-as-dictionary'], place).toBe(undefined);
    expect(answer.headers['content-security-policy'], place).toBeDefined();
  }
});

test('a running server still serves every file after a new build has removed the files', async () => {
  const directory = path.join(temporaryDirectory(), 'dist');
  cpSync('dist', directory, { recursive: true });
  const address = await serve(openSite(directory));
  rmSync(directory, { recursive: true });
  const page = await ask(address, '/', { 'accept-encoding': 'identity' });
  expect([page.status, page.body.equals(readFileSync('dist/index.html'))]).toEqual([200, true]);
  expect((await ask(address, SCRIPT)).status).toBe(200);
});

test('an unexpected error gives status 500, and a line in the log without personal data', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const fail = () => {
    throw new TypeError('María asked\n    at her desk');
  };
  const failing: NodeHandler[] = [
    fail,
    async () => fail(),
    serveWith(async () => fail(), { trustedProxies: 0 }),
    serveWith(async () => new Response(new ReadableStream({ pull: fail })), { trustedProxies: 0 }),
  ];
  for (const handle of failing) {
    log.mockClear();
    const address = await serve(handle);
    const answer = await ask(address, '/rest/v1/quotes?nombre=eq.María'.replace('í', '%C3%AD'));
    expect([answer.status, JSON.parse(String(answer.body))]).toEqual([500, expect.objectContaining({ code: 'XX000' })]);
    expect(answer.headers).toMatchObject({ 'x-content-type-options': 'nosniff' });
    expect(log.mock.calls).toEqual([[expect.stringMatching(/^TypeError while answering at [^\n]*$/)]]);
    expect(String(log.mock.calls)).not.toMatch(/Mar|desk/);
  }
  // A response that has already begun cannot become a 500, so the server closes the connection.
  const address = await serve((_, outgoing) => {
    outgoing.write('half');
    fail();
  });
  await expect(ask(address, '/')).rejects.toThrow();
});
