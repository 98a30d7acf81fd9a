import { expectAccessible } from './accessible.ts';
import { expect, fill, PHONE, someone, submit, test } from './visitor.ts';

test.use({ viewport: PHONE });

test.beforeEach(async ({ page, quiet }) => {
  // The browser logs each error response, and each script that the security policy blocks.
  quiet.allow(/Failed to load resource|Content Security Policy/);
  await page.route('/', async (route) => {
    const response = await route.fetch();
    const policy = response.headers()['content-security-policy']!.replace(/script-src [^;]*/, "script-src 'none'");
    await route.fulfill({ response, headers: { ...response.headers(), 'content-security-policy': policy } });
  });
});

test('a form sent without JavaScript is stored once and gets a receipt', async ({ page, service }) => {
  const person = someone();
  await page.goto('/');
  await fill(page, { ...person, email: 'ana@' });
  await page.locator('[name=promociones]').check();
  await submit(page);
  await expect(page.getByRole('alert')).toContainText('Error de validacion: Email debe tener un formato valido');
  await expect(page.locator('[name=email]')).toHaveAccessibleDescription(/Email debe tener un formato valido/);
  await expect(page.locator('[name=nombre]')).toHaveValue(person.nombre);
  await expect(page.locator('[name=tipo_carga]')).toHaveValue(person.tipo_carga);
  await expect(page.locator('[name=promociones]')).toBeChecked();
  await expectAccessible(page);
  await page.locator('[name=email]').fill(person.email);
  await submit(page);
  const receipt = page.getByRole('article', { name: /Su solicitud AP-/ });
  await expect(receipt).toContainText('Le respondemos antes de las');
  expect(new URL(page.url()).search).toBe('');
  await expectAccessible(page);
  const text = await receipt.innerText();
  await page.reload();
  expect(await receipt.innerText()).toBe(text);
  await page.goBack();
  await page.goForward();
  await expect(receipt).toBeVisible();
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});
