import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium } from '@playwright/test';
import lighthouse, { type Result } from 'lighthouse';
import { findChromium } from '../../build/browser.ts';
import { openSite } from '../../server/site.ts';
import type { Figures } from './run.ts';

export const title = 'Lighthouse, mobile, simulated slow 4G: median of three';

const RUNS = 3;
const HEAD = '<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Floor</title>';
const FLOOR = `<!doctype html><html lang="es">${HEAD}<h1>Reserva tu espacio hoy y llega a China en 17.5 horas</h1>`;

const AUDITS = {
  'FCP ms': 'first-contentful-paint',
  'LCP ms': 'largest-contentful-paint',
  'TBT ms': 'total-blocking-time',
  CLS: 'cumulative-layout-shift',
  'kB fetched': 'total-byte-weight',
} as const;

/** The page beside one that is nothing but a line of HTML: nothing on this machine can be faster than that. */
export async function measure(): Promise<Figures> {
  const floor = await mkdtemp(path.join(tmpdir(), 'aeropuente-floor-'));
  try {
    for (const file of ['index.html', '404.html']) await writeFile(path.join(floor, file), FLOOR);
    await writeFile(path.join(floor, '_headers'), '');
    return { landing: await median('dist'), 'HTML only': await median(floor) };
  } finally {
    await rm(floor, { recursive: true });
  }
}

async function median(directory: string): Promise<Figures[string]> {
  const server = createServer(openSite(directory)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `http://localhost:${(server.address() as AddressInfo).port}/`;
  const results: Result[] = [];
  for (let run = 0; run < RUNS; run += 1) results.push(await audit(address));
  server.close();
  server.closeAllConnections();

  const middle = (read: (result: Result) => number) => results.map(read).toSorted((a, b) => a - b)[(RUNS - 1) / 2]!;
  const categories = Object.values(results[0]!.categories).map(({ id, title: name }) => [
    name,
    Math.round(middle((result) => (result.categories[id]!.score ?? 0) * 100)),
  ]);
  const timings = Object.entries(AUDITS).map(([name, id]) => {
    const value = middle((result) => result.audits[id]?.numericValue ?? 0);
    return [name, name.startsWith('kB') ? Math.round(value / 100) / 10 : Math.round(value * 1000) / 1000];
  });
  if (directory === 'dist') tellWhatIsWrong(results);
  return Object.fromEntries([...categories, ...timings]) as Figures[string];
}

function tellWhatIsWrong(results: readonly Result[]): void {
  const counted = results.flatMap(({ categories }) => Object.values(categories).flatMap(({ auditRefs }) => auditRefs));
  const weighing = new Set(counted.filter(({ weight }) => weight > 0).map(({ id }) => id));
  const wrong = results
    .flatMap(({ audits }) => Object.values(audits))
    .filter(({ id, score, scoreDisplayMode }) => weighing.has(id) && scoreDisplayMode === 'binary' && score !== 1);
  for (const line of new Set(wrong.map((audited) => `${audited.id}: ${audited.title}`))) console.log(`- ${line}`);
}

/** A browser of its own for each run: nothing is cached, no worker is there. */
async function audit(address: string): Promise<Result> {
  const port = await freePort();
  const executablePath = await findChromium();
  const browser = await chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', `--remote-debugging-port=${port}`],
  });
  try {
    const found = await lighthouse(address, { port, output: 'json', logLevel: 'error' });
    if (!found) throw new Error('Lighthouse gave no result.');
    return found.lhr;
  } finally {
    await browser.close();
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
