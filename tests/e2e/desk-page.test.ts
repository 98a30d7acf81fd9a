import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { handOffText } from '../../src/content/hand-off.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { expectNoFinding } from './accessible.ts';
import {
  act,
  askAsPhone,
  bringIntoView,
  field,
  hireForLong,
  hireSupervisor,
  leave,
  newPhone,
  openDesk,
  openDialog,
  openLead,
  openNewLead,
  press,
  row,
  rows,
  seesSoon,
  sendQuote,
  deskOf,
  sheet,
  sheetOf,
  signedIn,
  signIn,
  stands,
  toasts,
} from './desk-visitor.ts';
import { DESKTOP, enter, expect, tabTo, lookAway, lookBack, openWithWorker, PHONE, test, values } from './visitor.ts';

test.use({ viewport: DESKTOP });

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

test('the desk shows a quote within five seconds of its delivery', async ({ page, service }) => {
  await page.clock.install();
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  // The test stops the page’s clock right after a request for leads, then sends a quote and lets five seconds pass.
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

test('a desk tab shown again reads new notes, not known answers', { tag: '@full' }, async ({ page, service }) => {
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

test('open leads are kept, handed over or freed after a shift', { tag: '@full' }, async ({ page, service, quiet }) => {
  quiet.allow(/409/);
  const [carla, diego] = [await hireForLong(service, 'Carla Ibarra'), await hireForLong(service, 'Diego Luna')];
  const sent = await sendQuote(service);
  await page.clock.install();
  await openDesk(page, carla);
  const other = await deskOf(page, service, diego.name);
  await other.clock.install();
  await other.reload();
  await openLead(page, sent);
  await press(page, 'Tomar');
  await stands(page, 'En curso');
  await expect(other.getByText(/En línea: .*Carla Ibarra en la mesa, Diego Luna en la mesa/)).toBeVisible();
  await press(other, 'Ahora no');
  await expect(other.getByText('Nadie recibe avisos con la mesa cerrada.')).toHaveCount(0);

  // A single click ends the shift. The lead keeps its owner, and the server stores that the owner is away.
  const gone = page.waitForRequest((request) => Boolean(request.postData()?.includes('conservo')));
  await leave(page);
  await gone;
  await signIn(page, carla);
  await openLead(page, sent);
  await stands(page, 'En curso');

  const dialog = page.getByRole('dialog', { name: 'Cerrar turno' });
  const end = () => dialog.getByRole('button', { name: 'Cerrar turno' }).click();
  await openDialog(page, 'Cerrar turno');
  await expect(dialog).toContainText('Tiene una solicitud abierta');
  await dialog.getByLabel('Reasignarlas a un colega').check();
  await dialog.getByLabel('Colega', { exact: true }).selectOption('Diego Luna');
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
  await signIn(other, diego);
  await expect(other.getByText('Al día')).toBeVisible();
  await end();
  await page.clock.runFor(10_000);
  await expect(page.getByLabel('Contraseña')).toBeVisible();
  await openLead(other, sent);
  await seesSoon(other, sheet(other).getByText('Responsable: Yo'));

  const last = other.getByRole('dialog', { name: 'Cerrar turno' });
  await openDialog(other, 'Cerrar turno');
  await last.getByLabel('Dejarlas en la lista').check();
  await last.getByRole('button', { name: 'Cerrar turno' }).click();
  await other.clock.runFor(10_000);
  await expect(other.getByLabel('Contraseña')).toBeVisible();
  await signIn(page, carla);
  await openLead(page, sent);
  await stands(page, 'Nueva', 'Sin asignar');
});

test('a colleague finds, takes, answers and wins a lead by keyboard alone', async ({ page, service }) => {
  const sent = await sendQuote(service);
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  const { keyboard } = page;
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
  await keyboard.press('r');
  await expect(field(page, /^Precio/)).toBeFocused();
  await tabTo(page, sheet(page).getByRole('radio', { name: 'Oferta' }), 'Shift+Tab');
  await keyboard.press('ArrowLeft');
  await tabTo(page, field(page, /^Respuesta/));
  await keyboard.type('Tenemos lugar el jueves.');
  await keyboard.press('Control+Enter');
  await enter(page, button('Enviar ya'));
  await stands(page, 'Respondida');
  expect(await askAsPhone(service, sent.id)).toMatchObject([{ body: 'Tenemos lugar el jueves.' }]);
  await expect(toasts(page)).toContainText(`Mensaje enviado a ${sent.nombre}.`);
  await keyboard.press('Escape');
  await expect(page.getByRole('listbox')).toBeFocused();
  await keyboard.press('Enter');
  await expect(page.locator('#lead')).toBeFocused();

  // Shortcuts of one key also work in the open lead. Escape closes only the innermost open menu.
  await keyboard.press('n');
  await expect(field(page, /^Nota para colegas/)).toBeFocused();
  await tabTo(page, button('Cerrar como…'), 'Shift+Tab');
  await keyboard.press('Enter');
  await keyboard.press('ArrowDown');
  await expect(button('Ganada')).toBeFocused();
  await keyboard.press('Escape');
  await expect(button('Ganada')).toHaveCount(0);
  await expect(sheetOf(page, sent.folio)).toBeVisible();

  await enter(page, button('Cerrar como…'));
  await enter(page, button('Ganada'));
  await stands(page, 'Ganada');
  // The focus stays in the lead when the focused button disappears.
  await enter(page, button('Reabrir'));
  await stands(page, 'Respondida');
});

test('a quote pasted as a message twice becomes one lead', { tag: '@full' }, async ({ page, service }) => {
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

test('a supervisor assigns leads, and blocks (hides) leads', { tag: '@full' }, async ({ page, service }) => {
  const sent = await sendQuote(service);
  // A second lead is sent, so that the list is not empty after the first lead is blocked.
  await sendQuote(service);
  const nora = 'Nora de los Ángeles Vidal y Fernández de Córdova';
  await openDesk(page, await hireSupervisor(service));
  const other = await deskOf(page, service, nora);
  await openLead(other, sent);
  await expect(sheet(other).getByRole('button', { name: 'Más' })).toHaveCount(0);
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
  // The test finds the row by its folio, because more rows may load, after which another row is the last.
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
  // After a change of filter, the list is scrolled to its first row, and the keyboard starts there.
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

test('the desk rings for a new quote, and its notification has only the folio', async ({ page, service, context }) => {
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

test('a desk unused for ten minutes erases customer data from screen and disk', async ({ page, context, service }) => {
  const sent = await sendQuote(service);
  const ana = await hireForLong(service, 'Ana Ruiz');
  await page.clock.install();
  const rings = await hearRings(page);
  await openDesk(page, ana);
  await openLead(page, sent);
  await field(page, /^Respuesta/).fill(`Para ${sent.nombre} y ${values.empresa}, mañana.`);
  const refresh = page.waitForRequest('**/auth/v1/logout*');
  // The hidden desk rings once for the next quote, whether the quote is read before or after the desk locks.
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

  // The locked desk still counts new leads and rings. It reads the count with a secret that opens no lead.
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
  // Two colleagues can be signed in to two tabs of the same browser.
  const other = await context.newPage();
  await openDesk(other, await hireForLong(service, 'Beto Sánchez'));
  await signIn(page, ana);
  await expect(page.getByRole('banner')).toContainText('Ana Ruiz');
  await expect(other.getByRole('banner')).toContainText('Beto Sánchez');
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

test.describe('the desk with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the site’s worker does not store the desk’s page', { tag: '@full' }, async ({ page, context, quiet }) => {
    quiet.allow(/ERR_INTERNET_DISCONNECTED/);
    await openWithWorker(page);
    const answer = await page.goto('/mesa.html');
    expect(answer!.fromServiceWorker()).toBe(false);
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
