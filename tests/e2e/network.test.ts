import type { Locator, Page } from '@playwright/test';
import { map as words, roles } from '../../src/content/network.ts';
import { destinations, hub, points } from '../../src/content/points.ts';
import { expectAccessible } from './accessible.ts';
import { DESKTOP, expect, hold, openWithWorker, moving, PHONE, saveData, still, test } from './visitor.ts';

test.use(moving);

const TABLET = { width: 768, height: 1024 };

const section = (page: Page) => page.locator('#red-logistica');
const canvas = (page: Page) => section(page).locator('.leaflet-container');
const view = (page: Page) => section(page).locator('[data-zoom]');
const marker = (page: Page, code: string) => canvas(page).getByRole('button', { name: new RegExp(`^${code} `) });
const popup = (page: Page) => canvas(page).locator('.leaflet-popup');
const button = (page: Page, name: string) => section(page).getByRole('button', { name });

const approach = (page: Page) =>
  page.locator('#red-logistica header + div').evaluate((sheet) => sheet.scrollIntoView({ behavior: 'instant' }));

/** Opens the page, and waits until the script has drawn the map. */
async function open(page: Page, viewport = DESKTOP): Promise<void> {
  await page.setViewportSize(viewport);
  await page.goto('/');
  await approach(page);
  await expect(view(page)).toBeVisible();
}

/** Returns whether no other element covers the corners of this element. */
const isOnTop = (thing: Locator) =>
  thing.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const corners = [left + 3, right - 3].flatMap((x) =>
      [top + 3, bottom - 3].map((y) => document.elementFromPoint(x, y)),
    );
    return corners.every((corner) => element.contains(corner));
  });

const zoomOf = async (page: Page) => Number(await view(page).getAttribute('data-zoom'));

/** Returns the position of an element on the screen, after the map has stopped moving. */
const placeOf = async (thing: Locator) => {
  const { x, y } = (await thing.boundingBox())!;
  return { x: Math.round(x), y: Math.round(y) };
};

const middleOf = async (thing: Locator) => {
  const { x, y, width, height } = (await thing.boundingBox())!;
  return { x: x + width / 2, y: y + height / 2 };
};

const mapStill = (page: Page) => still(page, marker(page, 'CGO'));

test('the map appears exactly over the picture that it replaces', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  const arrive = await hold(page, /assets\/MapView-.+\.js/);
  await page.goto('/');
  await approach(page);
  const drawn = await (await page.request.get('/network-still.svg')).text();
  const middle = await middleOf(section(page).locator('img[src="/network-still.svg"]'));
  arrive();
  await expect(view(page)).toBeVisible();
  for (const { code } of [hub, ...destinations]) {
    const [, x, y] = new RegExp(`<circle cx="([-\\d]+)" cy="([-\\d]+)"[^>]*/><text[^>]*>${code}<`).exec(drawn)!;
    const after = await middleOf(marker(page, code).locator('circle'));
    expect(Math.abs(after.x - middle.x - Number(x)), code).toBeLessThanOrEqual(2);
    expect(Math.abs(after.y - middle.y - Number(y)), code).toBeLessThanOrEqual(2);
  }
});

test('the description of a map point follows the mouse; a click keeps it open', { tag: '@full' }, async ({ page }) => {
  await page.clock.install();
  await open(page);
  await marker(page, 'CGO').hover();
  await expect(popup(page)).toContainText('CGO Zhengzhou');
  await popup(page).hover();
  await page.clock.runFor(500);
  await expect(popup(page)).toBeVisible();
  await marker(page, 'PVG').hover();
  await expect(popup(page)).toHaveCount(1);
  await expect(popup(page)).toContainText('Camión Completo Refrigerado');
  await page.mouse.move(5, 5);
  await expect(popup(page)).toHaveCount(0);

  await marker(page, 'PEK').click();
  await page.mouse.move(5, 5);
  await page.clock.runFor(500);
  await expect(popup(page)).toContainText('Beijing');
  await page.keyboard.press('Escape');
  await expect(popup(page)).toHaveCount(0);
  await marker(page, 'PEK').click();
  await expect(popup(page)).toBeVisible();
  await canvas(page).click({ position: { x: 700, y: 600 } });
  await expect(popup(page)).toHaveCount(0);
  await page.mouse.click(5, 5);
  const under = (await marker(page, 'PEK').boundingBox())!;
  await marker(page, 'CGO').hover();
  await expect(popup(page)).toContainText('Zhengzhou');
  // The popup of Zhengzhou now covers the marker of Beijing, so a pointer there must not open Beijing.
  await page.mouse.move(under.x + 10, under.y + 22);
  await page.clock.runFor(500);
  await expect(popup(page)).toContainText('Zhengzhou');
});

