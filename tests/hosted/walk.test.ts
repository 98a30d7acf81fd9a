import { createServer } from 'node:http';
import path from 'node:path';
import { chromium, expect as expectPage, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { beforeAll, describe, expect, onTestFailed, test } from 'vitest';
import { findChromium } from '../../build/browser.ts';
import { openSite } from '../../server/site.ts';
import { buildWith } from '../e2e/build-with.ts';
import { runProcess } from '../integration/processes.ts';
import { listening } from '../listening.ts';
import { madeOnce } from '../run-folder.ts';
import { listen } from './platform.ts';
import { whyNotHosted } from './programs.ts';
import { startProject, type Project } from './project.ts';
import { startSignIn } from './sign-in.ts';

// Builds site and desk for a hosted project, and follows a quote in browsers from the form to the acceptance.

const PERSON = {
  nombre: 'María José Núñez',
  empresa: 'Berries del Valle',
  email: 'ventas@berries.mx',
  telefono: '+52 998 765 4321',
  peso: '12,500',
};
const PASSWORD = 'una frase bien larga';
const file = await findChromium();

describe.skipIf(whyNotHosted() || !file)('the site on a hosted project', () => {
  let project: Project;
  let browser: Browser;
  let origin: string;
  let environment: Record<string, string>;
  const consoleLines: string[] = [];

  beforeAll(async () => {
    let start: () => Project['keys'] = () => project.keys;
    const auth = await startSignIn(() => start());
    project = await startProject({ others: { '/auth/v1/': auth.answer } });
    start = () => project.keys;
    const gateway = await listen(project.answer);
    const settings = { VITE_SUPABASE_URL: gateway.address, VITE_SUPABASE_PUBLISHABLE_KEY: project.keys.publishable };
    environment = { ...settings, SUPABASE_SECRET_KEY: project.keys.secret };
    const built = await madeOnce('hosted-site', (folder) => buildWith(folder, settings));
    const site = createServer(openSite(path.join(built, 'dist')));
    origin = (await listening(site)).replace('127.0.0.1', 'localhost');
    browser = await chromium.launch({ executablePath: file!, args: ['--no-sandbox', '--disable-gpu'] });
    return async () => {
      await browser.close();
      for (const server of [site, gateway.server]) server.close().closeAllConnections();
      await project.close();
      await auth.close();
    };
  });

  async function open(width: number): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ baseURL: origin, viewport: { width, height: 900 }, locale: 'es-MX' });
    context.on('console', (message) =>
      consoleLines.push(`${message.type()}: ${message.text()} ${message.location().url}`),
    );
    context.on('weberror', (error) => consoleLines.push(String(error.error())));
    context.setDefaultTimeout(20_000);
    return { context, page: await context.newPage() };
  }

  async function command(script: 'staff' | 'quotes', ...parameters: string[]): Promise<string> {
    const { code, output, errors } = await runProcess(script, environment, parameters);
    expect(code, errors).toBe(0);
    return output;
  }

  const receipt = (page: Page) => page.getByRole('article', { name: /^Su solicitud AP-/ });
  const sheet = (page: Page) => page.getByRole('article');
  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();
  const askNow = (page: Page) => page.evaluate(() => dispatchEvent(new Event('online')));
  const says = (page: Page, text: string | RegExp) =>
    expectPage(receipt(page)).toContainText(text, { timeout: 30_000 });
  const fill = async (page: Page, written: Record<string, string>) => {
    for (const [name, value] of Object.entries(written))
      await page.locator(`#reservar-espacio [name="${name}"]`).fill(value);
  };
  const submit = (page: Page) => page.locator('#reservar-espacio button[type=submit]').click();
  const quotes = () => project.ask<{ folio: string }>('select folio from public.quotes');

  test('a quote and its acceptance, both made offline, reach the sales desk of a hosted project', async () => {
    onTestFailed(() => console.log(consoleLines.join('\n')));
    const staff = await command('staff', 'add', 'ana@aeropuente.mx', '--name', 'Ana Ruiz');
    const [, first] = /Contraseña: (\S+)/.exec(staff)!;
    expect(await command('staff', 'list')).toContain('Ana Ruiz');

    const phone = await open(390);
    await phone.page.goto('/');
    await phone.page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await phone.context.setOffline(true);
    await fill(phone.page, PERSON);
    await phone.page.locator('#reservar-espacio [name=tipo_carga]').selectOption('perecederos');
    await submit(phone.page);
    await says(phone.page, 'Guardada en este teléfono. Está sin conexión');
    expect(await quotes()).toEqual([]);
    await phone.context.setOffline(false);
    await says(phone.page, 'entregada');
    const { folio } = (await quotes())[0]!;

    const desk = await open(1440);
    await desk.page.goto('/mesa.html');
    await desk.page.getByLabel('Correo').fill('ana@aeropuente.mx');
    await desk.page.getByLabel('Contraseña').fill(first!);
    await press(desk.page, 'Entrar');
    await desk.page.getByLabel(/^Contraseña nueva/).fill(PASSWORD);
    await desk.page.getByLabel('Repita la contraseña nueva').fill(PASSWORD);
    await press(desk.page, 'Guardar y entrar');
    for (const name of ['Avisos de solicitudes nuevas', 'Atajos'])
      await desk.page.getByRole('dialog', { name }).getByRole('button', { name: 'Cerrar' }).click();
    await desk.page.getByRole('option', { name: folio }).click();
    await expectPage(desk.page.locator(`article[data-folio="${folio}"]`)).toBeVisible();
    await sheet(desk.page).getByRole('radio', { name: 'Oferta' }).check();
    await sheet(desk.page)
      .getByLabel(/^Respuesta/)
      .fill('Todo incluido a 4.10.');
    await desk.page.getByLabel('Precio').fill('4.10');
    await desk.page.getByLabel('Kilos al mes').fill('12,500');
    await desk.page.getByLabel('Vigencia').fill('2099-11-28');
    await press(desk.page, /^(Enviar|Tomar y enviar) oferta$/);

    await askNow(phone.page);
    await says(phone.page, 'US $4.10 por kilo');
    await phone.context.setOffline(true);
    await receipt(phone.page).getByRole('button', { name: 'Aceptar' }).click();
    await receipt(phone.page).getByRole('button', { name: 'Sí, aceptar' }).click();
    await says(phone.page, 'Aceptada · guardada en este teléfono');
    await phone.context.setOffline(false);
    await says(phone.page, /Aceptada · entregada/);
    await expectPage(sheet(desk.page).getByText('Cliente aceptó').first()).toBeVisible();

    const listed = await command('quotes', '--json');
    expect(listed).toContain(folio);
    expect(JSON.parse(listed)).toHaveLength(1);
    const isLineDown = /Failed to load resource|ERR_INTERNET_DISCONNECTED|ERR_FAILED/;
    expect(consoleLines.filter((line) => !isLineDown.test(line))).toEqual([]);
    await phone.context.close();
    await desk.context.close();
  });
});
