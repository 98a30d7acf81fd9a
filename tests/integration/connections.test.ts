import { Agent, request as ask } from 'node:http';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { limitBodyTime, limitConnections, limitPerVisitor } from '../../server/connections.ts';
import { createAddressOf, createHttpServer, type NodeHandler } from '../../server/http.ts';
import { listening } from '../listening.ts';

// All IP addresses of 127.0.0.0/8 belong to this machine, so a test can simulate several visitors.

interface Given {
  readonly most?: number;
  readonly perAddress?: number;
  readonly body?: number;
  readonly trustedProxies?: number;
}

async function serve({ most = 100, perAddress = 100, body = 10_000, trustedProxies = 0 }: Given): Promise<number> {
  const addressOf = createAddressOf(trustedProxies);
  const read = limitPerVisitor(perAddress, addressOf, async (incoming, outgoing) => {
    for await (const _ of incoming);
    outgoing.end('read');
  });
  const server = createHttpServer({}, limitBodyTime(read, { body, part: body }));
  limitConnections(server, { most, perAddress: trustedProxies > 0 ? undefined : perAddress, addressOf });
  onTestFinished(() => server.close().closeAllConnections());
  return Number(new URL(await listening(server)).port);
}

const SLOW = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n';

async function open(port: number, from: string, words = ''): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: from });
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => {});
  await once(socket, 'connect');
  socket.write(words);
  return socket;
}

/** Returns the status of the response, or undefined if the server closed the connection. */
const statusOf = (port: number, from: string, agent?: Agent) =>
  new Promise<number | undefined>((resolve) => {
    ask({ port, host: '127.0.0.1', localAddress: from, ...(agent && { agent }) }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    })
      .on('error', () => resolve(undefined))
      .end();
  });

test('the server limits the connections of an IP address, and still serves other IP addresses', async () => {
  const port = await serve({ perAddress: 5 });
  const mine = await Promise.all(Array.from({ length: 5 }, () => open(port, '127.0.0.9', `${SLOW}\r\n`)));
  expect(await statusOf(port, '127.0.0.9')).toBeUndefined();
  expect(await statusOf(port, '127.0.0.8')).toBe(200);
  mine[0]!.destroy();
  await expect.poll(() => statusOf(port, '127.0.0.9')).toBe(200);
});

test('a server at its connection limit closes the longest idle connection for a new one', async () => {
  const port = await serve({ most: 3 });
  const agent = new Agent({ keepAlive: true });
  const oldest = await open(port, '127.0.0.2');
  expect(await statusOf(port, '127.0.0.3', agent)).toBe(200);
  const busy = await open(port, '127.0.0.4', `${SLOW}\r\n`);
  const gone = once(oldest, 'close');
  expect(await statusOf(port, '127.0.0.5')).toBe(200);
  await gone;
  busy.write('012345678');
  expect(String((await once(busy, 'data'))[0])).toContain('HTTP/1.1 200');
});

test('a request whose body arrives too slowly gets status 408', async () => {
  const port = await serve({ body: 50 });
  const socket = await open(port, '127.0.0.2', `${SLOW}\r\n0123`);
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 408 /);
});

test('a response may take longer than the time limit for request bodies', async () => {
  const slow: NodeHandler = (_incoming, outgoing) => void setTimeout(() => outgoing.end('late'), 200);
  const server = createHttpServer({}, limitBodyTime(slow, { body: 50, part: 50 }));
  onTestFinished(() => server.close().closeAllConnections());
  expect(await statusOf(Number(new URL(await listening(server)).port), '127.0.0.2')).toBe(200);
});

test('the server limits simultaneous requests of each visitor behind a trusted proxy', async () => {
  const port = await serve({ perAddress: 3, trustedProxies: 1 });
  const from = (visitor: string) => `${SLOW}x-forwarded-for: ${visitor}\r\n\r\n`;
  await Promise.all(Array.from({ length: 3 }, () => open(port, '127.0.0.1', from('203.0.113.9'))));
  const next = await open(port, '127.0.0.1', from('203.0.113.9'));
  expect(String((await once(next, 'data'))[0])).toMatch(/^HTTP\/1\.1 503 /);
  const other = await open(port, '127.0.0.1', `${from('203.0.113.8')}012345678`);
  expect(String((await once(other, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
});

test('a proxy on a private IP address has no limit of connections, even if not declared', async () => {
  const port = await serve({ perAddress: 3 });
  const words = `${SLOW}x-forwarded-for: 203.0.113.9\r\n\r\n`;
  await open(port, '127.0.0.1', words);
  await expect.poll(() => statusOf(port, '127.0.0.1')).toBe(200);
  const open5 = await Promise.all(Array.from({ length: 5 }, () => open(port, '127.0.0.1', words)));
  open5.at(-1)!.write('012345678');
  expect(String((await once(open5.at(-1)!, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
});
