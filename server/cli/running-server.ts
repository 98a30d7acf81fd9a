import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { announcedAddress, DirectoryInUse, readSecret, requireFree } from '../database/data-directory.ts';
import { plainFetch } from '../plain-fetch.ts';
import { createGate } from '../rest/identity.ts';
import type { Settings } from '../settings.ts';
import { localize } from '../language.ts';

/** So long a server may take to start, or a command to end. */
const PATIENCE = 30_000;
const NOT_RUNNING = localize({
  es: 'AeroPuente no está en marcha.',
  en: 'The AeroPuente server is not running.',
});

/**
 * `inside` where nobody has the directory open; else `running`: through the server that has it, which may be starting.
 * Another command that has it is waited for: it ends soon.
 */
export async function throughDirectoryOrServer<Result>(
  dataDir: string,
  inside: () => Promise<Result>,
  running: () => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    try {
      return await inside();
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
    }
    if (announcedAddress(dataDir)) return running();
    if (Date.now() > deadline)
      throw new Error(
        localize({
          es: `Otro proceso usa ${dataDir}, y no es un servidor de AeroPuente en marcha.`,
          en: `Another process is using ${dataDir}, but it is not a running AeroPuente server.`,
        }),
      );
    await wait(200);
  }
}

/** The server that has the data directory open, and a key that reads everything of it for a few minutes. */
export async function findRunningServer({
  dataDir,
  publishableKey,
}: Settings): Promise<{ address: string; key: string }> {
  const address = announcedAddress(dataDir);
  if (!address) throw new Error(NOT_RUNNING);
  requireOwn(address, dataDir);
  const secret = readSecret(dataDir);
  if (!secret) throw new Error(`The key of the running server is not in ${dataDir}.`);
  return { address, key: await createGate({ publishableKey, secret }).serviceKey() };
}

/** The archive of the whole database that the running server sends, while it arrives. */
export async function backupOfRunningServer(settings: Settings): Promise<Readable> {
  const { address, key } = await findRunningServer(settings);
  const response = await plainFetch(`${address}/backup`, { headers: { apikey: key } });
  // One of a release that knows no such address shows its page.
  if (!response.ok || !response.headers.get('content-type')?.includes('gzip'))
    throw new Error(`The running server gives no backup of itself (${response.status}): stop it, and ask again.`);
  return Readable.from(response.body!);
}

/** One that was killed leaves its address behind: nobody is there, or somebody else, who shall have no key. */
export function requireRunning(dataDir: string): void {
  try {
    requireFree(dataDir);
  } catch (error) {
    if (error instanceof DirectoryInUse) return;
    throw error;
  }
  throw new Error(NOT_RUNNING);
}

/** The key that reads everything goes to this machine, whatever somebody wrote into the file. */
function requireOwn(address: string, dataDir: string): void {
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  if (host === 'localhost' || own.some((each) => each.address === host)) return;
  throw new Error(`The address in ${dataDir} is not of this machine: "${address}". Start AeroPuente again.`);
}
