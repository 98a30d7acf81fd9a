import type { Locator, Page } from '@playwright/test';
import { dress, FOR_PICTURES, PICTURE } from './looks.ts';
import { awake, expect, leaveWaiting, receipt, sent, submit, test, unfold } from './visitor.ts';

// Compares screenshots of the page. After an intended change: `npx playwright test looks --update-snapshots`.

test.use(FOR_PICTURES);

for (const [width, deviceScaleFactor] of [
  [360, 0.4],
  [1440, 0.3],
] as const) {
  test.describe(`at ${width} px, in light and in dark,`, { tag: width === 360 ? [] : '@full' }, () => {
    test.use({ viewport: { width, height: 740 }, deviceScaleFactor, contextOptions: { reducedMotion: 'reduce' } });

    async function looksAsKept(part: Locator | Page, name: string): Promise<void> {
      const page = 'goto' in part ? part : part.page();
      await page.evaluate((isPart) => document.documentElement.classList.toggle('part', isPart), part !== page);
      if (part !== page) {
        await (part as Locator).scrollIntoViewIfNeeded();
        const pictures = (part as Locator).locator('img');
        await pictures.evaluateAll((all) =>
          Promise.all(
            (all as HTMLImageElement[]).map((one) => {
              // Pictures beyond the edge of a carousel would load later.
              one.loading = 'eager';
              return one.decode();
            }),
          ),
        );
      }
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect(part as Locator).toHaveScreenshot(`${name}-${width}-${colorScheme}.png`, PICTURE);
      }
    }

    test('every section of the page looks like its stored screenshot', async ({ page, quiet }) => {
      // The test blocks scripts, so that no part of the page changes during a screenshot.
      quiet.allow(/Failed to load resource/);
      await page.route('**/*.js', (route) => route.abort());
      await open(page, '/');
      for (const section of await page.locator('main section[id], footer').all()) {
        await looksAsKept(section, (await section.getAttribute('id')) ?? 'footer');
      }
      await open(page, '/404.html');
      await looksAsKept(page, '404');
      await open(page, '/privacidad.html');
      await looksAsKept(page, 'privacidad');
    });

    test('every state of a quote looks like its stored screenshot', async ({ page, service, quiet }) => {
      quiet.allow(/Failed to load resource/);
      await open(page, '/');
      await awake(page);
      await submit(page);
      await expect(page.getByText('Error de validacion: Nombre es requerido')).toBeVisible();
      await page.locator('#reservar-espacio').evaluate((form) => form.scrollIntoView({ block: 'start' }));
      await looksAsKept(page, 'errores');

      await sent(page, service);
      await unfold(page);
      await expect(receipt(page).getByRole('button', { name: 'Ver en otro teléfono' })).toBeVisible();
      await sameForEveryone(page);
      await looksAsKept(receipt(page), 'entregada');

      await leaveWaiting(page, service);
      await sameForEveryone(page);
      await looksAsKept(receipt(page), 'en-espera');

      // The test opens the page again, because toasts would cover parts of the screenshot.
      await open(page, '/?');
      await expect(page.locator('.way')).toContainText('en espera');
      await page.locator('.way').click();
      await expect(page.getByRole('dialog')).toContainText('Volvemos a intentar');
      await sameForEveryone(page);
      await looksAsKept(page, 'mis-cotizaciones');
    });
  });
}

async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  // The page has laid out all its parts when it removes this attribute.
  await expect(page.locator('html[data-above]')).toHaveCount(0);
  await dress(page);
}

/** Replaces values that are different in each run: folio, time, and the number in the name. */
function sameForEveryone(page: Page): Promise<void> {
  return page.evaluate(() => {
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const text = texts.currentNode.nodeValue!;
      const same = text
        .replaceAll(/AP-\w{4}-\w{4}/g, 'AP-0000-0000')
        .replaceAll(/\d\d:\d\d/g, '10:00')
        .replaceAll(/(?<=Núñez |ventas)\d+[.-]\d+/g, '1-1');
      if (same !== text) texts.currentNode.nodeValue = same;
    }
  });
}
