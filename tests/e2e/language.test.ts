import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { expectNoFinding, OF_A_STATE } from './accessible.ts';
import { WALKS } from './every-state.ts';
import { awake, expect, fill, PHONE, someone, submit, test, withoutWorker } from './visitor.ts';

test.use(withoutWorker);

const choice = (page: Page) => page.locator('footer select');

/** Chooses a language in the footer, whose select box appears when its script has loaded. */
async function choose(page: Page, name: string): Promise<void> {
  await page.locator('footer').scrollIntoViewIfNeeded();
  await choice(page).selectOption(name);
}

test('the choice of English hides all Spanish, and is remembered', async ({ page }) => {
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as unknown as readonly { readonly value: number }[];
      for (const { value } of shifts) Object.assign(window, { shifted: value });
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto('/');
  await expect(page.getByRole('heading', { name: 'Servicios', exact: true })).toBeVisible();
  await choose(page, 'English only');
  await expect(page.getByRole('heading', { name: 'Services', exact: true, level: 2 }).first()).toBeVisible();

  await page.reload();
  const heading = page.getByRole('heading', { name: 'Book your space today and reach China in 17.5 hours' });
  await expect(heading).toBeVisible();
  await expect(page.getByRole('region', { name: 'Services', exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en-MX');
  await expect(page.getByText('Reserva tu espacio')).toBeHidden();
  await expect(page.locator('[name=tipo_carga] option').nth(2)).toHaveAttribute('label', 'Perishables');
  expect(await page.evaluate(() => (window as { shifted?: number }).shifted)).toBeUndefined();
  expect(await emptyControls(page)).toEqual([]);
  await expectNoFinding(page);

  await awake(page);
  await fill(page, someone());
  await submit(page);
  await expect(page.locator('article.stub')).toContainText('Perishables');
  await expect(page.getByText('Su información ha sido enviada')).toBeHidden();
  await expect(page.getByText('Your information was sent.')).toBeVisible();

  await choose(page, 'Español e inglés');
  await expect(page.getByRole('heading', { name: 'Servicios', exact: true })).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'es-MX');
});

test('the choice of Spanish hides all English', { tag: '@full' }, async ({ page }) => {
  await page.goto('/');
  await choose(page, 'Solo español');
  // The test waits until the choice has taken effect before it reloads the page.
  await expect(page.getByText('Book your space today')).toBeHidden();
  await page.reload();
  await expect(page.getByText('Book your space today')).toBeHidden();
  await expect(page.locator('[name=tipo_carga] option').nth(2)).toHaveAttribute('label', 'Perecederos');
  expect(await emptyControls(page)).toEqual([]);
});

for (const [name, walk] of Object.entries(WALKS))
  test(`every control of ${name} has a text in each language`, { tag: '@full' }, async ({ page, service, quiet }) => {
    quiet.allow(/Failed to load resource/);
    await page.setViewportSize(PHONE);
    await walk(page, service, async (state) => {
      for (const language of ['es', 'en-MX']) {
        await wear(page, language);
        expect(await emptyControls(page), `${state} in ${language}`).toEqual([]);
        await expectNoFinding(page, `${state} in ${language}`, OF_A_STATE);
        await wear(page, undefined);
      }
    });
  });

/** Shows only this language; all languages if undefined, because the steps between the checks look for Spanish text. */
async function wear(page: Page, language: string | undefined): Promise<void> {
  const styles = language && readFileSync(`public/${language}.css`, 'utf8');
  await page.evaluate(
    ([lang, css]) => {
      document.documentElement.lang = lang ?? 'es-MX';
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css ?? '');
      document.adoptedStyleSheets = [sheet];
    },
    [language, styles] as const,
  );
}

const emptyControls = (page: Page) =>
  page.locator('a, button, summary, select, label, h1, h2, h3, [role=heading], [role=status]').evaluateAll((elements) =>
    (elements as HTMLElement[])
      .filter((element) => element.checkVisibility() && element.textContent && !element.innerText.trim())
      // Controls with a drawing have their name in an attribute or in hidden text.
      .filter((element) => !element.ariaLabel && !element.querySelector('.hidden, svg'))
      .map((element) => element.outerHTML),
  );
