import { readFileSync } from 'node:fs';
import { expectNoFinding } from './accessible.ts';
import { hireForLong, openDesk } from './desk-visitor.ts';
import { DESKTOP, enter, expect, tabTo, test } from './visitor.ts';

test.use({ viewport: DESKTOP });

const CSV = 'Persona;Celular;Empresa\r\n"Río, Ana";6645550171;Berries\r\nLuis;12;\r\nEva;6645550173;=1+1\r\n';

test('a colleague imports a CSV file of leads, and downloads bad rows, by keyboard', async ({ page, service }) => {
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  const plus = page.getByRole('button', { name: '+ Nueva' });
  await enter(page, plus);
  await enter(page, page.getByRole('button', { name: 'Importar un archivo' }));
  const dialog = page.getByRole('dialog', { name: 'Importar de un archivo' });
  const button = (name: string) => dialog.getByRole('button', { name });
  const file = (text: string) => ({ name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
  await tabTo(page, dialog.getByLabel('Archivo CSV'));
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser', { timeout: 15_000 }),
    page.keyboard.press('Space'),
  ]);
  await chooser.setFiles(file(CSV));
  await dialog.getByLabel('Archivo CSV').setInputFiles(file(' \r\n'));
  await expect(dialog.getByText('El archivo está vacío.')).toBeVisible();
  await dialog.getByLabel('Archivo CSV').setInputFiles(file(CSV));
  // The dialog recognises the heading "Persona". The column for an unknown heading must be chosen.
  await expect(dialog.getByLabel('Nombre', { exact: true })).toHaveValue('0');
  await dialog.getByLabel('Archivo CSV').setInputFiles(file(CSV.replace('Celular', 'Nota 1')));
  await expect(dialog.getByRole('alert').getByText('Elija las columnas de nombre y teléfono.')).toBeVisible();
  await tabTo(page, dialog.getByLabel('Teléfono'));
  await page.keyboard.type('Nota');
  await expectNoFinding(page, 'columns of a file', 'dialog');

  await enter(page, button('Revisar'));
  const rows = dialog.getByRole('listitem');
  await expect(dialog.getByRole('status')).toContainText('Se guardarían 2; ya estaban o se repiten: 0; con error: 1.');
  await expect(rows.first()).toContainText('Telefono debe tener entre 7 y 15 digitos');
  await expect(rows.nth(1)).toContainText(/Río, Ana.*se guardaría, AP-/);
  await expectNoFinding(page, 'trial of an import', 'dialog');
  await expect(button('Importar 2')).toBeFocused();
  await enter(page, button('Cambiar columnas'));
  await expect(button('Revisar')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(button('Importar 2')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog.getByRole('status')).toContainText('Guardadas: 2; ya estaban o se repiten: 0; con error: 1.');
  await enter(page, button('Repetir'));
  await expect(dialog.getByRole('status')).toContainText('Guardadas: 0; ya estaban o se repiten: 2; con error: 1.');
  await tabTo(page, button('Descargar filas con error'));
  const [bad] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
  expect(readFileSync(await bad.path(), 'utf8')).toBe(
    '\ufeffPersona,Nota 1,Empresa,error\r\nLuis,12,,Telefono debe tener entre 7 y 15 digitos\r\n',
  );
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(plus).toBeFocused();
  await page.getByRole('searchbox').fill('6645550171');
  await expect(page.getByRole('listbox')).toContainText('Río, Ana');
  await expect(page.getByRole('listbox')).toContainText('Importada');
});
