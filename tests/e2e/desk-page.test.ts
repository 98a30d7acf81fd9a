import { randomUUID } from 'node:crypto';
import type { BrowserContext, Locator, Page, Route } from '@playwright/test';
import { handOffText } from '../../src/content/hand-off.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { expectNoFinding } from './accessible.ts';
import {
  act,
  askAsPhone,
  bringIntoView,
  closeAs,
  field,
  hire,
  hireForLong,
  hireSupervisor,
  holdAnswer,
  leave,
  newPhone,
  openDesk,
  openDialog,
  openLead,
  openNewLead,
  press,
  row,
  rows,
  saveAnswer,
  sayAsPhone,
  seesSoon,
  sendQuote,
  sheet,
  sheetOf,
  signedIn,
  signIn,
  stands,
  toasts,
  writeAnswer,
} from './desk-visitor.ts';
import { DESKTOP, expect, lookAway, lookBack, openWithWorker, PHONE, test, values } from './visitor.ts';

test.use({ viewport: DESKTOP });

/** Opens a page in a browser without the cookies and storage of the first, like another computer. */
async function colleagueOf(context: BrowserContext): Promise<Page> {
  const own = { baseURL: new URL(context.pages()[0]!.url()).origin, locale: 'es-MX' };
  return (await context.browser()!.newContext(own)).newPage();
}

/** Makes the page count its ring tones. Returns a function that reads the count. */
async function hearRings(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { rings: 0 });
    window.AudioContext = class extends AudioContext {
      constructor() {
        super();
        (window as unknown as { rings: number }).rings += 1;
      }
    };
  });
  return () => page.evaluate(() => (window as unknown as { rings: number }).rings);
}

test('a new colleague must change the temporary password first', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/status of 400|reading 'role'/);
  const ana = await hire(service, 'Ana Ruiz');
  await page.goto('/mesa.html');
  await signIn(page, { ...ana, password: 'something else' });
  await expect(page.getByRole('alert')).toContainText('El correo o la contraseña no coinciden.');
  // After a response that the desk cannot read, the form can be sent again.
  await page.route(
    '**/auth/v1/token*',
    async (route) => {
      const response = await route.fetch();
      const session = (await response.json()) as { user: object };
      await route.fulfill({ response, json: { ...session, user: { ...session.user, app_metadata: undefined } } });
    },
    { times: 1 },
  );
  const unreadable = page.waitForEvent('pageerror');
  await signIn(page, ana);
  await unreadable;
  await signIn(page, ana);
  // The desk does not ask for the temporary password again, because it was just typed.
  await expect(page.getByLabel('Contraseña temporal')).toHaveCount(0);
  await page.getByLabel(/^Contraseña nueva/).fill('una frase bien larga');
  await page.getByLabel('Repita la contraseña nueva').fill('una frase bien larga');
  await press(page, 'Guardar y entrar');
  // A colleague’s first visit opens two dialogs: alerts, then keyboard shortcuts.
  const alerts = page.getByRole('dialog', { name: 'Avisos de solicitudes nuevas' });
  await press(page, 'Enviar prueba');
  await expect(alerts.getByRole('alert')).toContainText('Sonó');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog', { name: 'Atajos' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByText('Al día')).toBeVisible();
  await leave(page);
  await signIn(page, { ...ana, password: 'una frase bien larga' });
  await expect(page.getByText('Al día')).toBeVisible();
  await page.reload();
  await expect(page.getByText('Al día')).toBeVisible();
});

test('the desk shows a quote within five seconds of its delivery', async ({ page, service }) => {
  await page.clock.install();
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  // The page’s clock runs only for these five seconds, and no request is under way when they begin.
  const asked = page.waitForResponse(/desk_leads/);
  await page.clock.pauseAt(Date.now() + 5000);
  await (await asked).finished();
  const sent = await sendQuote(service);
  for (let second = 0; second < 5; second += 1) await page.clock.runFor(1000);
  await bringIntoView(page, sent);
  await page.clock.resume();
  await expect(row(page, sent)).toContainText(/quedan 1.h 59.min/);
  await expect(page).toHaveTitle(/^\(\d+\) Mesa/);
});

test('a tab that is shown again reads notes again, but no answers', { tag: '@full' }, async ({ page, service }) => {
  await page.clock.install();
  const { id } = await openNewLead(page, service);
  // The first reading of the conversation must have ended before requests are recorded.
  await expect(sheet(page).getByText('Solicitud recibida')).toBeVisible();
  await expect(sheet(page).getByText('Cargando…')).toHaveCount(0);
  const tables: string[] = [];
  page.on('request', (request) => tables.push(new URL(request.url()).pathname.replace('/rest/v1/', '')));
  await lookAway(page);
  await page.clock.runFor(60_000);
  expect(tables).not.toContain('quote_notes');
  const ana = await signedIn(service, await hireForLong(service, 'Ana Ruiz'));
  const note = { id: randomUUID(), quote_id: id, body: 'Llamar el lunes.' };
  expect((await ana.from('quote_notes').insert(note)).error).toBe(null);
  await lookBack(page);
  await expect(sheet(page)).toContainText('Llamar el lunes.');
  expect(tables).not.toContain('quote_answers');
});

