import { randomUUID } from 'node:crypto';
import type { Page, Route } from '@playwright/test';
import { expectNoFinding } from './accessible.ts';
import {
  act,
  askAsPhone,
  bringIntoView,
  closeAs,
  field,
  hireForLong,
  holdAnswer,
  openDesk,
  openDialog,
  openLead,
  openNewLead,
  press,
  row,
  saveAnswer,
  sayAsPhone,
  seesSoon,
  sendQuote,
  type Sent,
  deskOf,
  sheet,
  sheetOf,
  stands,
  toasts,
  writeAnswer,
} from './desk-visitor.ts';
import { DESKTOP, PHONE, expect, test } from './visitor.ts';

test.use({ viewport: DESKTOP });

/** Writes a message to a lead, and presses "send". The desk sends the message only after ten seconds. */
async function writeAndHold(desk: Page, lead: Sent): Promise<void> {
  await openLead(desk, lead);
  await writeAnswer(desk, 'Mensaje', 'Sale el jueves.');
  await holdAnswer(desk);
  await expect(sheet(desk).getByRole('status').filter({ hasText: 'Se envía en 10 s' })).toBeVisible();
}

test('an answer with a wrong field is not sent; the field gets focus', { tag: '@full' }, async ({ page, service }) => {
  const [sent, next] = [await sendQuote(service), await sendQuote(service)];
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await openLead(page, sent);
  await field(page, /^Precio/).fill('4.10');
  await field(page, /^Respuesta/).fill('\u200b\n');
  await holdAnswer(page);
  const fault = sheet(page).locator('form').getByText('Escriba la respuesta.');
  await expect(fault).toBeVisible();
  await expect(page.locator(':focus')).toHaveAttribute('aria-describedby', (await fault.getAttribute('id'))!);
  // The quote states kilos a month, so the desk does not use that number for the kilos of one shipment.
  await page.getByLabel('Kilos al mes').fill('900');
  const per = sheet(page).getByRole('combobox', { name: /^Por/ });
  await per.selectOption('total');
  await expect(page.getByLabel('Kilos del embarque')).toHaveValue('');
  await per.selectOption('kilo');
  await expect(page.getByLabel('Kilos al mes')).toHaveValue('12500');
  expect(await askAsPhone(service, sent.id)).toEqual([]);
  await field(page, /^Respuesta/).fill('Con gusto.');
  await saveAnswer(page);
  await toasts(page).getByRole('button', { name: 'Siguiente' }).click();
  await expect(sheetOf(page, next.folio)).toBeVisible();
  expect(await askAsPhone(service, sent.id)).toMatchObject([{ kind: 'oferta', price: 4.1, kilos: 12_500 }]);
});

test('an answer stops the countdown of its lead, and reaches the phone unchanged', async ({ page, service }) => {
  const sent = await sendQuote(service);
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await page.getByRole('region', { name: 'La más urgente' }).getByRole('button', { name: 'Abrir' }).click();
  await expect(sheet(page)).toBeVisible();
  await openLead(page, sent);
  await expect(field(page, /^Respuesta/)).toHaveValue(new RegExp(sent.nombre));
  await field(page, /^Respuesta/).fill(`Con gusto, ${sent.nombre}: sale el martes.`);
  await field(page, /^Precio/).fill('4,10');
  await field(page, /^Vigencia/).fill('2027-01-31');
  await saveAnswer(page);
  await stands(page, 'Respondida');
  await expect(sheet(page).getByText('Sin ver todavía')).toBeVisible();
  const offer = { price: 4.1, price_for: 'kilo', currency: 'USD', kilos: 12_500, valid_until: '2027-01-31' };
  const words = await askAsPhone(service, sent.id);
  expect(words).toMatchObject([{ body: `Con gusto, ${sent.nombre}: sale el martes.`, ...offer }]);
  await expect(row(page, sent)).toHaveCount(0);
  await page.getByRole('button', { name: /^Respondidas/ }).click();
  await expect(row(page, sent)).toContainText(/respondida en 0.min/);

  await sayAsPhone(service, 'quote_seen', 'answer_id', { answer_id: words[0]!['id'], quote_id: sent.id });
  await seesSoon(page, sheet(page).getByText(/^Vista hoy/));
  const question = { id: randomUUID(), quote_id: sent.id, kind: 'pregunta', body: '¿También los domingos?' };
  await sayAsPhone(service, 'quote_replies', 'id', { ...question, answer_id: words[0]!['id'] });
  await seesSoon(page, sheet(page).getByText(question.body));
  await stands(page, 'Cliente preguntó');
  await expect(sheet(page).getByText(/^quedan 1.h 59.min/)).toBeVisible();
  await press(page, 'Marcar como atendida');
  await stands(page, 'Respondida');
});

