import type { Page } from '@playwright/test';
import { rows, way } from './every-state.ts';
import { findMisfits } from './layout.ts';
import { refuses } from './service.ts';
import {
  awake,
  deliveredToast,
  DESKTOP,
  draftKept,
  expect,
  fill,
  flushed,
  hold,
  idle,
  leaveWaiting,
  PHONE,
  receipt,
  sent,
  someone,
  still,
  submit,
  test,
  values,
  unfold,
} from './visitor.ts';

const field = (page: Page, name: string) => page.locator(`#reservar-espacio [name="${name}"]`);

async function open(page: Page): Promise<void> {
  await page.goto('/#contact-form');
  await awake(page);
}

/** Opens the weight calculator, and fills in the sides of a cube. */
async function fillSides(page: Page, cm: string): Promise<void> {
  await page.getByText('Calcular el peso cobrable').click();
  for (const side of ['Largo (cm)', 'Ancho (cm)', 'Alto (cm)']) await page.getByLabel(side).fill(cm);
}

test('an empty form that is sent marks each missing field and focuses the first', async ({ page, service }) => {
  await open(page);
  await submit(page);
  await expect(page.getByRole('alert').getByText('Error de validacion: Nombre es requerido')).toBeVisible();
  await expect(field(page, 'nombre')).toBeFocused();
  for (const name of Object.keys(values)) {
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true');
    await expect(field(page, name)).toHaveAccessibleDescription(/es requerid[oa]/);
  }
  expect(service.inserts).toEqual([]);

  await field(page, 'nombre').fill('María');
  await expect(field(page, 'nombre')).not.toHaveAttribute('aria-invalid');
  await expect(page.locator('#nombre-fault')).toHaveCount(0);
  await field(page, 'email').fill('ventas@berries');
  await expect(field(page, 'email')).toHaveAccessibleDescription(/formato valido/);
  await field(page, 'tipo_carga').selectOption('general');
  await expect(field(page, 'tipo_carga')).not.toHaveAttribute('aria-invalid');
  await fillSides(page, '100');
  await page.getByRole('button', { name: 'Usar este peso' }).click();
  await expect(field(page, 'peso')).not.toHaveAttribute('aria-invalid');
  await expect(field(page, 'empresa')).toHaveAccessibleDescription(/Empresa es requerida/);
});

test('a click on "send" counts although a field’s error moves the button', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 1400 });
  await open(page);
  const email = field(page, 'email');
  await email.fill('ventas');
  await field(page, 'telefono').focus();
  await idle(page);
  // Before the first click on "send" no field shows an error.
  await expect(page.locator('[id$="-fault"]')).toHaveCount(0);
  await submit(page);
  await email.fill('ventas@berries.mx');
  await expect(email).not.toHaveAttribute('aria-invalid');
  await email.fill('ventas@');
  await expect(email).not.toHaveAttribute('aria-invalid');
  await field(page, 'telefono').focus();
  await expect(email).toHaveAccessibleDescription(/formato valido/);

  // A field to which the visitor returns at once shows no new error.
  await fill(page, { empresa: 'Berries', email: 'ventas@berries.mx' });
  for (const name of ['empresa', 'email']) await expect(field(page, name)).not.toHaveAttribute('aria-invalid');
  await email.fill('ventas@');
  await page.evaluate(() => {
    const { elements } = document.querySelector<HTMLFormElement>('#reservar-espacio')!;
    const [company, address] = ['empresa', 'email'].map((name) => elements.namedItem(name) as HTMLInputElement);
    company!.value = '';
    company!.focus();
    address!.focus();
  });
  await expect(field(page, 'empresa')).toHaveAccessibleDescription(/Empresa es requerida/);
  await expect(email).not.toHaveAttribute('aria-invalid');

  // Leaving the field shows its error, which moves the button between press and release. The form must still react.
  await fill(page, { ...someone(), email: 'ventas' });
  await fill(page, { email: 'ventas@berries.mx' });
  await email.fill('ventas');
  await page.getByRole('button', { name: 'Solicitar cotización' }).hover({ position: { x: 40, y: 6 } });
  await page.mouse.down();
  await idle(page);
  await page.mouse.up();
  await expect(email).toBeFocused();
  await expect(email).toHaveAccessibleDescription(/formato valido/);
});