test('a lead that the desk cannot draw hides no other lead', { tag: '@full' }, async ({ page, service, quiet }) => {
  // React logs each error that an error boundary catches.
  quiet.allow(/TypeError|ErrorBoundary|Apart/);
  const telefono = newPhone();
  const [odd, other] = [await sendQuote(service, { telefono }), await sendQuote(service, { telefono })];
  // A newer database may contain kinds of cargo, origins and states that this page does not know.
  await page.route(/\/rest\/v1\/desk_(leads|history)/, async (route) => {
    const response = await route.fetch();
    const leads = (await response.json()) as { quote_id: string }[];
    const unknown = { tipo_carga: 'peligrosa', origen: 'radio', state: 'apartada' };
    const json = leads.map((lead) => (lead.quote_id === odd.id ? { ...lead, ...unknown } : lead));
    await route.fulfill({ response, json });
  });
  await openDesk(page, await hireSupervisor(service));
  await bringIntoView(page, odd);
  await expect(row(page, odd)).toContainText('no puede mostrar');
  await row(page, odd).click();
  await openLead(page, other);
  await expect(sheet(page).getByRole('listitem').filter({ hasText: odd.folio })).toContainText('no puede mostrar');
  // A request may still be under way, and its handler would fail when the page closes.
  await page.unrouteAll({ behavior: 'ignoreErrors' });
});

test('two leads with the same folio each open from their own row', { tag: '@full' }, async ({ page, service }) => {
  const { id, folio } = await sendQuote(service, { nombre: 'Ana Una' });
  await sendQuote(service, { nombre: 'Eva Otra', id: id.slice(0, 10) + randomUUID().slice(10) });
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  for (const name of ['Eva Otra', 'Ana Una', 'Eva Otra']) {
    await row(page, { folio }).filter({ hasText: name }).click();
    await expect(page.locator('#lead')).toHaveText(name);
  }
});

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

test('the draft of an answer survives the lock of the desk', { tag: '@full' }, async ({ page, context, service }) => {
  const sent = await sendQuote(service);
  const ana = await hireForLong(service, 'Ana Ruiz');
  await page.clock.install();
  await openDesk(page, ana);
  await openLead(page, sent);
  await field(page, /^Respuesta/).fill('Lo reviso con Zhengzhou.');
  await press(page, '+ Nueva');
  await page.getByRole('dialog').getByLabel('Mensaje recibido').fill('Buen día');
  await page.clock.fastForward('10:10');
  await expect(page.getByText('La sesión se cerró tras diez minutos')).toBeVisible();
  const other = await context.newPage();
  await openDesk(other, await hireForLong(service, 'Beto Sánchez'));
  await signIn(page, ana);
  await press(page, '+ Nueva');
  await expect(page.getByRole('dialog').getByLabel('Mensaje recibido')).toHaveValue('Buen día');
  await page.keyboard.press('Escape');
  await openLead(page, sent);
  await expect(field(page, /^Respuesta/)).toHaveValue('Lo reviso con Zhengzhou.');
  await expect(page.getByRole('banner')).toContainText('Ana Ruiz');
  await expect(other.getByRole('banner')).toContainText('Beto Sánchez');
});

test('an answer is refused if its lead changed owner', { tag: '@full' }, async ({ page, context, service, quiet }) => {
  quiet.allow(/status of 409/);
  const sent = await openNewLead(page, service);
  await press(page, 'Tomar');
  await writeAnswer(page, 'Mensaje', 'Cuatro dólares por kilo.');
  const other = await colleagueOf(context);
  await openDesk(other, await hireForLong(service, 'Beto Sánchez'));
  await openLead(other, sent);
  // The first desk cannot read the change, so it notices the new owner only when its answer is refused.
  await page.route('**/rest/v1/desk_leads?*updated_at*', (route) => route.abort());
  quiet.allow(/ERR_FAILED/);
  await press(other, 'Tomar el relevo de Ana Ruiz');
  await stands(other, 'En curso');
  await saveAnswer(page);
  await expect(toasts(page)).toContainText(/La atiende Beto Sánchez desde las \d\d:\d\d/);
  await expect(field(page, /^Respuesta/)).toHaveValue('Cuatro dólares por kilo.');
  expect(await askAsPhone(service, sent.id)).toEqual([]);
  await other.context().close();
});

