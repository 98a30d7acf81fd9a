import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLeads } from '../../server/cli/leads.ts';
import { readSecret } from '../../server/database/data-directory.ts';
import { writePieces } from '../../server/database/durable-files.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readSettings } from '../../server/settings.ts';
import { asInsert, INSERT, sampleQuote } from '../integration/sample-quote.ts';
import { useOwnSettings } from '../own-settings.ts';
import { addressPrintedBy } from '../printed-address.ts';
import { FULL, storeFiles } from './full-store.ts';

/**
 * `npm run soak`: phones send quotes to a server whose file store is full: first without other load, then during
 * backups, then while the server is killed repeatedly. Fails if a quote is lost or stored twice, or if a backup takes
 * too much memory.
 */
const { values } = parseArgs({
  options: {
    phones: { type: 'string', default: '200' },
    /** Seconds of each of the first two phases. */
    seconds: { type: 'string', default: '10' },
    kills: { type: 'string', default: '20' },
    files: { type: 'string', default: String(FULL) },
  },
});
const PHONES = Number(values.phones);
const PART = Number(values.seconds) * 1000;
const KILLS = Number(values.kills);
/** Pause of a phone between two quotes, in milliseconds. */
const PAUSE = 2000;
const LONGEST = 15_000;
/** Maximum number of megabytes of memory that the server may use during a backup. */
const MOST_MEMORY = 700;

useOwnSettings();
const dataDir = await mkdtemp(path.join(tmpdir(), 'aeropuente-'));
const acknowledged = new Set<string>();
const sent = new Set<string>();
let port = 0;
let server!: ChildProcess;
let figures = { stored: 0, retried: 0 };
const now = { over: false };

async function start(): Promise<void> {
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_OVERALL: '0',
  };
  server = spawn(process.execPath, ['server/main.ts'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  port = Number(new URL(await addressPrintedBy(server)).port);
}

/** Simulates a phone that sends each quote again until the server acknowledges the quote. */
async function phone(): Promise<void> {
  await wait(Math.random() * PAUSE);
  while (!now.over) {
    const quote = sampleQuote();
    sent.add(quote.id);
    for (;;) {
      const request = { ...asInsert(quote), signal: AbortSignal.timeout(LONGEST) };
      const answer = await fetch(`http://127.0.0.1:${port}${INSERT}`, request).catch(() => undefined);
      const isRead = await answer?.text().then(
        () => true,
        () => false,
      );
      if (isRead && answer?.status === 201) {
        acknowledged.add(quote.id);
        figures.stored += 1;
        break;
      }
      figures.retried += 1;
      if (now.over) break;
      await wait(500 + Math.random() * 500);
    }
    await wait(PAUSE * (0.5 + Math.random()));
  }
}

async function phase(name: string, work: () => Promise<unknown>): Promise<void> {
  figures = { stored: 0, retried: 0 };
  await work();
  console.log(`${name}: ${figures.stored} stored, ${figures.retried} retried`);
}

/** Downloads backup after backup, with the same request as `aeropuente backup`. */
async function backUp(): Promise<void> {
  const gate = createGate({ publishableKey: 'aeropuente-public', secret: readSecret(dataDir)! });
  const ends = performance.now() + PART;
  do {
    const began = performance.now();
    const headers = { apikey: await gate.serviceKey() };
    const { body } = await fetch(`http://127.0.0.1:${port}/backup`, { headers });
    const file = path.join(dataDir, `${began}.tar.gz`);
    await writePieces(file, body!);
    const [seconds, megabytes] = [(performance.now() - began) / 1000, (await stat(file)).size / 1024 ** 2];
    console.log(`backup of ${Math.round(megabytes)} MB in ${seconds.toFixed(1)} s`);
    await rm(file);
  } while (performance.now() < ends);
}

/** Returns the server’s peak memory in megabytes since the last call; undefined if the system does not report it. */
async function peakOfServer(): Promise<number | undefined> {
  try {
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
    // https://man7.org/linux/man-pages/man5/proc_pid_clear_refs.5.html
    await writeFile(`/proc/${server.pid}/clear_refs`, '5');
    return Math.round(Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)![1]) / 1024);
  } catch {
    return undefined;
  }
}

for (const id of await storeFiles(dataDir, Number(values.files))) {
  sent.add(id);
  acknowledged.add(id);
}
await start();
const phones = Array.from({ length: PHONES }, phone);
await wait(PAUSE);
await phase('phones alone', () => wait(PART));
await peakOfServer();
await phase('beside backups', backUp);
const peak = (await peakOfServer()) ?? 0;
console.log(`memory during backups: ${peak} MB at most, ${MOST_MEMORY} allowed`);
await phase(`killed ${KILLS} times`, async () => {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await wait(300 + Math.random() * 700);
    server.kill('SIGKILL');
    await once(server, 'exit');
    await start();
  }
});
now.over = true;
await Promise.all(phones);
server.kill('SIGTERM');
await once(server, 'exit');

const leads = await openLeads(readSettings({ DATA_DIR: dataDir }), undefined);
const stored = await leads.list({});
await leads.close();
await rm(dataDir, { recursive: true });
const there = new Set(stored.map(({ id }) => id));
const lost = [...acknowledged].filter((id) => !there.has(id)).length;
// Each quote has its own e-mail address, so two rows with one address are a quote stored twice.
const doubled = stored.length - new Set(stored.map(({ email }) => email)).size;
const foreign = stored.filter(({ id }) => !sent.has(id)).length;
console.log(
  `${acknowledged.size} acknowledged, ${stored.length} stored: lost ${lost}, doubled ${doubled}, foreign ${foreign}`,
);
process.exit(lost + doubled + foreign === 0 && acknowledged.size > 0 && peak <= MOST_MEMORY ? 0 : 1);
