import { randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { book } from './desk-visitor.ts';
import { opened, PRICED, rows, tray, way } from './every-state.ts';
import {
  accept,
  askNow,
  DESKTOP,
  expect,
  hold,
  idle,
  openWithWorker,
  leaveWaiting,
  openList,
  PHONE,
  receipt,
  sent,
  test,
} from './visitor.ts';

// The tests here check what an exporter sees without scrolling at each stage of a quote.

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

/** Checks that an element is on the screen, with no bar or button over its Spanish text. */
async function expectFree(thing: Locator): Promise<void> {
  await expect
    .poll(() =>
      thing.evaluate((element) => {
        const { left, top, right, bottom: end } = element.getBoundingClientRect();
        // A fixed bar may cover the English text below the Spanish text.
        const bottom = element.querySelector(':scope > [lang]')?.getBoundingClientRect().top ?? end;
        const points = [top + 2, (top + bottom) / 2, bottom - 2].map((y) =>
          document.elementFromPoint((left + right) / 2, y),
        );
        return points.every((found) => found && (element.contains(found) || found.contains(element)));
      }),
    )
    .toBe(true);
}

/** Returns the controls of a receipt before the section "Más". A collapsed section counts as one control. */
const controls = (stub: Locator) =>
  stub.evaluate((article) => {
    const all = [...article.querySelectorAll('button, a, input, summary')].filter((control) => {
      const fold = control.closest('details');
      return (control as HTMLElement).checkVisibility() && (!fold || control.matches('summary'));
    });
    const words = all.map((control) => control.textContent.trim());
    return words.slice(
      0,
      words.findIndex((each) => each.startsWith('Más')),
    );
  });

/** Open receipt: in the list of quotes if the list is open, otherwise in the page. */
const shown = (page: Page) => tray(page).getByRole('article').or(receipt(page)).last();

async function expectMoment(page: Page, moment: string, main?: string): Promise<void> {
  const stub = shown(page);
  await expectFree(stub.getByRole('status').first().locator('p').first());
  await expectFree(stub.getByText(/^AP-/).first());
  // On the smallest phone the visitor must scroll to see the main button.
  if (main && page.viewportSize()!.height > 600)
    await expectFree(stub.getByRole('button', { name: main }).or(stub.getByRole('link', { name: main })));
  expect((await controls(stub)).length, moment).toBeLessThanOrEqual(3);
}

const REFERENCE = '020-12345675';

for (const viewport of [PHONE, { width: 320, height: 568 }]) {
  test.describe(`screen of ${viewport.width} by ${viewport.height}`, { tag: viewport === PHONE ? [] : '@full' }, () => {
    test.use({ viewport, serviceWorkers: 'allow' });
    test('the receipt’s status and main button are in view at each stage', async ({ page, context, service }) => {
      await openWithWorker(page);
      await leaveWaiting(page, service);
      await expectMoment(page, 'kept');
      service.fault = () => ({ kind: 'none' });
      await askNow(page);
      await expect(receipt(page)).toContainText('entregada');
      await settle(page);
      await expectMoment(page, 'delivered');

      const [{ id } = { id: '' }] = (await service.quotes()).slice(-1);
      await service.answer(id, { kind: 'pregunta', body: '¿De qué ciudad sale?' });
      await hear(page, '¿De qué ciudad sale?');
      await expectMoment(page, 'question', 'Responder');
      const answerId = randomUUID();
      await service.answer(id, { ...PRICED, id: answerId, body: 'Todo incluido, sale el jueves.' });
      await hear(page, 'sale el jueves');
      await expectMoment(page, 'offer', 'Aceptar');

      await context.setOffline(true);
      await accept(shown(page));
      await expect(shown(page)).toContainText('Aceptó la oferta');
      await expectMoment(page, 'accepted-offline');
      await context.setOffline(false);
      await askNow(page);
      await expect(shown(page)).toContainText('¡Listo!');
      await expectMoment(page, 'accepted');

      await book(service, id, answerId, { reference: REFERENCE, word: 'Entregue el jueves en TIJ.' });
      await hear(page, 'Su espacio está reservado');
      await expectMoment(page, 'booked');
      await expect(shown(page)).toContainText(REFERENCE);
      await expect(shown(page).getByRole('button', { name: 'Corregir' })).toHaveCount(0);
    });
  });
}

for (const viewport of [{ width: 320, height: 568 }, PHONE, { width: 768, height: 1024 }, DESKTOP]) {
  // `npm test` runs only the smallest and the widest window.
  const tag = viewport.width === 320 ? [] : '@full';
  test.describe(`the bar at the top on a screen of ${viewport.width} by ${viewport.height} px`, { tag }, () => {
    test.use({ viewport });
    test('the bar at the top opens the newest quote, or one with an unseen answer', async ({ page, service }) => {
      await page.goto('/');
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expect(way(page)).toBeHidden();
      const { id, folio } = await sent(page, service);
      const { folio: later } = await sent(page, service);
      // The link in the receipt also opens the list.
      await receipt(page).last().getByRole('link', { name: 'Mis cotizaciones' }).click();
      await expect(tray(page)).toBeVisible();
      await page.keyboard.press('Escape');

      // The bar has its height before the text has loaded, so that nothing shifts.
      const arrive = await hold(page, /assets\/way-back-.+\.js/);
      await page.goto('/?');
      await expect(way(page)).toContainText('Mis cotizaciones');
      const headline = page.getByRole('heading', { level: 1 });
      const place = await headline.boundingBox();
      arrive();
      await expect(way(page)).toHaveText(/^AP-\S+ · entregada respondemos antes de las \d\d:\d\d$/);
      await expect(way(page)).toContainText(later);
      expect(await headline.boundingBox()).toEqual(place);
      await expectFree(way(page));
      await expectFree(way(page).locator('span span'));
      for (const other of await page.locator('header').locator('a').all()) await expectFree(other);

      // A quote with an unseen answer comes before newer quotes.
      await service.answer(id, { ...PRICED, body: 'Sale el jueves.' });
      await askNow(page);
      await expect(way(page)).toHaveText(`${folio} · respondida oferta: US $4.10 por kilo`);
      await settle(page);
      await way(page).click();
      await expectFree(
        tray(page)
          .getByRole('article', { name: folio })
          .getByText(/^US \$4\.10/)
          .first(),
      );
      // The list shows one receipt at a time, and the row of the opened quote is in view.
      await expectFree(rows(page).first());
      await (await opened(page, later)).waitFor();
      await expect(tray(page).getByRole('article')).toHaveCount(1);
      await expectFree(rows(page).last());
      await expectFree(
        tray(page)
          .getByRole('article')
          .getByText(/^La recibimos hoy/),
      );
      await page.keyboard.press('Escape');
      await expect(way(page)).toBeFocused();
      await way(page).click();
      await expect(tray(page)).toBeVisible();
      // The visitor clicks before the browser has fired the event `close` for the list. The list must open again.
      await way(page).evaluate((link: HTMLElement) => {
        document.querySelector('dialog')!.close();
        link.click();
      });
      await idle(page);
      await expect(tray(page)).toBeVisible();
    });
  });
}

test('banner and navigation cover less than a third of the screen, even at double text size', async ({ page }) => {
  const client = await page.context().newCDPSession(page);
  for (const [viewport, standard] of [
    [{ width: 320, height: 568 }, 16],
    [PHONE, 32],
    [{ width: 320, height: 568 }, 32],
  ] as const) {
    await page.setViewportSize(viewport);
    await client.send('Page.setFontSizes', { fontSizes: { standard } });
    await page.goto('/');
    const covered = await page.evaluate(() => {
      const layers = [...document.querySelectorAll('body > aside, nav ul')];
      return layers.reduce((sum, layer) => sum + layer.getBoundingClientRect().height, 0) / innerHeight;
    });
    expect(covered, `${viewport.width} px, ${standard} px letters`).toBeLessThan(1 / 3);
  }
});

/** Closes the toasts that are still open. */
async function settle(page: Page): Promise<void> {
  const close = page.getByRole('button', { name: 'Cerrar aviso' });
  // A toast may end by itself while it is being closed.
  while ((await close.count()) > 0)
    await close
      .first()
      .click({ timeout: 1000 })
      .catch(() => undefined);
}

/** Waits for these words in the receipt, then opens the list as a notification does. */
async function hear(page: Page, words: string): Promise<void> {
  await askNow(page);
  await expect(receipt(page).first()).toContainText(words);
  if (await tray(page).isVisible())
    await tray(page)
      .getByRole('button', { name: /^Cerrar\b(?! aviso)/ })
      .click();
  await expect(tray(page)).toBeHidden();
  await settle(page);
  await openList(page);
  await expect(tray(page)).toContainText(words);
}