test('an answer can be undone for ten seconds', { tag: '@full' }, async ({ page, context, service, quiet }) => {
  const [one, two, three] = [await sendQuote(service), await sendQuote(service), await sendQuote(service)];
  await page.clock.install();
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  const write = async (on: Page, lead: typeof one) => {
    await openLead(on, lead);
    await writeAnswer(on, 'Mensaje', 'Sale el jueves.');
    await holdAnswer(on);
    await expect(sheet(on).getByRole('status').filter({ hasText: 'Se envía en 10 s' })).toBeVisible();
  };
  await write(page, one);
  // A second press of Enter sends nothing more.
  await page.keyboard.press('Enter');
  await expect(field(page, /^Respuesta/)).not.toBeEditable();
  await expectNoFinding(page, 'an answer that is held', 'article');
  await press(page, 'Deshacer');
  await expect(field(page, /^Respuesta/)).toHaveValue('Sale el jueves.');
  await expect(field(page, /^Respuesta/)).toBeEditable();
  await stands(page, 'En curso');

  // The answer is sent even while another lead is open.
  await write(page, two);
  await openLead(page, three);
  await page.clock.runFor(10_000);
  await expect(page.getByText(`${two.folio}: Mensaje enviado a ${two.nombre}.`)).toBeVisible();
  const other = await colleagueOf(context);
  await openDesk(other, await hireForLong(service, 'Beto Sánchez'));
  await write(other, three);
  await other.close();
  await expect.poll(() => askAsPhone(service, three.id)).toMatchObject([{ body: 'Sale el jueves.' }]);
  expect(await askAsPhone(service, two.id)).toMatchObject([{ body: 'Sale el jueves.' }]);
  expect(await askAsPhone(service, one.id)).toEqual([]);

  // When a colleague ends the shift, the desk sends at once the answers that still wait their ten seconds.
  await openLead(page, one);
  await holdAnswer(page);
  await leave(page);
  await expect(page.getByLabel('Contraseña')).toBeVisible();
  expect(await askAsPhone(service, one.id)).toMatchObject([{ body: 'Sale el jueves.' }]);

  // The desk sends the waiting answer before it closes the lead as won, because a later answer would reopen the lead.
  await signIn(page, await hireForLong(service, 'Ana Ruiz'));
  const won = await sendQuote(service);
  await write(page, won);
  await closeAs(page, 'Ganada');
  await stands(page, 'Ganada');
  expect(await askAsPhone(service, won.id)).toMatchObject([{ body: 'Sale el jueves.' }]);

  // The desk sends the waiting answer before it gives the lead to a colleague.
  const heir = await other.context().newPage();
  await openDesk(heir, await hireForLong(service, 'Beto Sánchez'));
  const four = await sendQuote(service);
  await write(page, four);
  const cutOff = (route: Route) => route.request().method() === 'POST' && route.abort();
  quiet.allow(/ERR_FAILED/);
  await page.route('**/rest/v1/quote_answers?*', cutOff);
  await openDialog(page, 'Cerrar turno');
  const dialog = page.getByRole('dialog', { name: 'Cerrar turno' });
  await dialog.getByRole('button', { name: 'Cerrar turno' }).click();
  await expect(dialog.getByRole('alert')).toContainText(`La respuesta a ${four.folio} no se ha enviado.`);
  await dialog.getByLabel('Reasignarlas a un colega').check();
  await dialog.getByLabel('Colega', { exact: true }).selectOption('Beto Sánchez');
  await dialog.getByRole('button', { name: 'Cerrar turno' }).click();
  await page.clock.runFor(10_000);
  await expect(dialog.getByRole('alert')).toContainText(`La respuesta a ${four.folio} no se ha enviado.`);
  await dialog.getByLabel('Conservarlas a mi nombre').check();
  await page.unroute('**/rest/v1/quote_answers?*', cutOff);
  // The shift does not end if the dialog is closed before the server responds.
  const closed = Promise.withResolvers<void>();
  await page.route('**/rest/v1/quote_answers?*', (route) =>
    route.request().method() === 'POST' ? closed.promise.then(() => route.continue()) : route.continue(),
  );
  await dialog.getByRole('button', { name: 'Cerrar turno' }).click();
  await page.keyboard.press('Escape');
  closed.resolve();
  await stands(page, 'Respondida');
  expect(await askAsPhone(service, four.id)).toMatchObject([{ body: 'Sale el jueves.' }]);
  await leave(page);
  await expect(page.getByLabel('Contraseña')).toBeVisible();
  await other.context().close();
});

