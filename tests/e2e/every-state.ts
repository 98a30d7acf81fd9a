import type { Locator, Page } from '@playwright/test';
import { refuses, type Service } from './service.ts';
import { askNow, awake, expect, fill, leaveWaiting, receipt, sent, submit } from './visitor.ts';

/** Bar at the top of the page, a link to the list of quotes. */
export const way = (page: Page) => page.locator('.way');
export const tray = (page: Page) => page.getByRole('dialog', { name: 'Mis cotizaciones' });
/** Rows of the list of quotes. A single quote has no row, only its receipt. */
export const rows = (page: Page) => tray(page).locator('li > button[aria-expanded]');

/** Opens a quote’s receipt in the list of several quotes, and returns the receipt. */
export async function opened(page: Page, folio: string): Promise<Locator> {
  const row = rows(page).filter({ hasText: folio });
  if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
  return tray(page).getByRole('article', { name: `Su solicitud ${folio}` });
}

export const PRICED = {
  kind: 'oferta',
  price: 4.1,
  price_for: 'kilo',
  currency: 'USD',
  kilos: 1200,
  valid_until: '2099-11-28',
};

/**
 * Draws only the hero and these parts of the page, because a measurement then takes a third of the time. The other
 * parts are the same in every state, and layout.test.ts and landing.test.ts measure them once.
 */
export async function drawOnly(page: Page, parts = '#hero'): Promise<void> {
  await page.evaluate((drawn) => {
    for (const part of document.querySelectorAll<HTMLElement>('main > *'))
      if (!part.matches(`#hero, .way, :has(${drawn})`)) part.style.display = 'none';
  }, parts);
}

type Walk = (page: Page, service: Service, look: (state: string) => Promise<void>) => Promise<void>;

async function openForm(page: Page): Promise<void> {
  await page.goto('/');
  await drawOnly(page, '#reservar-espacio');
  await awake(page);
}

const throughAnswers: Walk = async (page, service, look) => {
  await openForm(page);
  await submit(page);
  await expect(page.getByRole('alert')).toContainText('Nombre es requerido');
  await page.locator('[name=tipo_carga]').selectOption('especial');
  // The weight 1.500 causes the longest error sentence of any field.
  await fill(page, { peso: '1.500' });
  await page.getByText('Calcular el peso cobrable').click();
  await expect(page.getByText('Piezas')).toBeVisible();
  await look('errors');

  const { id } = await sent(page, service);
  await look('delivered');

  await service.answer(id, { ...PRICED, body: 'Sale el jueves.\nIncluye hielo seco.' });
  await askNow(page);
  await expect(receipt(page)).toContainText('Incluye hielo seco.');
  await page.getByRole('button', { name: 'Cerrar aviso' }).last().click();
  await look('answered');
  await receipt(page).getByRole('button', { name: 'Aceptar' }).click();
  await look('asking to accept');
  await receipt(page).getByRole('button', { name: 'Sí, aceptar' }).click();
  await expect(receipt(page)).toContainText(/Aceptada · entregada/);
  await receipt(page).getByRole('button', { name: 'Preguntar' }).click();
  await look('asking');
  await receipt(page).getByRole('button', { name: 'Cancelar' }).click();
};

const throughTrouble: Walk = async (page, service, look) => {
  await openForm(page);
  await sent(page, service);
  await leaveWaiting(page, service);
  // The function waits until the form is enabled, because a form that still waits would itself show the refusal below.
  await expect(page.getByRole('button', { name: 'Solicitar cotización' })).toBeEnabled();
  await look('waiting');

  await page.context().setOffline(true);
  await expect(receipt(page)).toContainText('Está sin conexión');
  await expect(page.locator('.line')).toContainText('Sin conexión · su solicitud está guardada');
  await look('no signal');
  await page.context().setOffline(false);
  // The first request may still fail as if offline. The function asks again at once, because the page would wait 20 s.
  await expect
    .poll(async () => {
      await askNow(page);
      return page.locator('.line').innerText();
    })
    .not.toContain('Sin conexión');

  service.fault = refuses(422, '22P02');
  await way(page).click();
  // The receipt has no "send" button while the page is trying to send.
  await tray(page)
    .getByRole('button', { name: 'Enviar ahora' })
    .click({ timeout: 2000 })
    .catch(() => undefined);
  await expect(tray(page)).toContainText('necesita corrección');
  await look('tray');

  await tray(page).getByRole('button', { name: 'Borrar todo' }).click();
  await expect(page.getByRole('alertdialog')).toBeVisible();
  await look('asking to erase');

  await tray(page).getByRole('button', { name: 'Sí, borrar' }).click();
  await expect(tray(page)).toContainText('No hay cotizaciones en este teléfono.');
  await look('empty tray');
};

/** Functions that bring the page into every state of form, receipts and list that a visitor can cause. */
export const WALKS = { 'an answered quote': throughAnswers, 'a quote in trouble': throughTrouble };
