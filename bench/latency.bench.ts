import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { chanceFrom } from '../tests/chance.ts';
import { Phone } from '../tests/chaos/browser.ts';
import { hireForLong, openDesk, openLead, press, sendQuote, sheet } from '../tests/e2e/desk-visitor.ts';
import { Service } from '../tests/e2e/service.ts';
import { fill, receipt, someone, submit } from '../tests/e2e/visitor.ts';
import { percentile, rounded, type Measured, type Size } from './results.ts';

const SIZES = {
  whole: { times: 50, deliveries: 200, scrolled: 1000 },
  smoke: { times: 1, deliveries: 2, scrolled: 20 },
};
/** Longer than either page waits between two questions. */
const LONGEST = 60_000;

export const title = 'Desk: from screen to screen';

export async function measure(size: Size): Promise<Measured> {
  const { times, deliveries, scrolled } = SIZES[size];
  const service = await Service.start(await mkdtemp(path.join(tmpdir(), 'aeropuente-')), {}, []);
  const phone = await Phone.unpack();
  const chance = chanceFrom(times);
  try {
    const page = await phone.context.newPage();
    const context = await phone.context.browser()!.newContext({
      baseURL: service.origin,
      locale: 'es-MX',
      // All rows are on its screen.
      viewport: { width: 1440, height: 100 + (times + deliveries) * 60 },
    });
    const desk = await context.newPage();
    await openDesk(desk, await hireForLong(service, 'Ana Ruiz'));
    await page.goto(service.origin);

    const rowsAt = await firstSeen(desk, '[role=option]');
    const names: string[] = [];
    const tapped = new Map<string, number>();
    for (let time = 0; time < times; time += 1) {
      const person = someone();
      names.push(person.nombre);
      await fill(page, person);
      await noteTap(page);
      await submit(page);
      await receipt(page).getByText('entregada').first().waitFor();
      tapped.set(person.nombre, await page.evaluate(() => (globalThis as unknown as { tappedAt: number }).tappedAt));
      await wait(chance() * 1000);
    }
    const there = await gather(names, rowsAt);

    // A smoke run has not the twenty seconds between two questions of a phone.
    const back = size === 'whole' ? percentiles(...(await answered(service, page, desk, names, chance))) : {};

    const delivered = new Map<string, number>();
    for (let time = 0; time < deliveries; time += 1) {
      const { nombre } = await sendQuote(service);
      delivered.set(nombre, Date.now());
      await wait(chance() * 500);
    }
    const shown = await gather([...delivered.keys()], rowsAt);
    const long = await scroll(desk, service, scrolled);
    return {
      tables: [
        {
          title: `${times} of each at chance moments, seconds`,
          note: 'Real form, real desk. The desk asks every four seconds while it is looked at, the phone every twenty. No peer: which desk would be one?',
          figures: {
            ours: {
              ...prefixed('tap to the desk’s screen', percentiles(tapped, there)),
              ...prefixed('saved answer to the phone’s screen', back),
              ...prefixed(`delivery to the desk’s screen, ${deliveries}`, percentiles(delivered, shown)),
            },
          },
        },
        { title: `Scrolling through ${scrolled} leads and more`, figures: { ours: long } },
      ],
    };
  } finally {
    await phone.throwAway();
    await service.stop();
  }
}

const prefixed = (what: string, figures: Record<string, number>) =>
  Object.fromEntries(Object.entries(figures).map(([name, figure]) => [`${what}, ${name}`, figure]));

/** When the desk saved the answer to each quote, and when the phone that sent it had painted that. */
async function answered(
  service: Service,
  page: Page,
  desk: Page,
  names: readonly string[],
  chance: () => number,
): Promise<[saved: Map<string, number>, shown: Map<string, number>]> {
  // The list on the phone shows the receipt of each.
  await page.goto(`${service.origin}/#mis-cotizaciones`);
  await page
    .getByRole('dialog')
    .getByRole('article')
    .nth(names.length - 1)
    .waitFor();
  const answersAt = await firstSeen(page, 'dialog article', 'respondida');
  const leads = (await service.quotes()).filter(({ nombre }) => names.includes(nombre));
  const saved = new Map<string, number>();
  for (const { id, folio, nombre } of leads) {
    await openLead(desk, { id, folio, nombre });
    await press(desk, 'Tomar y responder');
    await sheet(desk).getByText('respondida · Usted').waitFor();
    saved.set(folio, Date.now());
    await wait(chance() * 500);
  }
  return [saved, await gather([...saved.keys()], answersAt)];
}

