import { dayInTijuana } from '../../src/lead/tijuana.ts';
import { expectNoFinding } from './accessible.ts';
import {
  act,
  bringIntoView,
  field,
  hireForLong,
  hireSupervisor,
  openDesk,
  openLead,
  press,
  row,
  saveAnswer,
  sendQuote,
  sheet,
  signedIn,
  stands,
  toasts,
} from './desk-visitor.ts';
import { DESKTOP, expect, test } from './visitor.ts';

test.use({ viewport: DESKTOP });

test('supervisors edit templates, and the / key inserts a template into an answer', async ({ page, service }) => {
  const sent = await sendQuote(service);
  await openDesk(page, await hireSupervisor(service));
  await openLead(page, sent);
  const answer = field(page, /^Respuesta/);

  const dialog = page.getByRole('dialog', { name: 'Plantillas' });
  await press(page, 'Editar plantillas');
  await press(page, 'Nueva plantilla');
  await press(page, 'Guardar plantilla');
  await expect(dialog.getByRole('alert')).toContainText('Escriba el nombre y el texto.');
  await dialog.getByRole('textbox', { name: /^Nombre/ }).fill('Siempre');
  await dialog.getByLabel('En español').fill('Lo de siempre, {nombre}.');
  await press(page, 'Guardar plantilla');
  await expect(dialog.getByText('Cambio de Eva Solís, hoy')).toBeVisible();
  await press(page, 'Nueva plantilla');
  await dialog.getByRole('textbox', { name: /^Nombre/ }).fill('Origen');
  await dialog.getByLabel('Tipo de respuesta').selectOption('pregunta');
  await dialog.getByLabel('En español').fill('¿De dónde salen los {peso} kg de {empresa}?');
  await page.keyboard.press('Escape');
  await press(page, 'Editar plantillas');
  await expect(dialog.getByRole('textbox', { name: /^Nombre/ })).toHaveValue('Origen');
  await dialog.getByLabel('En inglés').fill('Where do they leave from?');
  await expectNoFinding(page, 'a template', 'dialog');
  await press(page, 'Guardar plantilla');
  await press(page, 'Subir: Origen');
  await expect(dialog.getByRole('listitem').first()).toContainText('Origen');
  await press(page, 'Cambiar: Origen');
  await dialog.getByRole('textbox', { name: /^Nombre/ }).fill('De dónde');
  await press(page, 'Guardar plantilla');
  await expect(dialog.getByText('De dónde')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);

  const list = page.getByRole('listbox', { name: 'Plantillas' });
  await answer.selectText();
  await page.keyboard.type('/');
  await expect(list).toBeFocused();
  await expectNoFinding(page, 'the list', 'article');
  await page.keyboard.press('Escape');
  await answer.fill('Buen día.\n');
  await page.keyboard.type('/');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('Enter');
  await expect(answer).toHaveValue(/^Buen día\.\n¿De dónde salen los 12,500 kg de .+\?\n\nWhere do they leave from\?$/);
  await expect(answer).toBeFocused();
  await expect(sheet(page).getByRole('radio', { name: 'Pregunta' })).toBeChecked();
  await page.keyboard.type('\n//');
  await expect(answer).toHaveValue(/from\?\n\/$/);

  const next = await sendQuote(service);
  await openLead(page, next);
  await expect(answer).toHaveValue(`Lo de siempre, ${next.nombre}.`);
  await press(page, 'Editar plantillas');
  for (const [name, left] of [
    ['De dónde', 1],
    ['Siempre', 0],
  ] as const) {
    // A double click on "remove" removes nothing, because each removal must be confirmed.
    await dialog.getByRole('button', { name: `Quitar: ${name}`, exact: true }).dblclick();
    await press(page, `Quitar para todos: ${name}`);
    // The test waits until this removal has ended before it starts the next one.
    await expect(dialog.getByRole('listitem')).toHaveCount(left);
  }
  await page.keyboard.press('Escape');
  await expect(answer).toHaveValue(/^Gracias por su solicitud/);
});

test('the desk reminds the owner of a lead at the chosen time', async ({ page, service, quiet }) => {
  quiet.allow(/status of 400/);
  const sent = await sendQuote(service);
  const ana = await hireForLong(service, 'Ana Ruiz');
  await page.clock.install();
  await openDesk(page, ana);
  await openLead(page, sent);
  await field(page, /^Precio/).fill('4.10');
  const lastDay = dayInTijuana(Date.now() + 20 * 86_400_000);
  await field(page, /^Vigencia/).fill(lastDay);
  await saveAnswer(page);
  await stands(page, 'Respondida');
  await act(page, 'Recordar');
  const form = sheet(page).getByRole('form', { name: 'Recordar' });
  await expectNoFinding(page, 'the reminder', 'article');
  await press(page, 'Al vencer la oferta');
  await expect(sheet(page).getByText(/^Recordar el \d+ de \w+ a las 09:00$/)).toBeVisible();
  await press(page, 'Quitar recordatorio');
  await act(page, 'Recordar');
  await form.getByLabel(/^Día/).fill('2020-01-31');
  await form.getByLabel(/^Hora/).fill('16:30');
  await form.getByRole('button', { name: 'Recordar' }).click();
  const alert = toasts(page);
  await expect(alert).toContainText('Elija una fecha futura');
  await form.getByLabel(/^Día/).fill(lastDay);
  await form.getByRole('button', { name: 'Recordar' }).click();
  await expect(sheet(page).getByText(/^Recordar el \d+ de \w+ a las 16:30$/)).toBeVisible();

  // Ana sets the reminder to the next second on another computer.
  const client = await signedIn(service, ana);
  const at = new Date(Date.now() + 1000).toISOString();
  const moved = await client.from('desk_reminders').update({ at, why: 'fecha' }).eq('quote_id', sent.id);
  expect(moved.error).toBe(null);
  await page.getByRole('button', { name: /^Mías/ }).click();
  await page.clock.runFor(16_000);
  await expect(sheet(page).getByText(/^Recordar hoy/)).toBeVisible();
  // The row may be out of view, because Ana has leads from other tests.
  await bringIntoView(page, sent);
  await expect(row(page, sent)).toContainText('Recordatorio');
  await press(page, 'Quitar recordatorio');
  await bringIntoView(page, sent);
  await expect(row(page, sent)).toContainText('Respondida');
});