test(
  'a colleague who ends the shift can keep, hand over or free the open leads',
  { tag: '@full' },
  async ({ page, context, service, quiet }) => {
    quiet.allow(/409/);
    const [carla, diego] = [await hireForLong(service, 'Carla Ibarra'), await hireForLong(service, 'Diego Luna')];
    const sent = await sendQuote(service);
    await page.clock.install();
    await openDesk(page, carla);
    const other = await colleagueOf(context);
    await other.clock.install();
    await openDesk(other, diego);
    await openLead(page, sent);
    await press(page, 'Tomar');
    await stands(page, 'En curso');
    await expect(other.getByText(/En línea: .*Carla Ibarra en la mesa, Diego Luna en la mesa/)).toBeVisible();
    await expect(other.getByText('Nadie recibe avisos con la mesa cerrada.')).toBeVisible();
    await press(other, 'Ahora no');
    await expect(other.getByText('Nadie recibe avisos con la mesa cerrada.')).toHaveCount(0);

    // A single click ends the shift. The lead keeps its owner, and the server stores that the owner is away.
    const gone = page.waitForRequest((request) => Boolean(request.postData()?.includes('conservo')));
    await leave(page);
    await gone;
    await signIn(page, carla);
    await openLead(page, sent);
    await stands(page, 'En curso');

    // The shift ends during the ten seconds in which handing over can be undone: the colleague gets the lead.
    await act(page, 'Reasignar');
    await sheet(page).getByRole('combobox', { name: 'Reasignar a' }).selectOption('Diego Luna');
    await sheet(page).getByRole('form').getByRole('button', { name: 'Reasignar' }).click();
    await leave(page);
    await openLead(other, sent);
    await stands(other, 'En curso');
    await signIn(page, carla);
    await openLead(page, sent);
    await press(page, 'Tomar el relevo de Diego Luna');
    await stands(page, 'En curso');

    const dialog = page.getByRole('dialog', { name: 'Cerrar turno' });
    const end = () => dialog.getByRole('button', { name: 'Cerrar turno' }).click();
    await openDialog(page, 'Cerrar turno');
    await expect(dialog).toContainText('Tiene una solicitud abierta');
    await dialog.getByLabel('Reasignarlas a un colega').check();
    const heir = dialog.getByLabel('Colega', { exact: true });
    await heir.selectOption('Diego Luna');
    await expectNoFinding(page, 'leaving', 'dialog');
    await end();
    await dialog.getByRole('button', { name: 'Deshacer' }).click();
    // If the chosen colleague leaves in the meantime, a click says why the lead cannot be handed over.
    await leave(other);
    await expect(async () => {
      await page.clock.runFor(4000);
      await expect(page.getByText(/^En línea: /)).not.toContainText('Diego Luna', { timeout: 300 });
    }).toPass();
    await end();
    await page.clock.runFor(10_000);
    await expect(dialog.getByRole('alert')).toContainText('Esa persona ya no está. Elija a otra.');
    await expect(heir.locator('option:checked')).toHaveText('Diego Luna');
    await signIn(other, diego);
    await expect(other.getByText('Al día')).toBeVisible();
    await end();
    await page.clock.runFor(10_000);
    await expect(page.getByLabel('Contraseña')).toBeVisible();
    await openLead(other, sent);
    await seesSoon(other, sheet(other).getByText('Responsable: Yo'));
    await expect(sheet(other).getByText('Carla Ibarra la reasignó')).toHaveCount(2);

    const last = other.getByRole('dialog', { name: 'Cerrar turno' });
    await openDialog(other, 'Cerrar turno');
    await last.getByLabel('Dejarlas en la lista').check();
    await last.getByRole('button', { name: 'Cerrar turno' }).click();
    await other.clock.runFor(10_000);
    await expect(other.getByLabel('Contraseña')).toBeVisible();
    await signIn(page, carla);
    await openLead(page, sent);
    await stands(page, 'Nueva', 'Sin asignar');
    await other.context().close();
  },
);

