import type { Page } from '@playwright/test';
import { PRICED, tray, way } from './every-state.ts';
import type { Service } from './service.ts';
import {
  askNow,
  expect,
  workerReady,
  lookAway,
  lookBack,
  openList,
  openWithWorker,
  receipt,
  retriesUntil,
  sent,
  test,
} from './visitor.ts';

const HEADLINE = /US \$4\.10 por kilo.*Válida hasta el 28 de noviembre de 2099/;

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

/** Sends a quote and answers it. Returns the quote’s id when the page shows the answer. */
async function answered(page: Page, service: Service): Promise<string> {
  await page.goto('/');
  const { id } = await sent(page, service);
  await service.answer(id, { ...PRICED, body: 'Con gusto.' });
  await askNow(page);
  await expect(receipt(page)).toContainText(HEADLINE);
  return id;
}

test('the page loads the script for answers when the signal is back', { tag: '@full' }, async ({ page, service }) => {
  const part = /assets\/keep-asking/;
  let refused = 0;
  await page.route(part, (route) => {
    refused += 1;
    return route.abort();
  });
  await page.goto('/');
  const { id } = await sent(page, service);
  await expect.poll(() => refused).toBeGreaterThan(0);
  await page.unroute(part);
  await service.answer(id, { ...PRICED, body: 'Con gusto.' });
  await askNow(page);
  await expect(receipt(page)).toContainText(HEADLINE);
});

test.describe('answers in a page with its service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('an answer is announced once, stored, and reported as seen', async ({ page, context, service }) => {
    await openWithWorker(page);
    const { id, folio } = await sent(page, service);
    await service.answer(id, { ...PRICED, body: 'Sale el jueves.' });
    await askNow(page);
    await expect(page.getByText(`Ya hay respuesta a su solicitud ${folio}.`)).toBeVisible();
    await expect(receipt(page)).toContainText('respondida');
    await expect(receipt(page)).toContainText(HEADLINE);
    await expect(receipt(page)).toContainText('Sale el jueves.');
    await receipt(page).getByText('Sale el jueves.').scrollIntoViewIfNeeded();
    await expect.poll(() => service.rowsAbout('quote_seen', id)).toHaveLength(1);
    await expect(page).not.toHaveTitle(/^\(/);

    await context.setOffline(true);
    await page.goto('about:blank');
    await page.goto('/#mis-cotizaciones');
    await expect(tray(page)).toContainText(HEADLINE);
    await expect(tray(page)).toContainText('Sale el jueves.');
    await expect(page.getByText('Ya hay respuesta')).toHaveCount(0);
  });

  test('an acceptance pressed without signal reaches the server once', async ({ page, context, service }) => {
    const id = await answered(page, service);
    await workerReady(page);
    await context.setOffline(true);
    await receipt(page).getByRole('button', { name: 'Aceptar' }).click();
    await expect(receipt(page).getByRole('button', { name: 'Cancelar' })).toBeFocused();
    await receipt(page).getByRole('button', { name: 'Sí, aceptar' }).click();
    await expect(receipt(page)).toContainText(
      'Aceptada · guardada en este teléfono; se enviará automáticamente en cuanto haya señal',
    );
    await expect(way(page)).toContainText('su aceptación se envía automáticamente');
    await expect(receipt(page).getByRole('button', { name: 'Aceptar' })).toHaveCount(0);
    expect(await service.rowsAbout('quote_replies', id)).toEqual([]);

    // In the list of quotes, the visitor can send the waiting acceptance at once, and gets a warning before erasing it.
    await way(page).click();
    await tray(page).getByRole('button', { name: 'Enviar ahora' }).click();
    await expect(page.getByText('Acabamos de intentarlo. Lo pendiente sigue guardado en este teléfono')).toBeVisible();
    await tray(page).getByRole('button', { name: 'Borrar todo' }).click();
    await expect(page.getByRole('alertdialog')).toContainText('¿Borrar todo? 1 sin entregar no llegará.');
    await page.getByRole('button', { name: 'No, conservar' }).click();

    await page.close();
    let attempts = 0;
    service.replyFault = () => ({ kind: (attempts += 1) === 1 ? 'lose-answer' : 'none' });
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto('/#mis-cotizaciones');
    await retriesUntil(next, tray(next), /Aceptada · entregada a las \d\d:\d\d · respuesta antes de las/);
    await expect(tray(next).getByRole('article')).toContainText('aceptada');
    expect(attempts).toBeGreaterThan(1);
    expect(await service.rowsAbout('quote_replies', id)).toMatchObject([{ kind: 'aceptada', body: '' }]);
  });
});

