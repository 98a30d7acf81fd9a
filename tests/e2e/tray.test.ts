import type { Page } from '@playwright/test';
import { opened, rows, tray, way } from './every-state.ts';
import { refuses } from './service.ts';
import {
  askNow,
  awake,
  deliveredToast,
  draftKept,
  expect,
  openWithWorker,
  fill,
  flushed,
  idle,
  leaveWaiting,
  openList,
  receipt,
  retriesUntil,
  sent,
  someone,
  storeOf,
  submit,
  test,
  unfold,
} from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const well = () => ({ kind: 'none' }) as const;

/** Returns everything that this site stores on the phone, as a text. */
async function everythingKept(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const found: unknown[] = [Object.entries(localStorage), Object.entries(sessionStorage)];
    for (const { name } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name!);
        opening.addEventListener('success', () => resolve(opening.result));
      });
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        await new Promise((resolve) => all.addEventListener('success', resolve));
        found.push(all.result);
      }
      database.close();
    }
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) found.push(request.url, await (await cache.match(request))!.text());
    }
    return JSON.stringify(found);
  });
}

test('the page counts waiting quotes, and announces their deliveries in one sentence', async ({ page, service }) => {
  await page.goto('/');
  for (let count = 0; count < 3; count += 1) await leaveWaiting(page, service);
  await expect(way(page)).toContainText('3 en espera');
  await expect(page).toHaveTitle(/^\(3\) /);
  // No fixed bar or button may cover the last line of the page.
  await page.evaluate(() => scrollTo({ top: document.documentElement.scrollHeight, behavior: 'instant' }));
  await page.locator('footer').getByRole('link', { name: 'Contacto' }).click({ trial: true });
  await page.reload();
  await expect(way(page)).toContainText('3 en espera');
  // The first attempts must have ended, so that the next attempt sends all three quotes together.
  await flushed(page);
  service.fault = well;
  await askNow(page);
  await expect(page.getByText(/^3 solicitudes entregadas: AP-\S+, AP-\S+, AP-\S+\./)).toBeVisible({
    timeout: 30_000,
  });
  await expect(page.getByRole('button', { name: 'Cerrar aviso' })).toHaveCount(1);
  await expect(way(page)).toContainText('entregada');
  await expect(page).toHaveTitle(/^Carga aérea/);
});

test('the browser back button closes the list of quotes and stays on the page', async ({ page, service }) => {
  await page.goto('/');
  const { id, folio } = await sent(page, service);
  await leaveWaiting(page, service);
  for (const open of [() => way(page).click(), () => openList(page)]) {
    await open();
    await expect(tray(page)).toBeVisible();
    await page.goBack();
    await expect(tray(page)).toBeHidden();
    await expect(way(page)).toBeFocused();
  }
  await way(page).click();
  service.fault = well;
  await service.answer(id, { kind: 'mensaje', body: 'Sale el jueves.' });
  await askNow(page);
  await expect(tray(page).getByText(`Ya hay respuesta a su solicitud ${folio}.`)).toBeVisible();
  await tray(page).getByRole('button', { name: 'Ver See', exact: true }).click();
  await expect(tray(page).getByRole('article')).toContainText('Sale el jueves.');
});

test('a deleted quote is not sent, and its deletion can be undone', async ({ page, service }) => {
  await page.goto('/');
  const person = await leaveWaiting(page, service);
  await way(page).click();
  await unfold(tray(page));
  await tray(page).getByRole('button', { name: 'Detalles del embarque' }).click();
  const product = tray(page).getByLabel(/^Producto/);
  await product.fill('Tequila');
  await unfold(tray(page));
  await tray(page).getByRole('button', { name: 'Borrar Delete', exact: true }).click();
  await expect(tray(page).getByRole('article')).toHaveCount(0);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(tray(page).getByRole('article')).toHaveCount(1);
  await expect(product).toHaveValue('Tequila');
  await unfold(tray(page));
  await tray(page).getByRole('button', { name: 'Borrar Delete', exact: true }).click();
  await expect(tray(page).getByRole('article')).toHaveCount(0);
  // When the toast with "Deshacer" is closed, the page also deletes the unsent texts about the deleted quote.
  await page.getByRole('button', { name: 'Cerrar aviso' }).click();
  const kept = () => page.evaluate(() => Object.keys(sessionStorage).filter((key) => !key.endsWith('.voice-hints')));
  await expect.poll(kept).toEqual([]);
  service.fault = well;
  await page.reload();
  await expect(page.locator('[data-island=quote]')).toBeAttached();
  await flushed(page);
  expect(await service.rowsOf(person.nombre)).toEqual([]);
});

