import { networkInterfaces } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { announcedAddress, readSecret } from '../database/data-directory.ts';
import { createGate } from '../rest/identity.ts';
import type { Settings } from '../settings.ts';

const START_UP = 15_000;

/** The server that has the data directory open, and a key that reads everything of it for a few minutes. */
export async function findRunning(
  { dataDir, anonKey }: Settings,
  { patience = START_UP } = {},
): Promise<{ address: string; key: string }> {
  const deadline = Date.now() + patience;
  let address: string | undefined;
  while (!(address = announcedAddress(dataDir))) {
    if (patience === 0) throw new Error('The AeroPuente server is not running.');
    if (Date.now() > deadline)
      throw new Error(`Another process is using ${dataDir}, but it is not a running AeroPuente server.`);
    await wait(200);
  }
  requireOwn(address, dataDir);
  const secret = readSecret(dataDir);
  if (!secret) throw new Error(`The key of the running server is not in ${dataDir}.`);
  return { address, key: await createGate({ anonKey, secret }).serviceKey() };
}

/** The key that reads everything goes to this machine, whatever somebody wrote into the file. */
function requireOwn(address: string, dataDir: string): void {
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  if (host === 'localhost' || own.some((each) => each.address === host)) return;
  throw new Error(`The address in ${dataDir} is not of this machine: "${address}". Start AeroPuente again.`);
}
