import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { AUTH_SCHEMA } from '../../server/auth/schema.ts';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { openDatabase } from '../../server/database/database.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { freshDataDirectory } from '../run-folder.ts';
import { expectNoFinding } from './accessible.ts';
import {
  askAsPhone,
  hireForLong,
  newPhone,
  openDesk,
  openLead,
  press,
  row,
  sendQuote,
  sheet,
  type Colleague,
  type Sent,
} from './desk-visitor.ts';
import { Service } from './service.ts';
import { DESKTOP, expect, test as base, withoutWorker } from './visitor.ts';

// What no phone could have sent any more: leads of the past.

const MINUTE = 60_000;
const telefono = newPhone();

/** Its two hours pass over midnight. */
const LATE = '2026-07-14T23:10-07:00';

const test = base.extend<object, { past: { service: Service; ana: Colleague; old: Sent; late: Sent } }>({
  past: [
    async ({}, use) => {
      const dataDir = await freshDataDirectory();
      const stored = await storeLeads(dataDir);
      const service = await Service.start(dataDir);
      // The clock of the page counts, which may be the test's.
      service.isSilentAboutTime = true;
      await use({ service, ana: await hireForLong(service, 'Ana Ruiz'), ...stored });
      await service.stop();
    },
    { scope: 'worker' },
  ],
  baseURL: async ({ past }, use) => use(past.service.origin),
});

test.use({ ...withoutWorker, viewport: DESKTOP });

/** One that was lost two years ago, and one that is still to be answered. */
async function storeLeads(dataDir: string): Promise<{ old: Sent; late: Sent }> {
  const folder = databaseFolderIn(dataDir);
  const database = await openDatabase({ folder, migrations: migrationsFolder, afterwards: [AUTH_SCHEMA] });
  const store = async (nombre: string, email: string, phone: string, asked: string): Promise<Sent> => {
    const id = randomUUID();
    const sql = `insert into quotes (id, nombre, empresa, email, telefono, peso, tipo_carga, created_at)
      values ($1, $2, 'Mariscos del Golfo', $3, $4, 900, 'perecederos', $5)`;
    await database.transaction([{ sql, parameters: [id, nombre, email, phone, asked] }]);
    return { id, folio: folioOf(id), nombre };
  };
  const years = new Date(Date.now() - 730 * 24 * 60 * MINUTE).toISOString();
  const old = await store('Íñigo Zúñiga', 'inigo@mariscos.example', `+52 1 ${telefono}`, years);
  const lose = `alter table quote_desk disable trigger user;
    update quote_desk set status = 'perdida', lost_reason = 'precio', updated_at = asked_at;
    alter table quote_desk enable trigger user`;
  await database.transaction([{ sql: lose }]);
  const late = await store('María Medianoche', 'maria@berries.example', `+52 1 ${newPhone()}`, LATE);
  await database.close();
  return { old, late };
}

test('requests of one customer stand together, and two of one day are joined', async ({
  page,
  past: { service, ana, old },
}) => {
  const [joined, stays] = [await sendQuote(service, { telefono }), await sendQuote(service, { telefono })];
  await openDesk(page, ana);
  await openLead(page, stays);
  const history = sheet(page).getByRole('region', { name: 'Del mismo cliente' });
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await expect(history.getByRole('listitem').filter({ hasText: old.folio })).toContainText(
    'sin precio · perdida · precio',
  );
  // Of another day.
  await expect(history.getByRole('button', { name: `Unir a ésta: ${old.folio}` })).toHaveCount(0);
  await expectNoFinding(page, 'a history', 'article');
  for (const button of await history.getByRole('button').all())
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);

  await history.getByRole('button', { name: `Unir a ésta: ${joined.folio}` }).focus();
  await page.keyboard.press('Enter');
  await expect(history.getByText(/su teléfono lee: «Recibimos de usted otra solicitud/)).toBeVisible();
  expect(await askAsPhone(service, joined.id)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Unidas. El teléfono lo dice.')).toBeVisible();
  await expect(history.getByRole('listitem').filter({ hasText: joined.folio })).toContainText('unida a ésta');
  expect(await askAsPhone(service, joined.id)).toMatchObject([
    { kind: 'mensaje', body: expect.stringContaining('la respuesta llega en la otra') },
  ]);
  await expect(row(page, joined)).toHaveCount(0);
  await expect(row(page, stays)).toBeVisible();

  await history.getByRole('button', { name: joined.folio, exact: true }).click();
  await expect(sheet(page).getByRole('heading', { name: joined.folio })).toBeFocused();
  await expect(sheet(page).getByText('La unió Ana Ruiz a otra del mismo cliente')).toBeVisible();
  await history.getByRole('button', { name: old.folio, exact: true }).click();
  await expect(sheet(page).getByRole('heading', { name: old.folio })).toBeFocused();
});

