import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from '@playwright/test';
import { findChromium } from './browser.ts';
import { flatPng } from './png.ts';

// `npm run demo-picture`: the picture of the desk in the README, of what `npm run demo` shows.

const PICTURE = 'docs/screenshots/desk.png';
/** Whose question waits. */
const OPENED = 'Aurelio Nava';

const demo = spawn(process.execPath, ['server/demo.ts'], {
  env: { ...process.env, PORT: '0' },
  stdio: ['ignore', 'pipe', 'inherit'],
});
const ended = once(demo, 'exit');
const [, address, email, password] = await new Promise<RegExpExecArray>((resolve, reject) => {
  let said = '';
  demo.stdout.on('data', (text: Buffer) => {
    said += text;
    const found = /Desk: (\S+)\n {2}E-mail: (\S+) {2}Password: (\S+)/.exec(said);
    if (found) resolve(found);
  });
  demo.once('exit', () => reject(new Error(`The demo did not start: ${said}`)));
});

const executablePath = await findChromium();
const browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  // No coloured edges on letters: they differ between systems, and double the file.
  args: ['--no-sandbox', '--disable-gpu', '--disable-lcd-text', '--font-render-hinting=none'],
  env: { ...process.env, FONTCONFIG_FILE: path.resolve('tests/fonts/roboto.conf') },
});
const page = await browser.newPage({
  viewport: { width: 1280, height: 800 },
  locale: 'es-MX',
  colorScheme: 'light',
  reducedMotion: 'reduce',
});
await page.goto(address!);
await page.getByLabel('Correo').fill(email!);
await page.getByLabel('Contraseña').fill(password!);
await page.getByRole('button', { name: 'Entrar' }).click();
await page.getByRole('option', { name: OPENED }).click();
await page.getByText('¿Y si fueran dos embarques').waitFor();
await page.evaluate('document.fonts.ready');
await page.mouse.move(0, 0);
await mkdir(path.dirname(PICTURE), { recursive: true });
const picture = flatPng(await page.screenshot());
await writeFile(PICTURE, picture);
console.log(`${PICTURE} ${picture.length} bytes`);
await browser.close();
demo.kill('SIGTERM');
await ended;
