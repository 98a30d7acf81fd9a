import { readFile } from 'node:fs/promises';
import { expectNoFinding } from './accessible.ts';
import {
  bringIntoView,
  hireForLong,
  hireSupervisor,
  leave,
  newPhone,
  openDesk,
  openDialog,
  press,
  row,
  rows,
  sendQuote,
  sheet,
  signIn,
  stands,
  toasts,
} from './desk-visitor.ts';
import { DESKTOP, expect, test } from './visitor.ts';

test.use({ viewport: DESKTOP });

test('a colleague records a phone request, and gets a link for the customer', async ({ page, service, quiet }) => {
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await press(page, '+ Nueva');
  const dialog = page.getByRole('dialog', { name: 'Nueva solicitud' });
  const field = (name: RegExp) => dialog.getByLabel(name);
  await field(/^Nombre/).fill('Íñigo Zúñiga');
  // The draft stays when the dialog is closed, and only its author sees it.
  await page.keyboard.press('Escape');
  await press(page, '+ Nueva');
  await expect(field(/^Nombre/)).toHaveValue('Íñigo Zúñiga');
  await page.keyboard.press('Escape');
  await leave(page);
  await signIn(page, await hireForLong(service, 'Beto Sánchez'));
  await press(page, '+ Nueva');
  await expect(field(/^Nombre/)).toHaveValue('');
  await field(/^Nombre/).fill('Íñigo Zúñiga');
  await press(page, 'Registrar y tomar');
  await expect(dialog.getByRole('alert')).toContainText('Telefono es requerido');
  await expectNoFinding(page, 'a call', 'dialog');
  await field(/^Tel[eé]fono/).fill(newPhone());
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText('quedó registrada');
  await stands(page, 'En curso');
  await expect(sheet(page)).toContainText(/Recibida.* · llamada/);
  await expect(sheet(page).getByRole('link', { name: /^Escribir correo/ })).toHaveCount(0);

  // links.test.ts opens such a link on a phone.
  await expect(sheet(page).getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /%23ver%3D\w{34}/);

  await press(page, '+ Nueva');
  // A second pasted message replaces the values of the first message.
  await field(/^Mensaje recibido/).fill(`Hola, soy Juan Pérez de la empresa Mangos Sur, ${newPhone()}`);
  await expect(field(/^Nombre/)).toHaveValue('Juan Pérez');
  await field(/^Mensaje recibido/).fill(
    `Buen día, soy Luz Prado de la empresa Fresas del Valle, 1,200 kg al mes, ${newPhone()}, luz@fresas.example`,
  );
  await expect(dialog.getByRole('alert')).toContainText('Llenamos lo que pudimos leer');
  await expect(field(/^Nombre/)).toHaveValue('Luz Prado');
  await field(/^Medio de contacto/).selectOption('WhatsApp');
  // The server stores the lead, but the response is lost. A weight changed before the second click becomes a note.
  quiet.allow(/ERR_FAILED/);
  const quotes = '**/rest/v1/quotes?*';
  await page.route(quotes, (route) => route.fetch().then(() => route.abort()), { times: 1 });
  await press(page, 'Registrar y tomar');
  await expect(dialog.getByRole('alert')).toContainText('El servidor no respondió');
  // A second click on the save button creates no second lead, even if the dialog was closed between both clicks.
  await page.keyboard.press('Escape');
  await press(page, '+ Nueva');
  await field(/^Peso/).fill('1300');
  await press(page, 'Registrar y tomar');
  await expect(toasts(page)).toContainText('ya se había registrado como la escribió primero');
  await expect(sheet(page).getByLabel(/^Nota para colegas/)).toHaveValue(/^Peso.*: 1300$/);
  await expect(sheet(page)).toContainText('Fresas del Valle');
  await expect(sheet(page)).toContainText('1,200 kg/mes');
  await expect(sheet(page)).toContainText(/Recibida.* · WhatsApp/);
  const stored = (await service.quotes()).filter(({ empresa }) => empresa === 'Fresas del Valle');
  expect(stored).toMatchObject([{ nombre: 'Luz Prado', peso: 1200, tipo_carga: 'perecederos' }]);
});

test('a number in "Indicadores" opens the counted leads, which can be exported', async ({ page, service }) => {
  const sent = [
    await sendQuote(service),
    await sendQuote(service),
    await sendQuote(service, { tipo_carga: 'especial', nombre: '=HYPERLINK("http://x.example")' }),
  ];
  await openDesk(page, await hireSupervisor(service));
  await openDialog(page, 'Indicadores');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(/^Agrupar por/).selectOption('tipo de carga');
  await expectNoFinding(page, 'figures by cargo', 'dialog');
  await dialog.getByRole('button', { name: /: Recibidas, especial$/ }).click();
  await expect(page.getByRole('status').filter({ hasText: 'Recibidas · especial' })).toBeVisible();
  await expect(row(page, sent[2]!)).toBeVisible();
  await expect(row(page, sent[0]!)).toHaveCount(0);
  await expect(page.getByRole('listbox')).toBeFocused();
  const shown = await rows(page).count();
  await openDialog(page, 'Indicadores');
  const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Descargar las filtradas (CSV)')]);
  const text = await readFile(await download.path(), 'utf8');
  expect(text.startsWith('\ufefffolio,created_at,nombre')).toBe(true);
  // The CSV file has a row of headings, and ends with a line break, after which `split` finds an empty text.
  expect(text.split('\r\n')).toHaveLength(1 + shown + 1);
  expect(text).toContain(`"'=HYPERLINK(""http://x.example"")"`);
  expect(text).toContain(sent[2]!.folio);
  await expect(dialog.getByText(new RegExp(`^Eva Solís, .*: ${shown} filas?$`)).first()).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: /^Abiertas/ }).click();
  await bringIntoView(page, sent[0]!);
  await expect(row(page, sent[0]!)).toBeVisible();
});
