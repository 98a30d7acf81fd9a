import type { Page } from '@playwright/test';
import {
  askNow,
  awake,
  expect,
  openWithWorker,
  idle,
  IPHONE,
  leaveWaiting,
  receipt,
  saveData,
  sent,
  test,
} from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const line = (page: Page) => page.locator('p.line');
const setting = (page: Page) => page.getByRole('switch', { name: 'Ahorro de datos' });

test.describe('a phone with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a visitor who saves data loads at most 60 kB, all from our own host', async ({ page, service }) => {
    await saveData(page);
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    let bytes = 0;
    const asked: string[] = [];
    session.on('Network.requestWillBeSent', ({ request }) => asked.push(request.url));
    session.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.clock.install();
    await page.goto('/');
    for (let top = 0; top < 20_000; top += 600) {
      await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top);
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    }
    await page.clock.fastForward(10_000);
    await page.waitForLoadState('networkidle');
    await expect(setting(page)).toHaveAttribute('aria-checked', 'true');
    expect(bytes).toBeGreaterThan(15_000);
    expect(bytes).toBeLessThanOrEqual(60_000);
    expect(asked.filter((url) => !url.startsWith(service.origin) && !url.startsWith('data:'))).toEqual([]);
    expect(await page.evaluate(() => navigator.serviceWorker.getRegistrations().then((all) => all.length))).toBe(0);
  });

  test('the page meets the browser’s conditions for installation', { tag: '@full' }, async ({ page }) => {
    await openWithWorker(page);
    const session = await page.context().newCDPSession(page);
    await expect
      .poll(async () => (await session.send('Page.getAppManifest')).url)
      .toBe(new URL('/manifest.webmanifest', page.url()).href);
    const { installabilityErrors } = await session.send('Page.getInstallabilityErrors');
    // The test’s window is private. That alone prevents installation, so the test ignores this reason.
    expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([]);
  });

  test('the page says that the signal is lost only after a request has failed', async ({ page, context, service }) => {
    await page.clock.install();
    await page.goto('/');
    await expect(line(page)).toContainText('Ya puede usar esta página');
    await page.clock.fastForward(6000);
    await expect(line(page)).toBeEmpty();
    await page.reload();
    await page.waitForLoadState('networkidle');
    await page.clock.fastForward(2000);
    await expect(line(page)).toBeEmpty();
    const answered = page.waitForResponse('**/robots.txt');
    await page.evaluate(() => dispatchEvent(new Event('offline')));
    await answered;
    await idle(page);
    await expect(line(page)).toBeEmpty();
    await context.setOffline(true);
    await expect(line(page)).toContainText('Sin conexión');
    await expect(line(page)).toHaveAttribute('role', 'status');
    await context.setOffline(false);
    await expect(line(page)).toBeEmpty();

    await leaveWaiting(page, service);
    await expect(line(page)).toContainText('Aún sin enviar');
    service.fault = () => ({ kind: 'none' });
    await askNow(page);
    await expect(line(page)).toBeEmpty();
  });
});

test('the data-saving switch is remembered, and shows how much it saved', { tag: '@full' }, async ({ page }) => {
  // React listens to clicks in an island before it draws the island. The test delays the drawing.
  await page.addInitScript(() => {
    const post = Reflect.get(MessagePort.prototype, 'postMessage') as () => void;
    MessagePort.prototype.postMessage = function (this: MessagePort, ...message: unknown[]) {
      setTimeout(() => Reflect.apply(post, this, message), 1500);
    };
  });
  await page.goto('/');
  const island = page.locator('[data-island=phone]');
  await island.scrollIntoViewIfNeeded();
  const isReacts = () =>
    island.evaluate((element) => Object.keys(element).some((key) => key.startsWith('__reactContainer')));
  await expect.poll(isReacts, { intervals: [20] }).toBe(true);
  // A click before React has drawn the switch counts once.
  await setting(page).dispatchEvent('click');
  await expect(island).toHaveAttribute('data-awake');
  await expect(setting(page)).toHaveAttribute('aria-checked', 'true');
  await expect(page.getByText(/Esta visita usó \d+ kB; sin ahorro habrían sido \d{3} kB o más\./)).toBeVisible();
  await page.reload();
  await expect(page.locator('html')).toHaveAttribute('data-saving', '');
  await expect(setting(page)).toHaveAttribute('aria-checked', 'true');
  await setting(page).click();
  await expect(setting(page)).toHaveAttribute('aria-checked', 'false');
  await page.reload();
  await expect(page.locator('html')).not.toHaveAttribute('data-saving');
});

// tests/unit/storage-health.test.ts tests the other kinds of phones.
test('the receipt on an iPhone says how long Safari keeps the quote', { tag: '@full' }, async ({ page, service }) => {
  await page.addInitScript((userAgent) => {
    Object.assign(window, { asked: 0 });
    Object.assign(StorageManager.prototype, {
      persist: async () => {
        (window as unknown as { asked: number }).asked += 1;
        return false;
      },
      persisted: async () => false,
    });
    Object.defineProperty(navigator, 'userAgent', { value: userAgent });
  }, IPHONE);
  const asked = () => page.evaluate(() => (window as unknown as { asked: number }).asked);
  await page.goto('/#contact-form');
  await awake(page);
  expect(await asked()).toBe(0);
  await leaveWaiting(page, service);
  await expect(receipt(page)).toContainText('Safari borra lo guardado si no abre esta página en 7 días.');
  expect(await asked()).toBe(1);
  await expect(receipt(page)).toBeInViewport();
  await expect(receipt(page)).toBeFocused();
  // The installed app has its own storage, without the quotes of Safari.
  await expect(offered(page)).toContainText('la app instalada no lo trae');
  service.fault = () => ({ kind: 'none' });
  await expect(offered(page)).toContainText('Agregar a inicio', { timeout: 30_000 });
});

const bringPrompt = (page: Page) =>
  page.evaluate(() => {
    const event = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => {
        document.documentElement.dataset['prompted'] = '';
        return { outcome: 'accepted' };
      },
    });
    dispatchEvent(event);
    return event.defaultPrevented;
  });
const offered = (page: Page) => page.getByRole('complementary', { name: /La app en su teléfono/ });

test('the page offers installation once; later only the footer does', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/#contact-form');
  await awake(page);
  expect(await bringPrompt(page)).toBe(true);
  await expect(offered(page)).toHaveCount(0);
  await sent(page, service);
  await offered(page).getByRole('button', { name: 'Ahora no' }).click();
  await expect(offered(page)).toHaveCount(0);
  await expect(page.locator('#reservar-espacio')).toBeFocused();

  await page.reload();
  await awake(page);
  await bringPrompt(page);
  await sent(page, service);
  await expect(offered(page)).toHaveCount(0);
  await page.locator('[data-island=phone]').scrollIntoViewIfNeeded();
  await page.locator('footer').getByRole('button', { name: 'Instalar' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-prompted', '');
  // A browser shows its dialog for installation only once.
  await expect(page.locator('footer').getByRole('button', { name: 'Instalar' })).toHaveCount(0);
  await expect(page.locator('footer').getByRole('switch')).toBeFocused();
});
