import { expect, fill, someone, submit, test, withoutWorker } from './visitor.ts';

test.use(withoutWorker);

test('a quote sent with signal arrives once, normalized, and is announced once', async ({ page, service }) => {
  const person = someone();
  await page.goto('/');
  await fill(page, person);
  await submit(page);

  await expect(
    page.getByText('Su informacion ha sido enviada exitosamente! Te contactaremos brevemente.'),
  ).toBeVisible();
  const [quote, ...more] = await service.rowsOf(person.nombre);
  expect(more).toEqual([]);
  expect(quote).toMatchObject({
    empresa: person.empresa,
    email: person.email.trim().toLowerCase(),
    peso: 12500,
    tipo_carga: 'perecederos',
    promociones: false,
    more: {},
    reemplaza: null,
  });
  const receipt = page.getByRole('article', { name: quote!.folio });
  await expect(receipt).toContainText('entregada');
  await expect(receipt).toContainText(
    /La recibimos hoy a las \d\d:\d\d\. Le respondemos antes de las \d\d:\d\d \(Tijuana\)\./,
  );
  // The receipt repeats the values, so that a slip is noticed.
  for (const value of ['12,500 kg por mes', person.nombre, person.email, person.telefono])
    await expect(receipt).toContainText(value);
  await expect(page.locator('[name=nombre]')).toHaveValue('');
  const aloud = page.locator('[role=status], [role=alert], [aria-live]');
  await expect(aloud.filter({ hasText: 'enviada exitosamente' })).toHaveCount(1);
});
