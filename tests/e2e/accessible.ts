import axe, { type AxeResults } from 'axe-core';
import { languages } from '../../src/content/phone.ts';
import { points } from '../../src/content/points.ts';
import { INCOTERMS } from '../../src/lead/details.ts';
import type { Page } from '@playwright/test';
import { expect, PHONE } from './visitor.ts';

/** Labels that are the same in Spanish and English. */
const THE_SAME: readonly string[] = [
  'General',
  'Tequila',
  'Mezcal',
  languages.choices[''],
  ...INCOTERMS,
  ...points.map(({ name }) => name),
];

/** Fails if axe finds a fault in light or dark mode, or if a control has no English label. */
export async function expectAccessible(page: Page, what = '', within = 'html'): Promise<void> {
  await expectNoFinding(page, what, within);
  expect(await inSpanishAlone(page, within), what).toEqual([]);
}

/** Rules of axe about colours. All other rules have the same results in light and dark mode. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/** Fails if axe finds a fault in light or dark mode. */
export async function expectNoFinding(page: Page, what = '', within = 'html'): Promise<void> {
  // The page removes this attribute after it has laid out the parts below the screen, whose positions axe needs.
  await expect(page.locator('html[data-above]')).toHaveCount(0);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const found = await page.evaluate(
      async ([selector, rules]) => {
        const run = (window as unknown as { axe: typeof axe }).axe.run;
        const { violations }: AxeResults = await run(selector, {
          resultTypes: ['violations'],
          ...(rules && { runOnly: rules }),
        });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      },
      [within, colorScheme === 'dark' ? OF_COLOURS : undefined] as const,
    );
    expect(found, `${what} in ${colorScheme}`).toEqual([]);
  }
}

async function inSpanishAlone(page: Page, within: string): Promise<readonly string[]> {
  const pressed = page
    .locator(within)
    .locator('button, summary, option:not([lang])')
    .filter({ hasNot: page.locator('[lang=en]') });
  const texts = await pressed.allTextContents();
  return texts.filter((text) => /\p{L}{3}/u.test(text) && !text.includes(' · ') && !THE_SAME.includes(text));
}

/** Selectors of the parts of the page that change with the state of form and receipts. */
export const OF_A_STATE = '#contact-form, dialog, [data-island], .line';

/** Checks that the page in this state can be used on a phone, also in forced colours. */
export async function expectUsable(page: Page, state: string): Promise<void> {
  await page.setViewportSize(PHONE);
  expect(await movingParts(page), `moves: ${state}`).toEqual([]);
  expect(await smallParts(page), `less than 44 px high: ${state}`).toEqual([]);
  await page.emulateMedia({ forcedColors: 'active' });
  expect(await partsWithoutLine(page), `in forced colours: ${state}`).toEqual([]);
  await page.emulateMedia({ forcedColors: 'none' });
}

/** Fails if axe finds a fault at any of these sizes. */
export async function expectAccessibleAt(
  page: Page,
  viewports: readonly (typeof PHONE)[],
  state: string,
  within: string,
): Promise<void> {
  for (const viewport of viewports) {
    await page.setViewportSize(viewport);
    await expectAccessible(page, `${state} at ${viewport.width} px`, within);
  }
}

const movingParts = (page: Page) =>
  page.evaluate(() => document.getAnimations().map((animation) => String(animation.effect?.getTiming().duration)));

/** Returns the controls in these parts of the page that are less than 44 px high. */
export const smallParts = (page: Page, parts = '#reservar-espacio, article, dialog, [data-island]') =>
  page
    .locator(parts)
    .locator('a, button, summary, select, input:not([tabindex="-1"])')
    .evaluateAll((elements) =>
      elements
        // A press anywhere in a field’s box or on a choice’s label works too, so the box or label is measured.
        .map((element) => element.closest('.field, label') ?? element)
        .filter((element) => element.checkVisibility() && Math.round(element.getBoundingClientRect().height) < 44)
        .map((element) => `${element.textContent} ${element.getBoundingClientRect().height}`),
    );

/** Returns the elements without a border. Forced colours make all backgrounds equal, so each element needs a border. */
const partsWithoutLine = (page: Page) =>
  page
    .locator('.stub, [role=alert] > *, .field')
    .evaluateAll((elements) =>
      elements
        .filter((element) => getComputedStyle(element).borderTopStyle === 'none')
        .map((element) => element.outerHTML.slice(0, 80)),
    );
