import { expect, onTestFinished, test, vi } from 'vitest';
import type { Backend } from '../../server/backend.ts';
import { createMeter } from '../../server/metrics.ts';
import { openOrRetry } from '../../server/reopening.ts';

test.each([true, false])('a reopened backend is announced, also if it opened first (%s)', async (opensFirst) => {
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
  const backend = await openOrRetry(open, createMeter(), 'data', 1);
  if (opensFirst) await expect.poll(() => backend.isOpen!()).toBe(true);
  backend.announce('http://localhost:4173');
  await expect.poll(() => addresses).toEqual(['http://localhost:4173']);
  await backend.close();
});
