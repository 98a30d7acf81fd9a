import path from 'node:path';
import type { LaunchOptions, Page } from '@playwright/test';

// The screenshots are the same on every platform: looks.css sets all text in our own typeface, so that lines break at
// the same words; a tolerance allows for different smoothing of edges. A missing screenshot fails the test.

export const PICTURE = { scale: 'device', threshold: 0.25, maxDiffPixelRatio: 0.02 } as const;

interface Given {
  readonly launchOptions: LaunchOptions;
}

export const FOR_PICTURES = {
  // The page’s content security policy would refuse looks.css.
  bypassCSP: true,
  launchOptions: async ({ launchOptions }: Given, use: (options: LaunchOptions) => Promise<void>) => {
    const args = [...(launchOptions.args ?? []), '--font-render-hinting=none', '--disable-lcd-text'];
    await use({ ...launchOptions, args });
  },
};

/** Draws a page in the typeface of the stored screenshots. */
export async function dress(page: Page): Promise<void> {
  await page.addStyleTag({ path: path.join(import.meta.dirname, 'looks.css') });
  // A script adds the font, because Playwright adds styles for a screenshot, and fonts of @font-face then reload.
  await page.evaluate(async () => {
    const face = new FontFace('Looks', "url('/fonts/barlow-condensed-600.woff2')");
    document.fonts.add(await face.load());
  });
}
