import type { Page } from '@playwright/test';
import { voiceDemo as words } from '../../src/content/voice-demo.ts';
import { APPEARANCES, POSITIONS, SIZES } from '../../src/voice/appearance.ts';
import { expect, test } from './visitor.ts';

const preview = (page: Page) => page.getByRole('region', { name: words.preview.es });
const icon = (page: Page) => preview(page).getByRole('button');
const mark = (page: Page) => icon(page).locator('[data-appearance]');
const pick = (page: Page, name: string) => page.getByRole('radio', { name }).check();

/** Names a colour after its strongest channel. */
function colourName(rgb: string): string {
  const [red = 0, green = 0, blue = 0] = rgb.match(/\d+/g)!.map(Number);
  const strongest = Math.max(red, green, blue);
  if (strongest - Math.min(red, green, blue) < 40) return 'grey';
  return strongest === red ? 'red' : strongest === green ? 'green' : 'blue';
}

async function open(page: Page): Promise<void> {
  await page.goto('/?vapi-icon');
  await expect(icon(page)).toBeVisible();
}

test('a click changes the voice icon to its next state, which has its own colour', async ({ page }) => {
  await open(page);
  const marks = page.getByRole('region', { name: words.scaleTest.title.es }).locator('[data-appearance]');
  await expect(marks).toHaveCount(APPEARANCES.length * SIZES.length);

  const hint = preview(page).getByText('¿Necesita soporte?');
  await expect(hint).toBeHidden();
  await page.getByRole('checkbox', { name: words.hint.es }).check();
  await expect(hint).toBeVisible();
  await icon(page).click();
  await expect(hint).toBeHidden();

  const seen: (string | null)[] = [];
  for (let press = 0; press < 5; press++) {
    seen.push(await mark(page).getAttribute('data-appearance'));
    await icon(page).focus();
    await page.keyboard.press('Enter');
  }
  expect(seen).toEqual(['listening', 'speaking', 'active', 'idle', 'listening']);

  const colours: Record<string, string> = {};
  for (const state of APPEARANCES) {
    await pick(page, words.pickers.state.names[state].es);
    await expect(mark(page)).toHaveAttribute('data-appearance', state);
    colours[state] = colourName(await mark(page).evaluate((element) => getComputedStyle(element).backgroundColor));
    const pulse = () => mark(page).evaluate((element) => getComputedStyle(element, '::after').animationName);
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    expect(await pulse(), state).toMatch(/speaking|listening/.test(state) ? /^(?!none)/ : /^none$/);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    expect(await pulse(), state).toBe('none');
  }
  expect(colours).toEqual({ idle: 'grey', active: 'red', listening: 'blue', speaking: 'green' });
});

test('the voice icon has three sizes, four positions and a touch target of 44 px', async ({ page }) => {
  await open(page);
  const widths = { small: 32, medium: 44, large: 56 };
  for (const size of SIZES) {
    await pick(page, words.pickers.size.names[size].es);
    expect((await mark(page).boundingBox())!.width, size).toBe(widths[size]);
    const { width, height } = (await icon(page).boundingBox())!;
    expect(Math.min(width, height), size).toBeGreaterThanOrEqual(44);
  }
  for (const position of POSITIONS) {
    await pick(page, words.pickers.position.names[position].es);
    const place = await icon(page).evaluate(
      (element, frame) => {
        const [own, all] = [element.getBoundingClientRect(), frame.getBoundingClientRect()];
        return [
          own.top < all.top + all.height / 2 ? 'top' : 'bottom',
          own.left < all.left + all.width / 2 ? 'left' : 'right',
        ].join('-');
      },
      await preview(page).elementHandle(),
    );
    expect(place).toBe(position);
  }
});
