import type { Page } from '@playwright/test';
import { SAMPLE_STAFF } from '../../server/cli/sample-leads.ts';
import { storeSamples } from '../../server/cli/store-samples.ts';
import { freshDataDirectory } from '../run-folder.ts';
import { openDesk, row, rows, sheet, type Colleague } from './desk-visitor.ts';
import { dress, FOR_PICTURES, PICTURE } from './looks.ts';
import { Service } from './service.ts';
import { expect, sharedBy, test as base } from './visitor.ts';

// Compares screenshots of the desk with the sample leads of `npm run demo` and a stopped clock. After an intended change:
// `npx playwright test looks --update-snapshots`.

const NOW = new Date('2026-10-20T19:40:00Z');

const test = base.extend<object, { samples: { service: Service; ana: Colleague } }>({
  samples: sharedBy(
    async () => {
      const dataDir = await freshDataDirectory();
      const { ana: password } = await storeSamples(dataDir, NOW);
      const service = await Service.start(dataDir);
      service.isSilentAboutTime = true;
      return { service, ana: { ...SAMPLE_STAFF.ana, password } };
    },
    ({ service }) => service.stop(),
  ),
  baseURL: async ({ samples }, use) => use(samples.service.origin),
});

test.use(FOR_PICTURES);

for (const [width, deviceScaleFactor] of [
  [390, 0.4],
  [1440, 0.3],
] as const) {
  test.describe(`at ${width} px, in light and in dark,`, () => {
    test.use({ viewport: { width, height: 900 }, deviceScaleFactor, contextOptions: { reducedMotion: 'reduce' } });

    async function looksAsKept(page: Page, name: string, height: number): Promise<void> {
      // The viewport is as high as the page, because a screenshot shows only the visible part of inner scroll areas.
      await page.setViewportSize({ width, height });
      await page.mouse.move(0, 0);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await expect(page).toHaveScreenshot(`${name}-${width}-${colorScheme}.png`, PICTURE);
      }
    }

    test('the desk’s list and an open lead look like their stored screenshots', async ({ page, samples: { ana } }) => {
      await page.clock.setFixedTime(NOW);
      await openDesk(page, ana);
      await dress(page);
      // Every sample lead has an e-mail address with .example, so this search lists the leads of every status.
      await page.getByPlaceholder('Buscar folio').fill('.example');
      await expect(rows(page).first()).toHaveAttribute('aria-setsize', '37');
      await looksAsKept(page, 'mesa-lista', 3400);

      await page.getByPlaceholder('Buscar folio').fill('Aurelio');
      await row(page, { folio: 'AP-EJYC-S71W' }).click();
      await expect(sheet(page).getByText('¿Y si fueran dos embarques')).toBeVisible();
      await looksAsKept(page, 'mesa-solicitud', width < 640 ? 2400 : 1300);
    });
  });
}
