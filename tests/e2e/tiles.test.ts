import { createServer } from 'node:http';
import type { Page } from '@playwright/test';
import { PIXEL, serveConfigured, type ConfiguredSite } from './configured-site.ts';
import { expect, idle, moving, saveData, test as base, withoutWorker } from './visitor.ts';

type Manner = 'serves' | 'hangs' | 'misses' | 'talks' | 'allows no time';

/** A tile service with the usual address: subdomains, z/x/y, retina, a key. */
class TileService {
  manner: Manner = 'serves';
  readonly asked: { readonly host: string; readonly url: string; readonly origin: string | undefined }[] = [];
  readonly server = createServer((request, response) => {
    this.asked.push({ host: request.headers.host!, url: request.url!, origin: request.headers.origin });
    response.setHeader('access-control-allow-origin', '*');
    if (this.manner === 'hangs') return;
    if (this.manner === 'misses') return void response.writeHead(404).end();
    if (this.manner === 'talks') return void response.setHeader('content-type', 'text/html').end('<p>Bienvenido</p>');
    // Else none: the browser by itself keeps nothing of it.
    if (this.manner === 'allows no time') response.setHeader('cache-control', 'max-age=0');
    response.setHeader('content-type', 'image/png').end(PIXEL);
  });
}

interface Tiled extends ConfiguredSite {
  readonly service: TileService;
}

const test = base.extend<{ tiles: TileService }, { tiled: Tiled }>({
  tiled: [
    async ({}, use) => {
      const service = new TileService();
      const environment = {
        VITE_TILE_URL: 'http://{s}.localhost/light/{z}/{x}/{y}{r}.png?key=llave',
        VITE_TILE_ATTRIBUTION: '© <a href="https://tiles.example">Casa de Teselas</a>',
      };
      const site = await serveConfigured('tiled', environment, '*.localhost', service.server);
      await use({ ...site, service });
      site.close();
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  tiles: async ({ tiled: { service } }, use) => {
    service.manner = 'serves';
    service.asked.length = 0;
    await use(service);
  },
  baseURL: async ({ tiled }, use) => use(tiled.origin),
  launchOptions: [
    async ({ launchOptions, tiled: { flag } }, use) =>
      use({ ...launchOptions, args: [...(launchOptions.args ?? []), flag] }),
    { scope: 'worker' },
  ],
});

test.use({ ...withoutWorker, ...moving });

const map = (page: Page) => page.locator('#red-logistica .leaflet-container');
const shown = (page: Page) => map(page).locator('.leaflet-tile-loaded');

async function approach(page: Page): Promise<void> {
  await page.locator('#red-logistica header + div').evaluate((sheet) => sheet.scrollIntoView({ behavior: 'instant' }));
  await expect(map(page).locator('.leaflet-land-pane path')).toHaveCount(2);
}

/** The worker answers only for pages that were opened after it. */
async function openWithWorker(page: Page): Promise<void> {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.reload();
  await approach(page);
}

const kept = (page: Page) =>
  page.evaluate(async () => {
    if (!(await caches.has('tiles'))) return [];
    return (await (await caches.open('tiles')).keys()).map(({ url }) => url);
  });

test('tiles are drawn over the land, asked of a to d without credentials, and say whose they are', async ({
  page,
  tiles,
}) => {
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  expect(tiles.asked).toEqual([]);
  await approach(page);
  await expect.poll(() => shown(page).count()).toBeGreaterThan(5);
  for (const { host, url, origin } of tiles.asked) {
    expect(host).toMatch(/^[a-d]\.localhost$/);
    expect(url).toMatch(/^\/light\/4\/\d+\/\d+\.png\?key=llave$/);
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

test.describe('on a fine screen', () => {
  test.use({ deviceScaleFactor: 2 });

  test('fine tiles are asked for', async ({ page, tiles }) => {
    await page.goto('/');
    await approach(page);
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(0);
    expect(tiles.asked.every(({ url }) => url.includes('@2x.png'))).toBe(true);
  });
});

test.describe('with its worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('what was seen is there again with the service dead, once each, without key or subdomain', async ({
    page,
    tiles,
  }) => {
    await openWithWorker(page);
    await expect.poll(() => shown(page).count()).toBeGreaterThan(3);
    await expect(map(page).locator('.leaflet-tile:not(.leaflet-tile-loaded)')).toHaveCount(0);
    const seen = await shown(page).count();
    await expect.poll(async () => (await kept(page)).length).toBe(seen);
    const addresses = await kept(page);
    expect(addresses.filter((url) => url.includes('llave') || /\/\/[a-d]\./.test(url))).toEqual([]);

    tiles.manner = 'misses';
    tiles.asked.length = 0;
    await page.reload();
    await approach(page);
    await expect.poll(() => shown(page).count()).toBe(seen);
    expect(tiles.asked).toEqual([]);
  });

  test('they are asked for anew when the service allowed no longer', async ({ page, tiles }) => {
    tiles.manner = 'allows no time';
    await openWithWorker(page);
    await expect.poll(() => shown(page).count()).toBeGreaterThan(3);
    tiles.asked.length = 0;
    await page.reload();
    await approach(page);
    await expect.poll(() => tiles.asked.length).toBeGreaterThan(3);
  });
});

test('a service that hangs holds up nothing', async ({ page, tiles }) => {
  tiles.manner = 'hangs';
  await page.clock.install();
  await page.goto('/');
  await approach(page);
  await expect(map(page).getByRole('button', { name: /^CGO/ })).toBeVisible();
  await page.clock.fastForward(5500);
  await expect(page.locator('#red-logistica').getByText('inicializando vista')).toHaveCount(0);
});

test.describe('with its worker, when something fails', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const manner of ['misses', 'talks'] as const) {
    test(`a service that ${manner} is dropped for the visit, and the land stays`, async ({ page, tiles, quiet }) => {
      quiet.allow(/Failed to load resource/);
      tiles.manner = manner;
      await openWithWorker(page);
      await expect(map(page).locator('.leaflet-tile-container')).toHaveCount(0);
      expect(tiles.asked.length).toBeGreaterThanOrEqual(6);
      await expect(map(page).locator('.leaflet-land-pane path')).toHaveCount(2);
      expect(await kept(page)).toEqual([]);
      tiles.asked.length = 0;
      await page.locator('#red-logistica').getByRole('button', { name: 'Acercar' }).click();
      await page.waitForLoadState('networkidle');
      await idle(page);
      expect(tiles.asked).toEqual([]);
    });
  }

  test('with no room left tiles are shown, not kept, and nothing else is given up', async ({
    page,
    tiles,
    baseURL,
  }) => {
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    const client = await page.context().newCDPSession(page);
    await client.send('Storage.overrideQuotaForOrigin', { origin: baseURL!, quotaSize: 1000 });
    await page.reload();
    await approach(page);
    await expect.poll(() => shown(page).count()).toBeGreaterThan(3);
    expect(tiles.asked.length).toBeGreaterThan(3);
    expect(await kept(page)).toEqual([]);
    const documents = await page.evaluate(
      async () => (await caches.match('/index.html', { ignoreSearch: true }))?.status,
    );
    expect(documents).toBe(200);
  });
});

test('none are asked for to save data', async ({ page, tiles }) => {
  await saveData(page);
  await page.goto('/');
  // Then the map comes when it is touched.
  await page.locator('[data-island=network]').click();
  await approach(page);
  await idle(page);
  expect(tiles.asked).toEqual([]);
});
