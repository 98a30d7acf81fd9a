import type { Page } from '@playwright/test';
import { createAccounts } from '../server/auth/accounts.ts';
import { firstPassword, hashPassword } from '../server/auth/passwords.ts';
import { AUTH_SCHEMA } from '../server/auth/schema.ts';
import { databaseFolderIn } from '../server/database/data-directory.ts';
import { openDatabase } from '../server/database/database.ts';
import { migrationsFolder } from '../server/database/migrate.ts';
import type { Service } from '../tests/e2e/service.ts';

// Where walks begin (walk.ts), and what has to be there.

export interface Colleague {
  readonly email: string;
  readonly password: string;
}

export interface Ground {
  readonly width: number;
  /** Once, before a walk. */
  readonly prepare?: (page: Page, service: Service) => Promise<void>;
  readonly open: (page: Page, service: Service, colleague: Colleague) => Promise<void>;
  readonly within?: string;
}

/** What a press takes where hardly anything is drawn: the browser's own part of each. */
export const FLOOR = 'bare controls';

export const GROUNDS: Readonly<Record<string, Ground>> = {
  [FLOOR]: { width: 360, open: openBare },
  page: { width: 360, open: openPage },
  receipt: { width: 360, open: openReceipt, within: '#contact-form' },
  'list of quotes': { width: 360, prepare: makeList, open: openList, within: 'dialog' },
  designer: { width: 360, open: openDesigner },
  desk: { width: 360, open: openDesk },
  'desk, wide': { width: 1280, open: openDesk },
};

let visits = 0;
async function goTo(page: Page, address: string): Promise<void> {
  // Else only the hash is another, and nothing is loaded.
  await page.goto('about:blank');
  await page.goto(address, { waitUntil: 'load' });
}

const BARE = `<button onclick="this.toggleAttribute('data-pressed')">Press</button>
  <select><option>One</option><option>Two</option></select> <input> <input type="checkbox">
  <details><summary>More</summary>A line.</details>
  <button onclick="document.querySelector('dialog').showModal()">Open</button>
  <dialog><form method="dialog"><button>Close</button></form></dialog>`;

async function openBare(page: Page): Promise<void> {
  await page.goto(`data:text/html,<!doctype html><title>Bare</title>${encodeURIComponent(BARE)}`);
}

function openPage(page: Page, { origin }: Service): Promise<void> {
  return goTo(page, `${origin}/`);
}

async function openDesigner(page: Page, { origin }: Service): Promise<void> {
  await goTo(page, `${origin}/?icon-designer`);
  await page.getByRole('radio').first().waitFor();
}

async function send(page: Page): Promise<string> {
  visits += 1;
  const nombre = `María ${visits}`;
  await page.locator('#reservar-espacio').scrollIntoViewIfNeeded();
  await page.locator('[data-island=quote][data-awake]').waitFor();
  const values = {
    nombre,
    empresa: 'Berries',
    email: `m${visits}@berries.mx`,
    telefono: '+52 664 123 4567',
    peso: '12000',
  };
  for (const [name, value] of Object.entries(values))
    await page.locator(`#reservar-espacio [name=${name}]`).fill(value);
  await page.locator('#reservar-espacio [name=tipo_carga]').selectOption('perecederos');
  await page.locator('#reservar-espacio button[type=submit]').click();
  return nombre;
}

const OFFER = {
  body: 'Sale el jueves.',
  price: 4.1,
  kind: 'oferta',
  price_for: 'kilo',
  currency: 'USD',
  kilos: 12_000,
  valid_until: '2099-11-28',
};

/** One that was delivered and has its offer. */
async function openReceipt(page: Page, service: Service): Promise<void> {
  await openPage(page, service);
  const nombre = await send(page);
  const receipt = page.getByRole('article', { name: /^Su solicitud AP-/ });
  await receipt.getByText('entregada').first().waitFor();
  const sent = (await service.quotes()).find((quote) => quote.nombre === nombre)!;
  await service.answer(sent.id, OFFER);
  const accept = receipt.getByRole('button', { name: 'Aceptar' }).first();
  // One question may still have been on its way.
  for (let turn = 0; turn < 10 && !(await accept.isVisible()); turn += 1) {
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await accept.waitFor({ timeout: 3000 }).catch(() => undefined);
  }
}

/** Answered, delivered, and waiting. */
async function makeList(page: Page, service: Service): Promise<void> {
  await openReceipt(page, service);
  await openPage(page, service);
  await send(page);
  await page.waitForFunction(() => document.querySelector('article')?.innerText.includes('entregada'));
  service.fault = () => ({ kind: 'answer', status: 503 });
  await openPage(page, service);
  await send(page);
  await page.waitForFunction(() => document.querySelector('article')?.innerText.includes('en espera'));
  service.fault = () => ({ kind: 'none' });
}

async function openList(page: Page, { origin }: Service): Promise<void> {
  await goTo(page, `${origin}/#mis-cotizaciones`);
  await page.getByRole('dialog').waitFor();
}

async function openDesk(page: Page, { origin }: Service, { email, password }: Colleague): Promise<void> {
  await goTo(page, `${origin}/mesa.html`);
  const entry = page.getByRole('button', { name: 'Entrar' });
  const list = page.getByRole('listbox');
  await entry.or(list).first().waitFor();
  if (await entry.isVisible()) {
    await page.getByLabel('Correo').fill(email);
    await page.getByLabel('Contraseña').fill(password);
    await entry.click();
  }
  await page.getByRole('option').first().waitFor({ timeout: 60_000 });
}

/** A supervisor, and so many leads that wait, of the last day. */
export async function fillDesk(dataDir: string, leads: number): Promise<Colleague> {
  const database = await openDatabase({
    folder: databaseFolderIn(dataDir),
    migrations: migrationsFolder,
    afterwards: [AUTH_SCHEMA],
  });
  try {
    const colleague = { email: 'ana@aeropuente.example', password: firstPassword() };
    const password = await hashPassword(colleague.password);
    await createAccounts(database).add({ email: colleague.email, name: 'Ana Ruiz', supervisor: true, password });
    const tables = 'alter table quotes TURN trigger user; alter table quote_desk TURN trigger user;';
    await database.transaction([
      { sql: 'update private_auth.accounts set must_change = false', parameters: [] },
      {
        sql: `insert into quotes (id, nombre, empresa, email, telefono, peso, tipo_carga)
          select gen_random_uuid(), 'María ' || n, 'Empresa ' || n, 'm' || n || '@b.example', '66455' || (10000 + n), 1 + n % 900, 'general'
            from generate_series(1, $1::int) as n`,
        parameters: [leads],
      },
    ]);
    await database.transaction([
      { sql: tables.replaceAll('TURN', 'disable') },
      { sql: "update quotes set created_at = now() - (substr(nombre, 7)::int) * interval '80 seconds'" },
      {
        sql: 'update quote_desk as d set asked_at = q.created_at, updated_at = q.created_at from quotes as q where q.id = d.quote_id',
      },
      { sql: tables.replaceAll('TURN', 'enable') },
    ]);
    return colleague;
  } finally {
    await database.close();
  }
}
