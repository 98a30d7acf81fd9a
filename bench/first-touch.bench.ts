import { setTimeout as wait } from 'node:timers/promises';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { launch } from '../build/browser.ts';
import { Line } from './line.ts';
import { percentile, rounded, type Cell, type Measured, type Size, type Table } from './results.ts';
import { buildPages } from './sites.ts';

export const title = 'First touch: from the press to the receipt on a weak signal';

const SLOWER = 4;
const LATENCY = 400;
/** Maximum number of milliseconds to wait for the form, and then for a reaction to the pressed button. */
const LONGEST = 45_000;
/** Milliseconds after which no further visit begins, because bench/run.ts limits the time of a benchmark. */
const LAST_BEGIN = 12 * 60_000;
const TYPING = 10_000;
/** Milliseconds after which the visitor presses the button again if nothing has happened. */
const PATIENCE = 1000;

interface Situation {
  readonly visit: 'first' | 'second';
  /** Speed of the connection in kbit/s. */
  readonly line: number;
  readonly isTyped?: boolean;
  readonly visits: { readonly ours: number; readonly peers: number };
  readonly plot?: string;
}

const SIZES: Readonly<Record<Size, readonly Situation[]>> = {
  whole: [
    { visit: 'first', line: 50, visits: { ours: 6, peers: 1 }, plot: 'first-touch' },
    { visit: 'first', line: 50, isTyped: true, visits: { ours: 20, peers: 1 } },
    { visit: 'first', line: 400, visits: { ours: 3, peers: 1 } },
    { visit: 'first', line: 400, isTyped: true, visits: { ours: 3, peers: 1 } },
    { visit: 'second', line: 50, visits: { ours: 3, peers: 1 } },
    { visit: 'second', line: 400, visits: { ours: 3, peers: 1 } },
    // Peers are not measured in this case: the visitor types for ten seconds, and by then all scripts of a peer have
    // loaded.
    { visit: 'second', line: 50, isTyped: true, visits: { ours: 2, peers: 0 } },
    { visit: 'second', line: 400, isTyped: true, visits: { ours: 2, peers: 0 } },
  ],
  smoke: [
    { visit: 'first', line: 20_000, visits: { ours: 1, peers: 0 } },
    { visit: 'second', line: 20_000, visits: { ours: 1, peers: 0 } },
  ],
};

const NOTE = `Measured through Chrome’s DevTools protocol with ${LATENCY} ms of latency, a processor ${SLOWER} times as slow and a screen of 360×740 pixels; the worker has a separate connection of the same speed.\n- Headline: first contentful paint.\n- Filled at once: a script fills the form as soon as the whole form exists.\n- Typed: a script types one field after the other in ten seconds.\n- Press: when the form is filled in, the script presses ‘Solicitar cotización’ (request a quote), and again each second until the page reacts; times begin at the first press.\n- Word: the button says ‘Guardando…’ or ‘Enviando…’.\n- Disk: IndexedDB has stored the quote; the measurement is up to a tenth of a second late.\n- The other pages have the same form and the same code that stores and sends quotes, but React hydrates them as a whole, and they have no worker.\n- On a second visit the worker is already installed; the bench stopped it before the visit. With fewer than twenty visits, p95 is the slowest visit.`;

const PLOTTED = ['headline, p95 ms', 'press to receipt, p95 ms', 'press to ‘entregada’, p95 ms'];

type Pages = Readonly<Record<string, string>>;

export async function measure(size: Size): Promise<Measured> {
  const until = performance.now() + LAST_BEGIN;
  const { pages, remove } = size === 'whole' ? await buildPages() : { pages: { ours: 'dist' }, remove: async () => {} };
  const browser = await launch();
  try {
    const tables: Table[] = [];
    for (const situation of SIZES[size]) {
      const seen = await allVisits(browser, pages, situation, until);
      const isLost = ({ disk, delivered }: Seen) => disk === undefined || delivered === undefined;
      if (size === 'smoke' && seen['ours']!.some(isLost))
        throw new Error(`${titleOf(situation)}: the quote never reached the disk or the server.`);
      tables.push({
        title: titleOf(situation),
        ...(tables.length === 0 && { note: NOTE }),
        figures: Object.fromEntries(Object.entries(seen).map(([name, own]) => [name, figuresOf(own)])),
        more: ['visits'],
        ...(situation.plot && { plot: { file: situation.plot, measures: PLOTTED } }),
      });
    }
    return { tables };
  } finally {
    await browser.close();
    await remove();
  }
}

