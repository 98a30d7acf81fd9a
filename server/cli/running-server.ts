import { OperatorError } from '../language.ts';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { announcedAddress, DirectoryInUse, readSecret, requireFree } from '../database/data-directory.ts';
import { plainFetch } from '../plain-fetch.ts';
import { createGate } from '../rest/identity.ts';
import type { Settings } from '../settings.ts';

/** Milliseconds to wait until a server has started or another command has ended. */
const START_TIMEOUT = 30_000;
const NOT_RUNNING = {
  es: 'AeroPuente no está en marcha.',
  en: 'The AeroPuente server is not running.',
};

/**
 * Works directly in the data directory, or through a running server. Waits while another command or a starting server
 * uses the directory.
 */
export async function throughDirectoryOrServer<Result>(
  dataDir: string,
  throughDirectory: () => Promise<Result>,
  throughServer: () => Promise<Result>,
): Promise<Result> {
  const deadline = Date.now() + START_TIMEOUT;
  for (;;) {
    try {
      return await throughDirectory();
    } catch (error) {
      if (!(error instanceof DirectoryInUse)) throw error;
    }
    if (announcedAddress(dataDir)) return throughServer();
    if (Date.now() > deadline)
      throw new OperatorError({
        es: `Otro proceso usa ${dataDir}, y no es un servidor de AeroPuente en marcha.`,
        en: `Another process is using ${dataDir}, but it is not a running AeroPuente server.`,
      });
    await wait(200);
  }
}

/** Finds the server that uses the data directory, and makes a service key that is valid for a few minutes. */
export async function findRunningServer({
  dataDir,
  publishableKey,
}: Settings): Promise<{ address: string; key: string }> {
  const address = announcedAddress(dataDir);
  if (!address) throw new OperatorError(NOT_RUNNING);
  requireThisMachine(address, dataDir);
  const secret = readSecret(dataDir);
  if (!secret)
    throw new OperatorError({
      es: `La llave del servidor en marcha no está en ${dataDir}.`,
      en: `The key of the running server is not in ${dataDir}.`,
    });
  return { address, key: await createGate({ publishableKey, secret }).serviceKey() };
}

export async function backupOfRunningServer(settings: Settings): Promise<Readable> {
  const { address, key } = await findRunningServer(settings);
  const response = await plainFetch(`${address}/backup`, { headers: { apikey: key } });
  // A server of an older release answers with a web page instead of a backup.
  if (!response.ok || !response.headers.get('content-type')?.includes('gzip'))
    throw new OperatorError({
      es: `El servidor en marcha no entrega un respaldo (${response.status}): deténgalo y repita la orden.`,
      en: `The running server gives no backup (${response.status}): stop it and run the command again.`,
    });
  return Readable.from(response.body!);
}

/**
 * Throws if no server is running. A killed server leaves its address behind, and another program at that address would
 * receive the key.
 */
export function requireRunning(dataDir: string): void {
  try {
    requireFree(dataDir);
  } catch (error) {
    if (error instanceof DirectoryInUse) return;
    throw error;
  }
  throw new OperatorError(NOT_RUNNING);
}

/** Refuses an address of another machine, which must not receive the service key. */
function requireThisMachine(address: string, dataDir: string): void {
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  if (host === 'localhost' || own.some((each) => each.address === host)) return;
  throw new OperatorError({
    es: `La dirección en ${dataDir} no es de esta máquina: "${address}". Reinicie AeroPuente.`,
    en: `The address in ${dataDir} is not of this machine: "${address}". Start AeroPuente again.`,
  });
}
