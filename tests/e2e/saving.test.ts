import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { syncFrom, syncTags } from './worker-events.ts';
import { tray } from './every-state.ts';
import { arrived, expect, fill, workerReady, leaveWaiting, receipt, someone, submit, test } from './visitor.ts';

// Tests of the files that the service worker stores in data saver mode.

test.use({ serviceWorkers: 'allow' });
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_CONNECTION_REFUSED/));

const worker = readFileSync('dist/worker.js', 'utf8');
const form = (page: Page) => page.locator('#reservar-espacio');
const setting = (page: Page) => page.getByRole('switch', { name: 'Ahorro de datos' });

/** Opens the page in a browser whose data saver is on. */
async function visit(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setDataSaverOverride', { dataSaverEnabled: true });
  await page.goto('/');
  await expect(page.locator('html')).toHaveAttribute('data-saving', '');
  await page.waitForLoadState('networkidle');
}

/** Opens the page, and types a name. In data saver mode only typing installs the service worker. */
async function beginToType(page: Page): Promise<void> {
  await visit(page);
  await fill(page, { nombre: someone().nombre });
  await workerReady(page);
}

const workers = (page: Page) =>
  page.evaluate(async () => (await navigator.serviceWorker.getRegistrations()).map(({ active }) => active?.state));

/** Returns the paths in the service worker’s cache, without hashes. */
const files = (page: Page) =>
  page.evaluate(async () => {
    const names = (await caches.keys()).filter((name) => name.includes('precache'));
    const requests = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()));
    return requests
      .flat()
      .map(({ url }) => new URL(url).pathname.replace(/-[\w-]{8}(?=\.\w+$)/, ''))
      .toSorted();
  });

test('a visitor in data saver mode loads at most 46 kB more after starting to type', async ({ context, service }) => {
  const page = await context.newPage();
  await visit(page);
  await page.mouse.wheel(0, 5000);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(1000);
  await page.waitForLoadState('networkidle');
  expect(await workers(page)).toEqual([]);

  const carried = () => service.carried.reduce((sum, { bytes }) => sum + bytes, 0);
  await form(page).locator('[name=nombre]').focus();
  await expect(page.locator('[data-island=tray]:not([data-awake])')).toHaveCount(0);
  await page.waitForLoadState('networkidle');
  expect(await workers(page)).toEqual([]);
  const bytes = carried();
  const person = someone();
  await fill(page, { nombre: person.nombre });
  await workerReady(page);
  expect(carried() - bytes).toBeGreaterThan(20_000);
  expect(carried() - bytes).toBeLessThanOrEqual(46_500);
  // The service worker takes the document from the browser’s cache, so the document is not requested twice.
  expect(service.carried.filter(({ address }) => address.startsWith('/index.html'))).toEqual([]);
  expect(await files(page)).toEqual(
    expect.arrayContaining(['/index.html', '/assets/quote.js', '/assets/TrayDialog.js']),
  );
  expect((await files(page)).filter((name) => /Map|land|font|Voice|privacidad/.test(name))).toEqual([]);

  await context.setOffline(true);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Reserva tu espacio hoy');
  await expect(form(page).locator('[name=nombre]')).toHaveValue(person.nombre);
  await fill(page, person);
  await submit(page);
  await expect(receipt(page)).toContainText('en espera');
  await page.locator('.way').click();
  await expect(tray(page).getByRole('article')).toContainText('en espera');

  await expect.poll(() => syncTags(page)).toEqual(['quotes']);
  await expect(tray(page).getByRole('article')).not.toContainText('abra esta página de nuevo');
  const sync = await syncFrom(page, service.origin);
  await page.goto('about:blank');
  await context.setOffline(false);
  // The service worker may still be offline at first, so the test repeats the event.
  await expect(async () => {
    await sync();
    expect(await service.rowsOf(person.nombre)).toHaveLength(1);
  }).toPass();
});

test('the worker stores only files of its own release', { tag: '@full' }, async ({ page, service }) => {
  const otherDocument = `${readFileSync('dist/index.html', 'utf8')}<!-- of another release -->`;
  service.replace(/^\/$/, (response) =>
    response.writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-cache' }).end(otherDocument),
  );
  await beginToType(page);
  const opens = await page.evaluate(async () => (await caches.match('/'))!.text());
  expect(opens).toBe(readFileSync('dist/index.html', 'utf8'));
});

test('data saving lets a waiting quote install the worker', { tag: '@full' }, async ({ page, context, service }) => {
  await page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  await visit(page);
  await leaveWaiting(page, service);
  await page.close();
  const next = await context.newPage();
  await visit(next);
  await workerReady(next);
  expect(await files(next)).not.toContain('/privacidad.html');
});

test('the worker loads all files once data saving is off', { tag: '@full' }, async ({ page, context, service }) => {
  await beginToType(page);
  expect(await files(page)).not.toContain('/assets/MapView.js');
  service.carried.length = 0;
  let refused = 0;
  service.replace(/\/assets\/MapView/, (response) => {
    refused += 1;
    response.writeHead(503).end();
  });
  await setting(page).click();
  await expect.poll(() => refused).toBeGreaterThan(0);
  // The next visit loads what failed to load.
  service.site = undefined;
  await page.reload();
  await expect.poll(() => files(page)).toContain('/manifest.webmanifest');
  expect(await files(page)).toEqual(
    expect.arrayContaining(['/privacidad.html', '/assets/MapView.js', '/assets/land.js']),
  );
  expect(service.carried.filter(({ address }) => /\/(index\.html|assets\/(react|quote)-)/.test(address))).toEqual([]);
  await context.setOffline(true);
  await page.goto('/privacidad.html');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('privacidad', { ignoreCase: true });
});

test('a visitor in data saver mode loads few files of a new release', { tag: '@full' }, async ({ page, service }) => {
  await beginToType(page);
  // A changed byte makes the worker a new release, because the browser compares workers byte by byte.
  service.replace(/^\/worker\.js$/, (response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(`${worker}\n// newer`),
  );
  service.carried.length = 0;
  await page.reload();
  await arrived(page);
  expect(await files(page)).not.toContain('/assets/MapView.js');
});