test('the weight calculator computes the chargeable weight', { tag: '@full' }, async ({ page, service }) => {
  const { peso: _, ...person } = someone();
  await open(page);
  await fill(page, person);
  // The Enter key in the calculator does not send the form.
  await fillSides(page, '60');
  await page.getByLabel('Alto (cm)').press('Enter');
  await expect(field(page, 'peso')).toHaveValue('36');
  await idle(page);
  expect(service.inserts).toEqual([]);
  for (const [side, cm] of Object.entries({ Largo: '140', Ancho: '100', Alto: '90' }))
    await page.getByLabel(`${side} (cm)`).fill(cm);
  await page.getByLabel('Embarques al mes').fill('4');
  await expect(page.getByText('Peso cobrable: 210 kg por embarque · 840 kg al mes')).toBeVisible();
  await page.getByRole('button', { name: 'Usar este peso' }).click();
  await expect(field(page, 'peso')).toHaveValue('840');
  await draftKept(page, '840');
  // The weight of the shipment is still in the form after a reload.
  await page.reload();
  await awake(page);
  expect(await sent(page, service, person)).toMatchObject({ peso: 840, more: { embarque: 210 } });
  await fillSides(page, '60');
  await page.getByRole('button', { name: 'Usar este peso' }).click();
  // A typed weight discards the weight of the shipment that the calculator stored.
  await field(page, 'peso').fill('500');
  expect(await sent(page, service, { ...person, nombre: someone().nombre })).toMatchObject({ peso: 500, more: {} });
});

test('a bot that fills in the hidden field sends no quote', async ({ page, service }) => {
  const person = someone();
  await open(page);
  await fill(page, person);
  await page.evaluate(() => {
    document.querySelector<HTMLInputElement>('[name=sitio_web]')!.value = 'http://spam';
  });
  await submit(page);
  await expect(page.getByText('Error al enviar la cotizacion. Por favor intenta nuevamente.')).toBeVisible();
  expect(service.inserts).toEqual([]);
  await submit(page);
  await expect(deliveredToast(page)).toBeVisible();
});

test('the draft of a quote is restored after a reload, until it is discarded or sent', async ({ page, service }) => {
  await open(page);
  await fill(page, { nombre: 'María', peso: '300', tipo_carga: 'especial' });
  await draftKept(page, '300');
  await draftKept(page, 'especial');
  await page.reload();
  await awake(page);
  await expect(page.getByText('Borrador recuperado')).toBeVisible();
  await expect(field(page, 'nombre')).toHaveValue('María');
  await expect(field(page, 'tipo_carga')).toHaveValue('especial');
  await expect(page.getByText('No llevamos mercancías peligrosas.', { exact: false })).toBeVisible();
  expect(await page.evaluate(findMisfits)).toEqual([]);
  await page.getByRole('button', { name: 'Descartar' }).click();
  await expect(field(page, 'nombre')).toHaveValue('');
  await page.reload();
  await awake(page);
  await expect(page.getByText('Borrador recuperado')).toHaveCount(0);

  // Text that the visitor deleted is not restored.
  await fill(page, { nombre: 'María' });
  await draftKept(page, 'María');
  await field(page, 'nombre').fill('');
  await page.reload();
  await awake(page);
  await expect(page.getByText('Borrador recuperado')).toHaveCount(0);

  // The quote gets the id of its draft. After the delivery the page deletes the draft.
  await fill(page, { nombre: 'A' });
  await draftKept(page, '"A"');
  const { id } = JSON.parse((await page.evaluate(() => localStorage.getItem('aeropuente.draft')))!) as { id: string };
  await field(page, 'empresa').pressSequentially('Mariscos');
  await page.reload();
  await awake(page);
  await expect(field(page, 'empresa')).toHaveValue('Mariscos');
  expect((await sent(page, service)).id).toBe(id);
  await page.reload();
  await awake(page);
  await expect(field(page, 'nombre')).toHaveValue('');
});

test('text typed before the form’s script loads does not delete the draft', { tag: '@full' }, async ({ page }) => {
  const openWith = async (nombre: string) => {
    await page.goto('about:blank');
    const letFormGo = await hold(page, /assets\/form-.+\.js/);
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await field(page, 'nombre').evaluate((input: HTMLInputElement, name) => (input.value = name), nombre);
    letFormGo();
    await expect(page.locator('quote-form:defined')).toBeAttached();
  };
  await open(page);
  await fill(page, { nombre: 'María', peso: '300' });
  await draftKept(page, '300');
  await openWith('María');
  await expect(page.getByText('Borrador recuperado')).toBeVisible();
  await expect(field(page, 'peso')).toHaveValue('300');
  await openWith('J');
  await fill(page, someone());
  await submit(page);
  await expect(deliveredToast(page)).toBeVisible();
  await expect(field(page, 'nombre')).toHaveValue('María');
  await expect(page.getByText('Borrador recuperado')).toBeVisible();
});

