import axe, { type AxeResults } from 'axe-core';
import { expect, type Page } from '@playwright/test';

/** axe finds nothing, in light and in dark. */
export async function expectAccessible(page: Page, what = '', within = 'html'): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = await page.evaluate(async (selector) => {
      const run = (window as unknown as { axe: typeof axe }).axe.run;
      const { violations }: AxeResults = await run(selector, { resultTypes: ['violations'] });
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    }, within);
    expect(found, `${what} in ${colorScheme}`).toEqual([]);
  }
}
