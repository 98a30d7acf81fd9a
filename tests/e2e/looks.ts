import path from 'node:path';
import type { LaunchOptions, Page } from '@playwright/test';

// Pictures are of no platform: looks.css sets all text in the site's own face, so that lines break alike everywhere, and
// few pixels with some tolerance forgive how each system smooths an edge. A picture that is missing is a failure.

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

/** Sets a page in the face of the pictures. */
export async function dress(page: Page): Promise<void> {
  await page.addStyleTag({ path: path.join(import.meta.dirname, 'looks.css') });
  // A screenshot adds styles, and for a moment the faces of all rules are gone: this one is set by script.
  await page.evaluate(async () => {
    const face = new FontFace('Looks', "url('/fonts/barlow-condensed-600.woff2')");
    document.fonts.add(await face.load());
  });
}
