import { deliveredToast, expect, fill, idle, moving, someone, submit, test, withoutWorker } from './visitor.ts';

test.use({ ...withoutWorker, ...moving });

/** The scripts that were fetched, without their hashes. */
function scriptsOf(page: import('@playwright/test').Page): string[] {
  const scripts: string[] = [];
  page.on('request', (request) => {
    const name = /assets\/(.+)-[\w-]{8}\.js$/.exec(new URL(request.url()).pathname)?.[1];
    if (name) scripts.push(name);
  });
  return scripts;
}

/** The moment after loading in which a browser would run idle work never comes. */
function neverIdle() {
  window.requestIdleCallback = () => 0;
}

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false });

  test('the page reads from headline to footer, and its anchors lead somewhere', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByRole('heading', { level: 1 })).toContainText(
      'Reserva tu espacio hoy y llega a China en 17.5 horas',
    );
    for (const anchor of [
      'hero',
      'servicios',
      'como-funciona',
      'red-logistica',
      'testimonios',
      'contact-form',
      'reservar-espacio',
    ]) {
      await expect(page.locator(`[id="${anchor}"]`)).toHaveCount(1);
    }
    await page.getByRole('link', { name: /Red/ }).first().click();
    await expect(page.locator('#red-logistica')).toBeInViewport();
    await expect(page.locator('noscript p').first()).toBeVisible();
  });

  test('a submit goes nowhere, and nothing personal stands in the address', async ({ page }) => {
    await page.goto('/');
    await page.locator('[name=nombre]').fill('María');
    await page.locator('[name=nombre]').press('Enter');
    await expect(page.locator('[name=nombre]')).toHaveValue('María');
    expect(new URL(page.url()).search).toBe('');
  });
});

test('what was touched comes alone: on a weak line nothing else of the page takes a share', async ({ page }) => {
  const scripts = scriptsOf(page);
  let letGo = () => {};
  const held = new Promise<void>((resolve) => (letGo = resolve));
  await page.route('**/assets/quote-*.js', (route) => held.then(() => route.continue()));
  await page.addInitScript(() =>
    addEventListener('DOMContentLoaded', () => document.querySelector<HTMLElement>('[name=nombre]')!.focus()),
  );
  await page.goto('/');
  await expect.poll(() => scripts).toContain('quote');
  // After it the rest would be asked for.
  await idle(page);
  expect(scripts.filter((name) => /others|after-load|start/.test(name))).toEqual([]);
  letGo();
  await expect.poll(() => scripts).toEqual(expect.arrayContaining(['others', 'after-load', 'start']));
});

test('no script but the loader and what keeps a quote is fetched before an island wakes', async ({ page }) => {
  await page.addInitScript(neverIdle);
  const scripts = scriptsOf(page);
  await page.goto('/');
  const first = ['index', 'keeper', 'rolldown-runtime'];
  await expect.poll(() => scripts.toSorted()).toEqual(first);
  await page.waitForLoadState('networkidle');
  expect(scripts.toSorted()).toEqual(first);

  await page.locator('#contact-form').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-island=quote][data-awake]')).toBeVisible();
  expect(scripts).toContain('react');
});

test('what was typed and pressed before the form woke is sent, once, and never stands in the address', async ({
  page,
  service,
}) => {
  const person = someone();
  await page.addInitScript(neverIdle);
  // The script is slow to come, as on one bar of signal.
  let arrive!: () => void;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/assets\/(react|quote)-/, async (route) => {
    await arrived;
    await route.continue();
  });
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));

  await page.goto('/');
  await fill(page, person);
  await submit(page);
  await submit(page);
  await expect(page.locator('[data-island=quote]')).not.toHaveAttribute('data-awake');
  arrive();

  await expect(deliveredToast(page)).toBeVisible();
  const stored = (await service.quotes()).filter(({ nombre }) => nombre === person.nombre);
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({ empresa: person.empresa, peso: 12500 });
  for (const address of addresses) expect(decodeURIComponent(address)).not.toContain(person.nombre);
});

test('a form whose script could not be fetched wakes when the signal is back, and keeps the press', async ({
  page,
  service,
  quiet,
}) => {
  const person = someone();
  quiet.allow(/Failed to load resource/);
  await page.addInitScript(neverIdle);
  let broken = true;
  await page.route(/assets\/quote-/, (route) => (broken ? route.abort() : route.continue()));
  await page.goto('/');
  await fill(page, person);
  await submit(page);
  broken = false;
  await expect(deliveredToast(page)).toBeVisible({ timeout: 15_000 });
  expect((await service.quotes()).filter(({ nombre }) => nombre === person.nombre)).toHaveLength(1);
});

test.describe('with its worker', () => {
  test.use({ serviceWorkers: 'allow' });

  for (const [query, heading] of [
    ['?icon-designer', 'App Icon Designer'],
    ['?x=1&vapi-icon', 'Icono de voz'],
    ['?vapi-icon&icon-designer', 'App Icon Designer'],
    ['?icon-designer&vapi-icon', 'App Icon Designer'],
    ['?utm_source=x&vapi-icon=1', 'Icono de voz'],
  ] as const) {
    test(`${query} opens ${heading} without a flash of the landing, with signal and without`, async ({
      page,
      context,
    }) => {
      await page.addInitScript(() => {
        // Every paint is looked at: the landing may never have been in one.
        const look = () => {
          const hero = document.querySelector<HTMLElement>('#hero');
          if (hero?.checkVisibility()) sessionStorage.setItem('flash', '1');
          requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      });
      await page.goto(`/${query}`);
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      expect(await page.evaluate(() => sessionStorage.getItem('flash'))).toBeNull();
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');

      await page.evaluate(() => navigator.serviceWorker.ready);
      await context.setOffline(true);
      await page.reload();
      await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible();
      await context.setOffline(false);
    });
  }
});

test('islands come out the same in the browser as in the document', async ({ page }) => {
  const before = await (await page.request.get('/')).text();
  expect(before).toContain('data-island="quote"');
  await page.goto('/');
  await page.locator('#contact-form').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-island=quote][data-awake]')).toBeVisible();
  // React would have said so on the console, which the fixture reads, and thrown the served form away.
  expect(await page.locator('#reservar-espacio').getAttribute('id')).toBe('reservar-espacio');
});

test('what comes after the load comes again where the line lost it', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const scripts = scriptsOf(page);
  let tries = 0;
  await page.route('**/assets/after-load-*.js', (route) => (tries++ === 0 ? route.abort() : route.continue()));
  await page.goto('/');
  await expect.poll(() => scripts).toContain('start');
  expect(tries).toBe(2);
});
