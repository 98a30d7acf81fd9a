import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { fill, receipt, someone, submit, test as unconfigured } from './visitor.ts';
import { appear, callButton, expect, openAtRest, test, widget } from './voice-visitor.ts';

const hint = (page: Page) => widget(page).getByText('¿Necesita soporte?');
const teaser = (page: Page) => widget(page).getByText('Preguntas?', { exact: true });
type Box = NonNullable<Awaited<ReturnType<Locator['boundingBox']>>>;
const dot = (page: Page) => callButton(page).locator('> span').nth(1);

test.describe('invitations to a voice call', () => {
  test('two speech bubbles invite to a voice call after 2 and 4 s, once a visit', async ({ page, voice }) => {
    await openAtRest(page);
    const steps = [
      { by: 1900, seen: [] },
      { by: 100, seen: [hint] },
      { by: 1900, seen: [hint] },
      { by: 100, seen: [hint, teaser] },
      { by: 900, seen: [hint, teaser] },
      { by: 100, seen: [teaser] },
      { by: 4900, seen: [teaser] },
      { by: 100, seen: [] },
    ];
    for (const { by, seen } of steps) {
      await page.clock.runFor(by);
      for (const invitation of [hint, teaser])
        await expect(invitation(page)).toBeVisible({ visible: seen.includes(invitation) });
      await expect(dot(page)).toBeVisible({ visible: seen.includes(hint) });
    }

    await page.reload();
    await appear(page);
    await page.clock.runFor(2500);
    await expect(hint(page)).toBeHidden();
    expect(voice.asked).toEqual([]);
  });

  test('invitations to a voice call do not appear in a hidden tab or beside the form', async ({ page }) => {
    await page.addInitScript(() => {
      if (location.search) Object.defineProperty(document, 'hidden', { get: () => true });
    });
    await openAtRest(page, '/?oculta');
    await page.clock.runFor(4500);
    await expect(hint(page)).toBeHidden();
    await openAtRest(page, '/#contact-form');
    await page.clock.runFor(2500);
    for (const part of [hint, dot]) await expect(part(page)).toBeHidden();
    await openAtRest(page);
    await page.clock.runFor(2500);
    await expect(hint(page)).toBeVisible();
  });

  test('the bubbles that suggest a call are beside the call button, and screen readers skip them', async ({ page }) => {
    await openAtRest(page);
    await page.clock.runFor(4500);
    const boxes = await Promise.all([hint, teaser].map((each) => each(page).locator('..').boundingBox()));
    const [first, second] = boxes as [Box, Box];
    expect(first.y + first.height).toBeLessThanOrEqual(second.y);
    const button = (await callButton(page).boundingBox())!;
    for (const bubble of [first, second]) {
      expect(bubble.x).toBeGreaterThanOrEqual(0);
      expect(bubble.x + bubble.width).toBeLessThanOrEqual(button.x);
      for (const control of await page.locator('#hero a').all()) {
        const { x, y, width, height } = (await control.boundingBox())!;
        const isApart =
          x >= bubble.x + bubble.width ||
          x + width <= bubble.x ||
          y >= bubble.y + bubble.height ||
          y + height <= bubble.y;
        expect(isApart).toBe(true);
      }
    }

    await expect(teaser(page)).toBeVisible();
    await expect(widget(page)).toMatchAriaSnapshot(`
      - region "Asistente de voz":
        - button /Hable con nuestra IA/
    `);
    expect(await widget(page).ariaSnapshot()).not.toMatch(/soporte|Preguntas/);
    await expect(callButton(page)).toHaveAccessibleDescription('¿Necesita soporte? Nuestro agente de IA le asistirá');

    await expect(hint(page)).toBeVisible();
    await callButton(page).hover();
    await expect(teaser(page)).toBeHidden();
    await expect(hint(page)).toBeVisible();
    await callButton(page).click();
    await expect(hint(page)).toBeHidden();

    // Invitations do not appear while the visitor uses the keyboard, or if the visitor saves data.
    for (const saver of ['off', 'on']) {
      await page.evaluate((setting) => {
        sessionStorage.clear();
        localStorage.setItem('aeropuente.data-saver', setting);
      }, saver);
      await page.reload();
      if (saver === 'on') {
        // The call button of a visitor who saves data appears after the form was touched.
        const name = page.locator('#reservar-espacio [name=nombre]');
        await name.focus();
        await name.blur();
        await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
      }
      await appear(page);
      if (saver === 'off') await page.keyboard.press('Tab');
      await page.clock.runFor(9000);
      for (const invitation of [hint, teaser]) await expect(invitation(page)).toBeHidden();
    }
  });
});