test('at most three toasts are shown, and none covers the list', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/Failed to load resource/);
  // The server denies access, so the page does not send the quotes again for half an hour.
  service.fault = refuses(401, '42501');
  await page.clock.install();
  await open(page);
  for (let count = 0; count < 5; count += 1) {
    await fill(page, someone());
    await submit(page);
    await expect(field(page, 'nombre')).toHaveValue('');
  }
  await expect(way(page)).toContainText('5 en espera');
  await way(page).click();
  const list = page.getByRole('dialog', { name: 'Mis cotizaciones' });
  const toasts = list.getByRole('region', { name: 'Avisos' }).getByRole('button', { name: 'Cerrar aviso' });
  await page.clock.fastForward(8500);
  await expect(toasts).toHaveCount(0);
  const removeFirst = async () => {
    if ((await list.getByRole('article').count()) === 0) await rows(page).first().click();
    await unfold(list);
    await list.getByRole('button', { name: 'Borrar Delete', exact: true }).click();
  };
  // The page measures the space for toasts each time that a toast appears.
  for (const [left, width] of [
    [4, 1440],
    [3, 1440],
    [2, 768],
    [1, 360],
  ] as const) {
    await page.setViewportSize({ width, height: 740 });
    await removeFirst();
    await expect(list.locator('li:has(> button[aria-expanded], > article)')).toHaveCount(left);
    await expect(toasts).toHaveCount(Math.min(5 - left, 3));
    expect(await covered(page, 'dialog'), `${width} px`).toBe(false);
  }
  const shared = list.getByLabel(/Teléfono compartido/);
  await shared.focus();
  await toasts.first().focus();
  await page.keyboard.press('Enter');
  await expect(toasts).toHaveCount(2);
  await expect(toasts.first()).toBeFocused();
  await shared.focus();
  // A toast under the pointer stays.
  await toasts.first().hover();
  await page.clock.fastForward(8500);
  await expect(toasts).toHaveCount(1);
  await page.mouse.move(0, 700);
  await page.clock.fastForward(5000);
  await expect(toasts).toHaveCount(0);
});

/** Returns whether a toast covers this part of the page. */
const covered = (page: Page, what: string) =>
  page.evaluate((selector) => {
    const box = document.querySelector(selector)!.getBoundingClientRect();
    return [...document.querySelectorAll('[role=status] > div, [role=alert] > div')]
      .filter((toast) => toast.querySelector('button:last-child')?.textContent.includes('Cerrar aviso'))
      .some((toast) => {
        const { top, bottom, left, right } = toast.getBoundingClientRect();
        return top < box.bottom && bottom > box.top && left < box.right && right > box.left;
      });
  }, what);

test('a toast covers neither the focused field nor the receipt', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/Failed to load resource/);
  await open(page);
  for (const viewport of [PHONE, { width: 768, height: 1024 }, DESKTOP]) {
    await test.step(`at ${viewport.width} px`, async () => {
      await page.setViewportSize(viewport);
      await field(page, 'nombre').evaluate((input) => input.scrollIntoView({ block: 'start' }));
      await page.getByRole('button', { name: 'Solicitar cotización' }).focus();
      await still(page);
      await page.keyboard.press('Enter');
      await expect(page.getByRole('alert').getByText('Nombre es requerido')).toBeVisible();
      await expect(field(page, 'nombre')).toBeFocused();
      await still(page);
      expect(await covered(page, '[name=nombre]')).toBe(false);
      await expect(field(page, 'nombre')).toBeInViewport();

      for (const says of ['Guardamos su solicitud', 'Su informacion ha sido enviada exitosamente!']) {
        const isKept = says.startsWith('Guardamos');
        service.fault = () => (isKept ? { kind: 'answer', status: 503 } : { kind: 'none' });
        await fill(page, someone());
        await submit(page);
        await expect(page.getByText(says)).toBeVisible();
        await still(page);
        for (const part of ['article [translate=no]', 'article header p:last-of-type', 'article'])
          expect(await covered(page, part), part).toBe(false);
        await expect(receipt(page).locator('[translate=no]')).toBeInViewport();
        await expect(page.getByText('Error de validacion')).toHaveCount(0);
      }
      await expect(page.getByText('Guardamos su solicitud')).toHaveCount(0);
    });
  }
});

test('the page reports a delivered quote to gtag once, without personal data', async ({ page, service, quiet }) => {
  quiet.allow(/Failed to load resource/);
  await page.addInitScript(() => {
    const events: unknown[][] = [];
    Object.assign(window, { events, gtag: (...event: unknown[]) => events.push(event) });
  });
  const events = () => page.evaluate(() => (window as unknown as { events: unknown[] }).events);
  await open(page);
  await leaveWaiting(page, service);
  expect(await events()).toEqual([]);
  service.fault = () => ({ kind: 'none' });
  await expect
    .poll(events, { timeout: 30_000 })
    .toEqual([['event', 'form_submit', { event_category: 'engagement', event_label: 'quote_request' }]]);
  await page.reload();
  await awake(page);
  await flushed(page);
  await page.waitForLoadState('networkidle');
  expect(await events()).toEqual([]);
});
