import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { closedBackend, type Backend } from '../../server/backend.ts';
import { createMeter } from '../../server/metrics.ts';
import { openOrRetry } from '../../server/reopening.ts';

test.each([true, false])('a backend opened at the second attempt prints its address (first %s)', async (opensFirst) => {
  for (const method of ['error', 'log'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
  onTestFinished(() => void vi.restoreAllMocks());
  const addresses: string[] = [];
  const announce = (address: string) => void addresses.push(address);
  const opened = { announce, close: async () => undefined } as Backend;
  let attempts = 0;
  const open = async () => {
    if ((attempts += 1) === 1) throw new Error('The disk is not there');
    return opened;
  };
  const backend = await openOrRetry(open, closedBackend(createMeter(), 0), 'data', 1);
  if (opensFirst) await expect.poll(() => backend.isOpen!()).toBe(true);
  backend.announce('http://localhost:4173');
  await expect.poll(() => addresses).toEqual(['http://localhost:4173']);
  await backend.close();
});

test('a server without its database accepts the proxies of TRUST_PROXY', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => log.mockRestore());
  const server = createServer(closedBackend(createMeter(), 1).serve).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  expect((await fetch(`http://127.0.0.1:${port}/healthz`, { headers })).status).toBe(503);
  expect(log).not.toHaveBeenCalled();
});
