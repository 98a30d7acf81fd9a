import { randomUUID } from 'node:crypto';
import { expectNoFinding } from './accessible.ts';
import {
  deskOf,
  hireForLong,
  openDesk,
  openLead,
  press,
  row,
  rows,
  sayAsPhone,
  seesSoon,
  sendQuote,
  sheet,
  stands,
  toasts,
} from './desk-visitor.ts';
import { DESKTOP, expect, test } from './visitor.ts';

test.use({ viewport: DESKTOP });

test('a colleague takes or closes several leads at once', { tag: '@full' }, async ({ page, service }) => {
  const [first, second, third, betos] = await Promise.all(
    ['Uno', 'Dos', 'Tres', 'Cuatro'].map((name) => sendQuote(service, { nombre: `Varias ${name}` })),
  );
  const other = await deskOf(page, service, 'Beto Sánchez');
  await openLead(other, betos!);
  await press(other, 'Tomar');
  await stands(other, 'En curso');
  await other.close();

  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await page.getByRole('searchbox').fill('Varias');
  await expect(row(page, betos!)).toContainText('Beto Sánchez');
  await expect(rows(page)).toHaveCount(4);
  const many = page.getByRole('region', { name: 'Solicitudes seleccionadas' });
  const press_ = (name: string) => many.getByRole('button', { name, exact: true }).click();
  // The key x selects a row; a click with Shift selects all rows from that row on.
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Home');
  await page.keyboard.press('x');
  await expect(many).toContainText('1 seleccionada');
  await rows(page)
    .last()
    .click({ modifiers: ['Shift'] });
  await expect(many).toContainText('4 seleccionadas');
  await expect(sheet(page)).toHaveCount(0);
  await expectNoFinding(page, 'chosen leads', 'main');
  await press_('Tomar');
  const notice = toasts(page);
  await expect(notice).toContainText('3 solicitudes tomadas. 1 sin cambio, aún seleccionada.');
  await expect(many).toContainText('Varias Cuatro: La atiende Beto Sánchez.');
  for (const lead of [first!, second!, third!]) await expect(row(page, lead)).toContainText('En curso Yo');
  await notice.getByRole('button', { name: 'Deshacer' }).click();
  for (const lead of [first!, second!, third!]) await expect(row(page, lead)).toContainText('Nueva Sin asignar');

  // Closing leads without owner makes the colleague their owner. Each lead gets the same reason and note.
  await page.getByRole('listbox').focus();
  await page.keyboard.press('Escape');
  await expect(many).toHaveCount(0);
  for (const lead of [first!, second!]) await row(page, lead).locator('[data-check]').click();
  await press_('Cerrar como perdida');
  await many.getByRole('button', { name: 'espacio' }).click();
  await many.getByLabel(/^Detalle/).fill('vuelo lleno');
  await page.keyboard.press('Enter');
  await expect(toasts(page).getByText('2 solicitudes cerradas.')).toBeVisible();
  await expect(page.getByRole('listbox')).toBeFocused();
  for (const lead of [first!, second!]) {
    await openLead(page, lead);
    await stands(page, 'Perdida · espacio');
    await expect(sheet(page).getByText('Perdida: vuelo lleno')).toHaveCount(1);
  }
});

test('the desk’s list marks a lead with news until the lead is opened', { tag: '@full' }, async ({ page, service }) => {
  const [sent, other] = [await sendQuote(service), await sendQuote(service)];
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  const reply = { id: randomUUID(), quote_id: sent.id, kind: 'pregunta', body: '¿Sale el jueves?' };
  await sayAsPhone(service, 'quote_replies', 'id', reply);
  await page.getByRole('searchbox').fill(sent.folio);
  await seesSoon(page, row(page, sent).getByText('Novedad del cliente'));
  await openLead(page, sent);
  await expect(row(page, sent).getByText('Novedad del cliente')).toHaveCount(0);
  await page.reload();
  await page.getByRole('searchbox').fill('');
  await openLead(page, other);
  await expect(row(page, sent).getByText('Novedad del cliente')).toHaveCount(0);
});

test('filters limit the desk’s list to a range of kilos', { tag: '@full' }, async ({ page, service }) => {
  const [light, heavy] = [await sendQuote(service, { peso: 321 }), await sendQuote(service, { peso: 98_765 })];
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  const summary = page.locator('summary').filter({ hasText: 'kg al mes' });
  await summary.click();
  await page.getByLabel('Desde (kg al mes)').fill('98,765');
  await page.getByLabel('Hasta (kg al mes)').fill('98,765');
  await expect(row(page, heavy)).toBeVisible();
  await expect(row(page, light)).toHaveCount(0);
  await page.getByLabel('Estado').selectOption('Nueva');
  await expect(summary).toContainText(/1 solicitud · 98,765 kg al mes/);
  await expectNoFinding(page, 'a narrowed list', 'main');
  await press(page, 'Quitar filtros');
  await expect(summary).toContainText(/\d+ solicitudes/);
});
