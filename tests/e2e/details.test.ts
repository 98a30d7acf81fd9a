import type { Page } from '@playwright/test';
import { linkCode } from '../../src/lead/quote-link.ts';
import { expectAccessible } from './accessible.ts';
import { PRICED, tray } from './every-state.ts';
import { findMisfits } from './layout.ts';
import { refuses } from './service.ts';
import {
  askNow,
  elsewhere,
  expect,
  fill,
  idle,
  openWithWorker,
  receipt,
  retriesUntil,
  sent,
  someone,
  submit,
  test,
  unfold,
} from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

/** Steps of the form for shipment details. The last two steps appear only after the next paint. */
const steps = (page: Page) => receipt(page).getByRole('form', { name: 'Detalles del embarque' }).locator('details');

async function open(page: Page): Promise<void> {
  await unfold(page);
  await receipt(page)
    .getByRole('button', { name: /Detalles del embarque|Cambiar los detalles/ })
    .click();
  await expect(steps(page)).toHaveCount(3);
  await unfold(page);
}
const field = (page: Page, name: string | RegExp) =>
  receipt(page).getByRole('form', { name: 'Detalles del embarque' }).getByLabel(name);
const save = (page: Page) => receipt(page).getByRole('button', { name: 'Enviar detalles' }).click();
test.describe('shipment details with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('shipment details saved without signal arrive once, after their quote', async ({ page, context, service }) => {
    const person = someone();
    await openWithWorker(page);
    await context.setOffline(true);
    await fill(page, person);
    await submit(page);
    await expect(receipt(page)).toContainText('en espera');
    await open(page);
    await field(page, /^Producto/).fill('Arándanos frescos');
    await field(page, /^Empaque/).selectOption('tarimas');
    await field(page, /^Número de piezas/).fill('2');
    for (const [name, cm] of Object.entries({ Largo: '120', Ancho: '100', Alto: '149.6' }))
      await field(page, new RegExp(`^${name}`)).fill(cm);
    await expect(receipt(page)).toContainText('600\u00a0kg');
    await field(page, /^Ciudad de salida/).fill('Tijuana');
    await field(page, /^Temperatura/).selectOption('COL');
    await field(page, /^Ciudad de destino/).fill('Shanghái');
    await field(page, /^Mercancía peligrosa/).selectOption('true');
    await expect(receipt(page)).toContainText('No la transportamos');
    await field(page, /^Mercancía peligrosa/).selectOption('false');
    await expect(receipt(page)).not.toContainText('No la transportamos');
    await expectAccessible(page, 'the details of a shipment', 'article');
    expect(await page.evaluate(findMisfits)).toEqual([]);
    await save(page);
    await expect(receipt(page)).toContainText('Detalles guardados en este teléfono');
    await unfold(page);
    await expect(receipt(page).getByRole('button', { name: 'Cambiar los detalles' })).toBeFocused();
    await page.close();

    let lost = 0;
    service.replyFault = ({ kind }) => ({ kind: kind === undefined && lost++ === 0 ? 'lose-answer' : 'none' });
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto('/#mis-cotizaciones');
    await retriesUntil(next, tray(next).getByRole('article').first(), 'Detalles entregados');
    expect(lost).toBeGreaterThan(1);
    const [quote, ...others] = await service.rowsOf(person.nombre);
    expect(others).toEqual([]);
    expect(await service.rowsAbout('quote_details', quote!.id)).toMatchObject([
      {
        producto: 'Arándanos frescos',
        empaque: 'tarimas',
        piezas: 2,
        alto: 150,
        destino: 'Shanghái',
        temperatura: 'COL',
        peligrosa: false,
      },
    ]);
  });
});

test('the receipt says if shipment details were refused or came after an offer', async ({ page, context, service }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  await open(page);
  await field(page, /^Número de piezas/).fill('4');
  await save(page);
  await expect(receipt(page)).toContainText('Detalles entregados');

  await context.setOffline(true);
  await open(page);
  await field(page, /^Número de piezas/).fill('5');
  await save(page);
  await expect(receipt(page)).toContainText('Detalles guardados en este teléfono');
  await service.answer(id, { body: 'Con gusto.', ...PRICED, kilos: 500 });
  await context.setOffline(false);
  await retriesUntil(page, receipt(page), 'Llegaron después de la oferta');
  await expect(receipt(page).locator('dl')).toContainText('4');
  await expect(receipt(page).getByRole('button', { name: 'Cambiar los detalles' })).toHaveCount(0);
  expect(await service.rowsAbout('quote_details', id)).toMatchObject([{ piezas: 4 }]);

  await sent(page, service);
  service.replyFault = refuses(400, '23514');
  await open(page);
  await field(page, /^Producto/).fill('Fresas');
  await save(page);
  await expect(receipt(page)).toContainText('no se pudieron entregar');
});

