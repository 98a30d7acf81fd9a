import { createHook } from 'node:async_hooks';
import dns from 'node:dns';
import { brotliCompressSync } from 'node:zlib';
import { expect, onTestFinished, test, vi } from 'vitest';
import { plainFetch } from '../../server/plain-fetch.ts';
import { serving } from './processes.ts';

/** Starts to count the decoders of `node:zlib` that Node creates. Returns a function that reads the count. */
function countDecoders(): () => number {
  let count = 0;
  const hook = createHook({
    init(_, type) {
      if (type === 'ZLIB') count += 1;
    },
  }).enable();
  onTestFinished(() => {
    hook.disable();
  });
  return () => count;
}

test.each<[string, string, Buffer]>([
  ['Brotli', 'br', brotliCompressSync('{}')],
  ['broken Brotli', 'br', Buffer.from([0xff, 0x01, 0x02])],
  ['gzip under the name X-GZIP', 'X-GZIP', Buffer.from([0xff])],
])('plainFetch refuses a response compressed with %s, and does not decode it', async (_, coding, bytes) => {
  const address = await serving((_request, response) => {
    response.writeHead(200, { 'content-encoding': coding }).end(bytes);
  });
  const { host } = new URL(address);
  const decoders = countDecoders();
  await expect(plainFetch(address)).rejects.toThrow(`${host} answered in ${coding}, which is not supported.`);
  expect(decoders()).toBe(0);
  // The counter works: Node’s own client creates a decoder.
  await (await fetch(address)).body!.cancel();
  expect(decoders()).toBeGreaterThan(0);
});

test.each(['POST', 'DELETE'])('plainFetch sends a %s unchanged, except the header Accept-Encoding', async (method) => {
  const requests: unknown[] = [];
  const address = await serving(async (request, response) => {
    const { url, headers } = request;
    const body = Buffer.concat(await request.toArray()).toString();
    requests.push([request.method, url, body, headers['accept-encoding'], headers['x-own']]);
    response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] }).end('{"é":1}');
  });
  const headers = { 'x-own': 'yes', 'accept-encoding': 'br' };
  const response = await plainFetch(new URL('/x?y=1', address), { method, headers, body: 'ñ' });
  expect(requests).toEqual([[method, '/x?y=1', 'ñ', 'identity', 'yes']]);
  expect([response.status, response.headers.getSetCookie()]).toEqual([201, ['a=1', 'b=2']]);
  expect(await response.json()).toEqual({ é: 1 });
});

test('plainFetch accepts a response that has no body', async () => {
  const address = await serving((_, response) => void response.writeHead(204).end());
  const response = await plainFetch(address, { method: 'DELETE' });
  expect([response.status, await response.text()]).toEqual([204, '']);
});

test('plainFetch refuses a redirect, and sends no request to the new URL', async () => {
  const requests: (string | undefined)[] = [];
  const address = await serving(({ url }, response) => {
    requests.push(url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  await expect(plainFetch(address)).rejects.toThrow('answered with a redirect (302), which is not followed');
  expect(requests).toEqual(['/']);
});

test('plainFetch names the server that it cannot reach, and obeys an abort signal', async () => {
  await expect(plainFetch('http://127.0.0.1:9')).rejects.toThrow('127.0.0.1:9 was not reached: connect ECONNREFUSED');
  const address = await serving((request, response) => {
    if (request.url === '/begun') response.writeHead(200).write('first');
  });
  const reason = new Error('no longer wanted');
  const patience = new AbortController();
  const silent = plainFetch(address, { signal: patience.signal });
  const begun = await plainFetch(`${address}/begun`, { signal: patience.signal });
  patience.abort(reason);
  await expect(silent).rejects.toBe(reason);
  await expect(begun.text()).rejects.toThrow();
});

test('plainFetch reaches localhost on a machine that cannot resolve that name', async () => {
  const address = await serving((_request, response) => void response.end('here'));
  vi.spyOn(dns, 'lookup').mockImplementation(() => {
    throw new Error('ENOTFOUND localhost');
  });
  const answer = await plainFetch(address.replace('127.0.0.1', 'localhost'));
  expect(await answer.text()).toBe('here');
});
