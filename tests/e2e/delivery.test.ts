import type { Page } from '@playwright/test';
import { tray, way } from './every-state.ts';
import { refuses } from './service.ts';
import {
  askNow,
  awake,
  expect,
  openWithWorker,
  fill,
  flushed,
  leaveWaiting,
  lookAway,
  lookBack,
  receipt,
  retriesUntil,
  someone,
  submit,
  test,
} from './visitor.ts';

const KEPT = 'Guardamos su solicitud en este teléfono. Se enviará automáticamente en cuanto haya señal.';
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

async function ask(page: Page): Promise<string> {
  const person = someone();
  await page.goto('/');
  await fill(page, person);
  await submit(page);
  return person.nombre;
}

// The tests here use one network fault of each kind. tests/unit/outbox-reasons.test.ts tests all faults.

test('a quote whose request fails is shown as waiting, and arrives once', async ({ page, service }) => {
  service.fault = () => ({ kind: 'lose-request' });
  const nombre = await ask(page);
  await expect(page.getByText(KEPT)).toBeVisible();
  await expect(page.locator('[name=nombre]')).toHaveValue('');
  await expect(receipt(page)).toContainText('en espera');
  await expect(receipt(page)).toContainText('empieza cuando se entrega');
  await expect(receipt(page)).not.toContainText('entregada');
  await expect(way(page)).toContainText('en espera');
  expect(await service.rowsOf(nombre)).toEqual([]);

  service.fault = () => ({ kind: 'none' });
  await expect(receipt(page)).toContainText('entregada', { timeout: 30_000 });
  await expect(way(page)).toContainText('entregada');
  expect(await service.rowsOf(nombre)).toHaveLength(1);
});

test('a quote that the server refuses for a known e-mail address stays in the form', async ({ page, service }) => {
  service.fault = refuses(409, '23505', 'quotes_email_key');
  const nombre = await ask(page);
  const says = 'Ya existe una cotizacion con este email. Te contactaremos pronto.';
  await expect(page.getByRole('alert').getByText(says)).toBeVisible();
  await expect(page.locator('[name=nombre]')).toHaveValue(nombre);
  await expect(receipt(page)).toHaveCount(0);
  await expect(way(page)).toBeHidden();
  service.fault = () => ({ kind: 'none' });
  await page.goto('about:blank');
  await page.goto('/#mis-cotizaciones');
  await expect(tray(page)).toContainText('No hay cotizaciones en este teléfono.');
  await flushed(page);
  expect(await service.rowsOf(nombre)).toEqual([]);
  // A page without quotes does not load the script that fetches answers.
  expect(service.questions).toEqual([]);
  const imported = await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name));
  expect(imported.filter((name) => /keep-asking|Answers/.test(name))).toEqual([]);
});

test('a hanging request delays the receipt one second at most, and the form five', async ({ page, service }) => {
  service.fault = () => ({ kind: 'hang' });
  await page.clock.install();
  await page.goto('/');
  await fill(page, someone());
  await awake(page);
  // The clock is paused, so a receipt appears only if the page shows it without a timer.
  await page.clock.pauseAt(Date.now() + 60_000);
  await submit(page);
  const busy = page.getByRole('button', { name: 'Enviando cotizacion...' });
  await expect(busy).toBeDisabled();
  await page.clock.runFor(990);
  await expect(receipt(page)).toBeVisible();
  await expect(busy).toBeDisabled();
  // The form is enabled again five seconds after its request, so the test first waits for that request.
  await expect.poll(() => service.inserts.length).toBe(1);
  await page.clock.runFor(4500);
  await expect(page.getByText(KEPT)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Solicitar cotización' })).toBeEnabled();
});

test('a delivery while the page is hidden is announced when the visitor returns', async ({ page, service }) => {
  await page.goto('/');
  const { nombre } = await leaveWaiting(page, service);
  // The test waits until the form is enabled. Before that, the form itself would announce the delivery.
  await expect(page.getByRole('button', { name: 'Solicitar cotización' })).toBeEnabled();
  await lookAway(page);
  service.fault = () => ({ kind: 'none' });
  await askNow(page);
  await expect(receipt(page)).toContainText('entregada');
  expect(await service.rowsOf(nombre)).toHaveLength(1);
  const announcement = page.getByText(/Solicitud AP-.* entregada/);
  await expect(announcement).toHaveCount(0);
  await lookBack(page);
  await expect(announcement).toBeVisible();
});

/** Simulates a slow disk: the page closes before it can read the stored quote. */
const readsTooLate = () => {
  const read = Reflect.get(IDBObjectStore.prototype, 'getAll') as (this: IDBObjectStore) => IDBRequest;
  IDBObjectStore.prototype.getAll = function () {
    if (this.transaction.mode === 'readonly') throw new DOMException('It comes too late.');
    return read.call(this);
  };
};

test.describe('deliveries by a page with its service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const disk of ['quick', 'slow']) {
    const title = `a quote whose tab closes while sending is delivered later (${disk} disk)`;
    test(title, { tag: disk === 'quick' ? [] : '@full' }, async ({ context, service }) => {
      service.fault = (_, attempt) => ({ kind: attempt === 0 ? 'hang' : 'none' });
      const page = await context.newPage();
      if (disk === 'slow') await page.addInitScript(readsTooLate);
      const person = someone();
      await page.goto('/');
      if (disk === 'slow') await awake(page);
      await fill(page, person);
      await submit(page);
      await expect.poll(() => service.inserts.length).toBe(1);
      // The receipt appears before the disk has answered.
      await expect(receipt(page)).toContainText(/en espera|enviando/);
      await page.close();
      const next = await context.newPage();
      await next.goto('/');
      await retriesUntil(next, way(next), 'entregada');
      expect(await service.rowsOf(person.nombre)).toHaveLength(1);
      await expect(next.getByText(/Solicitud AP-.* entregada/)).toBeVisible();
      await expect(next.locator('[name=nombre]')).toHaveValue('');
    });
  }

  test('the page opens from the cache while the server is down, and sends a quote later', async ({ page, service }) => {
    await openWithWorker(page);
    await service.lineDown();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const person = someone();
    await fill(page, person);
    await submit(page);
    await expect(page.getByText(KEPT)).toBeVisible();
    expect(await page.evaluate(() => navigator.onLine)).toBe(true);
    await page.reload();
    await expect(way(page)).toContainText('en espera');
    await service.lineUp();
    await retriesUntil(page, way(page), 'entregada');
    expect(await service.rowsOf(person.nombre)).toHaveLength(1);
  });
});