/** From the first of many rows to the last, by the wheel. */
async function scroll(desk: Page, service: Service, leads: number): Promise<Record<string, number>> {
  const AT_ONCE = 20;
  for (let sent = 0; sent < leads; sent += AT_ONCE)
    await Promise.all(Array.from({ length: AT_ONCE }, () => sendQuote(service)));
  await desk.setViewportSize({ width: 1440, height: 900 });
  await desk.reload();
  await desk.getByText('Al día').waitFor();
  const rows = desk.locator('[role=option]');
  // Only those on the screen are in the document; each says how many there are.
  while (Number(await rows.first().getAttribute('aria-setsize')) < leads) await wait(200);
  await desk.evaluate(() => {
    const tasks: number[] = [];
    Object.assign(globalThis, { tasks });
    new PerformanceObserver((list) => tasks.push(...list.getEntries().map(({ duration }) => duration))).observe({
      type: 'longtask',
    });
  });
  await rows.first().hover();
  for (let turn = 0; turn < 60; turn += 1) {
    await desk.mouse.wheel(0, 1200);
    await desk.evaluate(() => new Promise(requestAnimationFrame));
  }
  const tasks = await desk.evaluate(() => (globalThis as unknown as { tasks: number[] }).tasks);
  return { 'tasks over 50 ms': tasks.length, 'the longest, ms': rounded(Math.max(0, ...tasks)) };
}

/** The moment of the real press, as the form hears it. */
const noteTap = (page: Page) =>
  page.evaluate(() =>
    addEventListener(
      'click',
      (event) => Object.assign(globalThis, { tappedAt: performance.timeOrigin + event.timeStamp }),
      { capture: true, once: true },
    ),
  );

/** Notes when each part of a page was first painted, by its text. Answers how to read that. */
async function firstSeen(page: Page, selector: string, including = ''): Promise<() => Promise<[string, number][]>> {
  await page.evaluate(
    ([selected, word]) => {
      const seen = new Map<string, number>();
      Object.assign(globalThis, { seen });
      const look = () => {
        const texts = [...document.querySelectorAll(selected!)].map(({ textContent }) => textContent);
        const news = texts.filter((text) => text.includes(word!) && !seen.has(text));
        // The frame after the one in which it was there has shown it.
        if (news.length > 0)
          requestAnimationFrame(() =>
            setTimeout(() => news.forEach((text) => seen.set(text, seen.get(text) ?? Date.now()))),
          );
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
    },
    [selector, including],
  );
  return () => page.evaluate(() => [...(globalThis as unknown as { seen: Map<string, number> }).seen]);
}

/** When each of these was first part of what was seen. */
async function gather(names: readonly string[], read: () => Promise<[string, number][]>): Promise<Map<string, number>> {
  for (const began = Date.now(); ; await wait(500)) {
    const seen = await read();
    const at = new Map(
      names.flatMap((name) => {
        const times = seen.filter(([text]) => text.includes(name)).map(([, time]) => time);
        return times.length > 0 ? [[name, Math.min(...times)] as const] : [];
      }),
    );
    if (at.size === names.length) return at;
    if (Date.now() - began > LONGEST) throw new Error(`Of ${names.length} only ${at.size} came.`);
  }
}

function percentiles(from: ReadonlyMap<string, number>, to: ReadonlyMap<string, number>) {
  const took = [...from].map(([name, at]) => (to.get(name)! - at) / 1000);
  const seconds = (share: number) => rounded(percentile(took, share), 1);
  return { p50: seconds(0.5), p95: seconds(0.95), most: seconds(1) };
}
