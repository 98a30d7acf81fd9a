import type { BrowserContext, Page } from '@playwright/test';
import { expect, fill, someone, submit, test } from './visitor.ts';

// An address without https has no Web Locks, and no worker: its tabs agree by a note in the database.

test.beforeEach(async ({ context, quiet }) => {
  quiet.allow(/Failed to load resource/);
  await context.addInitScript(() => {
    for (const missing of ['locks', 'serviceWorker']) Reflect.deleteProperty(Navigator.prototype, missing);
  });
});

const chip = (page: Page) => page.getByRole('button', { name: /en espera/ });

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/');
  expect(await page.evaluate(() => 'locks' in navigator || 'serviceWorker' in navigator)).toBe(false);
  return page;
}

async function keep(page: Page): Promise<string> {
  const person = someone();
  await fill(page, person);
  await submit(page);
  await expect(page.locator('[name=nombre]')).toHaveValue('', { timeout: 15_000 });
  return person.nombre;
}

/** When the tab was sending, by a clock that all tabs share. */
const sendings = (page: Page) =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.includes('/rest/v1/quotes'))
      .map(({ startTime, responseEnd }) => ({
        from: performance.timeOrigin + startTime,
        to: performance.timeOrigin + responseEnd,
      })),
  );

test('without Web Locks, tabs that send at once take turns, and each quote is sent once', async ({
  context,
  service,
}) => {
  service.fault = () => ({ kind: 'answer', status: 503 });
  service.latency = 200;
  const tabs = [await openTab(context), await openTab(context), await openTab(context)];
  const names: string[] = [];
  for (const tab of [...tabs, ...tabs]) names.push(await keep(tab));
  const flush = () => Promise.all(tabs.map((tab) => tab.evaluate(() => dispatchEvent(new Event('online')))));
  await flush();
  for (const tab of tabs) await expect.poll(async () => (await sendings(tab)).length).toBeGreaterThan(0);

  service.inserts.length = 0;
  service.fault = () => ({ kind: 'none' });
  for (let round = 0; round < 3; round += 1) await flush();
  for (const tab of tabs) await expect(chip(tab)).toHaveCount(0, { timeout: 30_000 });
  const stored = (await service.quotes()).filter(({ nombre }) => names.includes(nombre));
  expect(stored).toHaveLength(names.length);
  expect(service.inserts.toSorted()).toEqual(stored.map(({ id }) => id).toSorted());

  const times = await Promise.all(tabs.map(sendings));
  for (const [index, ours] of times.entries()) {
    const others = times.filter((_, other) => other !== index).flat();
    expect(ours.filter(({ from, to }) => others.some((other) => other.from < to && from < other.to))).toEqual([]);
  }
});

test('a tab that dies while it sends is succeeded by one of the others, once its lease is over', async ({
  context,
  service,
}) => {
  test.setTimeout(90_000);
  service.fault = () => ({ kind: 'hang' });
  const dying = await openTab(context);
  const person = someone();
  await fill(dying, person);
  const began = Date.now();
  await submit(dying);
  await expect(chip(dying)).toBeVisible();
  const heirs = [await openTab(context), await openTab(context)];
  for (const heir of heirs) await expect(chip(heir)).toContainText('1 en espera');
  await dying.close();
  expect(service.inserts).toHaveLength(1);
  service.fault = () => ({ kind: 'none' });
  service.latency = 1000;

  // Not before: what the dead tab sent might still have been on its way.
  await expect.poll(() => service.inserts.length, { timeout: 60_000 }).toBeGreaterThan(1);
  expect(Date.now() - began).toBeGreaterThan(25_000);
  for (const heir of heirs) await expect(chip(heir)).toHaveCount(0, { timeout: 30_000 });
  expect(service.inserts).toHaveLength(2);
  expect((await service.quotes()).filter(({ nombre }) => nombre === person.nombre)).toHaveLength(1);
});