test('an answer is refused if its lead changed owner', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/status of 409/);
  const sent = await openNewLead(page, service);
  await press(page, 'Tomar');
  await writeAnswer(page, 'Mensaje', 'Cuatro dólares por kilo.');
  const other = await deskOf(page, service, 'Beto Sánchez');
  await openLead(other, sent);
  // The first desk cannot read the change of owner, so it notices the new owner only when its answer is refused.
  await page.route('**/rest/v1/desk_leads?*updated_at*', (route) => route.abort());
  quiet.allow(/ERR_FAILED/);
  await press(other, 'Tomar el relevo de Ana Ruiz');
  await stands(other, 'En curso');
  await saveAnswer(page);
  await expect(toasts(page)).toContainText(/La atiende Beto Sánchez desde las \d\d:\d\d/);
  await expect(field(page, /^Respuesta/)).toHaveValue('Cuatro dólares por kilo.');
  expect(await askAsPhone(service, sent.id)).toEqual([]);
});

test('an answer can be undone for ten seconds', { tag: '@full' }, async ({ page, service }) => {
  const [one, two, three] = [await sendQuote(service), await sendQuote(service), await sendQuote(service)];
  await page.clock.install();
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await writeAndHold(page, one);
  // A second press of Enter sends nothing more.
  await page.keyboard.press('Enter');
  await expect(field(page, /^Respuesta/)).not.toBeEditable();
  await expectNoFinding(page, 'an answer that is held', 'article');
  await press(page, 'Deshacer');
  await expect(field(page, /^Respuesta/)).toHaveValue('Sale el jueves.');
  await expect(field(page, /^Respuesta/)).toBeEditable();
  await stands(page, 'En curso');

  // The desk also sends an answer while another lead is open, and when the desk’s tab is closed.
  await writeAndHold(page, two);
  await openLead(page, three);
  await page.clock.runFor(10_000);
  await expect(page.getByText(`${two.folio}: Mensaje enviado a ${two.nombre}.`)).toBeVisible();
  const other = await deskOf(page, service, 'Beto Sánchez');
  await writeAndHold(other, three);
  await other.close();
  for (const { id } of [two, three])
    await expect.poll(() => askAsPhone(service, id)).toMatchObject([{ body: 'Sale el jueves.' }]);
  expect(await askAsPhone(service, one.id)).toEqual([]);
});

test('a held answer is sent before lead or shift is closed', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  const [won, last] = [await sendQuote(service), await sendQuote(service)];
  await page.clock.install();
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  // Closing a lead first sends the answer that still waits. Sent later, this answer would reopen the lead.
  await writeAndHold(page, won);
  await closeAs(page, 'Ganada');
  await stands(page, 'Ganada');
  expect(await askAsPhone(service, won.id)).toMatchObject([{ body: 'Sale el jueves.' }]);

  await writeAndHold(page, last);
  const cutOff = (route: Route) => route.request().method() === 'POST' && route.abort();
  await page.route('**/rest/v1/quote_answers?*', cutOff);
  await openDialog(page, 'Cerrar turno');
  const dialog = page.getByRole('dialog', { name: 'Cerrar turno' });
  await dialog.getByRole('button', { name: 'Cerrar turno' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`La respuesta a ${last.folio} no se ha enviado.`);
  await page.unroute('**/rest/v1/quote_answers?*', cutOff);
  await dialog.getByRole('button', { name: 'Cerrar turno' }).click();
  await expect(page.getByLabel('Contraseña')).toBeVisible();
  expect(await askAsPhone(service, last.id)).toMatchObject([{ body: 'Sale el jueves.' }]);
});

