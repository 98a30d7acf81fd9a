import type { Page } from '@playwright/test';
import { decode } from 'fast-png';
import jsQR from 'jsqr';
import { folioOf } from '../../src/lead/folio.ts';
import { expectAccessible } from './accessible.ts';
import { PRICED, tray } from './every-state.ts';
import {
  accept,
  eraseAll,
  askNow,
  elsewhere,
  expect,
  idle,
  IPHONE,
  markShared,
  receipt,
  sent,
  test,
  unfold,
} from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const shown = (page: Page) => receipt(page).getByText(/#ver=[0-9A-Z]{34}$/);

async function linkOn(page: Page): Promise<string> {
  await unfold(page);
  const button = receipt(page).getByRole('button', { name: 'Ver en otro teléfono' });
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click();
  return shown(page).innerText();
}

/** Confirms that this phone may keep the quote of the share link. */
async function keepHere(other: Page): Promise<void> {
  await tray(other).getByRole('button', { name: 'Sí, ver aquí' }).click();
}

async function closeLink(page: Page): Promise<void> {
  await receipt(page).getByRole('button', { name: 'Desactivar el enlace' }).click();
  await expect(receipt(page).getByRole('button', { name: 'No, conservarlo' })).toBeFocused();
  await receipt(page).getByRole('button', { name: 'Sí, desactivar' }).click();
}

/** Returns the text of the QR code in a picture. */
function textIn(picture: Buffer): string | undefined {
  const { data, width, height, channels } = decode(picture);
  const rgba = new Uint8ClampedArray(width * height * 4).map((_, at) =>
    at % 4 === 3 ? 255 : data[Math.floor(at / 4) * channels + (at % 4)]!,
  );
  return jsQR(rgba, width, height)?.data;
}

test('a share link opens a quote on another phone, which can accept the offer', async ({ page, service }) => {
  await page.goto('/');
  const { id, nombre, empresa } = await sent(page, service);
  await service.answer(id, { ...PRICED, kilos: 12_500, body: 'Sale el jueves.' });
  const link = await linkOn(page);
  const picture = receipt(page).getByRole('img', { name: /Código QR del enlace/ });
  // A toast may cover the QR code at first.
  await expect.poll(async () => textIn(await picture.screenshot())).toBe(link);
  await expectAccessible(page, 'the link', '[data-island=quote]');

  const other = await elsewhere(page);
  const requests: string[] = [];
  other.on('request', (request) => requests.push(request.url()));
  await other.goto(link);
  const question = tray(other).getByRole('alertdialog');
  await expect(question).toContainText(`Esta solicitud es de ${nombre} (${empresa}). ¿Quiere verla en este teléfono?`);
  await expectAccessible(other, 'asked', 'dialog');
  await expect(tray(other).getByRole('article')).toHaveCount(0);
  // The button "No" has the focus, so a press of Enter by mistake stores no quote.
  await other.keyboard.press('Enter');
  await expect(tray(other)).toContainText('No se guardó nada en este teléfono.');
  await other.reload();
  await expect(tray(other).getByRole('article')).toHaveCount(0);
  await keepHere(other);
  await expect(tray(other).getByRole('status').first()).toContainText(`Aquí está su solicitud ${folioOf(id)}.`);
  await expect(tray(other)).toContainText('Sale el jueves.');
  await expectAccessible(other, 'opened', 'dialog');
  // The page removes the link’s key from its URL, and no request contains this key.
  expect(other.url()).toMatch(/#mis-cotizaciones$/);
  const code = link.slice(-34);
  expect(requests.filter((url) => url.includes(code) || url.includes('ver='))).toEqual([]);

  await accept(tray(other));
  await expect(tray(other)).toContainText(/Aceptada · entregada/);
  expect(await service.rowsAbout('quote_replies', id)).toMatchObject([{ kind: 'aceptada', enlace: true }]);
  // The first phone now shows the acceptance instead of the button "Aceptar".
  await askNow(page);
  await expect(receipt(page)).toContainText('aceptada');
  await expect(receipt(page).getByRole('button', { name: 'Aceptar' })).toHaveCount(0);

  await other.goto('about:blank');
  await other.goto('/#mis-cotizaciones');
  await expect(tray(other)).toContainText('Sale el jueves.');
});

test('a truncated or disabled share link opens nothing', { tag: '@full' }, async ({ page, context, service }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  const first = await linkOn(page);
  await context.setOffline(true);
  await closeLink(page);
  const status = receipt(page).locator('[role=status]:focus');
  await expect(status).toContainText('El enlace se desactivará en cuanto haya señal');
  await expect(shown(page)).toHaveCount(0);
  await page.locator('[name=nombre]').focus();
  await context.setOffline(false);
  await expect(receipt(page)).toContainText('Desactivamos el enlace anterior');
  const second = await linkOn(page);
  await expect(page.locator('[name=nombre]')).toBeFocused();
  expect(second).not.toBe(first);

  const other = await elsewhere(page);
  // A truncated link causes no request.
  const requests: string[] = [];
  other.on('request', (request) => requests.push(request.url()));
  await other.goto(first.slice(0, -1));
  await expect(tray(other)).toContainText('Este enlace está incompleto');
  expect(requests.filter((url) => url.includes('/rest/'))).toEqual([]);
  await other.goto('about:blank');
  await other.goto(first);
  await expect(tray(other)).toContainText('Este enlace ya no abre');
  await expect(tray(other)).not.toContainText(folioOf(id));
  await other.goto('about:blank');
  await other.goto(second);
  await keepHere(other);
  await expect(tray(other)).toContainText(`Aquí está su solicitud ${folioOf(id)}.`);

  // A link that the second phone disables is disabled on the first too. Both phones then show the same new link.
  await linkOn(other);
  await closeLink(other);
  await expect(receipt(other)).toContainText('Desactivamos el enlace anterior');
  const third = await linkOn(other);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Ver en otro teléfono' }).click();
  expect(await linkOn(page)).toBe(third);
});

test('a phone retries a share link that got no response', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  const link = await linkOn(page);
  const ways = [
    askNow,
    (phone: Page) => phone.clock.runFor(20_000),
    (phone: Page) => phone.evaluate(() => document.dispatchEvent(new Event('visibilitychange'))),
  ];
  let other!: Page;
  for (const retry of ways) {
    other = await elsewhere(page);
    await other.clock.install();
    await other.route('**/rest/v1/quote_links*', (route) => route.abort());
    await other.goto(link);
    await expect(tray(other)).toContainText('El servidor no respondió');
    expect(other.url()).toBe(link);
    await expect(tray(other).getByRole('button', { name: 'Intentar otra vez' })).toBeVisible();
    // A late success must not take the focus from a visitor who is doing something else.
    const busy = tray(other).getByLabel('Teléfono compartido', { exact: false });
    await busy.focus();
    await other.unroute('**/rest/v1/quote_links*');
    await retry(other);
    await expect(tray(other).getByRole('alertdialog')).toBeVisible();
    await expect(busy).toBeFocused();
    await keepHere(other);
    await expect(tray(other)).toContainText(`Aquí está su solicitud ${folioOf(id)}.`);
  }

  // After "Borrar todo", the page no longer retries a link that it could not open.
  await other.route('**/rest/v1/quote_links*', (route) => route.abort());
  await other.goto('about:blank');
  await other.goto(link);
  await expect(tray(other)).toContainText('El servidor no respondió');
  await eraseAll(other);
  await other.unroute('**/rest/v1/quote_links*');
  const requests: string[] = [];
  other.on('request', (request) => requests.push(request.url()));
  for (const retry of ways) await retry(other);
  await idle(other);
  expect(requests.filter((url) => url.includes('/quote_links'))).toEqual([]);
  expect(other.url()).not.toContain('#ver');
});

test('the app opens quotes from Safari by their copied links', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  const safari = await elsewhere(page, { userAgent: IPHONE, permissions: ['clipboard-read', 'clipboard-write'] });
  await safari.goto('/');
  const one = await sent(safari, service);
  await expect(safari.getByRole('button', { name: 'Copiar mi solicitud' })).toBeVisible();
  const other = await sent(safari, service);
  await safari.getByRole('button', { name: 'Copiar mis 2 solicitudes' }).click();
  await expect(safari.getByText('Copiadas. Péguelas en la app instalada.')).toBeVisible();
  const copied = await safari.evaluate(() => navigator.clipboard.readText());
  expect(copied.split('\n')).toHaveLength(2);

  const installed = await elsewhere(page);
  await installed.goto('/#mis-cotizaciones');
  await tray(installed).getByText('¿Cotizó desde otro teléfono?').click();
  await tray(installed).getByLabel('Pegue aquí el enlace').fill(copied);
  await tray(installed).getByRole('button', { name: 'Abrir' }).click();
  await expect(tray(installed).getByRole('alertdialog')).toContainText('Estas 2 solicitudes son de');
  await keepHere(installed);
  await expect(tray(installed)).toContainText('Aquí están sus 2 solicitudes.');
  for (const { folio } of [one, other]) await expect(tray(installed)).toContainText(folio);
});

test('a phone marked as shared stores nothing when it opens a share link', async ({ page, service }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  const link = await linkOn(page);
  const other = await elsewhere(page);
  await other.goto('/#mis-cotizaciones');
  await markShared(other);
  await other.goto('about:blank');
  await other.goto(link);
  await expect(tray(other)).toContainText('Este teléfono está marcado como compartido');
  await expect(tray(other)).not.toContainText(folioOf(id));
});