test('a visitor corrects a refused quote, which keeps its folio', async ({ page, service }) => {
  await page.goto('/');
  const person = await leaveWaiting(page, service);
  const [id] = service.inserts;
  service.fault = refuses(400, '23514', 'violates check constraint "quotes_peso_check"');
  await retriesUntil(page, way(page), 'necesita corrección');
  await fill(page, { nombre: 'Otra que se escribía' });
  await way(page).click();
  await expect(tray(page)).toContainText('Datos invalidos. Verifica la informacion e intenta nuevamente.');
  const folio = await tray(page).locator('[translate=no]').innerText();
  service.fault = well;
  await unfold(tray(page));
  await tray(page).getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByText(`Corrigiendo la solicitud ${folio}`)).toBeVisible();
  await expect(page.locator('[name=nombre]')).toHaveValue(person.nombre);
  await idle(page);
  await expect(page.locator('[name=nombre]')).toBeFocused();
  await fill(page, { peso: '777' });
  await submit(page);
  await expect(deliveredToast(page)).toBeVisible();
  const stored = await service.rowsOf(person.nombre);
  expect(stored).toMatchObject([{ id, folio, peso: 777 }]);
  // After the correction is sent, the form again shows the draft that the visitor had begun earlier.
  await expect(page.locator('[name=nombre]')).toHaveValue('Otra que se escribía');
});

test('the correction of a delivered quote is a new quote that names the corrected quote', async ({ page, service }) => {
  await page.goto('/');
  const person = someone();
  const { id: first, folio } = await sent(page, service, person);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByText(`Corrigiendo la solicitud ${folio}`)).toBeVisible();
  await expect(page.getByText('La corrección tendrá un folio nuevo')).toBeVisible();
  await expect(page.locator('[name=email]')).toHaveValue(person.email);
  await draftKept(page, person.email);
  await page.reload();
  await page.locator('#reservar-espacio').scrollIntoViewIfNeeded();
  await expect(page.getByText(`Corrigiendo la solicitud ${folio}`)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Enviar corrección' })).toBeVisible();
  await fill(page, { telefono: '+52 664 000 1122' });
  await submit(page);
  await expect(receipt(page)).toContainText(`Reemplaza a ${folio}`);
  await expect(receipt(page)).toContainText('entregada');
  const stored = await service.rowsOf(person.nombre);
  const later = await receipt(page).locator('header [translate=no]').innerText();
  await openList(page);
  const earlier = await opened(page, folio);
  await expect(earlier).toContainText(`Reemplazada por ${later}`);
  await expect(earlier).not.toContainText('Le respondemos antes de');
  await expect(earlier.getByRole('button', { name: 'Corregir' })).toHaveCount(0);
  const latest = await opened(page, later);
  await expect(earlier).toHaveCount(0);
  await unfold(latest);
  await expect(latest.getByRole('button', { name: 'Corregir' })).toBeVisible();
  expect(stored).toHaveLength(2);
  expect(stored.find(({ id }) => id !== first)).toMatchObject({ telefono: '+52 664 000 1122', reemplaza: folio });
  expect(stored.find(({ id }) => id === first)).toMatchObject({ telefono: person.telefono });
});

test('the button "Corregir" does nothing while the form is sending', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  const person = await leaveWaiting(page, service);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByText('Corrigiendo la solicitud')).toBeInViewport({ ratio: 1 });

  let letGo = () => {};
  service.gate = new Promise((resolve) => (letGo = resolve));
  await fill(page, { peso: '777' });
  await submit(page);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await expect(page.locator('#reservar-espacio')).toHaveAttribute('aria-busy', 'true');
  letGo();
  await expect(page.getByText('Corrigiendo la solicitud')).toBeVisible();
  await expect(page.locator('[name=peso]')).toHaveValue('777');
  service.fault = well;
  await fill(page, { peso: '778' });
  await submit(page);
  await expect(receipt(page)).toContainText('entregada', { timeout: 30_000 });
  expect(await service.rowsOf(person.nombre)).toMatchObject([{ peso: 778 }]);
});

