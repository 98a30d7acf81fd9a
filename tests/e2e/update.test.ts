import type { ServerResponse } from 'node:http';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { offerDeltas } from '../../server/deltas.ts';
import { openSite, type Site } from '../../server/site.ts';
import { madeOnce } from '../run-folder.ts';
import { buildWith } from './build-with.ts';
import type { Service } from './service.ts';
import {
  arrived,
  askNow,
  awake,
  draftKept,
  expect,
  openWithWorker,
  fill,
  idle,
  openList,
  receipt,
  sent,
  sharedBy,
  someone,
  submit,
  test as base,
} from './visitor.ts';

/** Makes a site for the next release, with deltas from the present build. */
async function siteWithDeltas(folder: string): Promise<Site> {
  const directory = path.join(folder, 'dist');
  const site = openSite(directory);
  await offerDeltas(site, directory, ['dist']);
  return site;
}

const test = base.extend<{}, { next: Site }>({
  next: sharedBy(
    async () => {
      const environment = { VITE_COMPANY_NAME: 'AeroPuente Siguiente' };
      return siteWithDeltas(await madeOnce('next', (folder) => buildWith(folder, environment)));
    },
    () => undefined,
  ),
});

test.use({ serviceWorkers: 'allow' });
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const offer = (page: Page) => page.getByText('Nueva versión');
const accept = (page: Page) => page.getByRole('button', { name: 'Actualizar' });

/** Opens the page as on a second visit, when the service worker controls it. */
async function openAgain(page: Page): Promise<void> {
  await openWithWorker(page);
  await page.goto('/?otra=vez#contact-form');
  await awake(page);
}

/** Returns to the page, which makes the page look for a new release. */
async function comeBack(page: Page): Promise<void> {
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
}

/** Serves the next release. Counts the bytes, and the requests that offer a dictionary for compression. */
function offerCounted(service: Service, next: Site): { bytes: number; offered: number } {
  const cost = { bytes: 0, offered: 0 };
  service.site = (request, response) => {
    const socket = response.socket!;
    const start = socket.bytesWritten;
    if (request.headers['available-dictionary']) cost.offered += 1;
    response.on('finish', () => (cost.bytes += socket.bytesWritten - start));
    next(request, response);
  };
  return cost;
}

test('a new release is offered to the visitor, and costs at most 40 kB', async ({ page, context, service, next }) => {
  await openAgain(page);
  const { nombre } = someone();
  await fill(page, { nombre });
  await draftKept(page, nombre);
  await page.goto('about:blank');
  await page.goto('/?y=otra#contact-form');
  await awake(page);
  const cost = offerCounted(service, next);
  for (const title of [/AeroPuente Siguiente$/, /AeroPuente$/]) {
    await comeBack(page);
    await expect(offer(page)).toBeVisible({ timeout: 30_000 });
    if (service.site) {
      expect(cost.bytes).toBeLessThan(40_000);
      expect(cost.offered).toBeGreaterThan(40);
    }
    await accept(page).click();
    await expect(page).toHaveTitle(title);
    await expect(page.locator('[name=nombre]')).toHaveValue(nombre);
    await expect(offer(page)).toHaveCount(0);
    await context.setOffline(true);
    await page.goto('about:blank');
    await page.goto('/#contact-form');
    await expect(page).toHaveTitle(title);
    // The form works only if all its scripts belong to the same release.
    await awake(page);
    await context.setOffline(false);
    await expect
      .poll(() => page.evaluate(async () => (await caches.keys()).filter((name) => name.startsWith('opening-')).length))
      .toBe(1);
    service.site = undefined;
  }
});

test('the page looks for a new release when the page opens and every hour', async ({ page, service, next }) => {
  await page.clock.install();
  await openAgain(page);
  service.site = next;
  await page.clock.runFor(61 * 60_000);
  await arrived(page);
  await page.goto('/');
  await expect(offer(page)).toBeVisible({ timeout: 30_000 });
});

