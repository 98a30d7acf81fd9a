import { OperatorError } from '../language.ts';
import { networkInterfaces } from 'node:os';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { announcedAddress, DirectoryInUse, readSecret, requireFree } from '../database/data-directory.ts';
import { plainFetch } from '../plain-fetch.ts';
import { createGate } from '../rest/identity.ts';
import type { Settings } from '../settings.ts';

/** Milliseconds in which a server has to start, or a command to end. */
const START_TIMEOUT = 30_000;
const NOT_RUNNING = {
  es: 'AeroPuente no está en marcha.',
  en: 'The AeroPuente server is not running.',
};

/** Works in the data directory, or through the running server. Waits for another command or a start to end. */
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

/** Finds the server that has the data directory, and makes a key that reads everything for a few minutes. */
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

/** Streams an archive of the whole database from the running server. */
export async function backupOfRunningServer(settings: Settings): Promise<Readable> {
  const { address, key } = await findRunningServer(settings);
  const response = await plainFetch(`${address}/backup`, { headers: { apikey: key } });
  // An older release answers with a page.
  if (!response.ok || !response.headers.get('content-type')?.includes('gzip'))
    throw new OperatorError({
      es: `El servidor en marcha no entrega un respaldo (${response.status}): deténgalo y repita la orden.`,
      en: `The running server gives no backup (${response.status}): stop it and run the command again.`,
    });
  return Readable.from(response.body!);
}

/** Requires a server that lives: a killed one leaves an address, at which a stranger must not get the key. */
export function requireRunning(dataDir: string): void {
  try {
    requireFree(dataDir);
  } catch (error) {
    if (error instanceof DirectoryInUse) return;
    throw error;
  }
  throw new OperatorError(NOT_RUNNING);
}

/** Sends the key that reads everything to no other machine, whatever the file of the address says. */
function requireThisMachine(address: string, dataDir: string): void {
  const host = URL.canParse(address) ? new URL(address).hostname.replace(/^\[(.*)\]$/, '$1') : '';
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  if (host === 'localhost' || own.some((each) => each.address === host)) return;
  throw new OperatorError({
    es: `La dirección en ${dataDir} no es de esta máquina: "${address}". Reinicie AeroPuente.`,
    en: `The address in ${dataDir} is not of this machine: "${address}". Start AeroPuente again.`,
  });
}