test('a colleague finds, takes, answers and wins a lead by keyboard alone', async ({ page, service }) => {
  const sent = await sendQuote(service);
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  const { keyboard } = page;
  const tabTo = async (target: Locator, key = 'Tab') => {
    const isOn = () => target.evaluate((element) => element === document.activeElement);
    for (let tab = 0; tab < 20 && !(await isOn()); tab += 1) await keyboard.press(key);
    await expect(target).toBeFocused();
  };
  const button = (name: string | RegExp) => sheet(page).getByRole('button', { name, exact: true });
  // Leads of earlier tests may be listed first, and the document contains only visible rows.
  await expect(rows(page).first()).toBeVisible();
  await keyboard.press('/');
  await keyboard.type(sent.folio.slice(3, 9));
  await expect(rows(page)).toHaveCount(1);
  await expect(row(page, sent)).toBeVisible();
  // Enter moves the focus into the list. Before that, letter keys are not shortcuts.
  await keyboard.press('Enter');
  await expect(page.getByRole('listbox')).toBeFocused();
  await keyboard.press('t');
  await expect(row(page, sent)).toContainText('En curso Yo');
  await keyboard.press('?');
  await expect(page.getByRole('dialog')).toBeVisible();
  await keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.getByRole('listbox').focus();
  await keyboard.press('r');
  await expect(field(page, /^Precio/)).toBeFocused();
  const kind = sheet(page).getByRole('radio', { name: 'Oferta' });
  await tabTo(kind, 'Shift+Tab');
  await keyboard.press('ArrowLeft');
  await tabTo(field(page, /^Respuesta/));
  await keyboard.type('Tenemos lugar el jueves.');
  await tabTo(button('Enviar mensaje'));
  await keyboard.press('Enter');
  await expect(sheet(page).getByRole('status').filter({ hasText: 'Se envía en 10 s' })).toHaveCount(1);
  await tabTo(button('Enviar ya'));
  await keyboard.press('Enter');
  await stands(page, 'Respondida');
  expect(await askAsPhone(service, sent.id)).toMatchObject([{ body: 'Tenemos lugar el jueves.' }]);
  await expect(toasts(page)).toContainText(`Mensaje enviado a ${sent.nombre}.`);
  await keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.locator('#lead')).toBeFocused();

  // Shortcuts of one key also work in the open lead. Escape closes only the innermost open form or menu.
  await keyboard.press('n');
  await expect(field(page, /^Nota para colegas/)).toBeFocused();
  await tabTo(button('Cerrar como…'), 'Shift+Tab');
  await keyboard.press('Enter');
  await keyboard.press('ArrowDown');
  await expect(button('Ganada')).toBeFocused();
  await keyboard.press('Escape');
  await expect(button('Ganada')).toHaveCount(0);
  await expect(button('Cerrar como…')).toBeFocused();
  await tabTo(button('Más'));
  await keyboard.press('Enter');
  await tabTo(button('Recordar'));
  await keyboard.press('Enter');
  const reminder = sheet(page).getByRole('form', { name: 'Recordar' });
  await expect(reminder.getByRole('button', { name: 'En 1 h' })).toBeFocused();
  await keyboard.press('Escape');
  await expect(reminder).toHaveCount(0);
  await expect(sheetOf(page, sent.folio)).toBeVisible();

  await tabTo(button('Cerrar como…'));
  await keyboard.press('Enter');
  await tabTo(button('Ganada'));
  await keyboard.press('Enter');
  await stands(page, 'Ganada');
  // The focus stays in the lead when the focused button disappears.
  await tabTo(button('Reabrir'));
  await keyboard.press('Enter');
  await stands(page, 'Respondida');
});

test('a lead is closed as lost with a reason, and reopened', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/ERR_FAILED/);
  const sent = await openNewLead(page, service, { more: { llamada: true } });
  await expect(sheet(page).getByText('Pide que le llamen')).toBeVisible();
  await press(page, 'Tomar');
  await stands(page, 'En curso');
  await expect(sheet(page).locator('[aria-busy=true]')).toHaveCount(0);
  await field(page, /^Nota para colegas/).fill('Prefiere que le llamen por la tarde.');
  const late = Promise.withResolvers<void>();
  await page.route('**/rest/v1/quote_notes?on_conflict*', (route) => late.promise.then(() => route.continue()));
  await press(page, 'Guardar nota');
  await expect(field(page, /^Nota para colegas/)).not.toBeEditable();
  late.resolve();
  await expect(sheet(page).getByText('Prefiere que le llamen por la tarde.', { exact: true }).first()).toBeVisible();
  await expect(sheet(page).getByText(/Nota de Ana Ruiz/)).toBeVisible();
  await expect(toasts(page)).toContainText('Nota guardada.');
  const losing = sheet(page).getByRole('form', { name: '¿Por qué se perdió?' });
  const detail = losing.getByLabel(/^Detalle/);
  const reason = losing.getByRole('button', { name: 'espacio' });
  await closeAs(page, 'Perdida');
  // The desk preselects no reason, because that reason would then be counted too often.
  await press(page, 'Cerrar como perdida');
  await expect(losing.getByRole('alert')).toContainText('Elija un motivo.');
  await reason.click();
  await detail.fill('vuelo lleno');
  // Escape closes only the form for the reason. The form keeps its text.
  await page.keyboard.press('Escape');
  await expect(losing).toHaveCount(0);
  await closeAs(page, 'Perdida');
  await expect(reason).toHaveAttribute('aria-pressed', 'true');
  await expect(detail).toHaveValue('vuelo lleno');
  await detail.focus();
  // The network fails after the note and before the status. The next click sends both, and the note is stored once.
  const cutOff = (route: Route) => (route.request().method() === 'PATCH' ? route.abort() : route.fallback());
  await page.route('**/rest/v1/quote_desk?*', cutOff);
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText('El servidor no respondió');
  await page.unroute('**/rest/v1/quote_desk?*', cutOff);
  await expect(detail).toHaveValue('vuelo lleno');
  await detail.focus();
  await page.keyboard.press('Enter');
  await stands(page, 'Perdida · espacio');
  await expect(sheet(page).getByText('Perdida: vuelo lleno')).toHaveCount(1);
  await press(page, 'Reabrir');
  await stands(page, 'En curso');
  await act(page, 'Liberar');
  await stands(page, 'Nueva', 'Sin asignar');

  // A question that the customer asked after the lead was closed waits for an answer when the lead is reopened.
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
  await expect(sheet(page).getByRole('button', { name: 'Reabrir' })).toHaveCount(0);
  await page.getByRole('button', { name: /^Abiertas/ }).click();
  await expect(row(page, sent)).toContainText('Cliente preguntó');
});