const titleOf = ({ visit, line, isTyped }: Situation) =>
  `A ${visit} visit at ${line} kbit/s, ${isTyped ? 'typed for ten seconds' : 'filled at once'}`;

/** Visits the pages one after the other: parallel visits would slow each other. */
async function allVisits(
  browser: Browser,
  pages: Pages,
  situation: Situation,
  until: number,
): Promise<Record<string, Seen[]>> {
  const { ours, peers } = situation.visits;
  const seen: Record<string, Seen[]> = {};
  for (let turn = 0; turn < Math.max(ours, peers); turn += 1) {
    for (const [name, directory] of Object.entries(pages)) {
      // The page without scripts is left out, because it never stores a quote on the phone.
      if (name === 'HTML only' || turn >= (name === 'ours' ? ours : peers)) continue;
      seen[name] ??= [];
      if (performance.now() < until) seen[name].push(await visitOnce(browser, directory, name === 'ours', situation));
    }
  }
  return seen;
}

const SHARES = { p50: 0.5, p95: 0.95 };

function figuresOf(visits: readonly Seen[]): Record<string, Cell> {
  const figures: Record<string, Cell> = {};
  const add = (name: string, times: readonly number[]) => {
    for (const [share, part] of Object.entries(SHARES)) {
      const time = percentile(times, part);
      const figure = Number.isFinite(time) ? rounded(time) : `none in ${LONGEST / 1000} s`;
      figures[`${name}, ${share} ms`] = visits.length === 0 ? 'no time was left' : figure;
    }
  };
  const NEVER = Number.POSITIVE_INFINITY;
  const afterPress = (what: 'word' | 'disk' | 'receipt' | 'delivered') =>
    visits.map(({ pressed = NEVER, [what]: at = NEVER }) => (pressed === NEVER ? NEVER : at - pressed));
  const headlines = visits.map(({ headline = NEVER }) => headline);
  add('headline', headlines);
  // The form may exist before it is painted, but a visitor can type only after the paint.
  const forms = visits.map(({ form = NEVER }, at) => Math.max(form, headlines[at]!));
  add('form can be typed in', forms);
  add('press to word', afterPress('word'));
  add('press to disk', afterPress('disk'));
  add('press to receipt', afterPress('receipt'));
  add('press to ‘entregada’', afterPress('delivered'));
  if (visits.length > 0)
    figures['presses until there is a word, at most'] = Math.max(...visits.map(({ presses }) => presses));
  figures['visits'] = visits.length;
  return figures;
}

async function visitOnce(
  browser: Browser,
  directory: string,
  hasWorker: boolean,
  { visit, line: kilobits, isTyped = false }: Situation,
): Promise<Seen> {
  const line = new Line(directory);
  await line.up();
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, locale: 'es-MX' });
  let freeWorkers = async () => {};
  try {
    if (visit === 'second') await visitBefore(context, line.origin, hasWorker);
    const bytes = kilobits * 125;
    const slow = { offline: false, latency: LATENCY, downloadThroughput: bytes, uploadThroughput: bytes };
    freeWorkers = await slowWorkers(browser, slow);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', slow);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await watch(page);
    await page.goto(line.origin, { waitUntil: 'commit', timeout: LONGEST });
    const isThere = await Promise.all([happens(page, 'form', LONGEST), happens(page, 'headline', LONGEST)]);
    if (isThere.every(Boolean)) {
      await fillIn(page, isTyped);
      await press(page);
    }
    return await page.evaluate(() => globalThis.seen);
  } finally {
    await freeWorkers();
    await context.close();
    await line.down();
  }
}

/**
 * Makes the first of two visits over a fast connection, then stops the worker, because a browser stops an idle worker
 * long before the visitor returns.
 */
async function visitBefore(context: BrowserContext, origin: string, hasWorker: boolean): Promise<void> {
  const page = await context.newPage();
  await page.goto(origin, { waitUntil: 'load' });
  if (hasWorker) {
    await page.waitForFunction(() => navigator.serviceWorker.controller, undefined, { timeout: LONGEST });
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
  }
  await page.close();
}

/** Slows the connection of the worker, which may send the quote: slowing the page does not affect its worker. */
async function slowWorkers(browser: Browser, slow: object): Promise<() => Promise<void>> {
  const session = await browser.newBrowserCDPSession();
  session.on('Target.targetCreated', ({ targetInfo: { type, targetId } }) => {
    if (type !== 'service_worker') return;
    const attachAndSlow = async () => {
      const { sessionId } = await session.send('Target.attachToTarget', { targetId });
      const messages = [
        { id: 1, method: 'Network.enable' },
        { id: 2, method: 'Network.emulateNetworkConditions', params: slow },
      ];
      for (const message of messages)
        await session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify(message) });
    };
    // A worker that has already stopped cannot be slowed. This error is ignored, because such a worker sends nothing.
    attachAndSlow().catch(() => undefined);
  });
  await session.send('Target.setDiscoverTargets', { discover: true });
  return () => session.detach();
}

