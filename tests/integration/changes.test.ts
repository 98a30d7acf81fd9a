import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, expect as expectPage } from '@playwright/test';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findHeadlessShell } from '../../build/browser.ts';
import { PROMISED_HOURS } from '../../src/lead/promise.ts';
import { scratchFolder } from '../scratch.ts';
import { copyWorkingTree } from '../working-copy.ts';
import { askAuth, dataDirectory, hire, runProcess, send, startServer } from './processes.ts';
import { sampleQuote } from './sample-quote.ts';

// The tests make changes that CONTRIBUTING.md describes ("How to add …"), in a copy of the working tree.

const HOUR = 3_600_000;
const copy = mkdtempSync(path.join(scratchFolder(), 'aeropuente-changed-'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(path.join(copy, file), 'utf8');
  expect(text).toContain(from);
  writeFileSync(path.join(copy, file), text.replace(from, to));
}

const built = (file: string) => readFileSync(path.join(copy, 'dist', file), 'utf8');

beforeAll(async () => {
  copyWorkingTree(copy);
  edit('src/lead/promise.ts', `PROMISED_HOURS = ${PROMISED_HOURS}`, `PROMISED_HOURS = ${PROMISED_HOURS + 1}`);
  const [row, sample] = ['  puerto: { longest: 60, optional: true },\n', "  puerto: 'Ensenada',\n"];
  edit('src/lead/fields.ts', '  tipo_carga: { choices', `${row}  tipo_carga: { choices`);
  edit('src/lead/fields.ts', "  tipo_carga: 'perecederos'", `${sample}  tipo_carga: 'perecederos'`);
  const label = "  puerto: { label: { es: 'Puerto', en: 'Port' } },\n";
  edit('src/content/fields.ts', '  tipo_carga: {\n    label', `${label}  tipo_carga: {\n    label`);
  const long =
    "  puerto: { long: { es: 'Puerto no debe pasar de 60 caracteres', en: 'Port: at most 60 characters' } },\n";
  edit('src/content/field-failures.ts', '  tipo_carga: {\n', `${long}  tipo_carga: {\n`);
  const sea = "  sea: { cubic: 1000, withoutFields: ['puerto'], withoutPapers: ['fitosanitario'] },\n";
  edit('src/lead/services.ts', '} as const satisfies', `${sea}} as const satisfies`);
  edit(
    'src/content/fields.ts',
    "air: { es: 'Aéreo', en: 'Air' }",
    "air: { es: 'Aéreo', en: 'Air' }, sea: { es: 'Marítimo', en: 'Sea' }",
  );
  const last = "{ code: 'SZX'";
  const added = "{ code: 'CTU', name: 'Chengdu', lat: 30.578, lng: 103.947, type: 'destination', by: ['truck-dry'] },";
  edit('src/content/points.ts', last, `${added}\n  ${last}`);
  const run = promisify(execFile);
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'src'], { cwd: copy });
  await run(process.execPath, ['build/site.ts'], { cwd: copy });
});

test('the number of promised hours is changed in a single place, for page and database', async () => {
  const page = built('index.html');
  expect(page).toContain(`${PROMISED_HOURS + 1}\u00a0h`);
  expect(page).not.toContain(`${PROMISED_HOURS}\u00a0h`);
  const { address } = await startServer(await dataDirectory(), {}, copy);
  const [row] = (await (await send(address, sampleQuote())).json()) as Record<'created_at' | 'promised_at', string>[];
  expect(Date.parse(row!.promised_at) - Date.parse(row!.created_at)).toBe((PROMISED_HOURS + 1) * HOUR);
});

test('a new point of the map needs one row, and appears in list, legend and picture', () => {
  const now = readFileSync('dist/index.html', 'utf8');
  const page = built('index.html');
  expect(page).toContain('Chengdu');
  expect(now).toContain('otros cinco destinos');
  expect(page).toContain('otros seis destinos');
  expect(page).toContain('A 7 destinos en China');
  const lines = (picture: string) => picture.match(/M10 -7q/g)!.length;
  expect(lines(built('network-still.svg'))).toBe(lines(readFileSync('dist/network-still.svg', 'utf8')) + 1);
});

const person = {
  nombre: 'Rosa Ibarra',
  empresa: 'Mariscos del Golfo',
  email: 'rosa@mariscos.mx',
  telefono: '+52 646 555 0199',
  peso: '900',
};

test('an added optional field appears in form, desk and CSV', async () => {
  const dataDir = await dataDirectory();
  const { address } = await startServer(dataDir, {}, copy);
  const browser = await chromium.launch({ executablePath: (await findHeadlessShell())!, args: ['--no-sandbox'] });
  onTestFinished(() => browser.close());
  const context = await browser.newContext({ baseURL: address, serviceWorkers: 'block' });
  const page = await context.newPage();
  await page.goto('/');
  const control = (name: string) => page.locator(`#reservar-espacio [name=${name}]`);
  const press = async (more: Readonly<Record<string, string>>) => {
    for (const [name, value] of Object.entries(person)) await control(name).fill(value);
    await control('tipo_carga').selectOption('perecederos');
    await control('servicio').selectOption(more['servicio']!);
    if (more['puerto']) await control('puerto').fill(more['puerto']);
    await page.getByRole('button', { name: 'Solicitar cotización' }).click();
    const receipt = page.getByRole('article', { name: /AP-/ });
    await expectPage(receipt).toContainText('entregada');
    return receipt;
  };
  const receipt = await press({ servicio: 'air', puerto: 'Ensenada' });
  await expectPage(receipt).toContainText('Puerto: Ensenada');
  await control('servicio').selectOption('sea');
  await expectPage(control('puerto')).toBeHidden();
  await expectPage(await press({ servicio: 'sea' })).toContainText('Servicio: Marítimo');

  const { output } = await runProcess('quotes', { DATA_DIR: dataDir }, ['--csv'], '', copy);
  const [heading, last, first] = output.split('\r\n');
  expect(heading).toMatch(/,puerto,servicio$/);
  expect([first, last]).toEqual([expect.stringMatching(/,Ensenada,air$/), expect.stringMatching(/,,sea$/)]);

  const account = await hire(dataDir);
  const session = await askAuth(address, 'password', account);
  const { access_token: token } = (await session.json()) as { access_token: string };
  const password = 'una frase bien larga';
  await fetch(`${address}/auth/v1/user`, {
    method: 'PUT',
    headers: { apikey: 'aeropuente-public', authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ password, current_password: account.password, data: { must_change: false } }),
  });
  await page.goto('/mesa.html');
  await page.getByLabel('Correo').fill(account.email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  await page.getByRole('searchbox').fill('ensenada');
  await page.getByRole('option', { name: 'Rosa Ibarra' }).click();
  await expectPage(page.getByText('Ensenada')).toBeVisible();
});
