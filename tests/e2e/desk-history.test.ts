import { randomUUID } from 'node:crypto';
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
  holdAnswer,
  newPhone,
  openDesk,
  openLead,
  press,
  row,
  sendQuote,
  sheet,
  sheetOf,
  writeAnswer,
  type Colleague,
  type Sent,
} from './desk-visitor.ts';
import { Service } from './service.ts';
import { DESKTOP, expect, sharedBy, test as base } from './visitor.ts';

// The test stores an old lead before the server starts, because no phone can send a quote dated two years ago.

const telefono = newPhone();

const test = base.extend<object, { past: { service: Service; ana: Colleague; old: Sent } }>({
  past: sharedBy(
    async () => {
      const dataDir = await freshDataDirectory();
      const old = await storeLead(dataDir);
      const service = await Service.start(dataDir);
      return { service, ana: await hireForLong(service, 'Ana Ruiz'), old };
    },
    ({ service }) => service.stop(),
  ),
  baseURL: async ({ past }, use) => use(past.service.origin),
});

test.use({ viewport: DESKTOP });

/** Stores a lead that was closed as lost two years ago. */
async function storeLead(dataDir: string): Promise<Sent> {
  const folder = databaseFolderIn(dataDir);
  const database = await openDatabase({ folder, migrations: migrationsFolder, afterwards: [AUTH_SCHEMA] });
  const id = randomUUID();
  const sql = `insert into quotes (id, nombre, empresa, email, telefono, peso, tipo_carga, created_at)
    values ($1, 'Íñigo Zúñiga', 'Mariscos del Golfo', 'inigo@mariscos.example', $2, 900, 'perecederos', $3)`;
  const years = new Date(Date.now() - 730 * 24 * 60 * 60_000).toISOString();
  await database.transaction([{ sql, parameters: [id, `+52 1 ${telefono}`, years] }]);
  const lose = `alter table quote_desk disable trigger user;
    update quote_desk set status = 'perdida', lost_reason = 'precio', updated_at = asked_at;
    alter table quote_desk enable trigger user`;
  await database.transaction([{ sql: lose }]);
  await database.close();
  return { id, folio: folioOf(id), nombre: 'Íñigo Zúñiga' };
}

test('the desk lists a customer’s requests, and merges two of them', async ({ page, past: { service, ana, old } }) => {
  const [joined, stays] = [await sendQuote(service, { telefono }), await sendQuote(service, { telefono })];
  await openDesk(page, ana);
  await openLead(page, stays);
  const history = sheet(page).getByRole('region', { name: 'Del mismo cliente' });
  await expect(history.getByRole('listitem')).toHaveCount(2);
  await expect(history.getByRole('listitem').filter({ hasText: old.folio })).toContainText(
    'sin oferta · perdida · precio',
  );
  // Quotes of different days cannot be merged.
  await expect(history.getByRole('button', { name: `Combinar con ésta: ${old.folio}` })).toHaveCount(0);
  await expectNoFinding(page, 'a history', 'article');
  for (const button of await history.getByRole('button').all())
    expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(44);

  await history.getByRole('button', { name: `Combinar con ésta: ${joined.folio}` }).focus();
  await page.keyboard.press('Enter');
  await expect(history.getByText(/su teléfono mostrará: «Recibimos otra solicitud suya/)).toBeVisible();
  expect(await askAsPhone(service, joined.id)).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText('Combinadas: el cliente ya lo ve en su teléfono.')).toBeVisible();
  await expect(history.getByRole('listitem').filter({ hasText: joined.folio })).toContainText('combinada con ésta');
  expect(await askAsPhone(service, joined.id)).toMatchObject([
    { kind: 'mensaje', body: expect.stringContaining('le respondemos en la otra') },
  ]);
  await expect(row(page, joined)).toHaveCount(0);
  await expect(row(page, stays)).toBeVisible();

  await history.getByRole('button', { name: joined.folio, exact: true }).click();
  await expect(sheetOf(page, joined.folio).locator('#lead')).toBeFocused();
  await expect(sheet(page).getByText('Ana Ruiz la combinó con otra del mismo cliente')).toBeVisible();
  await history.getByRole('button', { name: old.folio, exact: true }).click();
  await expect(sheetOf(page, old.folio).locator('#lead')).toBeFocused();
});

test('the desk’s search finds leads of any age', async ({ page, quiet, past: { ana, old } }) => {
  quiet.allow(/desk_search/);
  await openDesk(page, ana);
  const search = page.getByPlaceholder('Buscar folio');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('desk_search')) asked.push(request.url());
  });
  await search.fill('zu');
  await expect(page.getByText('Escriba tres letras para buscar en todas')).toBeVisible();
  for (const typed of ['inigo ZUNIGA', `044 ${telefono}`, old.folio.toLowerCase().replaceAll('-', ' ')]) {
    await search.fill(typed);
    await expect(row(page, old)).toBeVisible();
  }
  // The URLs must not contain the searched words, because servers log URLs.
  expect(asked.filter((address) => /zuniga|mariscos|\d{8}/i.test(address))).toEqual([]);
  expect(asked).not.toEqual([]);
  await expectNoFinding(page, 'a search of all time');
  await row(page, old).click();
  await expect(sheetOf(page, old.folio).locator('#lead')).toBeFocused();
  await search.fill('nadie así');
  await expect(page.getByText('Sin resultados para «nadie así», ni en solicitudes anteriores.')).toBeVisible();
  await page.route(/desk_search/, (route) => route.abort());
  await search.fill('Mariscos de otra parte');
  await expect(page.getByText('sólo se buscó en los últimos 30 días')).toBeVisible();
  await press(page, /^Abiertas/);
});

test('an offline answer is sent later, even if its lead is not listed', async ({ page, context, quiet, past }) => {
  const { service, ana } = past;
  quiet.allow(/ERR_INTERNET_DISCONNECTED/);
  const sent = await sendQuote(service);
  await openDesk(page, ana);
  await openLead(page, sent);
  await press(page, 'Tomar');
  await writeAnswer(page, 'Mensaje', 'Sale el jueves.');
  await context.setOffline(true);
  await holdAnswer(page);
  await press(page, 'Enviar ya');
  await expect(sheet(page).getByText('Se enviará automáticamente en cuanto vuelva')).toBeVisible();
  // The test makes the lead disappear from the list, like a lead older than 30 days, which only a search finds.
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
