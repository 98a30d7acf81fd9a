import type { Page } from '@playwright/test';
import { awake, DESKTOP, expect, moving, recordShifts, saveData, shiftsOf, test } from './visitor.ts';

const FACE = '/fonts/barlow-condensed-600.woff2';

async function paintedAt(page: Page): Promise<number> {
  const painted = () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime;
  return (await (await page.waitForFunction(painted)).jsonValue())!;
}

const askedAt = (page: Page, path: string) =>
  page.evaluate(
    (part) => performance.getEntriesByType('resource').find(({ name }) => name.includes(part))?.startTime,
    path,
  );

test.use(moving);

/** Returns whether our typeface can replace a font of this set without moving any text (styles/tokens.css). */
const hasStandIn = () => test.info().project.name !== 'narrow';
const faceOf = (page: Page) =>
  page.getByRole('heading', { level: 1 }).evaluate((element) => getComputedStyle(element).fontFamily);
/** Returns the fonts in which the browser really draws the headline. */
async function drawnIn(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  await session.send('DOM.enable');
  await session.send('CSS.enable');
  const { root } = await session.send('DOM.getDocument');
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector: 'h1' });
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId });
  await session.detach();
  return fonts.map(({ familyName }) => familyName);
}

const isFaceLoaded = (page: Page) =>
  page.evaluate(() => [...document.fonts].some(({ family, status }) => /Barlow/.test(family) && status === 'loaded'));

test.describe('the first paint of a page with its service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const width of [320, 360, 390]) {
    const title = `our typeface replaces the phone’s font without a layout shift at ${width} px`;
    test(title, { tag: ['@replacement', width === 360 ? '@narrow' : '@full'] }, async ({ page }) => {
      await page.setViewportSize({ width, height: 740 });
      await page.addInitScript(recordShifts);
      const { promise: measured, resolve: release } = Promise.withResolvers<void>();
      await page.route(`**${FACE}`, (route) => measured.then(() => route.continue()));
      await page.goto('/');
      expect(await faceOf(page)).not.toMatch(/^"Barlow/);
      const heroBox = await page.locator('#hero').boundingBox();
      release();
      // The page requests script and typeface only after the first paint.
      for (const path of [FACE, '/assets/index-']) {
        await expect.poll(() => askedAt(page, path)).toBeGreaterThan(0);
        expect(await askedAt(page, path)).toBeGreaterThanOrEqual(await paintedAt(page));
      }
      await expect.poll(() => isFaceLoaded(page)).toBe(true);
      if (hasStandIn()) {
        await expect.poll(() => faceOf(page)).toMatch(/^"Barlow Condensed"/);
        expect(await drawnIn(page)).toEqual(['Barlow Condensed SemiBold']);
        expect(await page.locator('#hero').boundingBox()).toEqual(heroBox);
        // The root element gets this attribute last, when all parts of the page have changed to our typeface.
        await expect(page.locator('html[data-own-face]')).toHaveCount(1);
      }
      await awake(page);
      expect(await shiftsOf(page)).toEqual([]);
      if (!hasStandIn()) expect(await faceOf(page)).not.toMatch(/^"Barlow/);

      await page.evaluate(() => navigator.serviceWorker.ready);
      await page.reload();
      await expect.poll(() => isFaceLoaded(page)).toBe(true);
      expect(await faceOf(page)).toMatch(/^"Barlow Condensed"/);
      expect(await drawnIn(page)).toEqual(['Barlow Condensed SemiBold']);
      expect(await askedAt(page, FACE)).toBeLessThan(await paintedAt(page));
      expect(await shiftsOf(page)).toEqual([]);
    });
  }
});

test('a wide screen shows our typeface from the first paint on', async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.addInitScript(recordShifts);
  await page.goto('/');
  expect(await faceOf(page)).toMatch(/^"Barlow Condensed"/);
  expect(await askedAt(page, FACE)).toBeLessThan(await paintedAt(page));
  expect(await shiftsOf(page)).toEqual([]);
});

test('a phone without service worker or with data saving keeps its own font', { tag: '@full' }, async ({ page }) => {
  await page.addInitScript(recordShifts);
  const keepsOwnFont = async (width: number) => {
    await page.setViewportSize({ width, height: 740 });
    await page.goto('/');
    // A marked menu item shows that the page has done its idle work, which includes fetching the typeface.
    await expect(page.locator('nav [aria-current]')).toHaveCount(1);
    await page.locator('[name=nombre]').click();
    await awake(page);
    expect(await faceOf(page)).not.toMatch(/^"Barlow/);
    expect(await askedAt(page, FACE)).toBeUndefined();
    expect(await shiftsOf(page)).toEqual([]);
  };
  await keepsOwnFont(360);
  await saveData(page);
  for (const width of [360, 1440]) await keepsOwnFont(width);
});

test('a page in a background tab loads its script although it is not painted', { tag: '@full' }, async ({ page }) => {
  await page.addInitScript(() => {
    window.PerformanceObserver = class extends PerformanceObserver {
      override observe() {}
    };
  });
  await page.goto('/');
  await expect.poll(() => askedAt(page, '/assets/index-')).toBeGreaterThan(0);
});
