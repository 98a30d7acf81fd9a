import type { Page } from '@playwright/test';
import { findMisfits } from './layout.ts';
import { deliveredToast, draftKept, expect, fill, flushed, moving, receipt, someone, submit, test } from './visitor.ts';

// A morning at a packing shed: one phone that several people use, a link that goes and comes, ten quotes.

test.use(moving);

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource|ERR_CONNECTION_REFUSED/));

const list = (page: Page) => page.getByRole('dialog', { name: 'Mis cotizaciones' });
const chip = (page: Page) => page.getByRole('button', { name: /en espera|por corregir/ });
const folioIn = (page: Page) => receipt(page).locator('header [translate=no]').innerText();

test('ten quotes through a bad morning arrive exactly once, and each receipt says what is true', async ({
  page,
  service,
}) => {
  const look = async (what: string) => {
    // In the middle of a scroll nothing has its place.
    await page.evaluate(async () => {
      for (let still = 0, last = NaN; still < 5; still = scrollY === last ? still + 1 : 0) {
        last = scrollY;
        await new Promise(requestAnimationFrame);
      }
    });
    expect.soft(await page.evaluate(findMisfits), what).toEqual([]);
  };
  const people: string[] = [];
  const write = async () => {
    const person = someone();
    people.push(person.nombre);
    await fill(page, person);
  };
  const rows = async () => (await service.quotes()).filter(({ nombre }) => people.includes(nombre));

  // Good signal, and the phone is told that it is shared.
  await page.goto('/#mis-cotizaciones');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await list(page).getByLabel('Teléfono compartido', { exact: false }).check();
  await look('shared');
  await page.keyboard.press('Escape');

  // 1: with signal.
  await write();
  await submit(page);
  await expect(deliveredToast(page)).toBeVisible();
  await expect(receipt(page)).toContainText('respuesta antes de las');
  await look('delivered');
  expect(await rows()).toHaveLength(1);

  // 2: three wrong entries on the way, each said under its field and none of them sent.
  await write();
  const wrong = { email: 'ventas', telefono: '12', peso: '1.500' };
  await fill(page, wrong);
  for (const [name, sentence] of [
    ['email', 'Email debe tener un formato valido'],
    ['telefono', 'Telefono debe tener entre 7 y 15 digitos'],
    ['peso', '¿1,500 kg o 1.5 kg?'],
  ] as const) {
    await submit(page);
    await expect(page.getByRole('alert')).toContainText(`Error de validacion: ${sentence}`);
    await expect(page.locator(`[name=${name}]`)).toBeFocused();
    await look(`wrong-${name}`);
    await fill(page, { [name]: { email: 'ventas@berries.mx', telefono: '664 123 4567', peso: '1500' }[name] });
  }
  expect(await rows()).toHaveLength(1);
  await submit(page);
  // Until it has its own, the page shows the receipt of the first.
  await expect.poll(rows).toHaveLength(2);
  await expect(receipt(page)).toContainText('entregada');

  // 3 and 4: nothing answers any more, and the phone does not know.
  await service.lineDown();
  for (let count = 1; count <= 2; count += 1) {
    await write();
    await submit(page);
    await expect(page.getByText('Guardamos su solicitud en este teléfono.').last()).toBeVisible();
    await expect(receipt(page)).toContainText('No hubo respuesta del servidor');
    await expect(receipt(page)).toContainText('empieza cuando se entrega');
    await expect(chip(page)).toContainText(`${count} en espera`);
  }
  await look('server-gone');

  // 5: the phone knows.
  await page.context().setOffline(true);
  await write();
  await submit(page);
  await expect(receipt(page)).toContainText('Está sin conexión');
  await expect(page.locator('p.line')).toContainText('Sin conexión');
  await look('no-signal');

  // 6: the page is opened anew without signal; a draft is half written when it is closed.
  await write();
  await draftKept(page, people.at(-1)!);
  await page.reload();
  await page.locator('#reservar-espacio').scrollIntoViewIfNeeded();
  await expect(page.locator('[name=nombre]')).toHaveValue(people.at(-1)!);
  await look('draft');
  await submit(page);
  await expect(receipt(page)).toContainText('en espera');
  await chip(page).click();
  await expect(list(page).getByRole('article')).toHaveCount(6);
  await expect(list(page).getByText('Está sin conexión', { exact: false })).toHaveCount(4);
  // Nothing personal of what was delivered is left on a shared phone.
  await expect(list(page)).not.toContainText(people[0]!);
  await expect(list(page).getByText('Datos borrados de este teléfono')).toHaveCount(2);
  await look('list-without-signal');
  await page.keyboard.press('Escape');

  // The link comes, but loses the first answer to each: also those to 7 and 8.
  service.fault = (_quote, attempt) => (attempt === 0 ? { kind: 'lose-answer' } : { kind: 'none' });
  await service.lineUp();
  await page.context().setOffline(false);
  await expect(chip(page)).toHaveCount(0, { timeout: 60_000 });
  await look('all-delivered');
  expect(await rows()).toHaveLength(6);
  for (let count = 7; count <= 8; count += 1) {
    await write();
    await submit(page);
    // Until then the receipt is the one before it.
    await expect.poll(rows, { timeout: 30_000 }).toHaveLength(count);
    await expect(receipt(page)).toContainText('entregada', { timeout: 30_000 });
  }
  await look('answer-lost');

  // 9: the server answers with an error for a while, and the page is closed on it.
  service.fault = () => ({ kind: 'answer', status: 503 });
  await write();
  await submit(page);
  await expect(receipt(page)).toContainText('en espera');
  const folio = await folioIn(page);
  await look('refused-for-now');
  await page.goto('about:blank');
  service.fault = () => ({ kind: 'none' });
  await page.goto('/');
  await expect(page.getByText(`Cotización ${folio} entregada`)).toBeVisible({ timeout: 30_000 });
  await look('told-on-return');

  // 10: with signal again.
  await page.locator('#reservar-espacio').scrollIntoViewIfNeeded();
  await write();
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  await flushed(page);

  const stored = await rows();
  expect(stored.map(({ nombre }) => nombre).toSorted()).toEqual(people.toSorted());
  expect(people).toHaveLength(10);
  await page.evaluate(() => (location.hash = '#mis-cotizaciones'));
  await expect(list(page).getByRole('article')).toHaveCount(10);
  await expect(list(page).getByText('Datos borrados de este teléfono')).toHaveCount(10);
  for (const { folio: known } of stored) {
    const kept = list(page).getByRole('article', { name: `Su solicitud ${known}` });
    await expect(kept).toContainText('entregada');
    await expect(kept).toContainText('respuesta antes de las');
  }
  await look('list-at-the-end');
});
