import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openLeads } from '../../server/cli/leads.ts';
import { readSettings } from '../../server/settings.ts';
import { sampleQuote } from '../integration/sample-quote.ts';
import { useOwnSettings } from '../own-settings.ts';
import { addressSaidBy } from '../said-address.ts';
import { judge, percentile, watchOthers } from './bounds.ts';

/**
 * `npm run soak`: phones that send quotes, first alone, then beside strangers who ask for everything and one who asks
 * four thousand times at once, then while the server is killed again and again. On this machine alone, and it ends.
 * What is lost or doubled fails it, and so do times beyond the bounds where the machine was quiet (bounds.ts).
 */
const { values } = parseArgs({
  options: {
    phones: { type: 'string', default: '200' },
    /** Of each of the first two parts. */
    seconds: { type: 'string', default: '10' },
    kills: { type: 'string', default: '20' },
  },
});
const PHONES = Number(values.phones);
const PART = Number(values.seconds) * 1000;
const KILLS = Number(values.kills);
const READERS = 50;
const PIPELINED = 4000;
/** Between two quotes of one phone. */
const PAUSE = 2000;
const LONGEST = 15_000;

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
const now = { attacked: false, over: false };

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

await start();
const everybody = [
  ...Array.from({ length: PHONES }, phone),
  ...Array.from({ length: 2 }, visitor),
  ...Array.from({ length: READERS }, reader),
  flooder(),
];
await wait(PAUSE);
await measure('phones alone', () => wait(PART), { hasBounds: true });
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
