import path from 'node:path';
import type { LaunchOptions, Page } from '@playwright/test';

// The pictures suit every platform: looks.css sets all text in the site's own typeface, so that lines break alike, and
// a tolerance allows for how each system smooths edges. A missing picture fails the test.

export const PICTURE = { scale: 'device', threshold: 0.25, maxDiffPixelRatio: 0.02 } as const;

interface Given {
  readonly launchOptions: LaunchOptions;
}

export const FOR_PICTURES = {
  // The policy of the page would refuse looks.css.
  bypassCSP: true,
  launchOptions: async ({ launchOptions }: Given, use: (options: LaunchOptions) => Promise<void>) => {
    const args = [...(launchOptions.args ?? []), '--font-render-hinting=none', '--disable-lcd-text'];
    await use({ ...launchOptions, args });
  },
};

/** Draws a page in the typeface of the stored screenshots. */
export async function dress(page: Page): Promise<void> {
  await page.addStyleTag({ path: path.join(import.meta.dirname, 'looks.css') });
  // A script adds the font, because a screenshot adds styles, which drops fonts of @font-face for a moment.
  await page.evaluate(async () => {
    const face = new FontFace('Looks', "url('/fonts/barlow-condensed-600.woff2')");
    document.fonts.add(await face.load());
  });
}
