import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import about from '../package.json' with { type: 'json' };
import { addressPrintedBy } from '../tests/printed-address.ts';
import { scratchFolder } from '../tests/scratch.ts';
import { insert } from './asking.ts';
import { percentile, rounded, type Cell, type Measured, type Size } from './results.ts';

export const title = 'Durable: what waiting for the disk costs';

const SIZES = {
  whole: { alone: 500, phones: 100, each: 20, inserts: 10_000 },
  smoke: { alone: 5, phones: 4, each: 2, inserts: 0 },
};
/** Script that turns fsync off. Our server is compared with a second server that loads this script. */
const CARELESS =
  "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; fs.fsyncSync = () => {}; syncBuiltinESMExports();";
const AT_REST = 3000;

export async function measure(size: Size): Promise<Measured> {
  const ours = await measured(size, '');
  const careless = await measured(size, `--import data:text/javascript,${encodeURIComponent(CARELESS)}`);
  return {
    tables: [
      {
        title: 'npm start, with and without waiting for the disk',
        note: 'The server’s data are in the machine’s folder for temporary files, and requests are sent over HTTP. Inserts that wait for the disk at the same time share one sync. Memory is the resident memory after three seconds without a request.',
        figures: { ours, 'without waiting for the disk': careless },
        more: ['100 phones at once, answers a second'],
      },
    ],
  };
}

async function measured(size: Size, options: string): Promise<Record<string, Cell>> {
  const { alone, phones, each, inserts } = SIZES[size];
  const dataDir = await mkdtemp(path.join(size === 'smoke' ? scratchFolder() : tmpdir(), 'aeropuente-'));
  try {
    const first = await start(dataDir, options);
    const firstMemory = await memoryOf(first.child, size);
    await stop(first.child);
    const { child, origin, took } = await start(dataDir, options);
    const secondMemory = await memoryOf(child, size);
    const times: number[] = [];
    const agent = new Agent({ keepAlive: true });
    for (let count = 0; count < alone; count += 1) times.push(await insert(origin, agent));
    const began = performance.now();
    await Promise.all(Array.from({ length: phones }, () => phone(origin, each)));
    const rate = (phones * each) / ((performance.now() - began) / 1000);
    const left = Math.max(0, inserts - alone - phones * each);
    await Promise.all(Array.from({ length: 8 }, () => phone(origin, Math.ceil(left / 8))));
    const lastMemory = await memoryOf(child, size);
    agent.destroy();
    await stop(child);
    return {
      'insert alone, p50 ms': rounded(percentile(times, 0.5), 2),
      'insert alone, p95 ms': rounded(percentile(times, 0.95), 2),
      '100 phones at once, answers a second': rounded(rate),
      'second start, ms': rounded(took),
      'MB at rest after a first start': firstMemory,
      'MB at rest after a second start': secondMemory,
      'MB at rest after 10,000 inserts': inserts > 0 ? lastMemory : 'not in a smoke run',
    };
  } finally {
    await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function start(dataDir: string, options: string) {
  const limits = { RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_OVERALL: '0' };
  const env = { ...process.env, ...limits, PORT: '0', DATA_DIR: dataDir, NODE_OPTIONS: options };
  const began = performance.now();
  const [, ...parameters] = about.scripts.start.split(' ');
  const child = spawn(process.execPath, parameters, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const origin = await addressPrintedBy(child);
  return { child, origin, took: performance.now() - began };
}

async function stop(child: ChildProcess): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function memoryOf({ pid }: ChildProcess, size: Size): Promise<Cell> {
  if (process.platform !== 'linux') return 'read from /proc, which Linux alone has';
  if (size === 'whole') await wait(AT_REST);
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))!;
  return rounded(Number(kilobytes) / 1024);
}

async function phone(origin: string, count: number): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let sent = 0; sent < count; sent += 1) await insert(origin, agent);
  agent.destroy();
}