test('a new release is not offered while the visitor types or sends a quote', async ({ page, service, next }) => {
  await openAgain(page);
  await fill(page, someone());
  service.site = next;
  await comeBack(page);
  await arrived(page);
  await idle(page);
  await expect(offer(page)).toHaveCount(0);
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  await expect(offer(page)).toBeVisible();
  await service.answer((await service.quotes()).at(-1)!.id, { kind: 'mensaje', body: 'Con gusto.' });
  await askNow(page);
  await receipt(page).getByRole('button', { name: 'Preguntar' }).click();
  await receipt(page).getByRole('textbox').fill('¿Y el martes?');
  await expect(offer(page)).toHaveCount(0);
  await receipt(page).getByRole('button', { name: 'Cancelar' }).click();
  await expect(offer(page)).toBeVisible();

  await fill(page, someone());
  await expect(offer(page)).toHaveCount(0);
  let letGo!: () => void;
  service.gate = new Promise((resolve) => (letGo = resolve));
  await submit(page);
  // The form can be used again after five seconds, although the quote is still being sent.
  await expect(page.locator('#reservar-espacio [name=nombre]')).toHaveValue('', { timeout: 11_000 });
  await expect(receipt(page)).toContainText('enviando');
  await expect(offer(page)).toHaveCount(0);
  letGo();
  await expect(receipt(page)).toContainText('entregada');
  await expect(offer(page)).toBeVisible();

  // A toast about the new release that the visitor closed does not return.
  const notice = page.locator('[role=status] > div', { has: offer(page) });
  await notice.getByRole('button', { name: 'Cerrar aviso' }).click();
  await sent(page, service);
  await idle(page);
  await expect(offer(page)).toHaveCount(0);
});

test('a second tab continues with the old release, even without signal', async ({ page, context, service, next }) => {
  await openAgain(page);
  const person = someone();
  await fill(page, person);
  const other = await context.newPage();
  await other.goto('/');
  service.site = next;
  await comeBack(other);
  await expect(offer(other)).toBeVisible({ timeout: 30_000 });
  await accept(other).click();
  await expect(other).toHaveTitle(/AeroPuente Siguiente$/);

  await expect(page).toHaveTitle(/AeroPuente$/);
  await expect(page.locator('#reservar-espacio [name=nombre]')).toHaveValue(person.nombre);
  await expect(offer(page)).toHaveCount(0);
  await context.setOffline(true);
  await page.getByText('Calcular el peso cobrable').click();
  await expect(page.getByLabel('Piezas')).toBeVisible();
  await openList(page);
  await expect(page.getByRole('dialog', { name: 'Mis cotizaciones' })).toBeVisible();
});

test('an incomplete new release does not replace the old release', async ({ page, context, service, next }) => {
  await openAgain(page);
  let refused = 0;
  const refuse = (response: ServerResponse) => {
    refused += 1;
    response.writeHead(503).end();
  };
  service.replace(/\/assets\/MapView/, refuse, next);
  await comeBack(page);
  await expect.poll(() => refused).toBeGreaterThan(0);
  const workers = () =>
    page.evaluate(async () => {
      const { active, installing, waiting } = (await navigator.serviceWorker.getRegistration())!;
      return [active?.state, installing?.state, waiting?.state];
    });
  await expect.poll(workers).toEqual(['activated', undefined, undefined]);
  await context.setOffline(true);
  await page.reload();
  await expect(page).toHaveTitle(/AeroPuente$/);
  await awake(page);
});

test('a visitor downloads less than 5 kB for a release in which one sentence changed', async ({ page, service }) => {
  const directory = await madeOnce('sentence', async (folder) => {
    const changed = { file: 'src/content/services.ts', from: 'cuellos de botella', to: 'embudos' };
    await buildWith(folder, {}, changed);
  });
  await openAgain(page);
  const cost = offerCounted(service, await siteWithDeltas(directory));
  await comeBack(page);
  await arrived(page);
  expect(cost.bytes).toBeLessThan(5000);
  expect(cost.offered).toBeGreaterThan(1);
  await accept(page).click();
  await expect(page.getByText('sin los embudos de Los Ángeles')).toHaveCount(1);
});