test('the desk’s links to call or write contain number or folio', { tag: '@full' }, async ({ page, service }) => {
  const sent = await openNewLead(page, service, { telefono: '664 123 4567' });
  const href = (name: string) => sheet(page).getByRole('link', { name }).getAttribute('href');
  expect(await href('Llamar')).toBe('tel:+526641234567');
  expect(decodeURIComponent((await href('WhatsApp'))!)).toContain(`wa.me/526641234567?text=Buen día, ${sent.nombre}`);
  expect(decodeURIComponent((await href('Escribir correo'))!)).toContain(
    `subject=Solicitud de cotización ${sent.folio}`,
  );
  // The test makes the browser refuse access to the clipboard.
  await page.evaluate(() => (navigator.clipboard.writeText = () => Promise.reject(new Error('no'))));
  await press(page, 'Copiar');
  await expect(toasts(page)).toContainText('No se pudo copiar.');
  expect(await askAsPhone(service, sent.id)).toEqual([]);
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

test('an answer edited after a lost response is also sent', { tag: '@full' }, async ({ page, service, quiet }) => {
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

  // An offer that is already withdrawn cannot be withdrawn again with another reason.
  await press(page, 'Retirar la oferta');
  await field(page, /^¿Por qué/).fill('Vuelo lleno');
  await page.route('**/rest/v1/offer_moves?*', loseWord, { times: 1 });
  // Reads fail, so that the desk does not notice the withdrawal and still shows the button.
  let isDeaf = true;
  await page.route('**/rest/v1/desk_leads?*', (route) => (isDeaf ? route.abort() : route.fallback()));
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText('El servidor no respondió');
  await field(page, /^¿Por qué/).fill('Vuelo cancelado');
  await page.route('**/rest/v1/offer_moves?*', (route) => {
    isDeaf = false;
    return route.continue();
  });
  await page.keyboard.press('Enter');
  await expect(toasts(page)).toContainText('Esa oferta cambió mientras tanto.');
  await expect(sheet(page).getByText('Vuelo lleno')).toBeVisible();
});

test('a hand-off message becomes one lead, even if it is pasted twice', { tag: '@full' }, async ({ page, service }) => {
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  const id = randomUUID();
  const quote = { ...values, id, peso: 900, tipo_carga: 'especial', nombre: `Lupe Ríos ${id.slice(0, 4)}` } as const;
  const message = handOffText({ ...quote, email: 'lupe@rios.mx' });
  const paste = async (text: string) => {
    await press(page, '+ Nueva');
    await page.getByRole('dialog').getByLabel('Mensaje recibido').fill(text);
    await press(page, 'Registrar');
  };
  await paste(message.replace('900', '9000'));
  await expect(page.getByRole('dialog').getByRole('alert')).toContainText('cambió alguna palabra');
  await page
    .getByRole('dialog')
    .getByLabel('Mensaje recibido')
    .fill(`> ${message.replaceAll('\n', '\n> ')}\n\nSaludos`);
  await press(page, 'Registrar');
  await expect(toasts(page)).toContainText(`${folioOf(id)} quedó registrada.`);
  await expect(page.locator('#lead')).toHaveText(quote.nombre);
  await paste(message);
  await expect(toasts(page)).toContainText(`${folioOf(id)} ya estaba registrada.`);
  expect((await service.quotes()).filter((lead) => lead.id === id)).toHaveLength(1);
});

test('a supervisor assigns leads to others and blocks leads', { tag: '@full' }, async ({ page, context, service }) => {
  const sent = await sendQuote(service);
  // A second lead is sent, so that the list is not empty after the first lead is blocked.
  await sendQuote(service);
  const nora = 'Nora de los Ángeles Vidal y Fernández de Córdova';
  await openDesk(page, await hireSupervisor(service));
  const other = await colleagueOf(context);
  await openDesk(other, await hireForLong(service, nora));
  await openLead(other, sent);
  await expect(sheet(other).getByRole('button', { name: 'Más' })).toHaveCount(0);
  await openDialog(other, 'Indicadores');
  await expect(other.getByRole('dialog')).toContainText('Sólo un supervisor puede descargar el CSV.');
  await other.keyboard.press('Escape');

  await openLead(page, sent);
  await act(page, 'Reasignar');
  await expectNoFinding(page, 'handing over', 'article');
  // A colleague with a new account can be chosen at once.
  await page.getByRole('combobox', { name: 'Reasignar a' }).selectOption(nora, { timeout: 20_000 });
  await press(page, 'Reasignar');
  await press(page, 'Deshacer');
  await press(page, 'Reasignar');
  await stands(page, 'En curso', nora);
  await seesSoon(other, sheet(other).getByText('Responsable: Yo'));
  // On a phone, a long name must leave room for the back button.
  await page.setViewportSize(PHONE);
  await press(page, 'Lista');
  await row(page, sent).click();
  await act(page, 'Reasignar');
  // No colleague is preselected: the first name of a list that changes would get leads by accident.
  const heir = page.getByRole('combobox', { name: 'Reasignar a' });
  await expect(heir).toHaveValue('');
  await press(page, 'Reasignar');
  await heir.selectOption({ label: 'la lista, sin asignar' });
  const passed = page.waitForRequest((request) => request.method() === 'PATCH' && /quote_desk/.test(request.url()));
  await press(page, 'Reasignar');
  expect((await passed).postDataJSON()).toEqual({ status: 'nueva' });
  await expect(sheet(page).locator('[aria-busy=true]')).toHaveCount(0);

  await act(page, 'Bloquear');
  await press(page, 'Bloquear esta solicitud');
  await expect(toasts(page)).toContainText('Bloqueada.');
  await expect(sheet(page)).toHaveCount(0);
  await expect(page.getByRole('listbox')).toBeFocused();
});

test('the desk’s list returns to the row of the lead that was open', { tag: '@full' }, async ({ page, service }) => {
  await Promise.all(Array.from({ length: 24 }, () => sendQuote(service)));
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await page.getByRole('listbox').focus();
  await page.keyboard.press('End');
  const last = rows(page).last();
  const [folio = ''] = /AP-\w{4}-\w{4}/.exec((await last.textContent())!) ?? [];
  // The test finds the row by its folio, because more rows may still load after it.
  await row(page, { folio }).click();
  await expect(sheetOf(page, folio)).toBeVisible();
  await page.locator('#lead').focus();
  await page.keyboard.press('k');
  await expect(sheetOf(page, folio)).toHaveCount(0);
  await page.keyboard.press('j');
  await expect(sheetOf(page, folio)).toBeVisible();
  await page.setViewportSize(PHONE);
  await press(page, 'Lista');
  await expect(row(page, { folio })).toBeInViewport();
  // After a change of filter, scroll position and keyboard start at the first row.
  await page.getByRole('button', { name: /^Mías/ }).click();
  await page.getByRole('button', { name: /^Abiertas/ }).click();
  await page.getByRole('listbox').focus();
  await expect(page.locator('[role=option][data-focused]')).toHaveAttribute('aria-posinset', '1');
  await expect(page.locator('[role=option][data-focused]')).toBeInViewport();
  // A notification opens a lead by its URL. The lead then gets the focus.
  await page.goto(`/mesa.html#${folio}`);
  await page.reload();
  await expect(page.locator('#lead')).toBeFocused();
  await page.keyboard.press('/');
  await expect(page.getByRole('searchbox')).toBeFocused();
});

test('the desk rings for a new quote, and its notification contains only the folio', async ({
  page,
  service,
  context,
}) => {
  await context.grantPermissions(['notifications']);
  await page.addInitScript(() => {
    const notices: string[] = [];
    Object.assign(window, { notices });
    window.Notification = class extends EventTarget {
      static permission = 'granted';
      static requestPermission = async () => 'granted';
      constructor(title: string, options: object) {
        super();
        notices.push(JSON.stringify([title, options]));
      }
    } as unknown as typeof Notification;
  });
  const rings = await hearRings(page);
  await page.setViewportSize(PHONE);
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await openDialog(page, 'Avisos');
  await page.getByLabel(/^Notificación/).check();
  await press(page, 'Cerrar');
  const sent = await sendQuote(service);
  const notified = () => page.evaluate(() => (window as unknown as { notices: string[] }).notices);
  await expect.poll(notified).toEqual([`["Solicitud nueva ${sent.folio}",{"tag":"aeropuente.desk"}]`]);
  // The desk does not ring for leads that arrived before it was opened.
  expect(await rings()).toBe(1);
  await expect(page).toHaveTitle(/^\(\d+\) Mesa/);
  await openDialog(page, 'Avisos');
  for (const way of [/^Notificación/, /^Sonido/, /^Pendientes/]) await page.getByLabel(way).uncheck();
  await press(page, 'Cerrar');
  await expect(page).toHaveTitle(/^Mesa/);
  await page.reload();
  await expect(page.getByText('Al día')).toBeVisible();
  const silent = await sendQuote(service);
  await bringIntoView(page, silent);
  await expect(row(page, silent)).toBeVisible();
  expect([await notified(), await rings()]).toEqual([[], 0]);
  await expect(page).toHaveTitle(/^Mesa/);
});

test('a desk that nobody used for ten minutes erases customer data from screen and disk', async ({ page, service }) => {
  const sent = await sendQuote(service);
  const ana = await hireForLong(service, 'Ana Ruiz');
  await page.clock.install();
  const rings = await hearRings(page);
  await openDesk(page, ana);
  await openLead(page, sent);
  await field(page, /^Respuesta/).fill(`Para ${sent.nombre} y ${values.empresa}, mañana.`);
  const refresh = page.waitForRequest('**/auth/v1/logout*');
  // A hidden desk sends no request, so it notices this quote only when it counts the open leads.
  await page.evaluate(() => Object.defineProperty(document, 'visibilityState', { get: () => 'hidden' }));
  await sendQuote(service);
  await page.clock.fastForward('09:30');
  await expect(page.getByRole('listbox')).toBeVisible();
  await page.clock.fastForward('00:40');
  await expect(page.getByText('La sesión se cerró tras diez minutos')).toBeVisible();
  await refresh;
  const left = await page.evaluate(async () => {
    return JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      await caches.keys(),
      await indexedDB.databases(),
      document.documentElement.outerHTML,
      location.href,
      document.title,
      document.cookie,
    ]);
  });
  for (const datum of [sent.nombre, sent.folio, values.empresa, values.telefono, '@berries.mx', ana.email, 'eyJ'])
    expect(left).not.toContain(datum);

  // The locked desk still counts new leads and rings. The secret with which it reads the count opens no lead.
  const counted = page.getByRole('status').filter({ hasText: /^\d+ solicitud/ });
  const count = parseInt(await counted.innerText());
  expect(count).toBeGreaterThan(0);
  await expect(page).toHaveTitle(`(${count}) Mesa de ventas`);
  const next = await sendQuote(service);
  expect(await rings()).toBe(1);
  await page.clock.fastForward('00:16');
  await expect(counted).toContainText(`${count + 1} solicitudes abiertas`);
  await expect(page).toHaveTitle(`(${count + 1}) Mesa de ventas`);
  expect(await rings()).toBe(2);
  await expect(page.locator('body')).not.toContainText(next.folio);
  await expectNoFinding(page, 'a locked desk');
  await signIn(page, ana);
  await page.getByPlaceholder('Buscar folio').fill(sent.folio);
  await openLead(page, sent);
  await expect(field(page, /^Respuesta/)).toHaveValue(`Para ${sent.nombre} y ${values.empresa}, mañana.`);
});

