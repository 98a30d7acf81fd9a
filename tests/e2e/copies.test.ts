import { expectAccessible } from './accessible.ts';
import { deskAt, sheet, sheetOf } from './desk-visitor.ts';
import { opened, rows, tray } from './every-state.ts';
import type { Service } from './service.ts';
import {
  eraseAll,
  awake,
  expect,
  fill,
  openWithWorker,
  markShared,
  openList,
  receipt,
  retriesUntil,
  sent,
  someone,
  submit,
  test,
  type values,
  unfold,
} from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const ofSender = async (service: Service, { nombre }: typeof values) =>
  (await service.rowsOf(nombre)).toSorted((a, b) => Date.parse(a.created_at) - Date.parse(b.created_at));

test('several taps on "send again" send a single copy', { tag: '@full' }, async ({ page, service }) => {
  const person = someone();
  await page.goto('/');
  const first = await sent(page, service, person);
  await page.goto('about:blank');
  await page.goto('/#mis-cotizaciones');
  const old = tray(page).getByRole('article', { name: first.folio });
  await unfold(old);
  await old.getByRole('button', { name: 'Repetir solicitud' }).click();
  await expect(old.getByRole('button', { name: 'Cancelar' })).toBeFocused();
  await expectAccessible(page, 'asking for another', 'dialog');
  await old.getByRole('button', { name: 'Sí, enviar otra' }).evaluate((button: HTMLElement) => {
    for (let press = 0; press < 3; press += 1) button.click();
  });
  await expect(rows(page)).toHaveCount(2);
  await expect(tray(page).getByRole('article').first()).toContainText(`Repite ${first.folio}`);
  await expect(tray(page).getByRole('article').first()).toContainText('entregada');
  await expect(tray(page).getByRole('article').first()).toBeFocused();
  await expect(rows(page).last()).toContainText('entregada');
  const [, second, ...others] = await ofSender(service, person);
  expect(others).toEqual([]);
  const { nombre, empresa, email, telefono, peso, tipo_carga } = first;
  const same = { nombre, empresa, email, telefono, peso, tipo_carga };
  expect(second).toMatchObject({ ...same, igual: first.folio });

  // The second copy of a quote names the first copy, not the original, as the quote that it repeats.
  await opened(page, first.folio);
  await unfold(old);
  await old.getByRole('button', { name: 'Repetir solicitud' }).click();
  await old.getByRole('button', { name: 'Sí, enviar otra' }).click();
  await expect(rows(page)).toHaveCount(3);
  await expect(tray(page).getByRole('article').first()).toContainText(`Repite ${second!.folio}`);
  await expect(tray(page).getByRole('article').first()).toContainText('entregada');
  expect(await ofSender(service, person)).toHaveLength(3);

  const desk = await deskAt(page, service, second!.folio);
  await expect(sheet(desk)).toContainText('Repite');
  await sheet(desk).locator('dl').getByRole('button', { name: first.folio }).click();
  await expect(sheetOf(desk, first.folio)).toBeVisible();
});

test.describe('copies of a quote in a page with its service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('"send again" without signal sends one copy, even if the tab closes', async ({ page, context, service }) => {
    const person = someone();
    await openWithWorker(page);
    await sent(page, service, person);
    await context.setOffline(true);
    await unfold(page);
    await receipt(page).getByRole('button', { name: 'Repetir solicitud' }).click();
    await receipt(page).getByRole('button', { name: 'Sí, enviar otra' }).click();
    await expect(tray(page).getByRole('article').first()).toContainText('en espera');
    await page.close();
    service.fault = (_, attempt) => ({ kind: attempt === 0 ? 'lose-answer' : 'none' });
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto('/#mis-cotizaciones');
    await retriesUntil(next, rows(next).first(), 'entregada');
    expect(await ofSender(service, person)).toHaveLength(2);
  });
});

test('the page remembers contact data only if the visitor agrees', { tag: '@full' }, async ({ page, service }) => {
  const person = someone();
  const field = (name: string) => page.locator(`#reservar-espacio [name="${name}"]`);
  await page.goto('/');
  await sent(page, service, person);
  await unfold(page);
  const remember = receipt(page).getByLabel(/Recordar mis datos/);
  await expect(remember).not.toBeChecked();
  await page.reload();
  await awake(page);
  await expect(field('nombre')).toHaveValue('');

  const other = someone();
  await sent(page, service, other);
  await unfold(page);
  await remember.check();
  // Contact data that the page fills in count as no draft, even if the browser restores them at the second reload.
  for (let times = 0; times < 2; times += 1) {
    await page.reload();
    await awake(page);
  }
  await expect(page.getByRole('status').filter({ hasText: 'Llenamos sus datos' })).toBeVisible();
  await expect(field('nombre')).toHaveValue(other.nombre);
  await expect(field('telefono')).toHaveValue(other.telefono);
  await expect(field('peso')).toHaveValue('');
  await expectAccessible(page, 'remembered', '#reservar-espacio');
  await fill(page, { peso: '900', tipo_carga: 'general' });
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  expect(await ofSender(service, other)).toMatchObject([{ peso: 12_500 }, { peso: 900 }]);
  await unfold(page);
  await expect(field('nombre')).toHaveValue(other.nombre);
  await expect(remember).toBeChecked();
  await page.getByRole('button', { name: 'Quitar' }).click();
  await expect(field('nombre')).toHaveValue('');
  await expect(remember).not.toBeChecked();
  await page.reload();
  await awake(page);
  await expect(field('nombre')).toHaveValue('');
});

test('the erasure of all data also deletes the remembered contact data', async ({ page, service }) => {
  const remembered = () => page.evaluate(() => localStorage.getItem('aeropuente.contact'));
  for (const forget of [eraseAll, markShared]) {
    await page.goto('/');
    const { nombre } = await sent(page, service);
    await unfold(page);
    await receipt(page)
      .getByLabel(/Recordar mis datos/)
      .check();
    await expect.poll(remembered).toContain(nombre);
    await openList(page);
    await forget(page);
    expect(await remembered()).toBe(null);
    await page.goto('about:blank');
  }
  await page.goto('/');
  await awake(page);
  await expect(page.locator('#reservar-espacio [name="nombre"]')).toHaveValue('');
  await fill(page, someone());
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  await expect(receipt(page).getByLabel(/Recordar mis datos/)).toHaveCount(0);
});
