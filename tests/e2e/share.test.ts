import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { tray } from './every-state.ts';
import { eraseAll, expect, openWithWorker, sent, test } from './visitor.ts';

test.use({ serviceWorkers: 'allow' });

/** Posts to the page like Android when another app shares a text or file with the installed site. */
const share = (page: Page, text: string, file?: string) =>
  page.evaluate(
    ([shared, name]) => {
      const form = document.createElement('form');
      form.method = 'post';
      form.enctype = 'multipart/form-data';
      form.action = '/compartir';
      form.append(Object.assign(document.createElement('textarea'), { name: 'text', value: shared }));
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'files' });
      const files = new DataTransfer();
      if (name) files.items.add(new File(['%PDF-1.7 shared'], name, { type: 'application/pdf' }));
      input.files = files.files;
      form.append(input);
      document.body.append(form);
      form.submit();
    },
    [text, file] as const,
  );

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('a text shared from another app is proposed for the form, even without signal', async ({ page, context }) => {
  await openWithWorker(page);
  await context.setOffline(true);
  await share(page, 'Soy María Núñez\nmaria@berries.mx\n12,500 kg de arándanos');
  const item = tray(page).getByRole('region', { name: 'Lo que compartió' });
  await expect(item).toContainText('maria@berries.mx');
  expect(page.url()).not.toContain('berries');
  await expectAccessible(page, 'a shared text', 'dialog');
  await item.getByRole('button', { name: 'Usar en una solicitud nueva' }).click();
  await expect(tray(page)).toBeHidden();
  const form = page.locator('#reservar-espacio');
  await expect(form.locator('[name=email]')).toHaveValue('maria@berries.mx');
  await expect(form.getByRole('group', { name: /Por confirmar/ })).toHaveCount(4);
  expect(await page.evaluate(() => caches.has('aeropuente-shared'))).toBe(false);
});

test('a shared text goes into the form, and a shared file to the chosen quote', async ({ page, service }) => {
  await openWithWorker(page);
  const { id } = await sent(page, service);
  await share(page, 'maria@berries.mx', 'factura.pdf');
  const item = tray(page).getByRole('region', { name: 'Lo que compartió' });
  await item.getByRole('button', { name: 'Usar en una solicitud nueva' }).click();
  await expect(item).toContainText('factura.pdf');
  await item.getByRole('button', { name: 'Adjuntar' }).click();
  await expect.poll(async () => (await service.files(id)).map(({ nombre }) => nombre)).toEqual(['factura.pdf']);
  await expect(item).toHaveCount(0);
  await page.keyboard.press('Escape');
  const email = page.locator('#reservar-espacio [name=email]');
  await email.focus();
  await expect(email).toHaveValue('maria@berries.mx');
});

test('a shared text is deleted when the list closes or all data are erased', { tag: '@full' }, async ({ page }) => {
  await openWithWorker(page);
  const isKept = () => page.evaluate(() => caches.has('aeropuente-shared'));
  const item = tray(page).getByRole('region', { name: 'Lo que compartió' });
  await share(page, 'maria@berries.mx');
  await expect(item).toContainText('maria@berries.mx');
  await page.keyboard.press('Escape');
  await expect.poll(isKept).toBe(false);
  await share(page, 'maria@berries.mx');
  await expect(item).toContainText('maria@berries.mx');
  await eraseAll(page);
  await expect(item).toHaveCount(0);
  expect(await isKept()).toBe(false);
});
