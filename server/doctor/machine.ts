import { existsSync, readFileSync } from 'node:fs';
import { open, rm, statfs } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { databaseFolderIn } from '../database/data-directory.ts';
import { inMegabytes, sizeOf } from '../database/disk-space.ts';
import { nodeHealth } from '../node-version.ts';
import { UNIT, UNIT_OF_PACKAGE } from '../service/files.ts';
import { fault, PATIENCE, well, type Check } from './finding.ts';

const MEGABYTE = 1024 * 1024;

/** Hosts that say the time, and are the push services that alerts need. */
const PUSH_HOSTS = ['https://fcm.googleapis.com/', 'https://updates.push.services.mozilla.com/'];
/** Seconds by which a clock may differ: a session and a push signature allow minutes. */
const CLOCK = 60;

/** The clock against the dates of the push services, which also shows that they can be reached. */
export const clock: Check = async ({ fetch, now }) => {
  for (const host of PUSH_HOSTS) {
    const dated = await fetch(host, { method: 'HEAD', signal: AbortSignal.timeout(PATIENCE) })
      .then(({ headers }) => headers.get('date'))
      .catch(() => undefined);
    if (!dated) continue;
    const off = Math.round((now() - Date.parse(dated)) / 1000);
    if (Math.abs(off) <= CLOCK) return well({ es: `Reloj: bien (${off} s).`, en: `Clock: well (${off} s).` });
    return fault(
      { es: `Reloj: difiere ${off} s de la hora de internet.`, en: `Clock: ${off} s off the time of the internet.` },
      {
        es: 'apt-get install -y systemd-timesyncd && timedatectl set-ntp true',
        en: 'apt-get install -y systemd-timesyncd && timedatectl set-ntp true',
      },
    );
  }
  return fault(
    {
      es: 'Servicios de avisos: no se llega a ninguno, y no se pudo comparar el reloj.',
      en: 'Push services: none can be reached, and the clock could not be compared.',
    },
    {
      es: 'Permita salir por el puerto 443 (cortafuegos) y revise el DNS de esta máquina: /etc/resolv.conf',
      en: 'Allow this machine out on port 443 (firewall) and look at its DNS: /etc/resolv.conf',
    },
  );
};

/** Room that lets a day's backup and an upgrade's copy be made. */
const ROOM = 1024 * MEGABYTE;
const SLOW_MS = 50;

export const disk: Check = async ({ settings: { dataDir }, disk: measure }) => {
  const { free, syncMs } = await measure(dataDir);
  const database = databaseFolderIn(dataDir);
  const wanted = Math.max(ROOM, 3 * (existsSync(database) ? sizeOf(database) : 0));
  const [has, wants, ms] = [inMegabytes(free) / MEGABYTE, inMegabytes(wanted) / MEGABYTE, Math.round(syncMs)];
  if (free < wanted)
    return fault(
      { es: `Disco: ${has} MB libres; conviene tener ${wants}.`, en: `Disk: ${has} MB free; ${wants} are wanted.` },
      {
        es: `apt-get clean; journalctl --vacuum-size=200M; no borre nada dentro de ${database}`,
        en: `apt-get clean; journalctl --vacuum-size=200M; remove nothing in ${database}`,
      },
    );
  if (syncMs > SLOW_MS)
    return fault(
      { es: `Disco: lento, ${ms} ms para guardar 4 kB.`, en: `Disk: slow, ${ms} ms until 4 kB are kept.` },
      {
        es: 'Cada solicitud espera al disco: use uno de estado sólido, o uno local en lugar de uno de red.',
        en: 'Each quote waits for the disk: use a solid-state one, or a local one in place of a network’s.',
      },
    );
  return well({ es: `Disco: ${has} MB libres, ${ms} ms.`, en: `Disk: ${has} MB free, ${ms} ms.` });
};

/** Free bytes, and the median of nine writes. */
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

/** Bytes that serving takes at its most, without the files of quotes (record 30). */
const SERVING = 1200 * MEGABYTE;

export const memory: Check = async ({ settings: { dataDir, database }, memory: amount }) => {
  const folder = databaseFolderIn(dataDir);
  const stored = !database && existsSync(folder) ? sizeOf(folder) : 0;
  const [has, wants] = [amount(), SERVING + stored].map((bytes) => Math.round(bytes / MEGABYTE)) as [number, number];
  if (has >= wants) return well({ es: `Memoria: ${has} MB.`, en: `Memory: ${has} MB.` });
  return fault(
    {
      es: `Memoria: ${has} MB; con lo que hay guardado conviene tener ${wants}.`,
      en: `Memory: ${has} MB; with what is stored, ${wants} are wanted.`,
    },
    {
      es: `Dele más a la máquina, y después: aeropuente install --memory ${Math.ceil(wants / 1024)}G`,
      en: `Give the machine more, and then: aeropuente install --memory ${Math.ceil(wants / 1024)}G`,
    },
  );
};

/** Memory of the machine, or what its unit lets the service have. */
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

/** A log of npm, from when commands were given through it, names people. */
export const traces: Check = async ({ settings: { dataDir } }) => {
  const folder = path.join(dataDir, '.npm');
  if (!existsSync(folder)) return well({ es: 'Restos de npm: ninguno.', en: 'Traces of npm: none.' });
  return fault(
    {
      es: `${folder} contiene lo que se escribió en órdenes, también datos de personas.`,
      en: `${folder} has what was typed in commands, data of persons too.`,
    },
    { es: `rm -r ${folder}`, en: `rm -r ${folder}` },
  );
};