test('a desk with a fast clock does not renew its session constantly', { tag: '@full' }, async ({ page, service }) => {
  await page.clock.install({ time: Date.now() + 20 * 60_000 });
  const tokens: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/auth/v1/token')) tokens.push(request.url());
  });
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await expect(page.getByText('Al día')).toBeVisible();
  for (const _ of [1, 2, 3]) {
    const asked = page.waitForResponse(/desk_leads/);
    await page.clock.fastForward('00:05');
    await asked;
  }
  expect(tokens.filter((url) => url.includes('refresh_token'))).toEqual([]);
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

test.describe('the desk with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the site’s worker does not store the desk’s page', { tag: '@full' }, async ({ page, context, quiet }) => {
    quiet.allow(/ERR_INTERNET_DISCONNECTED/);
    await openWithWorker(page);
    const answer = await page.goto('/mesa.html');
    expect(answer!.fromServiceWorker()).toBe(false);
    expect(answer!.headers()['x-robots-tag']).toBe('noindex');
    await expect(page.getByLabel('Contraseña')).toBeVisible();
    await context.setOffline(true);
    await expect(page.goto('/mesa.html')).rejects.toThrow('ERR_INTERNET_DISCONNECTED');
  });
});

test('a list of hundreds of leads renders only its visible rows', { tag: '@full' }, async ({ page, service }) => {
  for (let sent = 0; sent < 120; sent += 40) await Promise.all(Array.from({ length: 40 }, () => sendQuote(service)));
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  // Earlier tests may have left leads, besides the 120 of this test.
  await expect(page.getByRole('button', { name: /^Abiertas (1[2-9]|[2-9]\d)\d\b/ })).toBeVisible();
  const list = page.getByRole('listbox');
  await page.evaluate(() => {
    const made: number[] = [];
    const most = { rows: 0 };
    new MutationObserver((records) => {
      made.push(records.flatMap(({ addedNodes }) => [...addedNodes]).length);
      most.rows = Math.max(most.rows, document.querySelectorAll('[role=option]').length);
    }).observe(document.querySelector('[role=listbox]')!, { childList: true, subtree: true });
    Object.assign(window, { made, most });
  });
  await list.hover();
  for (let turn = 0; turn < 30; turn += 1) await page.mouse.wheel(0, 1200);
  await list.focus();
  await page.keyboard.press('End');
  const count = await rows(page).first().getAttribute('aria-setsize');
  await expect(page.locator(`[role=option][aria-posinset="${count}"][data-focused]`)).toBeVisible();
  for (let turn = 0; turn < 20; turn += 1) await page.keyboard.press('ArrowUp');
  const [made, most] = await page.evaluate(() => {
    const counted = window as unknown as { made: number[]; most: { rows: number } };
    return [counted.made, counted.most.rows] as const;
  });
  expect(made.length).toBeGreaterThan(3);
  expect(most).toBeLessThan(60);
  expect(Math.max(...made)).toBeLessThan(60);
});
