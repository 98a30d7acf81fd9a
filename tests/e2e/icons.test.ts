import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { drawCard, drawIcons } from '../../build/icons.ts';
import { expect, test } from './visitor.ts';

// Pictures are compared by what they show: another Chromium may smooth an edge or mix a gradient otherwise. A channel
// may be off by a little everywhere, and by much on few pixels alone. The SVGs are compared to the byte, in unit/icon.

const LITTLE = 12;
const FEW = 0.02;

/** Decoded by the browser: the same pixels can be packed in many ways. */
const compare = (page: Page, kept: Buffer, fresh: Buffer) =>
  page.evaluate(
    async ({ files, little }) => {
      const [one, other] = await Promise.all(
        files.map(async (base64) => {
          const picture = new Image();
          picture.src = `data:image/png;base64,${base64}`;
          await picture.decode();
          const { naturalWidth: width, naturalHeight: height } = picture;
          const context = new OffscreenCanvas(width, height).getContext('2d')!;
          context.drawImage(picture, 0, 0);
          return { size: `${width}x${height}`, channels: context.getImageData(0, 0, width, height).data };
        }),
      );
      const off = new Set<number>();
      for (const [at, channel] of one!.channels.entries()) {
        if (Math.abs(channel - other!.channels[at]!) > little) off.add(Math.floor(at / 4));
      }
      return { sizes: [one!.size, other!.size], off: (off.size * 4) / one!.channels.length };
    },
    { files: [kept, fresh].map((file) => file.toString('base64')), little: LITTLE },
  );

test('the icons in public/ show what a fresh `npm run icons` draws', async ({ page }) => {
  const drawn = [...(await drawIcons(page)), await drawCard(page)].filter(({ path }) => path.endsWith('.png'));
  expect(drawn).toHaveLength(8);
  for (const { path, content } of drawn) {
    const { sizes, off } = await compare(page, readFileSync(`public/${path}`), content);
    expect(sizes[0], path).toBe(sizes[1]);
    expect(off, path).toBeLessThan(FEW);
  }
});