test('the correction of a waiting quote keeps its ticked boxes', async ({ page, service }) => {
  service.fault = () => ({ kind: 'answer', status: 503 });
  await page.goto('/');
  const person = someone();
  const promotions = page.locator('[name=promociones]');
  await fill(page, person);
  await promotions.check();
  await submit(page);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByText('Corrigiendo la solicitud')).toBeVisible();
  await expect(promotions).toBeChecked();
  service.fault = well;
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  // The correction of a delivered quote asks for consent again, because the visitor may have withdrawn the consent.
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await expect(page.getByText('Corrigiendo la solicitud')).toBeVisible();
  await expect(promotions).not.toBeChecked();
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Repetir solicitud' }).click();
  await receipt(page).getByRole('button', { name: 'Sí, enviar otra' }).click();
  await expect(tray(page).getByRole('article').first()).toContainText('entregada');
  const stored = await service.rowsOf(person.nombre);
  expect(stored.find(({ igual }) => !igual)).toMatchObject({ promociones: true });
  expect(stored.find(({ igual }) => igual)).toMatchObject({ promociones: false });
});

test.describe('the list of quotes with its worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('"erase everything" leaves no data on the phone or in another tab', async ({ page, context, service }) => {
    await openWithWorker(page);
    const person = await leaveWaiting(page, service);
    const other = await context.newPage();
    await other.goto('/');
    await awake(other);
    await fill(other, { empresa: 'Borrador S.A.' });
    await draftKept(other, 'Borrador S.A.');
    await way(other).click();
    await expect(tray(other).getByRole('article')).toBeVisible();
    await unfold(tray(other));
    await tray(other).getByRole('button', { name: 'Detalles del embarque' }).click();
    await tray(other)
      .getByLabel(/^Producto/)
      .fill('Abulón seco');
    // The reload closes the list in the second tab. Even so, "Borrar todo" in the first tab must delete the text that
    // was typed in the second tab.
    await other.reload();
    await awake(other);
    await idle(other);
    expect(await everythingKept(other)).toContain('Abulón seco');
    expect(await everythingKept(page)).toContain(person.nombre);
    await way(page).click();
    await tray(page).getByRole('button', { name: 'Borrar todo' }).click();
    await expect(tray(page).getByText('¿Borrar todo? 1 sin entregar no llegará.')).toBeVisible();
    // The cancel button has the focus first. A click on "cancel" returns the focus to the erase button.
    await expect(tray(page).getByRole('alertdialog').getByRole('button').last()).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(tray(page).getByRole('button', { name: 'Borrar todo' })).toBeFocused();
    await page.keyboard.press('Enter');
    await tray(page).getByRole('button', { name: 'Sí, borrar' }).dblclick();
    await expect(page.getByText('Ya no hay datos suyos en este teléfono.')).toBeVisible();
    await expect(other.locator('[name=empresa]')).toHaveValue('');
    await other.reload();
    await page.reload();
    const found = (await everythingKept(page)) + (await everythingKept(other));
    for (const trace of [person.nombre, person.email, '998 765 4321', 'Borrador S.A.', 'Abulón seco'])
      expect(found).not.toContain(trace);
  });
});

test('a quote that the page cannot draw hides no other quote', { tag: '@full' }, async ({ page, service, quiet }) => {
  // React logs each error that an error boundary catches.
  quiet.allow(/TypeError|ErrorBoundary|Apart/);
  await page.goto('/');
  for (let count = 0; count < 2; count += 1) await leaveWaiting(page, service);
  // A newer release may have stored a kind of cargo that this release does not know.
  await (
    await storeOf(page)
  ).evaluate(async (database) => {
    const quotes = database.transaction('quotes', 'readwrite').objectStore('quotes');
    const all = quotes.getAll();
    await new Promise((resolve) => all.addEventListener('success', resolve));
    const [odd] = all.result as { quote: { tipo_carga: string } }[];
    odd!.quote.tipo_carga = 'peligrosa';
    const put = quotes.put(odd);
    await new Promise((resolve) => put.addEventListener('success', resolve));
    database.close();
  });
  await page.goto('/#mis-cotizaciones');
  await page.reload();
  await expect(rows(page).first()).toBeVisible();
  for (const folio of await rows(page).locator('[translate=no]').allInnerTexts()) await opened(page, folio);
  await expect(tray(page).getByText(/^AP-\S+ · Esta página no puede mostrar esta solicitud\./)).toBeVisible();
  await opened(page, await rows(page).locator('[translate=no]').innerText());
  await unfold(tray(page));
  await expect(tray(page).getByRole('button', { name: 'Borrar Delete', exact: true })).toHaveCount(2);
});
