import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLeads } from '../../server/cli/leads.ts';
import { readSecret } from '../../server/database/data-directory.ts';
import { writePieces } from '../../server/database/durable-files.ts';
import { createGate } from '../../server/rest/identity.ts';
import { readSettings } from '../../server/settings.ts';
import { sampleQuote } from '../integration/sample-quote.ts';
import { useOwnSettings } from '../own-settings.ts';
import { addressSaidBy } from '../said-address.ts';
import { judge, percentile, watchOthers } from './bounds.ts';
import { FULL, storeFiles } from './full-store.ts';

/**
 * `npm run soak`: phones that send quotes to a server whose store of files is full, first alone, then beside backups
 * and connections that trickle a body, beside strangers who ask for everything and one who asks four thousand times at once, then while the server is killed
 * again and again. On this machine alone, and it ends. What is lost or doubled fails it, and so do times beyond the bounds
 * where the machine was quiet (bounds.ts), and a server that has more memory for a backup than it may.
 */
const { values } = parseArgs({
  options: {
    phones: { type: 'string', default: '200' },
    /** Seconds of each of the first three parts. */
    seconds: { type: 'string', default: '10' },
    kills: { type: 'string', default: '20' },
    /** Files of 10 MB in the store. */
    files: { type: 'string', default: String(FULL) },
  },
});
const PHONES = Number(values.phones);
const PART = Number(values.seconds) * 1000;
const KILLS = Number(values.kills);
const READERS = 50;
const PIPELINED = 4000;
/** Connections that send a byte of a body each half second. */
const SLOW = 200;
const TRICKLE = 500;
/** Between two quotes of one phone. */
const PAUSE = 2000;
const LONGEST = 15_000;
/** Megabytes that the server may have at most while it makes a backup. */
const MOST_MEMORY = 700;

interface Figures {
  readonly inserts: number[];
  readonly pages: number[];
  putOff: number;
}

useOwnSettings();
const dataDir = await mkdtemp(path.join(tmpdir(), 'aeropuente-'));
const acknowledged = new Set<string>();
const sent = new Set<string>();
let port = 0;
let server!: ChildProcess;
let figures: Figures = { inserts: [], pages: [], putOff: 0 };
const now = { slowed: false, attacked: false, over: false };

async function start(): Promise<void> {
  const env = {
    ...process.env,
    PORT: String(port),
    DATA_DIR: dataDir,
    RATE_LIMIT_PER_ADDRESS: '0',
    RATE_LIMIT_OVERALL: '0',
    LIMIT_CONNECTIONS_PER_ADDRESS: '100000',
  };
  server = spawn(process.execPath, ['server/main.ts'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  port = Number(new URL(await addressSaidBy(server)).port);
}

/** Status and milliseconds; 0 where nobody answered. */
function ask(method: string, place: string, agent: Agent, body?: object): Promise<{ status: number; took: number }> {
  const began = performance.now();
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, took: performance.now() - began });
    const headers = {
      apikey: 'aeropuente-public',
      ...(body && { 'content-type': 'application/json', prefer: 'resolution=ignore-duplicates,return=representation' }),
    };
    const asked = request({ port, method, path: place, agent, headers, timeout: LONGEST }, (answer) => {
      answer.resume();
      answer.on('end', () => end(answer.statusCode!));
      answer.on('error', () => end(0));
    });
    asked.on('error', () => end(0));
    asked.on('timeout', () => asked.destroy());
    asked.end(body && JSON.stringify(body));
  });
}

/** Keeps each quote until it is acknowledged, as the outbox does. */
async function phone(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await wait(Math.random() * PAUSE);
  while (!now.over) {
    const quote = sampleQuote();
    sent.add(quote.id);
    for (;;) {
      const { status, took } = await ask('POST', '/rest/v1/quotes?on_conflict=id', agent, quote);
      if (status === 201) {
        acknowledged.add(quote.id);
        figures.inserts.push(took);
        break;
      }
      figures.putOff += 1;
      if (now.over) break;
      await wait(500 + Math.random() * 500);
    }
    await wait(PAUSE * (0.5 + Math.random()));
  }
  agent.destroy();
}

async function visitor(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!now.over) {
    const { status, took } = await ask('GET', '/', agent);
    if (status === 200) figures.pages.push(took);
    await wait(50);
  }
  agent.destroy();
}

async function reader(): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!now.over) {
    if (now.attacked) await ask('GET', '/rest/v1/quotes?select=*&order=created_at', agent);
    else await wait(50);
  }
  agent.destroy();
}

