import { tray, way } from './every-state.ts';
import {
  awake,
  enter,
  tabTo,
  DESKTOP,
  expect,
  leaveWaiting,
  PHONE,
  receipt,
  recordShifts,
  shiftsOf,
  someone,
  test,
} from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('a printed receipt has no buttons', async ({ page, service }) => {
  await page.goto('/');
  await leaveWaiting(page, service);
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(receipt(page).getByText(/^AP-/)).toBeVisible();
  await expect(receipt(page)).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(receipt(page).getByText('WhatsApp', { exact: true })).toBeHidden();
  await expect(way(page)).toBeHidden();
  await expect(page.getByText('Guardamos su solicitud')).toBeHidden();
});

test('a visitor sends, finds and erases a quote by keyboard alone', async ({ page, service }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  service.fault = () => ({ kind: 'answer', status: 503 });
  const { nombre, empresa, email, telefono, peso } = someone();
  await page.goto('/');
  await page.locator('#contact-form').scrollIntoViewIfNeeded();
  await page.locator('[name=nombre]').focus();
  for (const text of [nombre, empresa, email, telefono, peso]) {
    await page.keyboard.insertText(text);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press('p');
  await expect(page.locator('[name=tipo_carga]')).toHaveValue('perecederos');
  await enter(page, page.getByRole('button', { name: 'Solicitar cotización' }));
  await expect(way(page)).toContainText('en espera');

  const button = (name: RegExp) => tray(page).getByRole('button', { name });
  await way(page).press('Enter');
  await tabTo(page, button(/^Borrar todo/));
  await page.keyboard.press('Escape');
  await expect(tray(page)).toBeHidden();
  await expect(way(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await enter(page, tray(page).locator('summary').filter({ hasText: /^Más/ }));
  await enter(page, button(/^Borrar Delete/));
  await enter(page, page.getByRole('button', { name: 'Deshacer' }));
  await expect(tray(page)).toContainText('en espera');
  // The pressed buttons have disappeared, so the focus moves to the restored quote.
  await expect(tray(page).getByRole('listitem').first()).toBeFocused();
  const sendNow = button(/^Enviar ahora/);
  await tabTo(page, sendNow);
  // The server recovers only now; otherwise the page would have sent the quote by itself.
  service.fault = () => ({ kind: 'none' });
  await page.keyboard.press('Enter');
  await expect(tray(page)).toContainText('entregada');
  await expect(tray(page).getByRole('heading', { name: 'Mis cotizaciones' })).toBeFocused();
});

for (const viewport of [PHONE, DESKTOP]) {
  const title = `no part of the page shifts when React loads, toasts come or a quote waits at ${viewport.width} px`;
  test(title, { tag: viewport === PHONE ? [] : '@full' }, async ({ page, service }) => {
    await page.addInitScript(recordShifts);
    await page.setViewportSize(viewport);
    await page.goto('/');
    await awake(page);
    await leaveWaiting(page, service);
    await expect(way(page)).toBeVisible();
    await page.goto('/?');
    await expect(way(page)).toBeVisible();
    await page.waitForLoadState('networkidle');
    expect(await shiftsOf(page)).toEqual([]);
  });
}