const BUTTON = '#reservar-espacio button[type=submit]';

let people = 0;

/** Fills the form by script, because the slowed processor would also slow simulated keys. */
async function fillIn(page: Page, isTyped: boolean): Promise<void> {
  people += 1;
  const values = Object.entries({
    nombre: `María ${people}`,
    empresa: `Berries ${people}`,
    email: `maria${people}@berries.mx`,
    telefono: '+52 664 123 4567',
    peso: String(12_000 + people),
    tipo_carga: 'perecederos',
  });
  for (const [name, value] of values) {
    await page.evaluate(
      ([field, text]) => {
        const form = document.querySelector<HTMLFormElement>('#reservar-espacio')!;
        const control = form.elements.namedItem(field!) as HTMLInputElement;
        control.focus();
        control.value = text!;
        control.dispatchEvent(new Event('input', { bubbles: true }));
      },
      [name, value],
    );
    if (isTyped) await wait(TYPING / values.length);
  }
}

/** Presses the button until the page reacts or the time is over. */
async function press(page: Page): Promise<void> {
  const until = performance.now() + LONGEST;
  const left = () => Math.max(1, until - performance.now());
  do await page.click(BUTTON, { timeout: left() }).catch(() => undefined);
  while (!(await happens(page, 'word', Math.min(PATIENCE, left()))) && performance.now() < until);
  await Promise.all([happens(page, 'delivered', left()), happens(page, 'disk', left())]);
}

const happens = (page: Page, what: keyof Seen, timeout: number): Promise<boolean> =>
  page
    .waitForFunction((name) => globalThis.seen?.[name] !== undefined, what, { timeout, polling: 50 })
    .then(
      () => true,
      () => false,
    );

/** Number of presses, and the time, in milliseconds since the navigation, at which each event first happened. */
interface Seen {
  presses: number;
  headline?: number;
  form?: number;
  pressed?: number;
  word?: number;
  disk?: number;
  receipt?: number;
  delivered?: number;
}

declare global {
  var seen: Seen;
}

const watch = (page: Page) =>
  page.addInitScript((selector) => {
    const seen: Seen = { presses: 0 };
    globalThis.seen = seen;
    new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') seen.headline = startTime;
    }).observe({ type: 'paint', buffered: true });

    const isOnDisk = async () => {
      if ((await indexedDB.databases()).every(({ name }) => name !== 'aeropuente')) return false;
      return new Promise<boolean>((resolve) => {
        const opening = indexedDB.open('aeropuente');
        // Opening a missing database would create an empty one. The upgrade is aborted, because the page must create
        // the database with its tables.
        opening.addEventListener('upgradeneeded', () => opening.transaction!.abort());
        opening.addEventListener('error', () => resolve(false));
        opening.addEventListener('success', () => {
          const database = opening.result;
          const answer = (isThere: boolean) => {
            database.close();
            resolve(isThere);
          };
          if (!database.objectStoreNames.contains('quotes')) return answer(false);
          const counting = database.transaction('quotes').objectStore('quotes').count();
          counting.addEventListener('success', () => answer(counting.result > 0));
        });
      });
    };
    const lookAtDisk = async () => {
      while (!(await isOnDisk())) await new Promise((resolve) => setTimeout(resolve, 20));
      seen.disk = performance.now();
    };

    addEventListener(
      'click',
      ({ target, timeStamp }) => {
        if (!(target as Element).closest(selector)) return;
        seen.presses += 1;
        if (seen.pressed !== undefined) return;
        seen.pressed = timeStamp;
        void lookAtDisk();
      },
      true,
    );

    const look = () => {
      const button = document.querySelector<HTMLButtonElement>(selector);
      const receipt = document.querySelector<HTMLElement>('article[aria-label^="Su solicitud"]');
      const now = performance.now();
      if (button) seen.form ??= now;
      if (seen.pressed !== undefined) {
        if (receipt) seen.receipt ??= now;
        if (receipt || /Guardando|Enviando/.test(button?.innerText ?? '')) seen.word ??= now;
        if (receipt && /entregada/.test(receipt.innerText)) seen.delivered ??= now;
      }
      if (seen.delivered === undefined) requestAnimationFrame(look);
    };
    look();
  }, BUTTON);
