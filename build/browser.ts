import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Browser, LaunchOptions } from '@playwright/test';
import { findOnPath, isExecutable } from './on-path.ts';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * Returns the path of a Chromium for browser tests: CHROMIUM_PATH, otherwise an installed Chromium, otherwise
 * Playwright's.
 */
export async function findChromium(): Promise<string | undefined> {
  const { chromium } = await import('@playwright/test');
  const candidates = [process.env['CHROMIUM_PATH'], ...NAMES.map(findOnPath), ...PLACES, chromium.executablePath()];
  return candidates.find((file) => file && isExecutable(file));
}

/** Finds Chromium's headless shell, in which a visit takes half the time. CHROMIUM_PATH has priority. */
export async function findHeadlessShell(): Promise<string | undefined> {
  return process.env['CHROMIUM_PATH'] ? findChromium() : (findOnPath('chromium-headless-shell') ?? findChromium());
}

export async function launch({ args = [], ...more }: LaunchOptions = {}): Promise<Browser> {
  const { chromium } = await import('@playwright/test');
  const executablePath = await findChromium();
  return chromium.launch({
    ...(executablePath && { executablePath }),
    args: ['--no-sandbox', '--disable-gpu', ...args],
    ...more,
  });
}

/** Launches a browser whose pictures are the same on every machine, and have the typeface of a phone. */
export const launchForPictures = (): Promise<Browser> =>
  launch({
    // Subpixel rendering gives letters coloured edges, which differ between systems and double the file's size.
    args: ['--disable-lcd-text', '--font-render-hinting=none'],
    env: { ...process.env, FONTCONFIG_FILE: path.resolve('tests/fonts/roboto.conf') },
  });

/**
 * Installs Chromium if needed: Playwright's, or the system's package if that download fails. True if a Chromium is
 * available.
 */
export async function ensureChromium(): Promise<boolean> {
  const ways = [
    'npx playwright install chromium',
    'apt-get update',
    'apt-get install -y --no-install-recommends chromium chromium-headless-shell',
    // The last attempt leaves out the headless shell, because some distributions have no package for it.
    'apt-get install -y --no-install-recommends chromium',
  ];
  for (const way of ways) {
    if (await findChromium()) return true;
    console.log(`Chromium is missing; trying: ${way}`);
    spawnSync(way, { shell: true, stdio: 'ignore' });
  }
  return Boolean(await findChromium());
}
