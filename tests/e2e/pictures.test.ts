import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Page } from '@playwright/test';
import { PIXEL, serveConfigured, type ConfiguredSite } from './configured-site.ts';
import { expect, idle, moving, saveData, test as base } from './visitor.ts';

// Tests of pictures that come from other hosts: the photograph of the first screen and the tiles of the map.

type Manner = 'serves' | 'hangs' | 'misses' | 'talks' | 'allows no time';

/**
 * Simulated host of the first screen’s photograph, or of map tiles. The URLs of tiles have the usual parts: subdomain,
 * z/x/y, suffix for high resolution, key.
 */
class PictureHost {
  manner: Manner = 'serves';
  readonly asked: { readonly host: string; readonly url: string; readonly origin: string | undefined }[] = [];

  reset(): this {
    this.manner = 'serves';
    this.asked.length = 0;
    return this;
  }

  answer(request: IncomingMessage, response: ServerResponse): void {
    this.asked.push({ host: request.headers.host!, url: request.url!, origin: request.headers.origin });
    if (this.manner === 'hangs') return;
    if (this.manner === 'misses') return void response.writeHead(404).end();
    if (this.manner === 'talks') return void response.setHeader('content-type', 'text/html').end('<p>Bienvenido</p>');
    // A tile with this header is out of date at once, so the service worker requests the tile again.
    if (this.manner === 'allows no time') response.setHeader('cache-control', 'max-age=0');
    response.setHeader('content-type', 'image/png').end(PIXEL);
  }
}

interface Pictured extends ConfiguredSite {
  readonly host: PictureHost;
  readonly tiles: PictureHost;
}

const test = base.extend<{ host: PictureHost; tiles: PictureHost }, { pictured: Pictured }>({
  pictured: [
    async ({}, use) => {
      const [host, tiles] = [new PictureHost(), new PictureHost()];
      const server = createServer((request, response) => {
        response.setHeader('access-control-allow-origin', '*');
        if (request.headers.host !== 'pictures.localhost') return tiles.answer(request, response);
        // This header turns the browser’s own cache off, so that only the service worker can store the picture.
        response.setHeader('cache-control', 'no-store');
        host.answer(request, response);
      });
      const environment = {
        VITE_HERO_IMAGE_URL: 'http://pictures.localhost/hero.png',
        VITE_TILE_URL: 'http://{s}.localhost/light/{z}/{x}/{y}{r}.png?key=llave',
        VITE_TILE_ATTRIBUTION: '© <a href="https://tiles.example">Casa de Teselas</a>',
      };
      const site = await serveConfigured('pictured', environment, '*.localhost', server);
      await use({ ...site, host, tiles });
      site.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  host: async ({ pictured: { host } }, use) => {
    await use(host.reset());
    host.reset();
  },
  tiles: async ({ pictured }, use) => use(pictured.tiles.reset()),
  baseURL: async ({ pictured }, use) => use(pictured.origin),
  launchOptions: [
    async ({ launchOptions, pictured: { flag } }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), flag] }),
    { scope: 'worker' },
  ],
});

const map = (page: Page) => page.locator('#red-logistica .leaflet-container');
const shown = (page: Page) => map(page).locator('.leaflet-tile-loaded');

async function approach(page: Page): Promise<void> {
  await page.locator('#red-logistica header + div').evaluate((sheet) => sheet.scrollIntoView({ behavior: 'instant' }));
  await expect(map(page).locator('.leaflet-land-pane path')).toHaveCount(2);
}

/** Opens the page twice, because a service worker serves only pages opened after its installation. */
async function openAgain(page: Page): Promise<void> {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await approach(page);
}

const cachedTiles = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('tiles'))) return [];
    return (await (await caches.open('tiles')).keys()).map(({ url }) => url);
  });

const photograph = (page: Page) => page.locator('#hero img');
const drawing = (page: Page) => page.locator('#hero svg').first();
const width = (page: Page) => photograph(page).evaluate((image: HTMLImageElement) => image.naturalWidth);

test('the first screen keeps its drawing if the host of the photograph fails', async ({ page, host, quiet }) => {
  quiet.allow(/Failed to load resource.*404/);
  host.manner = 'misses';
  await page.goto('/');
  await expect.poll(() => host.asked.length).toBeGreaterThan(0);
  await expect(drawing(page)).toBeVisible();
  expect(await width(page)).toBe(0);
});

test.describe('pictures while animations run', () => {
  test.use(moving);

  test('a visitor in data saver mode gets no photograph, tiles or motion', async ({ page, host, tiles }) => {
    await saveData(page);
    await page.goto('/');
    await expect(drawing(page)).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(host.asked).toEqual([]);
    await page.locator('[data-island=network]').click();
    await approach(page);
    await idle(page);
    expect(tiles.asked).toEqual([]);
    const sky = page.locator('#hero > [aria-hidden]');
    expect(await sky.evaluate((element) => getComputedStyle(element).animationName)).toBe('none');
    await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }));
    await expect(sky).not.toHaveAttribute('style');
  });
});

