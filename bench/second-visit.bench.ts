import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, BrowserContext } from '@playwright/test';
import { launch } from '../build/browser.ts';
import { percentile, rounded, type Cell, type Measured, type Size } from './results.ts';
import { serve, wordsOnly } from './sites.ts';

export const title = 'Second visit: from the press on the icon to the first paint, without a server';

const VISITS = { whole: 25, smoke: 1 };
const SLOWER = 4;

const NOTE = `Each time runs from the beginning of the navigation to the first contentful paint (FCP), so it includes the start of the worker. The screen has 360×740 pixels; the page’s processor is ${SLOWER} times as slow (a worker’s cannot be slowed). ‘Worker stopped’: the worker was stopped before the visit, as browsers do after days without a visit. A static route lets Chromium open the document without starting the worker; ‘without static routes’ is the same build as other browsers run it. ‘Words only’: the text of our document without drawing, script and styles, opened by a static route; hardly any page can be faster. The pages are measured in turns.`;

export async function measure(size: Size): Promise<Measured> {
  const [plain, floor] = await Promise.all([withoutRoutes(), openedByRoute()]);
  const browser = await launch();
  const phones: Record<string, Phone> = {};
  try {
    const sites = { ours: 'dist', 'words only': floor, 'without static routes': plain };
    for (const [name, directory] of Object.entries(sites)) phones[name] = await install(browser, directory);
    const paints: Record<string, { stopped: number[]; running: number[] }> = {};
    for (let turn = 0; turn < VISITS[size]; turn += 1)
      for (const [name, phone] of Object.entries(phones)) {
        const seen = (paints[name] ??= { stopped: [], running: [] });
        seen.stopped.push(await paintOf(phone, true));
        seen.running.push(await paintOf(phone, false));
      }
    const figures = Object.entries(paints).map(([name, { stopped, running }]) => [
      name,
      { ...of('worker stopped', stopped), ...of('worker running', running) },
    ]);
    return { tables: [{ title: `${VISITS[size]} visits`, note: NOTE, figures: Object.fromEntries(figures) }] };
  } finally {
    await browser.close();
    for (const copy of [plain, floor]) await rm(copy, { recursive: true });
  }
}

const of = (when: string, times: readonly number[]): Record<string, Cell> => ({
  [`${when}: FCP, p50 ms`]: rounded(percentile(times, 0.5)),
  [`${when}: FCP, p95 ms`]: rounded(percentile(times, 0.95)),
});

/** Copies our site, with a worker that sets no static routes. */
async function withoutRoutes(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'aeropuente-site-'));
  await cp('dist', directory, { recursive: true });
  const [name] = (await readdir(path.join(directory, 'worker'))).filter((each) => each.endsWith('.js'));
  const file = path.join(directory, 'worker', name!);
  const code = await readFile(file, 'utf8');
  const changed = code.replaceAll('addRoutes', 'noRoutes');
  if (changed === code) throw new Error(`${name} has no static routes to remove`);
  await writeFile(file, changed);
  for (const coding of ['.br', '.gz']) await rm(file + coding);
  return directory;
}

/** Makes a page that has only text and that opens from the cache by a static route. Hardly any page can open faster. */
async function openedByRoute(): Promise<string> {
  const directory = await wordsOnly();
  await writeFile(
    path.join(directory, 'worker.js'),
    `addEventListener('install', (event) => {
      event.addRoutes({ condition: { urlPattern: { pathname: '/' } }, source: { cacheName: 'opening' } });
      event.waitUntil(caches.open('opening').then((cache) => cache.add('/')).then(() => skipWaiting()));
    });
    addEventListener('activate', (event) => event.waitUntil(clients.claim()));`,
  );
  for (const coding of ['.br', '.gz']) await rm(path.join(directory, `worker.js${coding}`));
  return directory;
}

interface Phone {
  readonly context: BrowserContext;
  readonly address: string;
}

/**
 * Visits the page until its worker controls the page, then stops the server: the next visits must work without the
 * server.
 */
async function install(browser: Browser, directory: string): Promise<Phone> {
  const { address, stop } = await serve(directory);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'es-MX' });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: 'load' });
  await page.evaluate(() => void navigator.serviceWorker.register('/worker.js'));
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.close();
  await stop();
  return { context, address };
}

async function paintOf({ context, address }: Phone, isStopped: boolean): Promise<number> {
  const page = await context.newPage();
  try {
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    if (isStopped) await session.send('ServiceWorker.stopAllWorkers');
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await page.goto(address, { waitUntil: 'load' });
    return await page.evaluate(
      () =>
        new Promise<number>((resolve) =>
          new PerformanceObserver((list) => {
            for (const { name, startTime } of list.getEntries())
              if (name === 'first-contentful-paint') resolve(startTime);
          }).observe({ type: 'paint', buffered: true }),
        ),
    );
  } finally {
    await page.close();
  }
}