test('the Tab key reaches every point of the map, and opens the point’s description', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  await canvas(page).focus();
  await expect(page.getByRole('region', { name: 'Mapa de la red logística' })).toBeFocused();
  const frame = (await canvas(page).boundingBox())!;
  for (const { code, name, type } of points) {
    await page.keyboard.press('Tab');
    await expect(marker(page, code)).toBeFocused();
    await expect(popup(page)).toContainText(`${code} ${name}`);
    await expect(popup(page)).toContainText(roles[type].es);
    const box = (await popup(page).boundingBox())!;
    expect(box.x >= frame.x && box.x + box.width <= frame.x + frame.width, code).toBe(true);
    expect(box.y >= frame.y, code).toBe(true);
    expect(await isOnTop(popup(page)), code).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(popup(page)).toHaveCount(0);
  for (const key of ['Enter', ' ']) {
    await page.keyboard.press(key);
    await expect(popup(page)).toContainText(points.at(-1)!.name);
    await page.keyboard.press('Escape');
    await expect(popup(page)).toHaveCount(0);
  }
  await page.keyboard.press('Tab');
  await expect(button(page, words.whole.es)).toBeFocused();
});

test.describe('the map on a phone', () => {
  test.use({ hasTouch: true });

  test('a finger on the map scrolls the page; two fingers move the map', { tag: '@full' }, async ({ page }) => {
    await open(page, PHONE);
    const { x, y } = await placeOf(canvas(page));
    const client = await page.context().newCDPSession(page);
    const swipe = async (fingers: readonly number[], dx: number, dy: number) => {
      const at = (part: number) =>
        fingers.map((offset, id) => ({ id, x: x + 120 + offset + dx * part, y: y + 300 + dy * part }));
      await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: at(0) });
      for (let step = 1; step <= 8; step += 1) {
        await client.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: at(step / 8) });
        await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
      }
      await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    };
    const inMap = async () => {
      const [map, centre] = [await placeOf(canvas(page)), await placeOf(marker(page, 'CGO'))];
      return { x: centre.x - map.x, y: centre.y - map.y };
    };
    const start = { scroll: await page.evaluate(() => scrollY), hub: await inMap() };

    await swipe([0], 0, -120);
    // The hint to use two fingers is shown for two seconds.
    await expect(section(page).getByText(words.twoFingers.es)).toHaveCSS('opacity', '1');
    await mapStill(page);
    expect(await inMap()).toEqual(start.hub);
    expect(await page.evaluate(() => scrollY)).toBeGreaterThan(start.scroll + 60);

    await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), start.scroll);
    await swipe([0, 60], 50, 60);
    await mapStill(page);
    const moved = await inMap();
    expect(moved.x - start.hub.x).toBeGreaterThan(25);
    expect(moved.y - start.hub.y).toBeGreaterThan(25);
    expect(await page.evaluate(() => scrollY)).toBe(start.scroll);
  });

  test('a tap on a map point opens its description, a tap elsewhere closes it', { tag: '@full' }, async ({ page }) => {
    await open(page, PHONE);
    await button(page, words.mexico.es).tap();
    for (const code of ['TIJ', 'AIFA', 'CUN']) await expect(marker(page, code)).toBeInViewport();
    await mapStill(page);
    await marker(page, 'TIJ').tap();
    await expect(popup(page)).toContainText('Tijuana');
    await mapStill(page);
    expect(await isOnTop(popup(page))).toBe(true);
    await canvas(page).tap({ position: { x: 300, y: 400 } });
    await button(page, words.china.es).tap();
    await expect(marker(page, 'CGO')).toBeInViewport();
    await mapStill(page);
    await marker(page, 'XMN').tap();
    await expect(popup(page)).toContainText('Xiamen');
    await canvas(page).tap({ position: { x: 60, y: 100 } });
    await expect(popup(page)).toHaveCount(0);
  });
});

test('a button of the map shows all nine points, and no point covers another', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  const isFree = (code: string) =>
    marker(page, code).evaluate((element) => {
      const shape = element.querySelector('circle, path')!.getBoundingClientRect();
      const top = document.elementFromPoint(shape.x + shape.width / 2, shape.y + shape.height / 2);
      return Boolean(top?.closest('[role=button]'));
    });
  for (const viewport of [{ width: 1024, height: 900 }, TABLET, DESKTOP]) {
    await page.setViewportSize(viewport);
    await mapStill(page);
    for (const { code } of [hub, ...destinations])
      expect(await isFree(code), `${code} opens at ${viewport.width} px`).toBe(true);
  }
  // On a tablet the legend leaves too little space for all points at once. This button shows the whole map.
  await button(page, words.whole.es).click();
  for (const { code } of points) expect(await isFree(code), code).toBe(true);
  await button(page, words.china.es).click();
  expect(await zoomOf(page)).toBe(4);
});

test('the map zooms from 2 to 18; the mouse wheel zooms only with Ctrl', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  const { x, y } = await placeOf(canvas(page));
  await page.mouse.move(x + 700, y + 250);
  const start = await page.evaluate(() => scrollY);
  await page.mouse.wheel(0, 120);
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(start);
  expect(await zoomOf(page)).toBe(4);
  await expect(section(page).getByText(words.withCtrl.es)).toHaveCSS('opacity', '1');
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, -240);
  await page.keyboard.up('Control');
  await expect.poll(() => zoomOf(page)).toBeGreaterThan(4);
  for (const [name, end] of [
    ['Alejar', 2],
    ['Acercar', 18],
  ] as const) {
    // A click on a zoom button at the last zoom level changes nothing.
    for (let count = 0; count < 18; count += 1) await button(page, name).evaluate((tool: HTMLElement) => tool.click());
    expect(await zoomOf(page)).toBe(end);
    await expect(button(page, name)).toHaveAttribute('aria-disabled', 'true');
  }
});

