import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Browser, Page } from '@playwright/test';
import { openSite } from '../server/site.ts';
import { initialState } from '../src/designer/icon.ts';
import { webIcons } from '../src/designer/icon-set.ts';
import { launchForPictures } from './browser.ts';
import { buildIfStale } from './build-if-stale.ts';
import { flatPng, smallPng } from './png.ts';

// `npm run icons` draws the pictures in public/ that need a browser. They are committed: run it after a change of the
// icon or of the picture docs/drawings/og.svg. The build draws all other pictures (build/drawings.ts).

const PUBLIC = 'public';
const CARD = 'docs/drawings/og.svg';
const CARD_SIZE = { width: 1200, height: 630 };
const FACE = 'public/fonts/barlow-condensed-600.woff2';
const SCREENS = [
  { name: 'narrow', viewport: { width: 360, height: 740 }, deviceScaleFactor: 1.5 },
  { name: 'wide', viewport: { width: 1280, height: 720 }, deviceScaleFactor: 1 },
] as const;

const AS_SEEN = {
  locale: 'es-MX',
  colorScheme: 'light',
  reducedMotion: 'reduce',
  bypassCSP: true,
  // A service worker would make the page announce that it works offline, and the pictures would show this.
  serviceWorkers: 'block',
} as const;
const FACE_RULE = `@font-face{font-family:'Barlow Condensed';font-weight:600;src:url(data:font/woff2;base64,${readFileSync(FACE, 'base64')})}`;

interface Drawn {
  readonly path: string;
  readonly content: Buffer;
}

async function drawIcons(page: Page): Promise<readonly Drawn[]> {
  const drawn: Drawn[] = [];
  for (const { path: file, svg } of webIcons(initialState.scheme))
    if (file.endsWith('.png')) drawn.push({ path: file, content: await photograph(page, svg) });
  return drawn;
}

async function photograph(page: Page, svg: string): Promise<Buffer> {
  await page.setContent(`<style>body{margin:0}svg{display:block}</style>${svg}`);
  return smallPng(await page.locator('svg').screenshot({ omitBackground: true }));
}

/** Draws the preview picture that apps show beside a link to the site, in the site's own typeface. */
async function drawCard(page: Page): Promise<Drawn> {
  await page.setViewportSize(CARD_SIZE);
  await page.setContent(`<style>body{margin:0}${FACE_RULE}</style>${await readFile(CARD, 'utf8')}`);
  await page.evaluate('document.fonts.ready');
  const picture = await page.screenshot({ clip: { x: 0, y: 0, ...CARD_SIZE } });
  return { path: 'og.png', content: flatPng(picture) };
}

/** Copies the icon into the drawing of the card, so that the drawing can be opened alone. */
function withMark(card: string): string {
  const icon = webIcons(initialState.scheme).find((file) => file.path === 'favicon.svg')!.svg;
  const mark = icon.replace(/<svg [^>]*?(?= viewBox)/, '<svg id="mark" x="64" y="60" width="60" height="60"');
  return card.replace(/<svg id="mark"[\s\S]*?<\/svg>/, mark);
}

async function drawScreens(browser: Browser): Promise<readonly Drawn[]> {
  const server = createServer(openSite('dist')).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const drawn: Drawn[] = [];
  for (const { name, ...screen } of SCREENS) {
    const page = await browser.newPage({ ...screen, ...AS_SEEN });
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, { waitUntil: 'networkidle' });
    // A first visit may go without the site's typeface (src/landing/own-face.ts), so the typeface is added here.
    await page.addStyleTag({ content: FACE_RULE });
    await page.evaluate("document.documentElement.dataset.ownFace = ''; document.fonts.ready");
    drawn.push({ path: `screenshots/${name}.png`, content: flatPng(await page.screenshot()) });
    await page.close();
  }
  server.closeAllConnections();
  server.close();
  return drawn;
}

async function write(drawn: readonly Drawn[]): Promise<void> {
  for (const { path: file, content } of drawn) {
    const place = path.join(PUBLIC, file);
    await mkdir(path.dirname(place), { recursive: true });
    await writeFile(place, content);
    console.log(`${place} ${content.length} bytes`);
  }
}

async function writeAll(): Promise<void> {
  const browser = await launchForPictures();
  const page = await browser.newPage();
  await write(await drawIcons(page));
  await writeFile(CARD, withMark(await readFile(CARD, 'utf8')));
  await write([await drawCard(page)]);
  await buildIfStale();
  await write(await drawScreens(browser));
  await browser.close();
}

await writeAll();
