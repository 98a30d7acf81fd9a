import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import type { Page, PageScreenshotOptions } from '@playwright/test';
import { launchForPictures } from './browser.ts';
import { flatPng } from './png.ts';

// `npm run demo-picture`: pictures of the demo for the README. The first screen in light and dark, the ticket of one quote
// (stored offline, delivered, with its offer), a short film of the same phone, and the desk.

const FOLDER = 'docs/screenshots';
const PHONE = { width: 360, height: 740 };
const DESKTOP = { width: 1440, height: 900 };
const HERO = { width: 1440, height: 860 };
/** Greatest height of a ticket in a picture, in pixels. */
const TICKET = 520;

/**
 * Hides or shows the parts of the page above and below a ticket. Sets style attributes, because the site's security
 * policy forbids adding a style sheet.
 */
const setAround = (page: Page, visibility: 'hidden' | '') =>
  page.evaluate(
    `for (const { style } of document.querySelectorAll('body > :not(main)')) style.visibility = '${visibility}'`,
  );
const ASKED = {
  nombre: 'Lucía Fierro',
  empresa: 'Moras de la Sierra',
  email: 'lucia@morasdelasierra.example',
  telefono: '+52 351 555 0142',
  peso: '4,200',
};

const demo = spawn(process.execPath, ['server/cli/demo.ts'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(demo, 'exit');
const [, site, desk, email, password] = await new Promise<RegExpExecArray>((resolve, reject) => {
  let output = '';
  demo.stdout.on('data', (text: Buffer) => {
    output += text;
    const found = /Site: (\S+)\nDesk: (\S+)\n {2}E-mail: (\S+) {2}Password: (\S+)/.exec(output);
    if (found) resolve(found);
  });
  demo.once('exit', () => reject(new Error(`The demo did not start: ${output}`)));
});

const browser = await launchForPictures();
const looks = { locale: 'es-MX', colorScheme: 'light', reducedMotion: 'reduce' } as const;

const frames: Buffer[] = [];
const film = async (page: Page) => void frames.push(flatPng(await page.screenshot({ scale: 'css' })));
const SECONDS_A_FRAME = 2.5;

/** Makes an endless slide show of the pictures: an animated SVG, which every browser can show. */
function filmOf({ width, height }: typeof PHONE): string {
  const share = 100 / frames.length;
  const seconds = SECONDS_A_FRAME * frames.length;
  const images = frames.map(
    (frame, at) =>
      `<image width="${width}" height="${height}" href="data:image/png;base64,${frame.toString('base64')}" style="animation-delay:${at * SECONDS_A_FRAME}s"/>`,
  );
  const rules = `image{opacity:0;animation:show ${seconds}s steps(1) infinite}@keyframes show{0%{opacity:1}${share}%{opacity:0}}`;
  const still = '@media(prefers-reduced-motion:reduce){image{animation:none}image:last-child{opacity:1}}';
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"><style>${rules}${still}</style>${images.join('')}</svg>\n`;
}

async function take(page: Page, name: string, options: PageScreenshotOptions = {}): Promise<void> {
  await page.evaluate('document.fonts.ready');
  await page.mouse.move(0, 0);
  const picture = flatPng(await page.screenshot(options));
  await writeFile(`${FOLDER}/${name}.png`, picture);
  console.log(`${FOLDER}/${name}.png ${picture.length} bytes`);
}

await mkdir(FOLDER, { recursive: true });
for (const colorScheme of ['light', 'dark'] as const) {
  const first = await browser.newPage({ ...looks, colorScheme, viewport: HERO });
  await first.goto(site!, { waitUntil: 'networkidle' });
  await take(first, `hero-${colorScheme}`);
  await first.close();
}
const phone = await browser.newContext({ ...looks, viewport: PHONE, deviceScaleFactor: 2 });
const page = await phone.newPage();
page.setDefaultTimeout(30_000);
await page.goto(site!);
await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
const form = page.locator('#reservar-espacio');
for (const [name, value] of Object.entries(ASKED)) await form.locator(`[name=${name}]`).fill(value);
await form.locator('[name=tipo_carga]').selectOption('perecederos');
await phone.setOffline(true);
await form.locator('[type=submit]').scrollIntoViewIfNeeded();
await film(page);
await form.locator('[type=submit]').click();
const receipt = page.getByRole('article', { name: /^Su solicitud AP-/ });
const frame = async (state: string, name: string) => {
  await receipt.filter({ hasText: state }).waitFor();
  await receipt.evaluate('element => element.scrollIntoView({ block: "start", behavior: "instant" })');
  await film(page);
  await setAround(page, 'hidden');
  const { x, y, width, height } = (await receipt.boundingBox())!;
  await take(page, name, { clip: { x, y, width, height: Math.min(height, TICKET) } });
  await setAround(page, '');
};
await frame('en espera', 'kept');
await phone.setOffline(false);
await frame('entregada', 'delivered');

const office = await browser.newPage({ ...looks, viewport: DESKTOP });
office.setDefaultTimeout(30_000);
await office.goto(desk!);
await office.getByLabel('Correo').fill(email!);
await office.getByLabel('Contraseña').fill(password!);
await office.getByRole('button', { name: /^(Entrar|Iniciar sesión)/ }).click();
// The first session of a colleague opens two dialogs, about alerts and then about shortcuts. They are closed here.
for (let shown = 0; shown < 2; shown += 1) {
  await office
    .getByRole('dialog')
    .first()
    .waitFor({ timeout: 5000 })
    .catch(() => undefined);
  await office.keyboard.press('Escape');
}
const [folio] = /AP-\S+/.exec((await receipt.getAttribute('aria-label'))!)!;
await office.goto(`${desk}#${folio}`);
const sheet = office.getByRole('article');
await sheet.getByLabel(/^Respuesta/).fill('Con gusto, Lucía: hay lugar en el vuelo del jueves, a 2–8 °C.');
await sheet.getByLabel(/^Precio/).fill('4.10');
// The history of the lead loads after the lead has opened.
await sheet.getByText('Cargando…').waitFor({ state: 'detached' });
await take(office, 'desk');
await sheet.getByRole('button', { name: 'Tomar y enviar oferta' }).click();
await sheet.getByText('Respondida', { exact: true }).waitFor();
await page.evaluate('dispatchEvent(new Event("online"))');
await frame('respondida', 'answered');

await writeFile(`${FOLDER}/offline.svg`, filmOf(PHONE));

await browser.close();
demo.kill('SIGTERM');
await ended;