test('a lead is closed as lost with a reason, and reopened', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  const sent = await openNewLead(page, service, { more: { llamada: true } });
  await expect(sheet(page).getByText('Pide que le llamen')).toBeVisible();
  await press(page, 'Tomar');
  await stands(page, 'En curso');
  await field(page, /^Nota para colegas/).fill('Prefiere que le llamen por la tarde.');
  await press(page, 'Guardar nota');
  await expect(toasts(page)).toContainText('Nota guardada.');
  await expect(sheet(page).getByText(/Nota de Ana Ruiz/)).toBeVisible();
  const losing = sheet(page).getByRole('form', { name: '¿Por qué se perdió?' });
  const detail = losing.getByLabel(/^Detalle/);
  const reason = losing.getByRole('button', { name: 'espacio' });
  await closeAs(page, 'Perdida');
  // The desk preselects no reason, because that reason would then be counted too often.
  await press(page, 'Cerrar como perdida');
  await expect(losing.getByRole('alert')).toContainText('Elija un motivo.');
  await reason.click();
  await detail.fill('vuelo lleno');
  // Escape closes the form. Opened again, the form still has the chosen reason.
  await page.keyboard.press('Escape');
  await expect(losing).toHaveCount(0);
  await closeAs(page, 'Perdida');
  await expect(reason).toHaveAttribute('aria-pressed', 'true');
  // The note is stored, but the request for the status fails. The next press stores the status, and no second note.
  await page.route('**/rest/v1/quote_desk?*', (route) => route.abort(), { times: 1 });
  await detail.press('Enter');
  await expect(toasts(page)).toContainText('El servidor no respondió');
  await expect(detail).toHaveValue('vuelo lleno');
  await detail.press('Enter');
  await stands(page, 'Perdida · espacio');
  await expect(sheet(page).getByText('Perdida: vuelo lleno')).toHaveCount(1);
  await press(page, 'Reabrir');
  await stands(page, 'En curso');
  await act(page, 'Liberar');
  await stands(page, 'Nueva', 'Sin asignar');

  // A question that the customer asks after the lead was closed waits for an answer.
  await writeAnswer(page, 'Mensaje', 'Sale el martes.');
  await saveAnswer(page);
  await stands(page, 'Respondida');
  await closeAs(page, 'Perdida');
  await reason.click();
  await detail.press('Enter');
  await stands(page, 'Perdida · espacio');
  const asks = { id: randomUUID(), quote_id: sent.id, kind: 'pregunta', body: '¿Y el viernes?' };
  await sayAsPhone(service, 'quote_replies', 'id', asks);
  await stands(page, 'Cliente preguntó · espacio');
  await press(page, 'Reabrir');
  await stands(page, 'Cliente preguntó');
});

test('an offline desk says that it is offline, and sends answers later', async ({ page, context, service, quiet }) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED|ERR_NETWORK_CHANGED/);
  const sent = await openNewLead(page, service);
  await press(page, 'Tomar');
  await stands(page, 'En curso');
  await context.setOffline(true);
  await expect(page.getByText(/Sin conexión · datos de las \d\d:\d\d/)).toBeVisible();
  await expect(row(page, sent)).toBeVisible();
  await writeAnswer(page, 'Mensaje', 'Sale el martes.');
  await saveAnswer(page);
  await expect(toasts(page)).toContainText('Sin conexión. Se enviará');
  await page.setViewportSize(PHONE);
  await expect(sheet(page).getByText(/Se enviará automáticamente en cuanto vuelva/)).toBeInViewport();
  await press(page, 'Lista');
  await expect(page.getByText(/Sin conexión · datos de/)).toBeInViewport({ ratio: 1 });
  await expect(page.getByRole('banner').getByRole('button', { name: 'Más' })).toBeInViewport({ ratio: 1 });
  await row(page, sent).click();
  await page.setViewportSize(DESKTOP);
  expect(await askAsPhone(service, sent.id)).toEqual([]);
  // An answer that is edited after the click on "send" is not sent before the next click.
  await field(page, /^Respuesta/).fill('Sale el lunes.');
  await expect(page.getByText(/Se enviará automáticamente en cuanto vuelva/)).toHaveCount(0);
  await field(page, /^Respuesta/).fill('Sale el martes.');
  await saveAnswer(page);
  await expect(sheet(page).getByText(/Se enviará automáticamente en cuanto vuelva/)).toBeVisible();
  // The test fires beforeunload itself, because a busy browser closes a tab without asking the page.
  expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(false);
  await context.setOffline(false);
  await stands(page, 'Respondida');
  expect(await askAsPhone(service, sent.id)).toMatchObject([{ body: 'Sale el martes.' }]);
});

