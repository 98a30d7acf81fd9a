import { existsSync, readFileSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { databaseFolderIn } from '../database/data-directory.ts';
import { inMegabytes, sizeOf } from '../database/disk-space.ts';
import { nodeHealth } from '../node-version.ts';
import { UNIT, UNIT_OF_PACKAGE } from '../service/files.ts';
import { fault, REQUEST_TIMEOUT, well, type Check } from './finding.ts';

const MEGABYTE = 1024 * 1024;

/** Push services that alerts need. The dates of their responses are compared with this machine's clock. */
const PUSH_HOSTS = ['https://fcm.googleapis.com/', 'https://updates.push.services.mozilla.com/'];
/**
 * Maximum error of the clock in seconds. It is a safe limit, because sessions and push services accept an error of some
 * minutes.
 */
const MOST_DRIFT = 60;

/** Compares the clock with the push services, which also shows whether they can be reached. */
export const clock: Check = async ({ fetch, now }) => {
  for (const host of PUSH_HOSTS) {
    const dated = await fetch(host, { method: 'HEAD', signal: AbortSignal.timeout(REQUEST_TIMEOUT) })
      .then(({ headers }) => headers.get('date'))
      .catch(() => undefined);
    if (!dated) continue;
    const off = Math.round((now() - Date.parse(dated)) / 1000);
    if (Math.abs(off) <= MOST_DRIFT) return well({ es: `Reloj: bien (${off} s).`, en: `Clock: right (${off} s).` });
    return fault(
      { es: `Reloj: difiere ${off} s de la hora de internet.`, en: `Clock: ${off} s off internet time.` },
      {
        es: 'apt-get install -y systemd-timesyncd && timedatectl set-ntp true',
        en: 'apt-get install -y systemd-timesyncd && timedatectl set-ntp true',
      },
    );
  }
  return fault(
    {
      es: 'Servicios de avisos: ninguno responde, y no se pudo comparar el reloj.',
      en: 'Push services: none answers, and the clock could not be compared.',
    },
    {
      es: 'Permita salir por el puerto 443 (cortafuegos) y revise el DNS de esta máquina: /etc/resolv.conf',
      en: 'Allow outgoing port 443 (firewall) and check the DNS of this machine: /etc/resolv.conf',
    },
  );
};

/** Minimum number of free bytes, enough for a day's backup and the copy of an upgrade. */
const LEAST_FREE = 1024 * MEGABYTE;
const SLOW_MS = 50;

export const disk: Check = async ({ settings: { dataDir }, disk: measure }) => {
  const { free, syncMs } = await measure(dataDir);
  const database = databaseFolderIn(dataDir);
  const wanted = Math.max(LEAST_FREE, 3 * (existsSync(database) ? sizeOf(database) : 0));
  const [has, wants, ms] = [inMegabytes(free) / MEGABYTE, inMegabytes(wanted) / MEGABYTE, Math.round(syncMs)];
  if (free < wanted)
    return fault(
      {
        es: `Disco: ${has} MB libres; conviene tener ${wants}.`,
        en: `Disk: ${has} MB free; ${wants} are recommended.`,
      },
      {
        es: `apt-get clean; journalctl --vacuum-size=200M; no borre nada dentro de ${database}`,
        en: `apt-get clean; journalctl --vacuum-size=200M; delete nothing inside ${database}`,
      },
    );
  if (syncMs > SLOW_MS)
    return fault(
      { es: `Disco: lento, ${ms} ms para guardar 4 kB.`, en: `Disk: slow, ${ms} ms to store 4 kB.` },
      {
        es: 'Cada solicitud espera al disco: use uno de estado sólido, o uno local en lugar de uno de red.',
        en: 'Each quote waits for the disk: use a solid-state disk, or a local one instead of a network disk.',
      },
    );
  return well({ es: `Disco: ${has} MB libres, ${ms} ms.`, en: `Disk: ${has} MB free, ${ms} ms.` });
};

/** Measures free bytes, and the median duration of nine synced writes. */
export async function measureDisk(folder: string) {
  const { bavail, bsize } = await statfs(folder);
  const file = path.join(folder, `doctor-${process.pid}`);
  const handle = await open(file, 'w', 0o600);
  try {
    const times: number[] = [];
    for (let write = 0; write < 9; write += 1) {
      const began = performance.now();
      await handle.write(Buffer.alloc(4096));
      await handle.sync();
      times.push(performance.now() - began);
    }
    return { free: bavail * bsize, syncMs: times.toSorted((one, other) => one - other)[4]! };
  } finally {
    await handle.close();
    await rm(file);
  }
}

/** Maximum memory in bytes that the server needs, apart from attached files (decision record 30). */
const SERVING = 1200 * MEGABYTE;

export const memory: Check = async ({ settings: { dataDir, database }, memory: amount }) => {
  const folder = databaseFolderIn(dataDir);
  const stored = !database && existsSync(folder) ? sizeOf(folder) : 0;
  const [has, wants] = [amount(), SERVING + stored].map((bytes) => Math.round(bytes / MEGABYTE)) as [number, number];
  if (has >= wants) return well({ es: `Memoria: ${has} MB.`, en: `Memory: ${has} MB.` });
  return fault(
    {
      es: `Memoria: ${has} MB; para los datos guardados conviene tener ${wants}.`,
      en: `Memory: ${has} MB; ${wants} are recommended for the stored data.`,
    },
    {
      es: `Dele más memoria a la máquina y después: aeropuente install --memory ${Math.ceil(wants / 1024)}G`,
      en: `Give the machine more memory, then: aeropuente install --memory ${Math.ceil(wants / 1024)}G`,
    },
  );
};

/** Returns the memory of the machine, or the limit in the service's unit if that is lower. */
export function memoryHere(unit = existsSync(UNIT) ? UNIT : UNIT_OF_PACKAGE): number {
  const [, amount, scale] = (existsSync(unit) && /^MemoryMax=(\d+)([MG])$/m.exec(readFileSync(unit, 'utf8'))) || [];
  const most = amount ? Number(amount) * MEGABYTE * (scale === 'G' ? 1024 : 1) : Infinity;
  return Math.min(totalmem(), most);
}

export const node: Check = async ({ node: version }) => {
  const { vulnerabilities, safe, read } = nodeHealth(version);
  if (vulnerabilities.length === 0)
    return well({
      es: `Node ${version}: sin vulnerabilidades conocidas el ${read}.`,
      en: `Node ${version}: no vulnerabilities known on ${read}.`,
    });
  return fault(
    {
      es: `Node ${version}: vulnerabilidades conocidas.`,
      en: `Node ${version}: known vulnerabilities.`,
    },
    {
      es: `Instale Node ${safe} o posterior: docs/operar.md, "Un Node más nuevo".`,
      en: `Install Node ${safe} or newer: docs/operar.md, "Un Node más nuevo".`,
    },
    vulnerabilities.join(', '),
  );
};

/**
 * Looks for npm's logs. Earlier releases ran commands through npm, which logged them as typed, with names and e-mails.
 */
export const traces: Check = async ({ settings: { dataDir } }) => {
  const folder = path.join(dataDir, '.npm');
  if (!existsSync(folder)) return well({ es: 'Restos de npm: ninguno.', en: 'Traces of npm: none.' });
  return fault(
    {
      es: `${folder} contiene lo que se escribió en órdenes anteriores, también datos personales.`,
      en: `${folder} contains earlier commands as they were typed, with personal data.`,
    },
    { es: `rm -r ${folder}`, en: `rm -r ${folder}` },
  );
};
