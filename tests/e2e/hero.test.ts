import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { PIXEL, serveConfigured, type ConfiguredSite } from './configured-site.ts';
import { expect, moving, saveData, test as base, withoutWorker } from './visitor.ts';

/** The host of the photograph. */
class PictureHost {
  asked = 0;
  misses = false;
  readonly server = createServer((_request, response) => {
    this.asked += 1;
    response.setHeader('access-control-allow-origin', '*');
    // By itself the browser keeps nothing of it.
    response.setHeader('cache-control', 'no-store');
    if (this.misses) return void response.writeHead(404).end();
    response.setHeader('content-type', 'image/png').end(PIXEL);
  });
}

interface Pictured extends ConfiguredSite {
  readonly host: PictureHost;
}

const test = base.extend<{ host: PictureHost }, { pictured: Pictured }>({
  pictured: [
    async ({}, use) => {
      const host = new PictureHost();
      const environment = { VITE_HERO_IMAGE_URL: 'http://pictures.localhost/hero.png' };
      const site = await serveConfigured('pictured', environment, 'pictures.localhost', host.server);
      await use({ ...site, host });
      site.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  host: async ({ pictured: { host } }, use) => {
    host.misses = false;
    host.asked = 0;
    await use(host);
  },
  baseURL: async ({ pictured }, use) => use(pictured.origin),
  launchOptions: [
    async ({ launchOptions, pictured: { flag } }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), flag] }),
    { scope: 'worker' },
  ],
});

test.use({ ...withoutWorker, ...moving });

const photograph = (page: Page) => page.locator('#hero img');
const drawing = (page: Page) => page.locator('#hero svg').first();
const width = (page: Page) => photograph(page).evaluate((image: HTMLImageElement) => image.naturalWidth);

test.describe('with its worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the photograph lies over the drawing, and once seen it is there without its host', async ({ page, host }) => {
    await page.goto('/');
    await expect.poll(() => width(page)).toBe(1);
    await expect(drawing(page)).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await expect.poll(() => page.evaluate(() => caches.has('hero'))).toBe(true);
    await expect.poll(() => width(page)).toBe(1);

    host.misses = true;
    host.asked = 0;
    await page.reload();
    await expect.poll(() => width(page)).toBe(1);
    expect(host.asked).toBe(0);
  });
});

test('a host that fails leaves the drawing, which is complete', async ({ page, host, quiet }) => {
  quiet.allow(/Failed to load resource.*404/);
  host.misses = true;
  await page.goto('/');
  await expect.poll(() => host.asked).toBeGreaterThan(0);
  await expect(drawing(page)).toBeVisible();
  expect(await width(page)).toBe(0);
});

test('who saves data is not sent it, and nothing moves with the scroll', async ({ page, host }) => {
  await saveData(page);
  await page.goto('/');
  await expect(drawing(page)).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(host.asked).toBe(0);
  const sky = page.locator('[data-parallax]');
  expect(await sky.evaluate((element) => getComputedStyle(element).animationName)).toBe('none');
  await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }));
  await expect(sky).not.toHaveAttribute('style');
});