test('an answer edited after its arrival is sent as a new one', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  const sent = await openNewLead(page, service);
  await press(page, 'Tomar');
  const body = field(page, /^Respuesta/);
  const answers = '**/rest/v1/quote_answers?on_conflict*';
  const loseWord = (route: Route) => route.fetch().then(() => route.abort());
  await page.route(answers, loseWord);
  // The response is lost, so the desk sends the answer again, with the same id and text. The server stores it once.
  await body.fill('Con gusto.');
  await page.getByLabel('Precio').fill('4,10');
  await page.getByLabel('Kilos al mes').fill('1,200');
  await page.getByLabel('Vigencia').fill('2099-11-28');
  await saveAnswer(page);
  await expect.poll(() => askAsPhone(service, sent.id)).toMatchObject([{ body: 'Con gusto.' }]);
  await page.unroute(answers, loseWord);
  await expect(page.getByText(/^\w+ enviad[ao] a /)).toBeVisible();

  await writeAnswer(page, 'Mensaje', 'Sale el martes.');
  await page.route(answers, loseWord);
  await saveAnswer(page);
  await expect.poll(() => askAsPhone(service, sent.id)).toMatchObject([{}, { body: 'Sale el martes.' }]);
  await expect(body).toBeEditable();
  await body.fill('Sale el jueves.');
  await page.unroute(answers, loseWord);
  await saveAnswer(page);
  await expect(toasts(page)).toContainText('La primera versión ya se había enviado.');
  await expect(body).toHaveValue('Sale el jueves.');
  await saveAnswer(page);
  await expect(page.getByText(/^\w+ enviad[ao] a /)).toBeVisible();
  const bodies = [{ body: 'Con gusto.' }, { body: 'Sale el martes.' }, { body: 'Sale el jueves.' }];
  expect(await askAsPhone(service, sent.id)).toMatchObject(bodies);
});

test('the desk shows markup in a visitor’s text as plain text', async ({ page, service }) => {
  const nombre = `<img src=x onerror=alert(1)> {empresa} ${randomUUID().slice(0, 4)}`;
  const sent = await sendQuote(service, { nombre, empresa: '"><script>alert(2)</script>' });
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await bringIntoView(page, sent);
  await expect(row(page, sent)).toContainText(nombre);
  await openLead(page, sent);
  await expect(sheet(page).getByText('"><script>alert(2)</script>', { exact: true })).toBeVisible();
  await expect(field(page, /^Respuesta/)).toHaveValue(new RegExp('onerror=alert\\(1\\)> {empresa}'));
  expect(await page.locator('img, #mesa script').count()).toBe(0);
});

test('links to call or write contain the phone number or the folio', { tag: '@full' }, async ({ page, service }) => {
  const sent = await openNewLead(page, service, { telefono: '664 123 4567' });
  const href = (name: string) => sheet(page).getByRole('link', { name }).getAttribute('href');
  expect(await href('Llamar')).toBe('tel:+526641234567');
  expect(decodeURIComponent((await href('WhatsApp'))!)).toContain(`wa.me/526641234567?text=Buen día, ${sent.nombre}`);
  expect(decodeURIComponent((await href('Escribir correo'))!)).toContain(
    `subject=Solicitud de cotización ${sent.folio}`,
  );
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error('no'))));
  await press(page, 'Copiar');
  await expect(toasts(page)).toContainText('No se pudo copiar.');
  expect(await askAsPhone(service, sent.id)).toEqual([]);
});
