import type { Page } from '@playwright/test';
import { countNotifications, periodicSyncFrom, shown, syncFrom } from './worker-events.ts';
import type { Service } from './service.ts';
import { PRICED } from './every-state.ts';
import {
  askNow,
  expect,
  fill,
  flushed,
  workerReady,
  leaveWaiting,
  lookAway,
  lookBack,
  openList,
  openWithWorker,
  receipt,
  sent,
  someone,
  storeOf,
  submit,
  test,
  unfold,
} from './visitor.ts';

test.use({ serviceWorkers: 'allow' });
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

/** Closes the page, restores the network, and waits until the worker alone has sent a quote. Returns the sync event. */
async function leaveToWorker(page: Page, service: Service): Promise<() => Promise<void>> {
  const sync = await syncFrom(page, service.origin);
  // The test counts the inserts before the page closes, because a request of the closing page may still arrive.
  const inserts = service.inserts.length;
  await page.goto('about:blank');
  await page.context().setOffline(false);
  // The service worker may still be offline at first, so the test repeats the sync event.
  await expect(async () => {
    await sync();
    expect(service.inserts.length).toBeGreaterThan(inserts);
  }).toPass();
  return sync;
}

async function keepOffline(page: Page): Promise<string> {
  await openWithWorker(page);
  await page.context().setOffline(true);
  const person = someone();
  await fill(page, person);
  await submit(page);
  await expect(receipt(page)).toContainText('en espera');
  return person.nombre;
}

test('the app icon opens the page from the cache if the worker cannot respond', async ({ page, context, quiet }) => {
  // A script that the page requests while the test stops the worker may fail to load.
  quiet.allow(/Failed to fetch dynamically imported module/);
  await openWithWorker(page);
  const stopWorkers = async () => {
    const session = await context.newCDPSession(page);
    await session.send('ServiceWorker.enable');
    await session.send('ServiceWorker.stopAllWorkers');
  };
  /** Returns where the document came from: "cache" if the browser served it by the worker’s static routes. */
  const source = () =>
    page.evaluate(() => {
      const [visit] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & {
        workerFinalSourceType: string;
      })[];
      return visit!.workerFinalSourceType;
    });
  const openings = () => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('opening-')));
  await context.setOffline(true);
  for (const [address, from] of [
    ['/', 'cache'],
    ['/?', 'cache'],
    ['/#servicios', 'cache'],
    ['/?utm_source=x&utm_campaign=y', ''],
    ['/index.html', ''],
  ] as const) {
    await stopWorkers();
    await page.goto('about:blank');
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toContainText('Reserva tu espacio hoy');
    expect(await source(), address).toBe(from);
    await workerReady(page);
  }
  // The worker restores a missing copy of the document at its next start.
  const names = await openings();
  expect(names).toHaveLength(1);
  await page.evaluate((name) => caches.delete(name), names[0]!);
  await stopWorkers();
  await page.goto('/?a=1');
  await expect.poll(openings).toEqual(names);
  await page.goto('/');
  expect(await source()).toBe('cache');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Reserva tu espacio hoy');
  await page.goto('/privacidad.html');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('privacidad', { ignoreCase: true });
});

test('the page sends a quote directly, not through the worker', { tag: '@full' }, async ({ page, service }) => {
  await openWithWorker(page);
  await page.goto('/');
  await sent(page, service);
  const sources = await page.evaluate(() => {
    const fetched = performance.getEntriesByType('resource') as (PerformanceResourceTiming & {
      workerMatchedSourceType: string;
    })[];
    return fetched
      .filter(({ name }) => name.includes('/rest/v1/quotes'))
      .map(({ workerMatchedSourceType }) => workerMatchedSourceType);
  });
  expect(new Set(sources)).toEqual(new Set(['network']));
});

for (const [way, permissions] of [
  ['the next page', []],
  ['a notification', ['notifications', 'background-sync']],
] as const)
  test(`the worker delivers the quote of a closed page; ${way} reports it once`, async ({ page, context, service }) => {
    await context.grantPermissions(permissions, { origin: service.origin });
    const nombre = await keepOffline(page);
    const folio = await page.locator('[translate=no]').first().innerText();
    const worker = context.serviceWorkers()[0]!;
    await countNotifications(worker);
    const sync = await leaveToWorker(page, service);
    const database = await storeOf(worker);
    const states = () =>
      database.evaluate((quotes) => {
        const reading = quotes.transaction('quotes').objectStore('quotes').getAll();
        return new Promise((resolve) => (reading.onsuccess = () => resolve(reading.result.map(({ state }) => state))));
      });
    // The response can be lost while the network comes back. A browser then fires the event again.
    await expect(async () => {
      await sync();
      expect(await states()).toMatchObject([{ kind: 'delivered' }]);
    }).toPass();
    await expect.poll(() => service.rowsOf(nombre)).toHaveLength(1);
    const toast = page.getByText(/Solicitud AP-.* entregada/);
    if (way === 'a notification') {
      const texts = { title: `Solicitud ${folio} entregada`, body: `Request ${folio} delivered` };
      await expect.poll(() => shown(worker)).toMatchObject([texts]);
      expect(await states()).toMatchObject([{ kind: 'delivered', announced: true }]);
    } else {
      await page.goto('/');
      await expect(toast).toBeVisible();
      await page.goto('about:blank');
    }
    await page.goto('/#mis-cotizaciones');
    await expect(page.getByRole('dialog')).toContainText('entregada');
    await flushed(page);
    await expect(toast).toHaveCount(0);
  });