for (const deviceScaleFactor of [1, 2])
  test.describe(`a screen with ${deviceScaleFactor} pixels for each CSS pixel`, () => {
    test.use({ deviceScaleFactor });

    test('the map shows tiles in the resolution of the screen, and names the tile service', async ({ page, tiles }) => {
      await page.goto('/');
      await page.waitForLoadState('networkidle');
      expect(tiles.asked).toEqual([]);
      await approach(page);
      await expect.poll(() => shown(page).count()).toBeGreaterThan(5);
      for (const { host, url, origin } of tiles.asked) {
        expect(host).toMatch(/^[a-d]\.localhost$/);
        expect(url).toMatch(deviceScaleFactor === 1 ? /^\/light\/4\/\d+\/\d+\.png\?key=llave$/ : /@2x\.png/);
        expect(origin).toMatch(/^http:\/\/localhost:/);
      }
      expect(new Set(tiles.asked.map(({ host }) => host)).size).toBeGreaterThan(1);
      await expect(map(page).getByRole('link', { name: 'Casa de Teselas' })).toBeVisible();
      const order = await map(page).evaluate((element) =>
        ['land', 'tile', 'overlay'].map((pane) =>
          Number(getComputedStyle(element.querySelector(`.leaflet-${pane}-pane`)!).zIndex),
        ),
      );
      expect(order).toEqual(order.toSorted((a, b) => a - b));
    });
  });

test.describe('pictures with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a photograph that was shown once is shown again while its host is down', async ({ page, host }) => {
    await page.goto('/');
    await expect.poll(() => width(page)).toBe(1);
    await expect(drawing(page)).toBeVisible();
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await expect.poll(() => page.evaluate(() => caches.has('hero'))).toBe(true);
    await expect.poll(() => width(page)).toBe(1);

    host.manner = 'misses';
    host.asked.length = 0;
    await page.reload();
    await expect.poll(() => width(page)).toBe(1);
    expect(host.asked).toEqual([]);
  });

  test('map tiles that were shown once are shown again while the tile service is down', async ({ page, tiles }) => {
    await openAgain(page);
    await expect.poll(() => shown(page).count()).toBeGreaterThan(3);
    await expect(map(page).locator('.leaflet-tile:not(.leaflet-tile-loaded)')).toHaveCount(0);
    const seen = await shown(page).count();
    await expect.poll(async () => (await cachedTiles(page)).length).toBe(seen);
    const addresses = await cachedTiles(page);
    expect(addresses.filter((url) => url.includes('llave') || /\/\/[a-d]\./.test(url))).toEqual([]);

    tiles.manner = 'misses';
    tiles.asked.length = 0;
    await page.reload();
    await approach(page);
    await expect.poll(() => shown(page).count()).toBe(seen);
    expect(tiles.asked).toEqual([]);
  });

  test('map tiles with `max-age=0` are requested again', async ({ page, tiles }) => {
    tiles.manner = 'allows no time';
    await openAgain(page);
    await expect.poll(() => shown(page).count()).toBeGreaterThan(3);
    tiles.asked.length = 0;
    await page.reload();
    await approach(page);
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(3);
  });

  for (const manner of ['misses', 'talks'] as const) {
    test(`the map requests no more tiles after tiles failed (${manner})`, async ({ page, tiles, quiet }) => {
      quiet.allow(/Failed to load resource/);
      tiles.manner = manner;
      await openAgain(page);
      await expect(map(page).locator('.leaflet-tile-container')).toHaveCount(0);
      expect(tiles.asked.length).toBeGreaterThanOrEqual(6);
      await expect(map(page).locator('.leaflet-land-pane path')).toHaveCount(2);
      expect(await cachedTiles(page)).toEqual([]);
      tiles.asked.length = 0;
      await page.locator('#red-logistica').getByRole('button', { name: 'Acercar' }).click();
      await page.waitForLoadState('networkidle');
      await idle(page);
      expect(tiles.asked).toEqual([]);
    });
  }

  test('map tiles are shown but not stored when storage is full', async ({ page, tiles, baseURL }) => {
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    const client = await page.context().newCDPSession(page);
    await client.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 1000 });
    await page.reload();
    await approach(page);
    await expect.poll(() => shown(page).count()).toBeGreaterThan(3);
    expect(tiles.asked.length).toBeGreaterThan(3);
    expect(await cachedTiles(page)).toEqual([]);
    const documents = await page.evaluate(
      async () => (await caches.match('/index.html', { ignoreSearch: true }))?.status,
    );
    expect(documents).toBe(200);
  });
});

test('a tile service that hangs does not delay the map', async ({ page, tiles }) => {
  tiles.manner = 'hangs';
  await page.clock.install();
  await page.goto('/');
  await approach(page);
  await expect(map(page).getByRole('button', { name: /^CGO/ })).toBeVisible();
  await page.clock.fastForward(5500);
  await expect(page.locator('#red-logistica').getByText('inicializando vista')).toHaveCount(0);
});