test('a search finds leads of any time, and says where it could not look', async ({
  page,
  quiet,
  past: { ana, old },
}) => {
  quiet.allow(/desk_search/);
  await openDesk(page, ana);
  const search = page.getByPlaceholder('Buscar folio');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('desk_search')) asked.push(request.url());
  });
  await search.fill('zu');
  await expect(page.getByText('Desde tres letras se busca en todo')).toBeVisible();
  for (const typed of [
    'inigo ZUNIGA',
    `044 ${telefono}`,
    'inigo@mariscos',
    old.folio.toLowerCase().replaceAll('-', ' '),
  ]) {
    await search.fill(typed);
    await expect(row(page, old)).toBeVisible();
  }
  // In no log of addresses.
  expect(asked.filter((address) => /zuniga|mariscos|\d{8}/i.test(address))).toEqual([]);
  expect(asked).not.toEqual([]);
  await expectNoFinding(page, 'a search of all time');
  await row(page, old).click();
  await expect(sheet(page).getByRole('heading', { name: old.folio })).toBeFocused();
  await search.fill('nadie así');
  await expect(page.getByText('Nada con «nadie así», tampoco en lo más antiguo.')).toBeVisible();
  await page.route(/desk_search/, (route) => route.abort());
  await search.fill('Mariscos de otra parte');
  await expect(page.getByText('sólo se buscó en los últimos 30 días')).toBeVisible();
  await press(page, /^Abiertas/);
});

test('an answer saved without signal leaves though its lead is on no list', async ({
  page,
  context,
  quiet,
  past: { service, ana },
}) => {
  quiet.allow(/ERR_INTERNET_DISCONNECTED/);
  const sent = await sendQuote(service);
  await openDesk(page, ana);
  await openLead(page, sent);
  await press(page, 'Tomar');
  await sheet(page).getByRole('radio', { name: 'Mensaje' }).check();
  await sheet(page)
    .getByLabel(/^Respuesta/)
    .fill('Sale el jueves.');
  await context.setOffline(true);
  await press(page, 'Guardar respuesta');
  await press(page, 'Enviar ya');
  await expect(sheet(page).getByText('Quedó aquí y se envía sola en cuanto vuelva')).toBeVisible();
  // As one of more than 30 days ago, which a search had found.
  await page.route(/\/rest\/v1\/desk_leads\?(?!.*quote_id=)/, async (route) => {
    const response = await route.fetch();
    const leads = (await response.json()) as { quote_id: string }[];
    await route.fulfill({ response, json: leads.filter(({ quote_id }) => quote_id !== sent.id) });
  });
  await context.setOffline(false);
  await page.goto('about:blank');
  await page.goto('/mesa.html');
  await expect.poll(() => askAsPhone(service, sent.id)).toMatchObject([{ kind: 'mensaje', body: 'Sale el jueves.' }]);
});

/** Lets the time pass until then, and stand. Who is at the desk has a hand on it. */
async function passUntil(page: Page, at: number): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const now = await page.evaluate(() => Date.now());
    await page.mouse.move(20 + (turn % 9), 20);
    // It locks after ten minutes.
    const next = Math.min(at, now + 9 * MINUTE);
    await page.clock.pauseAt(next);
    if (next === at) return;
  }
}

test('the two hours pass over midnight with the right day in each word', async ({ page, past: { ana, late } }) => {
  const due = Date.parse(LATE) + 120 * MINUTE;
  await page.clock.install({ time: Date.parse(LATE) + MINUTE });
  await openDesk(page, ana);
  await openLead(page, late);
  const clock = row(page, late).locator('span').first();
  const [calm, amber, red] = [colour(page, '--ink'), colour(page, '--waits'), colour(page, '--accent')];
  const head = sheet(page).locator('header');
  // What the sheet says of the day at a moment of the wall's clock there.
  for (const [at, received, before, left] of [
    ['2026-07-14T23:15-07:00', 'hoy 23:10', 'el 15 de julio, 01:10', 'quedan 1 h 55 min'],
    ['2026-07-15T00:05-07:00', 'ayer 23:10', 'hoy 01:10', 'quedan 1 h 5 min'],
  ] as const) {
    await passUntil(page, Date.parse(at));
    await expect(clock).toHaveText(spaced(left));
    await expect(clock).toHaveCSS('color', await calm);
    await expect(fact(page, 'Recibida')).toHaveText(received);
    await expect(fact(page, 'Responder antes de')).toHaveText(before);
  }
  await passUntil(page, due - 31 * MINUTE);
  await expect(clock).toHaveText(spaced('quedan 31 min'));
  await expect(clock).toHaveCSS('color', await calm);
  await passUntil(page, due - 30 * MINUTE);
  await expect(clock).toHaveText(spaced('quedan 30 min'));
  await expect(clock).toHaveCSS('color', await amber);
  await passUntil(page, due - MINUTE);
  await expect(clock).toHaveText(spaced('quedan 1 min'));
  await expect(clock).toHaveCSS('color', await amber);
  await passUntil(page, due);
  await expect(clock).toHaveText(spaced('tarde por 0 min'));
  await expect(clock).toHaveCSS('color', await red);
  await expect(head).toContainText(spaced('tarde por 0 min'));
  await expect(head).toContainText(spaced('late by 0 min'));
  await passUntil(page, due + 75 * MINUTE);
  await expect(clock).toHaveText(spaced('tarde por 1 h 15 min'));
  await expect(fact(page, 'Recibida')).toHaveText('ayer 23:10');
  await expect(fact(page, 'Responder antes de')).toHaveText('hoy 01:10');
});

const fact = (page: Page, label: string) =>
  sheet(page)
    .locator('dl > div')
    .filter({ has: page.locator('dt', { hasText: label }) })
    .locator('dd');

/** A number and its unit do not part. */
const spaced = (text: string) => text.replaceAll(/(?<=\d) (?=h|min)/g, '\u00a0');

/** As a browser says what a name of the design is. */
const colour = (page: Page, name: string) =>
  page.evaluate((property) => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = `var(${property})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  }, name);