test('a delivery by a hidden page causes one notification', { tag: '@full' }, async ({ page, context, service }) => {
  await context.grantPermissions(['notifications'], { origin: service.origin });
  await openWithWorker(page);
  await leaveWaiting(page, service);
  // The test waits until the form is enabled. Before that, the form itself would announce the delivery.
  await expect(page.getByRole('button', { name: 'Solicitar cotización' })).toBeEnabled();
  const folio = await page.locator('[translate=no]').first().innerText();
  await lookAway(page);
  service.fault = () => ({ kind: 'none' });
  await askNow(page);
  const [worker] = context.serviceWorkers();
  await expect.poll(() => shown(worker!)).toMatchObject([{ title: `Solicitud ${folio} entregada` }]);
  await lookBack(page);
  await expect(receipt(page)).toContainText('entregada');
  await flushed(page);
  await expect(page.getByText(/Solicitud AP-.* entregada/)).toHaveCount(0);
});

test('an answer causes one notification if no page is open', async ({ page, context, service }) => {
  await context.grantPermissions(['notifications'], { origin: service.origin });
  await openWithWorker(page);
  const { id, folio } = await sent(page, service);
  const periodicSync = await periodicSyncFrom(page, service.origin);
  // The test leaves the page, because an open page would fetch the answer itself.
  await page.goto('about:blank');
  const [worker] = context.serviceWorkers();
  await countNotifications(worker!);
  await service.answer(id, { ...PRICED, body: 'Sale el jueves.' });
  await periodicSync();
  await periodicSync();
  await expect
    .poll(() => shown(worker!))
    .toMatchObject([{ title: `Respuesta lista: ${folio}`, body: `Answer ready: ${folio}`, data: null }]);
});

test('permission for notifications is requested only after a click', { tag: '@full' }, async ({ page, service }) => {
  await page.addInitScript(() => {
    Object.defineProperty(Notification, 'permission', { get: () => 'default' });
    Notification.requestPermission = () => {
      sessionStorage.setItem('asked', '1');
      return Promise.resolve('granted');
    };
  });
  const requested = () => page.evaluate(() => sessionStorage.getItem('asked'));
  await page.goto('/');
  await leaveWaiting(page, service);
  expect(await requested()).toBeNull();
  await openList(page);
  await unfold(page.getByRole('dialog'));
  await page.getByRole('button', { name: 'Avisarme cuando se entregue' }).click();
  await expect.poll(requested).toBe('1');
  await expect(page.getByRole('heading', { name: 'Mis cotizaciones' })).toBeFocused();
});

test('the worker registers background sync again if the last attempt fails', async ({ page, context, service }) => {
  await openWithWorker(page);
  await leaveWaiting(page, service);
  const sync = await syncFrom(page, service.origin);
  // The page registers the sync too, so the test counts only the worker’s calls.
  const [worker] = context.serviceWorkers();
  await worker!.evaluate(() => {
    const scope = globalThis as unknown as { registered: string[]; SyncManager: { prototype: object } };
    scope.registered = [];
    Object.assign(scope.SyncManager.prototype, { register: async (tag: string) => void scope.registered.push(tag) });
  });
  await sync().catch(() => undefined);
  const registered = () => worker!.evaluate(() => (globalThis as unknown as { registered: string[] }).registered);
  await expect.poll(registered).toContain('quotes');
});

test('a quote survives if the browser stops the worker during delivery', async ({ page, context, service }) => {
  service.fault = (_quote, attempt) => (attempt === 0 ? { kind: 'hang' } : { kind: 'none' });
  const nombre = await keepOffline(page);
  await leaveToWorker(page, service);
  const session = await context.newCDPSession(page);
  await session.send('ServiceWorker.enable');
  await session.send('ServiceWorker.stopAllWorkers');
  await page.goto('/');
  await expect.poll(() => service.rowsOf(nombre), { timeout: 40_000 }).toHaveLength(1);
});

test('a worker that failed to install is installed later', { tag: '@full' }, async ({ page, context, service }) => {
  const isRegistered = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration()) !== undefined);
  const workerRequests = () => service.carried.filter(({ address }) => address === '/worker.js').length;
  await page.clock.install();
  service.lost = /network-still/;
  await page.goto('/');
  // The page requests the service worker some seconds after it has loaded.
  await page.clock.runFor(5000);
  for (const [tries, wait] of [5000, 20_000, 60_000].entries()) {
    await expect.poll(workerRequests).toBe(tries + 1);
    await expect.poll(isRegistered).toBe(false);
    await page.clock.runFor(wait);
  }
  await expect.poll(workerRequests).toBe(4);
  await expect.poll(isRegistered).toBe(false);
  // After four attempts the page no longer tries to install the worker by itself.
  await page.clock.runFor(120_000);
  service.lost = undefined;
  expect(workerRequests()).toBe(4);
  await expect(async () => {
    await context.setOffline(true);
    await context.setOffline(false);
    await expect.poll(isRegistered, { timeout: 3000 }).toBe(true);
  }).toPass();
  await workerReady(page);
  await context.setOffline(true);
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Reserva tu espacio hoy');
});
