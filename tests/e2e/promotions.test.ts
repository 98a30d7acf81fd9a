import { expectAccessible } from './accessible.ts';
import { findMisfits } from './layout.ts';
import { expect, fill, receipt, someone, submit, test, unfold } from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('consent to promotions can be revoked on the receipt, even offline', async ({ page, context, service }) => {
  await page.goto('/privacidad.html');
  const [, version] = /Versión ([0-9a-f]{8})$/.exec((await page.locator('[data-handling]').textContent())!)!;
  const person = someone();
  await page.goto('/');
  await fill(page, person);
  await page.locator('#promociones').check();
  const request = page.waitForRequest((each) => each.method() === 'POST');
  await submit(page);
  // The version of the privacy notice is sent in a header, so the quote has no additional field.
  expect((await request).headers()['x-aviso']).toBe(version);
  expect((await request).postDataJSON()).not.toHaveProperty('aviso');
  await expect(receipt(page)).toContainText('entregada');
  await expect(receipt(page)).toContainText('Aceptó recibir promociones.');
  const [quote] = await service.rowsOf(person.nombre);
  expect(quote).toMatchObject({ promociones: true });
  expect(await service.quoteRow(quote!.id)).toMatchObject({ aviso: version });

  await context.setOffline(true);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Dejar de recibir promociones' }).focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page).locator('[role=status]:focus')).toContainText('Se enviará en cuanto haya señal');
  await expectAccessible(page, 'a consent that is withdrawn', 'article');
  expect(await page.evaluate(findMisfits)).toEqual([]);
  await context.setOffline(false);
  await expect(receipt(page)).toContainText('Ya no recibirá promociones.', { timeout: 45_000 });
  expect(await service.rowsAbout('promotion_withdrawals', quote!.id)).toHaveLength(1);
  expect(await service.rowsOf(person.nombre)).toMatchObject([{ promociones: false }]);
});