test('a late response does not undo newer shipment details', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  await sent(page, service);
  await open(page);
  await field(page, /^Producto/).fill('Fresas');
  await save(page);
  await expect(receipt(page)).toContainText('Detalles entregados');
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const detailsRequest = page.waitForRequest(/quote_details\?select/);
  await page.route(/quote_details\?select/, async (route) => {
    const response = await route.fetch();
    await released;
    await route.fulfill({ response });
  });
  await open(page);
  const request = await detailsRequest;
  await field(page, /^Producto/).fill('Moras');
  await save(page);
  await expect(receipt(page)).toContainText('Detalles entregados');
  release();
  await (await request.response())!.finished();
  await idle(page);
  await expect(receipt(page).locator('dl')).toContainText('Moras');
  // A request may still be under way, and its handler would fail when the page closes.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('a second phone reads shipment details, and adds others', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  await open(page);
  await field(page, /^Producto/).fill('Tequila');
  await save(page);
  await expect(receipt(page)).toContainText('Detalles entregados');
  const other = await elsewhere(page);
  await other.goto(`/#ver=${await linkCode(id, undefined)}`);
  await other.getByRole('button', { name: 'Sí, ver aquí' }).click();
  await expect(receipt(other).locator('dl')).toContainText('Tequila');

  // Details that the phone could not read cannot be changed.
  await other.route('**/quote_details?*', (route) => route.abort());
  await other.goto('/#mis-cotizaciones');
  await other.reload();
  const list = tray(other);
  await expect(list).toContainText('entregada');
  await idle(other);
  await expect(list.getByRole('button', { name: /los detalles|Detalles del embarque/ })).toHaveCount(0);
  await other.unrouteAll();
  await other.context().setOffline(true);
  await other.context().setOffline(false);
  await expect(list.locator('dl')).toContainText('Tequila');
  await unfold(list);
  await list.getByRole('button', { name: 'Cambiar los detalles' }).click();
  await expect(steps(other)).toHaveCount(3);
  await unfold(list);
  await field(other, /^Número de piezas/).fill('7');
  await save(other);
  await expect(receipt(other)).toContainText('Detalles entregados');
  await open(page);
  await expect(field(page, /^Número de piezas/)).toHaveValue('7');
  await expect(field(page, /^Producto/)).toHaveValue('Tequila');
});

test('shipment details typed by keyboard survive a reload', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  await unfold(page);
  const button = receipt(page).getByRole('button', { name: 'Detalles del embarque' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page).getByRole('form', { name: 'Detalles del embarque' })).toBeFocused();
  // The first Tab reaches the title of the form’s step, the second Tab the field "Producto".
  await page.keyboard.press('Tab');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Abulón');
  await page.reload();
  await page.goto('/#mis-cotizaciones');
  await expect(field(page, /^Producto/)).toHaveValue('Abulón');
  await receipt(page).getByRole('button', { name: 'Cerrar sin enviar' }).press('Enter');
  await expect(button).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(field(page, /^Producto/)).toHaveValue('');
  expect(await service.rowsAbout('quote_details', id)).toEqual([]);

  // An offer arrives while the customer edits the shipment details, and closes this form. The saved details are still
  // shown, and the focus stays in the receipt.
  await field(page, /^Producto/).fill('Tequila');
  await save(page);
  await open(page);
  await field(page, /^Número de piezas/).fill('3');
  await service.answer(id, { body: 'Con gusto.', ...PRICED, kilos: 500 });
  await askNow(page);
  await expect(receipt(page).locator('dl')).toContainText('Tequila');
  await expect(receipt(page).locator('[role=status]:focus')).toContainText('Ya hay una oferta con estos datos.');
});