test.describe('the call button with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the call button without signal offers to phone or be called back', async ({ page, context, quiet, voice }) => {
    quiet.allow(/ERR_INTERNET_DISCONNECTED .*\/robots\.txt/);
    await page.goto('/');
    await page.evaluate(() => navigator.serviceWorker.ready);
    await page.reload();
    await expect(callButton(page)).toBeVisible();
    await context.setOffline(true);
    await callButton(page).focus();
    await expect(callButton(page)).toHaveAccessibleName(/necesita conexión/);
    await expect(callButton(page)).toBeFocused();
    await page.keyboard.press('Enter');
    const panel = widget(page).getByRole('group', { name: /La llamada con la IA necesita conexión/ });
    await expect(panel.getByRole('link', { name: /^Llamar al / })).toHaveAttribute('href', /^tel:\+/);
    await panel.getByRole('link', { name: /^Llamar al / }).focus();
    await context.setOffline(false);
    await expect(panel).toHaveCount(0);
    // The panel closes by itself, and the button keeps the focus.
    await expect(callButton(page)).toBeFocused();
    await context.setOffline(true);
    await expect(callButton(page)).toHaveAccessibleName(/necesita conexión/);
    await page.keyboard.press('Enter');
    await panel.getByRole('button', { name: /Pedir que me llamen/ }).click();

    const form = page.locator('#reservar-espacio');
    await expect(form.getByRole('status')).toContainText(/llam/);
    await expect(form.locator('[name=nombre]')).toBeFocused();
    expect(voice.asked).toEqual([]);
  });
});

test('the call button moves aside if it would cover a control or text', async ({ page }) => {
  await openAtRest(page);
  const island = page.locator('[data-island=voice]');
  const bring = async (name: string) => {
    await page.evaluate((text) => {
      const target = [...document.querySelectorAll('summary, h1')].find((each) => each.textContent.includes(text))!;
      scrollTo({ top: scrollY + target.getBoundingClientRect().top - innerHeight * 0.82, behavior: 'instant' });
    }, name);
  };
  // The browser fires the scroll event only in a later frame, so the check is repeated until the button has moved.
  const expectAside = (aside: boolean) =>
    expect(async () => {
      await page.clock.runFor(200);
      expect(await island.evaluate((place) => place.hasAttribute('data-aside'))).toBe(aside);
    }).toPass();
  await expectAside(false);
  const free = (await callButton(page).boundingBox())!;
  await bring('mercancías peligrosas');
  await expectAside(true);
  expect((await callButton(page).boundingBox())!.x).toBeGreaterThan(free.x + free.width / 2);
  await page.evaluate(() => scrollTo({ top: 0, behavior: 'instant' }));
  await expectAside(false);
});

test('the call button appears before React is loaded; the focus on the button loads React', async ({ page }) => {
  const scripts: string[] = [];
  page.on('request', (request) => request.resourceType() === 'fetch' && scripts.push(new URL(request.url()).pathname));
  await page.clock.install();
  await page.goto('/');
  await expect(callButton(page)).toBeVisible();
  await page.clock.fastForward(10_000);
  await page.waitForLoadState('networkidle');
  expect(scripts.filter((name) => name.includes('/react-'))).toEqual([]);
  await page.keyboard.press('Shift+Tab');
  await expect(callButton(page)).toBeFocused();
  await expect.poll(() => scripts.filter((name) => name.includes('/react-'))).toHaveLength(1);
  await expect(page.locator('[data-island=voice][data-awake]')).toHaveCount(1);
  await expect(callButton(page)).toBeFocused();
});

test('the library for voice calls has at most 66 kB', async ({ configured }) => {
  const assets = path.join(configured.directory, 'dist/assets');
  const chunks = (await readdir(assets)).filter((file) => /^vapi-.*\.js\.br$/.test(file));
  expect(chunks).toHaveLength(1);
  expect((await stat(path.join(assets, chunks[0]!))).size).toBeLessThanOrEqual(66_000);
});

unconfigured('the call button offers a call back if no voice assistant is set up', async ({ page, service }) => {
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (new URL(request.url()).hostname !== 'localhost' || /vapi-/.test(request.url())) elsewhere.push(request.url());
  });
  await page.goto('/');
  await callButton(page).click();
  const panel = widget(page).getByRole('group');
  await expect(panel).toContainText('Voice assistant not available.');
  await expect(panel.getByRole('link', { name: /^Llamar al / })).toHaveAttribute('href', /^tel:\+/);
  await expect(panel.getByRole('link', { name: 'WhatsApp' })).toHaveAttribute('href', /^https:\/\/wa\.me\/\d+$/);
  await panel.getByRole('button', { name: /Pedir que me llamen/ }).click();
  const first = page.locator('#reservar-espacio [name=nombre]');
  await expect(first).toBeFocused();
  await page.locator('#reservar-espacio [name=peso]').focus();
  // The link to the form focuses the first field that the visitor can fill in, and no invisible field.
  await page.locator('a.button[href="#contact-form"]').first().click();
  await expect(first).toBeFocused();
  const quote = someone();
  await fill(page, quote);
  await submit(page);
  await expect(receipt(page)).toBeVisible();
  expect(elsewhere).toEqual([]);
  await expect(receipt(page)).toContainText('entregada');
  // The stored quote says that the visitor wants to be called.
  const [stored] = await service.rowsOf(quote.nombre);
  expect(stored).toMatchObject({ more: { llamada: true }, promociones: false });

  // A second request for a call back corrects the first quote. The form gets that quote’s data from the phone.
  await callButton(page).click();
  await panel.getByRole('button', { name: /Pedir que me llamen/ }).click();
  await expect(page.getByText(`Corrigiendo la solicitud ${stored!.folio}`)).toBeVisible();
  await expect(page.getByText('Pidió que le llamemos')).toBeVisible();
  await expect(page.locator('#reservar-espacio [name=nombre]')).toHaveValue(quote.nombre);
});