test('route lines stop if paused, unseen, or for reduced motion or data saving', { tag: '@full' }, async ({ page }) => {
  await page.clock.install();
  await open(page);
  const pulses = canvas(page).locator('[data-tick]');
  for (const tick of ['0', '1']) {
    await expect(pulses).toHaveAttribute('data-tick', tick);
    await page.clock.runFor(4000);
  }
  await button(page, words.pause.es).click();
  await expect(pulses).toHaveCount(0);
  await button(page, words.resume.es).click();
  await expect(pulses).toHaveCount(1);
  await page.locator('#contact-form').scrollIntoViewIfNeeded();
  await expect(pulses).toHaveCount(0);

  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  await page.clock.runFor(6000);
  await expect(pulses).toHaveCount(0);
  await expect(button(page, words.pause.es)).toHaveCount(0);

  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await saveData(page);
  await page.goto('/');
  // A visitor who saves data gets the map only after a touch, unless the service worker has stored the map.
  await section(page).locator('[data-island]').click();
  await expect(view(page)).toBeVisible();
  await page.clock.runFor(6000);
  await expect(pulses).toHaveCount(0);
});

test.describe('the map with its service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('the map is complete without signal, and sends no request', async ({ page, context, quiet }) => {
    // The page requests robots.txt from time to time, to notice that the network is back.
    quiet.allow(/ERR_INTERNET_DISCONNECTED .*\/robots\.txt/);
    const asked: string[] = [];
    await openWithWorker(page);
    await context.setOffline(true);
    context.on('request', (request) => asked.push(new URL(request.url()).origin));
    await approach(page);
    await expect(view(page)).toBeVisible();
    for (const { code } of points) await expect(marker(page, code)).toBeAttached();
    await expect(canvas(page).locator('.leaflet-overlay-pane path')).toHaveCount(23);
    expect(await canvas(page).locator('.leaflet-land-pane path').count()).toBe(2);
    expect([...new Set(asked)]).toEqual([new URL(page.url()).origin]);
    await expect(canvas(page).locator('.leaflet-tile')).toHaveCount(0);
    await context.setOffline(false);
  });
});

test('a map that fails to load or draw has an error and a reload button', { tag: '@full' }, async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource|no layer today/);
  await page.route(/assets\/MapView-.+\.js/, (route) => route.abort());
  await page.clock.install();
  await page.goto('/');
  await approach(page);
  const failure = section(page).getByRole('alert');
  await expect(failure).toContainText('Error cargando el mapa');
  await expect(section(page).locator('img[src*=network-still]')).toBeVisible();
  await page.clock.fastForward(5200);
  await expect(section(page).getByText(words.forced.es)).toHaveCount(0);
  await expectAccessible(page, 'without a map', '#red-logistica');
  await page.unroute(/assets\/MapView-.+\.js/);
  await Promise.all([page.waitForEvent('load'), failure.getByRole('button', { name: 'Reintentar' }).click()]);
  await approach(page);
  await expect(view(page)).toBeVisible();

  await page.addInitScript(() => {
    const make = document.createElementNS.bind(document);
    document.createElementNS = ((space: string, name: string) => {
      // React creates its paths before Leaflet adds this pane, so only Leaflet’s paths fail.
      if (name === 'path' && document.querySelector('.leaflet-land-pane')) throw new Error('no layer today');
      return make(space as 'http://www.w3.org/2000/svg', name);
    }) as typeof document.createElementNS;
  });
  await page.goto('/');
  await approach(page);
  await expect(failure).toContainText('Error cargando el mapa');
});

test('a map that loads slowly says after 5 s that it is still being prepared', { tag: '@full' }, async ({ page }) => {
  const arrive = await hold(page, /assets\/MapView-.+\.js/);
  await page.clock.install({ time: '2026-01-15T12:00:00Z' });
  await page.clock.pauseAt('2026-01-15T12:00:01Z');
  await page.goto('/');
  await approach(page);
  await expect(section(page).locator('[data-awake]')).toBeAttached();
  const note = section(page).getByText('Carga inicial completa - inicializando vista...');
  await page.clock.runFor(4900);
  await expect(note).toHaveCount(0);
  await page.clock.runFor(100);
  await expect(note).toBeVisible();
  await page.clock.resume();
  for (const name of ['Acercar', 'Acercar', 'Alejar']) await button(page, name).click();
  await expectAccessible(page, 'forced', '#red-logistica');
  arrive();
  await expect(view(page)).toBeVisible();
  await expect.poll(() => zoomOf(page)).toBe(5);
  await expect(button(page, 'Alejar')).toBeFocused();
  await expect(note).toHaveCount(0);
});