test('a visitor asks a question by keyboard, and the answer is marked as new until seen', async ({ page, service }) => {
  const id = await answered(page, service);
  await receipt(page).getByRole('button', { name: 'Preguntar' }).focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page).getByLabel('Su pregunta')).toBeFocused();
  await page.keyboard.type('  ');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(receipt(page).getByLabel('Su pregunta')).toBeFocused();
  await page.keyboard.type('¿Incluye el hielo seco');
  // The draft of a question survives a reload.
  await page.reload();
  await openList(page);
  const inList = tray(page).getByLabel('Su pregunta');
  await expect(inList).toHaveValue(/¿Incluye el hielo seco$/);
  await inList.focus();
  await page.keyboard.press('End');
  await page.keyboard.type('?');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(tray(page)).toContainText(/Pregunta · entregada a las \d\d:\d\d · respuesta antes de las/);
  await expect(tray(page).getByRole('button', { name: 'Preguntar' })).toBeFocused();
  await page.keyboard.press('Escape');
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((key) => key.includes('question')))).toEqual([]);
  const [question] = await service.rowsAbout('quote_replies', id);
  expect(question).toMatchObject({ kind: 'pregunta', body: '¿Incluye el hielo seco?' });

  // An answer does not count as seen while its receipt is outside the screen.
  await page.evaluate(() => scrollTo(0, 0));
  await service.answer(id, { ...PRICED, body: 'Sí, incluido.' });
  await askNow(page);
  await expect(way(page)).toContainText('oferta: US $4.10 por kilo');
  await expect(page).toHaveTitle(/^\(1\) /);
  await way(page).click();
  await expect(tray(page)).toContainText('Sí, incluido.');
  await expect(tray(page)).toContainText(/Pregunta · entregada a las \d\d:\d\d/);
  await expect(tray(page)).not.toContainText('respuesta antes de las');
  await page.keyboard.press('Escape');
  await expect(page).not.toHaveTitle(/^\(/);
  await expect.poll(() => service.rowsAbout('quote_seen', id)).toHaveLength(2);
});

test('a question begun in the page can be finished in the list', { tag: '@full' }, async ({ page, service }) => {
  const id = await answered(page, service);
  const inPage = receipt(page).getByLabel('Su pregunta');
  const inList = tray(page).getByLabel('Su pregunta');
  await openList(page);
  await tray(page).getByRole('button', { name: 'Preguntar' }).click();
  await inList.fill('¿Y el');
  await page.keyboard.press('Escape');
  await receipt(page).getByRole('button', { name: 'Preguntar' }).click();
  await expect(inPage).toHaveValue('¿Y el');
  // The cancel button deletes the draft.
  await receipt(page).getByRole('button', { name: 'Cancelar' }).click();
  await receipt(page).getByRole('button', { name: 'Preguntar' }).click();
  await expect(inPage).toHaveValue('');
  await inPage.fill('¿Y el viernes');
  await openList(page);
  await expect(inList).toHaveValue('¿Y el viernes');
  await inList.fill('¿Y el viernes?');
  await tray(page).getByRole('button', { name: 'Enviar pregunta' }).click();
  await expect(tray(page)).toContainText(/Pregunta · entregada/);
  await page.keyboard.press('Escape');
  await expect(inPage).toHaveCount(0);
  expect(await service.rowsAbout('quote_replies', id)).toMatchObject([{ body: '¿Y el viernes?' }]);
});

test('a phone asks the server for answers every 20 s while the page is visible', async ({ page, service }) => {
  await page.clock.install();
  await page.goto('/');
  const { id } = await sent(page, service);
  await expect.poll(() => service.questions).toEqual([id]);
  // The page’s clock also runs in real time, so a slow machine may itself use up some of the 20 s.
  await page.clock.runFor(10_000);
  expect(service.questions).toHaveLength(1);
  await page.clock.runFor(11_000);
  await expect.poll(() => service.questions).toHaveLength(2);

  await lookAway(page);
  await page.clock.runFor(120_000);
  expect(service.questions).toHaveLength(2);
  await lookBack(page);
  await expect.poll(() => service.questions).toHaveLength(3);

  await service.answer(id, { ...PRICED, body: 'Con gusto.' });
  await page.clock.runFor(21_000);
  await expect(receipt(page)).toContainText('respondida');
  const asked = service.questions.length;
  await page.clock.runFor(10 * 60_000);
  expect(service.questions).toHaveLength(asked);
});

test('HTML in an answer is shown as text, and an expired offer cannot be accepted', async ({ page, service }) => {
  const inDays = (days: number) => new Date(Date.now() + days * 24 * 60 * 60_000);
  await page.goto('/');
  const { id } = await sent(page, service);
  const body = `<img src=x onerror=alert(1)> ${'W'.repeat(300)} \u202Eodad`;
  await service.answer(id, { ...PRICED, valid_until: inDays(2).toISOString().slice(0, 10), body });
  await askNow(page);
  await expect(receipt(page)).toContainText('<img src=x onerror=alert(1)>');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  await expect(receipt(page).getByRole('button', { name: 'Aceptar' })).toBeVisible();
  // After five days the offer has expired. The phone erases the quote only after thirty days.
  await page.clock.setFixedTime(inDays(5));
  await expect(receipt(page)).toContainText(/venció el \d/, { timeout: 30_000 });
  await expect(receipt(page).getByRole('button', { name: 'Aceptar' })).toHaveCount(0);
  await expect(receipt(page).getByRole('button', { name: 'Preguntar' })).toBeVisible();
});