async function flooder(): Promise<void> {
  const question = 'GET /rest/v1/quotes HTTP/1.1\r\nhost: x\r\napikey: aeropuente-public\r\n\r\n'.repeat(PIPELINED);
  while (!now.over) {
    await wait(50);
    if (!now.attacked) continue;
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(question));
      socket.setTimeout(LONGEST, () => socket.destroy());
      socket.on('data', () => {});
      socket.on('error', () => {});
      socket.on('close', () => resolve());
    });
  }
}

/** Connects again whenever the server has ended its connection. */
async function trickler(): Promise<void> {
  const head = 'POST /rest/v1/quotes HTTP/1.1\r\nhost: x\r\napikey: aeropuente-public\r\n';
  while (!now.over) {
    await wait(50);
    if (!now.slowed) continue;
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => socket.write(`${head}content-length: 1000\r\n\r\n`));
      const drip = setInterval(() => (now.slowed ? socket.write(' ') : socket.destroy()), TRICKLE);
      socket.on('data', () => {});
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(drip);
        resolve();
      });
    });
  }
}

let isBeyond = false;

/** What is killed meanwhile has no bounds but that nothing is lost. */
async function measure(name: string, work: () => Promise<unknown>, { hasBounds }: { hasBounds: boolean }) {
  figures = { inserts: [], pages: [], putOff: 0 };
  const shareOfOthers = watchOthers(server.pid!);
  await work();
  const { inserts, pages, putOff } = figures;
  const of = (times: readonly number[]) =>
    [0.5, 0.99].map((part) => `p${part * 100} ${Math.round(percentile(times, part))} ms`).join(', ');
  const row = [
    name.padEnd(26),
    `${inserts.length} stored, ${of(inserts)}, put off ${putOff}`,
    `${pages.length} pages, ${of(pages)}`,
  ];
  const verdict = hasBounds ? judge(figures, { seconds: PART / 1000, others: shareOfOthers() }) : undefined;
  isBeyond ||= verdict?.isBeyond === true;
  console.log([...row, ...(verdict ? [verdict.says] : [])].join(' · '));
}

/** Backups one after the other, as `npm run backup` asks for them. */
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
    console.log(`a backup of ${Math.round(megabytes)} MB in ${seconds.toFixed(1)} s`);
    await rm(file);
  } while (performance.now() < ends);
}

/** Most of the memory that the server had in megabytes, since the last look; undefined where the system does not say. */
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
const everybody = [
  ...Array.from({ length: PHONES }, phone),
  ...Array.from({ length: 2 }, visitor),
  ...Array.from({ length: READERS }, reader),
  flooder(),
  ...Array.from({ length: SLOW }, trickler),
];
await wait(PAUSE);
await measure('phones alone', () => wait(PART), { hasBounds: true });
await peakOfServer();
now.slowed = true;
await measure(`beside backups, ${SLOW} slow`, backUp, { hasBounds: true });
now.slowed = false;
const peak = await peakOfServer();
if (peak !== undefined) {
  const isMore = peak > MOST_MEMORY;
  isBeyond ||= isMore;
  console.log(`${peak} MB at most for them${isMore ? `: MORE THAN ${MOST_MEMORY} MB` : ''}`);
}
now.attacked = true;
await measure(`beside ${READERS + 1} attackers`, () => wait(PART), { hasBounds: true });
await measure(
  `and killed ${KILLS} times`,
  async () => {
    for (let kill = 0; kill < KILLS; kill += 1) {
      await wait(300 + Math.random() * 700);
      server.kill('SIGKILL');
      await once(server, 'exit');
      await start();
    }
  },
  { hasBounds: false },
);
now.over = true;
await Promise.all(everybody);
server.kill('SIGTERM');
await once(server, 'exit');

const leads = await openLeads(readSettings({ DATA_DIR: dataDir }), undefined);
const stored = await leads.list({});
await leads.close();
await rm(dataDir, { recursive: true });
const there = new Set(stored.map(({ id }) => id));
const lost = [...acknowledged].filter((id) => !there.has(id)).length;
// Each quote has an e-mail of its own, and a row keeps it under whatever id.
const doubled = stored.length - new Set(stored.map(({ email }) => email)).size;
const foreign = stored.filter(({ id }) => !sent.has(id)).length;
console.log(
  `${acknowledged.size} acknowledged, ${stored.length} stored: lost ${lost}, doubled ${doubled}, foreign ${foreign}`,
);
process.exit(lost + doubled + foreign === 0 && acknowledged.size > 0 && !isBeyond ? 0 : 1);
