import type { Page } from '@playwright/test';
import { codeOf, stepAt } from '../../server/auth/totp.ts';
import { expectNoFinding } from './accessible.ts';
import { hire, hireForLong, leave, openDesk, openDialog, press, signIn, type Colleague } from './desk-visitor.ts';
import { expect, test } from './visitor.ts';

/** Message that Chromium logs for each refused request. */
const REFUSED = /status of 4(00|22)/;

/** Fails if axe finds a fault on a phone, or if the page is wider than the screen. */
async function looksRight(page: Page, state: string, within = 'main'): Promise<void> {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
  await expectNoFinding(page, state, within);
}

async function chooseOwnPassword(page: Page): Promise<string> {
  const password = 'camión azul sobre 7 nubes';
  await page.getByLabel('Contraseña nueva (12 caracteres o más)').fill(password);
  await page.getByLabel('Repita la contraseña nueva').fill(password);
  await press(page, 'Guardar y entrar');
  return password;
}

/** Returns the secret for a new authenticator app, which the screen shows. */
async function shownSecret(page: Page): Promise<string> {
  const key = page.getByText(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  return (await key.innerText()).replaceAll(' ', '');
}

const code = (page: Page) => page.getByLabel('Código de 6 dígitos');

test('a new supervisor adds an authenticator app, or uses a recovery code', async ({ page, service, quiet }) => {
  quiet.allow(REFUSED);
  const eva = await hire(service, 'Eva Nueva', true);
  await page.goto('/mesa.html');
  await signIn(page, { ...eva, password: 'something else' });
  await expect(page.getByRole('alert')).toContainText('El correo o la contraseña no coinciden.');
  await signIn(page, eva);
  // The desk does not ask for the temporary password again, because it was just typed.
  await expect(page.getByLabel('Contraseña temporal')).toHaveCount(0);
  const password = await chooseOwnPassword(page);
  await expect(page.getByRole('heading', { name: 'Proteja su cuenta' })).toBeVisible();
  const secret = await shownSecret(page);
  await looksRight(page, 'enrol');
  await code(page).fill('000 000');
  await press(page, 'Confirmar');
  await expect(page.getByRole('main').getByRole('alert')).toContainText('El código no es correcto');
  await code(page).fill(codeOf(secret, stepAt(Date.now())));
  await code(page).press('Enter');
  await expect(page.getByRole('heading', { name: 'Guarde sus códigos' })).toBeVisible();
  await looksRight(page, 'codes');
  const codes = await page.getByRole('list').getByRole('listitem').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await press(page, 'Ya los guardé');
  // A colleague’s first visit opens two dialogs: alerts, then keyboard shortcuts.
  await press(page, 'Enviar prueba');
  await expect(page.getByRole('dialog', { name: 'Avisos' }).getByRole('alert')).toContainText('Sonó');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Atajos' })).toBeVisible();
  await page.keyboard.press('Escape');

  // The session and its second step are still valid after a reload.
  await page.reload();
  await expect(page.getByText('Al día')).toBeVisible();
  await leave(page);
  const again: Colleague = { ...eva, password };
  await signIn(page, again);
  await expect(page.getByRole('button', { name: 'Usar un código de recuperación' })).toBeVisible();
  await looksRight(page, 'confirm');
  await press(page, 'Usar un código de recuperación');
  await page.getByLabel('Código de recuperación').fill(codes[0]!);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Al día')).toBeVisible();
});

/** Adds a virtual authenticator for passkeys, which answers without asking a person. */
async function withAuthenticator(page: Page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable');
  const options = { protocol: 'ctap2', transport: 'internal', isUserVerified: true } as const;
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
    options: { ...options, hasUserVerification: true, automaticPresenceSimulation: true },
  });
  return { remove: () => cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId }) };
}

test('a colleague adds, uses and removes a passkey', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(REFUSED);
  const device = await withAuthenticator(page);
  const beto = await hireForLong(service, `Beto ${Date.now()}`);
  await openDesk(page, beto);
  await openDialog(page, 'Seguridad');
  const dialog = page.getByRole('dialog', { name: 'Seguridad de mi cuenta' });
  await expect(dialog).toContainText('Hoy entra sólo con su contraseña');
  await press(page, 'Agregar una llave de acceso');
  await expect(page.getByRole('dialog', { name: 'Guarde sus códigos' })).toBeVisible();
  await press(page, 'Ya los guardé');
  await expect(dialog).toContainText('Le quedan 10 códigos');
  await looksRight(page, 'security', 'dialog');
  await dialog.getByRole('button', { name: 'Cerrar' }).click();

  await leave(page);
  await signIn(page, beto);
  await expect(page.getByRole('heading', { name: 'Confirme que es usted' })).toBeVisible();
  await page.getByRole('button', { name: 'Usar la llave de acceso' }).press('Enter');
  await expect(page.getByText('Al día')).toBeVisible();
  await openDialog(page, 'Seguridad');
  await press(page, 'Quitar');
  await expect(dialog).toContainText('¿Quitar el único paso?');
  await dialog.getByRole('button', { name: 'Quitar' }).click();
  await expect(dialog).toContainText('Hoy entra sólo con su contraseña');
  await device.remove();
});
