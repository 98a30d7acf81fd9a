import type { Browser, BrowserContext, Page } from '@playwright/test';
import { rm } from 'node:fs/promises';
import { launch } from '../build/browser.ts';
import type { Fault } from '../tests/e2e/service.ts';
import { ask } from './asking.ts';
import { Line } from './line.ts';
import { percentile, rounded, type Cell, type Measured, type Size } from './results.ts';
import { buildPages, buildPeer, queueFolders, QUEUES, serve, type QueueFolder } from './sites.ts';

export const title = 'Tap to receipt: how soon a visitor reads a word';

const SIZES = {
  whole: {
    asks: 200,
    touches: 40,
    lines: ['online', 'offline', 'dead link'],
    peers: queueFolders,
  },
  smoke: { asks: 1, touches: 2, lines: ['dead link'], peers: ['workbox'] as QueueFolder[] },
};
const SLOWER = 4;
/** After that a visitor has heard nothing. */
const LONGEST = 3000;
/** For the presses on one line, and for touching one page: a busy machine does fewer, and the table says how many. */
const LONGEST_TURN = 40_000;

const LINES: Readonly<Record<string, { readonly isOffline?: boolean; readonly fault?: Fault }>> = {
  online: {},
  offline: { isOffline: true },
  'dead link': { fault: { kind: 'hang' } },
};

export async function measure(size: Size): Promise<Measured> {
  const { asks, touches, peers } = SIZES[size];
  const browser = await launch();
  const directories = await Promise.all(peers.map(buildPeer));
  const { pages, remove } = size === 'whole' ? await buildPages() : { pages: { ours: 'dist' }, remove: async () => {} };
  try {
    const words: Record<string, Record<string, Cell>> = { ours: await times(browser, 'dist', size, ours) };
    for (const [at, name] of peers.entries()) words[QUEUES[name]] = await times(browser, directories[at]!, size, peer);
    const interactions: Record<string, Record<string, Cell>> = {};
    for (const [name, directory] of Object.entries(pages)) {
      if (name !== 'HTML only') interactions[name] = await touchEverything(browser, directory, touches);
    }
    return {
      tables: [
        {
          title: `From the press to the word, up to ${asks} times, a processor ${SLOWER} times as slow, ms`,
          note: 'Ours checks the form, writes to disk and draws a receipt with its folio. The peers have no form and draw nothing: theirs is the time until their page knows what to say, and only that.',
          figures: words,
          more: Object.keys(LINES).map((name) => `${name}, presses`),
        },
        {
          title: `Touching everything, a processor ${SLOWER} times as slow`,
          note: `Each button, summary, field and link within the page, up to ${touches}, pressed in the order in which they stand. INP as the browser’s events have it: the longest of so few.`,
          figures: interactions,
          more: ['pressed'],
        },
      ],
    };
  } finally {
    await browser.close();
    await remove();
    await Promise.all(directories.map((directory) => rm(directory, { recursive: true })));
  }
}

interface Asked {
  readonly isReady: () => boolean;
  /** The milliseconds until the page has a word; endless where none comes. */
  readonly press: (page: Page, name: string) => Promise<number>;
}

const ours: Asked = { isReady: () => navigator.serviceWorker.controller !== null, press: ask };
const peer: Asked = { isReady: () => 'ask' in globalThis, press: askPeer };

function askPeer(page: Page, nombre: string): Promise<number> {
  return page.evaluate(
    async ({ name, longest }) => {
      const { ask: press, words } = globalThis as unknown as {
        ask: (quote: object) => Promise<void>;
        words: Record<string, string>;
      };
      const pressed = performance.now();
      void press({ nombre: name, empresa: 'P', email: 'p@p.mx', telefono: '1', peso: 1, tipo_carga: 'general' });
      while (!words[name]) {
        if (performance.now() - pressed > longest) return Number.POSITIVE_INFINITY;
        await new Promise((resolve) => setTimeout(resolve, 1));
      }
      return performance.now() - pressed;
    },
    { name: nombre, longest: LONGEST },
  );
}

async function times(
  browser: Browser,
  directory: string,
  size: Size,
  { isReady, press }: Asked,
): Promise<Record<string, Cell>> {
  const { asks, lines } = SIZES[size];
  const figures: Record<string, Cell> = {};
  for (const name of lines) {
    const { isOffline = false, fault } = LINES[name]!;
    const line = new Line(directory);
    await line.up();
    const context = await browser.newContext({ locale: 'es-MX', viewport: { width: 360, height: 740 } });
    try {
      const page = await slowPage(context);
      await page.goto(line.origin);
      await page.waitForFunction(isReady);
      // The first wakes what sleeps: it is not counted, as no second visit has it.
      await press(page, 'first');
      if (fault) line.fault = fault;
      await context.setOffline(isOffline);
      const took: number[] = [];
      const until = performance.now() + LONGEST_TURN;
      const isOver = () => took.length === asks || performance.now() > until;
      // A page that says nothing twice says nothing two hundred times.
      while (!isOver() && took.filter((one) => !Number.isFinite(one)).length < 2)
        took.push(await press(page, `Banco ${took.length}`));
      figures[`${name}, presses`] = took.length;
      for (const share of [0.5, 0.95]) {
        const time = percentile(took, share);
        figures[`${name}, p${share * 100}`] = Number.isFinite(time) ? rounded(time) : `no word in ${LONGEST / 1000} s`;
      }
    } finally {
      await context.close();
      await line.down();
    }
  }
  return figures;
}

async function slowPage(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  return page;
}

const TOUCHED = 'button, summary, input, select, textarea, a[href^="#"]';

async function touchEverything(browser: Browser, directory: string, most: number): Promise<Record<string, Cell>> {
  const { address, stop } = await serve(directory);
  const context = await browser.newContext({ locale: 'es-MX', viewport: { width: 360, height: 740 } });
  try {
    const page = await slowPage(context);
    await page.addInitScript(() => {
      const longest: Record<number, number> = {};
      Object.assign(globalThis, { longest });
      new PerformanceObserver((list) => {
        for (const { interactionId, duration } of list.getEntries() as PerformanceEventTiming[])
          if (interactionId) longest[interactionId] = Math.max(longest[interactionId] ?? 0, duration);
      }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
    });
    await page.goto(address, { waitUntil: 'load' });
    const all = page.locator(TOUCHED);
    let touched = 0;
    const until = performance.now() + LONGEST_TURN;
    for (let at = 0; at < (await all.count()) && touched < most && performance.now() < until; at += 1) {
      const one = all.nth(at);
      if (!(await one.isVisible())) continue;
      // A control that another thing covers is left out.
      const wasHit = await one.click({ timeout: 2000 }).then(
        () => true,
        () => false,
      );
      if (wasHit) touched += 1;
      await page.keyboard.press('Escape');
    }
    const durations = Object.values(
      await page.evaluate(() => (globalThis as unknown as { longest: Record<number, number> }).longest),
    );
    return {
      'INP, ms': durations.length > 0 ? percentile(durations, 1) : 'under 16',
      'p50 of those over 16 ms': durations.length > 0 ? percentile(durations, 0.5) : 'none was',
      pressed: touched,
    };
  } finally {
    await context.close();
    await stop();
  }
}
