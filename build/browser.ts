import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Browser, LaunchOptions } from '@playwright/test';
import { findOnPath, isExecutable } from './on-path.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The Chromium for the browser tests: an installed one, else Playwright's own, else none. */
export async function findChromium(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test');
  const candidates = [process.env['CHROMIUM_PATH'], ...NAMES.map(findOnPath), ...PLACES, chromium.executablePath()];
  return candidates.find((file) => file && isExecutable(file));
}

/** Chromium without what is around the page: a visit costs it half. One that was asked for by name is taken for everything. */
export async function findHeadlessShell(): Promise<string | undefined> {
  return process.env['CHROMIUM_PATH'] ? findChromium() : (findOnPath('chromium-headless-shell') ?? findChromium());
}

/** The Chromium that was found, without a window. */
export async function launch({ args = [], ...more }: LaunchOptions = {}): Promise<Browser> {
  const { chromium } = await import('@playwright/test');
  const executablePath = await findChromium();
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', ...args],
    ...more,
  });
}

/** For pictures, which are the same wherever they are taken, and look as most phones show a page. */
export const launchForPictures = (): Promise<Browser> =>
  launch({
    // No coloured edges on letters: they differ between systems, and double the file.
    args: ['--disable-lcd-text', '--font-render-hinting=none'],
    env: { ...process.env, FONTCONFIG_FILE: path.resolve('tests/fonts/roboto.conf') },
  });

/** Installs one where there is none: Playwright's, or the system's package where Playwright's cannot be fetched. Is there one then? */
export async function ensureChromium(): Promise<boolean> {
  const ways = [
    'npx playwright install chromium',
    'apt-get update',
    'apt-get install -y --no-install-recommends chromium chromium-headless-shell',
    // Not every distribution has both.
    'apt-get install -y --no-install-recommends chromium',
  ];
  for (const way of ways) {
    if (await findChromium()) return true;
    console.log(`No Chromium was found; trying: ${way}`);
    spawnSync(way, { shell: true, stdio: 'ignore' });
  }
  return Boolean(await findChromium());
}
