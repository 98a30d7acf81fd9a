import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { AUTH_SCHEMA } from '../../server/auth/schema.ts';
import { databaseFolderIn } from '../../server/database/data-directory.ts';
import { openDatabase } from '../../server/database/database.ts';
import { migrationsFolder } from '../../server/database/migrate.ts';
import { folioOf } from '../../src/lead/folio.ts';
import { freshDataDirectory } from '../run-folder.ts';
import { hireForLong, openDesk, openLead, row, sheet, type Colleague, type Sent } from './desk-visitor.ts';
import { Service } from './service.ts';
import { expect, test as base, withoutWorker } from './visitor.ts';

const MINUTE = 60_000;
const PROMISE = 120 * MINUTE;

/** Each asked at such a moment that its two hours pass over a border of Tijuana's days. */
const BORDERS = {
  'midnight in summer': {
    asked: '2026-07-14T23:10-07:00',
    // What the sheet says of the day at a moment of the wall's clock there.
    says: [
      { at: '2026-07-14T23:15-07:00', received: 'hoy 23:10', due: 'el 15 de julio, 01:10', left: 'quedan 1 h 55 min' },
      { at: '2026-07-15T00:05-07:00', received: 'ayer 23:10', due: 'hoy 01:10', left: 'quedan 1 h 5 min' },
    ],
  },
  'the hour that comes twice': {
    asked: '2026-11-01T01:20-07:00',
    says: [
      { at: '2026-11-01T01:50-07:00', received: 'hoy 01:20', due: 'hoy 02:20', left: 'quedan 1 h 30 min' },
      { at: '2026-11-01T01:15-08:00', received: 'hoy 01:20', due: 'hoy 02:20', left: 'quedan 1 h 5 min' },
    ],
  },
} as const;

type Border = keyof typeof BORDERS;

const test = base.extend<object, { past: { service: Service; ana: Colleague; leads: Readonly<Record<Border, Sent>> } }>(
  {
    past: [
      async ({}, use) => {
        const dataDir = await freshDataDirectory();
        const leads = await storeLeads(dataDir);
        const service = await Service.start(dataDir);
        // The page's clock is the test's.
        service.isSilentAboutTime = true;
        await use({ service, ana: await hireForLong(service, 'Ana Ruiz'), leads });
        await service.stop();
      },
      { scope: 'worker' },
    ],
    baseURL: async ({ past }, use) => use(past.service.origin),
  },
);

test.use({ ...withoutWorker, viewport: { width: 1440, height: 900 } });

/** No phone could have asked in the past. */
async function storeLeads(dataDir: string): Promise<Record<Border, Sent>> {
  const folder = databaseFolderIn(dataDir);
  const database = await openDatabase({ folder, migrations: migrationsFolder, afterwards: [AUTH_SCHEMA] });
  const sent: Partial<Record<Border, Sent>> = {};
  for (const [border, { asked }] of Object.entries(BORDERS)) {
    const [id, nombre] = [randomUUID(), `María ${border}`];
    sent[border as Border] = { id, folio: folioOf(id), nombre };
    const sql = `insert into quotes (id, nombre, empresa, email, telefono, peso, tipo_carga, created_at)
      values ($1, $2, 'Berries', 'maria@berries.example', '+52 664 555 0175', 900, 'perecederos', $3)`;
    await database.transaction([{ sql, parameters: [id, nombre, asked] }]);
  }
  await database.close();
  return sent as Record<Border, Sent>;
}

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

for (const [border, { asked, says }] of Object.entries(BORDERS))
  test(`the two hours over ${border}: amber at 30 minutes, red and late at none, the right day in each word`, async ({
    page,
    past: { ana, leads },
  }) => {
    const lead = leads[border as Border];
    const due = Date.parse(asked) + PROMISE;
    await page.clock.install({ time: Date.parse(asked) + MINUTE });
    await openDesk(page, ana);
    await openLead(page, lead);
    const clock = row(page, lead).locator('span').first();
    const [calm, amber, red] = [colour(page, '--ink'), colour(page, '--waits'), colour(page, '--accent')];
    const head = sheet(page).locator('header');

    for (const { at, received, due: before, left } of says) {
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
    await expect(fact(page, 'Recibida')).toHaveText(says.at(-1)!.received);
    await expect(fact(page, 'Responder antes de')).toHaveText(says.at(-1)!.due);
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
