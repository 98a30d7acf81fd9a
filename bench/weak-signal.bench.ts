import type { Browser, Page } from '@playwright/test';
import { launch } from '../build/browser.ts';
import { median, rounded, type Cell, type Measured, type Size } from './results.ts';
import { buildPages, serve } from './sites.ts';

export const title = 'Weak signal: 400 ms, 400 kbps, a processor four times as slow';

const RUNS = { whole: 3, smoke: 1 };
const line = (latency: number, bits: number) => ({
  offline: false,
  latency,
  downloadThroughput: bits / 8,
  uploadThroughput: bits / 8,
});
const LINES = { whole: line(400, 400_000), smoke: line(20, 20_000_000) };
const LONGEST = 40_000;

export async function measure(size: Size): Promise<Measured> {
  const { pages, remove } = size === 'whole' ? await buildPages() : { pages: { ours: 'dist' }, remove: async () => {} };
  const browser = await launch();
  try {
    const visits: Record<string, Record<string, Cell>[]> = {};
    for (let run = 0; run < RUNS[size]; run += 1)
      for (const [name, directory] of Object.entries(pages))
        (visits[name] ??= []).push(await visit(browser, directory, LINES[size]));
    return {
      tables: [
        {
          title: `Medians of ${RUNS[size]}`,
          note: 'Over CDP, real requests. The form takes a tap when pressing its empty button shows what is missing; it is pressed every tenth of a second from the first paint. Bytes: until then, without what a worker fetches for later.',
          figures: Object.fromEntries(Object.entries(visits).map(([name, own]) => [name, middle(own)])),
          plot: { file: 'weak-signal', measures: ['FCP, ms', 'the form takes a tap, ms'] },
        },
      ],
    };
  } finally {
    await browser.close();
    await remove();
  }
}

function middle(visits: readonly Record<string, Cell>[]): Record<string, Cell> {
  return Object.fromEntries(
    Object.keys(visits[0]!).map((what) => {
      const cells = visits.map(({ [what]: cell }) => cell!);
      const numbers = cells.filter((cell) => typeof cell === 'number');
      return [
        what,
        numbers.length === cells.length ? median(numbers) : cells.find((cell) => typeof cell === 'string')!,
      ];
    }),
  );
}

async function visit(browser: Browser, directory: string, weak: typeof LINES.whole): Promise<Record<string, Cell>> {
  const { address, stop } = await serve(directory);
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'es-MX' });
  try {
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', weak);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
    let bytes = 0;
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await watch(page);
    await page.goto(address, { waitUntil: 'commit' });
    // Answers nobody's call, if its script never comes: so it is asked for in the page's own time.
    const tapped = await page
      .waitForFunction(() => globalThis.tapTaken, undefined, { timeout: LONGEST })
      .then((found) => found.jsonValue())
      .catch(() => undefined);
    const fetched = bytes;
    await page.waitForLoadState('load');
    await page.waitForFunction(() => globalThis.paints.fcp > 0);
    const { fcp } = await page.evaluate(() => globalThis.paints);
    const figures = {
      'FCP, ms': rounded(fcp),
      'the form takes a tap, ms': tapped === undefined ? 'never, without script' : rounded(tapped),
      'kB until then': tapped === undefined ? '–' : rounded(fetched / 1000, 1),
    };
    const hasWorker = await page
      .waitForFunction(() => navigator.serviceWorker.controller, undefined, { timeout: LONGEST / 2 })
      .then(
        () => true,
        () => false,
      );
    await stop();
    await page.goto(address, { waitUntil: 'load' }).catch(() => undefined);
    const second =
      hasWorker &&
      (await page.waitForFunction(() => globalThis.paints?.fcp, undefined, { timeout: 10_000 }).catch(() => undefined));
    return {
      ...figures,
      'second visit, server dead: FCP, ms': second ? rounded(await second.jsonValue()) : 'no page',
    };
  } finally {
    await context.close();
    await stop();
  }
}

declare global {
  var paints: { fcp: number };
  /** When the form answered a tap. */
  var tapTaken: number | undefined;
}

const watch = (page: Page) =>
  page.addInitScript(() => {
    globalThis.paints = { fcp: 0 };
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') globalThis.paints.fcp = startTime;
    }).observe({ type: 'paint', buffered: true });
    // A form whose script is not there yet would leave the page.
    addEventListener('submit', (event) => event.preventDefault(), true);
    const pressing = setInterval(() => {
      if (!globalThis.paints.fcp) return;
      const form = document.querySelector<HTMLFormElement>('#reservar-espacio');
      const button = form?.querySelector<HTMLButtonElement>('button[type=submit]');
      if (!form || !button) return;
      if (form.querySelector('[aria-invalid=true]')) {
        globalThis.tapTaken = performance.now();
        clearInterval(pressing);
      } else {
        form.scrollIntoView({ behavior: 'instant' });
        button.click();
      }
    }, 100);
  });
