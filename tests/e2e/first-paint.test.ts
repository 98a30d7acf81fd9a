import type { Page } from '@playwright/test';
import { expect, saveData, test } from './visitor.ts';

const FACE = '/fonts/barlow-condensed-600.woff2';

/** When the browser painted, what it shifted, and when it asked for what. */
function watched() {
  const shifts: number[] = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value);
  }).observe({ type: 'layout-shift', buffered: true });
  Object.assign(window, { shifts });
}

const shifts = (page: Page) => page.evaluate(() => (window as unknown as { shifts: number[] }).shifts);

const paintedAt = (page: Page) =>
  page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]!.startTime);

const askedAt = (page: Page, path: string) =>
  page.evaluate(
    (part) => performance.getEntriesByType('resource').find(({ name }) => name.includes(part))?.startTime,
    path,
  );

const awake = (page: Page) => page.locator('[data-island=quote][data-awake]');

test.use({ viewport: { width: 360, height: 740 } });

test('nothing of script or typeface is asked for before the first visit has painted', async ({ page }) => {
  await page.addInitScript(watched);
  const fonts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'font' && fonts.push(request.url()));
  await page.goto('/');
  await page.locator('#contact-form').scrollIntoViewIfNeeded();
  await expect(awake(page)).toBeVisible();
  expect(await askedAt(page, '/assets/index-')).toBeGreaterThanOrEqual(await paintedAt(page));
  expect(fonts).toEqual([]);
  expect(await shifts(page)).toEqual([]);
});

test('the second visit has the own typeface from its first paint on, and nothing moves for it', async ({ page }) => {
  await page.addInitScript(watched);
  await page.goto('/');
  const heading = page.getByRole('heading', { level: 1 });
  const first = await heading.evaluate((element) => getComputedStyle(element).fontFamily);
  expect(first).not.toContain('Barlow');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await expect
    .poll(() => page.evaluate((face) => document.fonts.check(`600 1em ${face}`), '"Barlow Condensed"'))
    .toBe(true);
  expect(await heading.evaluate((element) => getComputedStyle(element).fontFamily)).toMatch(/^"Barlow Condensed"/);
  expect(await askedAt(page, FACE)).toBeLessThan(await paintedAt(page));
  expect(await shifts(page)).toEqual([]);
});

test('on a wide screen the first visit has it too, but not to save data', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.addInitScript(watched);
  await page.goto('/');
  const heading = page.getByRole('heading', { level: 1 });
  expect(await heading.evaluate((element) => getComputedStyle(element).fontFamily)).toMatch(/^"Barlow Condensed"/);
  expect(await askedAt(page, FACE)).toBeLessThan(await paintedAt(page));
  expect(await shifts(page)).toEqual([]);

  const other = await page.context().browser()!.newPage();
  await saveData(other);
  await other.setViewportSize({ width: 1440, height: 900 });
  await other.goto(page.url());
  await expect(other.getByRole('heading', { level: 1 })).toBeVisible();
  expect(await askedAt(other, FACE)).toBeUndefined();
  await other.close();
});

test('a tab in the background, where nothing is painted, has its script all the same', async ({ page }) => {
  await page.addInitScript(() => {
    window.PerformanceObserver = class extends PerformanceObserver {
      override observe() {}
    };
  });
  await page.goto('/');
  await expect.poll(() => askedAt(page, '/assets/index-')).toBeGreaterThan(0);
});

test('the paint waits for the whole hero: what it expects stands right behind it', async ({ page }) => {
  await page.goto('/');
  const expected = await page.locator('link[rel=expect][blocking=render]').getAttribute('href');
  expect(await page.locator('#hero + *').getAttribute('id')).toBe(expected!.slice(1));
});
