import { mkdtemp } from 'node:fs/promises';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { chanceFrom } from '../chance.ts';
import { Phone } from '../chaos/browser.ts';
import { hireForLong, openDesk, openLead, press, sheet } from '../e2e/desk-visitor.ts';
import { Service } from '../e2e/service.ts';
import { fill, receipt, someone, submit } from '../e2e/visitor.ts';
import type { Figures } from './run.ts';

const TIMES = 100;
/** Longer than either page waits between two questions. */
const LONGEST = 60_000;

export const title = `A quote’s way to the desk and its answer’s way back, ${TIMES} of each at chance moments: seconds`;

export async function measure(): Promise<Figures> {
  const service = await Service.start(await mkdtemp(path.join(tmpdir(), 'aeropuente-')));
  const phone = await Phone.unpack();
  const chance = chanceFrom(TIMES);
  try {
    const page = await phone.context.newPage();
    const context = await phone.context.browser()!.newContext({
      baseURL: service.origin,
      locale: 'es-MX',
      // All rows are on its screen.
      viewport: { width: 1440, height: 100 + TIMES * 60 },
    });
    const desk = await context.newPage();
    await openDesk(desk, await hireForLong(service, 'Ana Ruiz'));
    await page.goto(service.origin);

    const rowsAt = await firstSeen(desk, '[role=option]');
    const names: string[] = [];
    const tapped = new Map<string, number>();
    for (let time = 0; time < TIMES; time += 1) {
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
    const load = loadavg()[0]!;

    // The list on the phone shows the receipt of each.
    await page.goto(`${service.origin}/#mis-cotizaciones`);
    await page
      .getByRole('dialog')
      .getByRole('article')
      .nth(TIMES - 1)
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
    const back = await gather([...saved.keys()], answersAt);
    return {
      'from the tap to the desk’s screen': { ...percentiles(tapped, there), load: load.toFixed(1) },
      'from the saved answer to the phone’s screen': { ...percentiles(saved, back), load: loadavg()[0]!.toFixed(1) },
      cores: { load: availableParallelism() },
    };
  } finally {
    await phone.throwAway();
    await service.stop();
  }
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
  const took = [...from].map(([name, at]) => to.get(name)! - at).toSorted((one, other) => one - other);
  const seconds = (share: number) => Number((took[Math.ceil(took.length * share) - 1]! / 1000).toFixed(1));
  return { p50: seconds(0.5), p95: seconds(0.95), most: seconds(1) };
}
