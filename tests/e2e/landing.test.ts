import type { Page } from '@playwright/test';
import { points } from '../../src/content/points.ts';
import { smallParts } from './accessible.ts';
import { DESKTOP, expect, moving, PHONE, recordShifts, shiftsOf, still, test } from './visitor.ts';

test.use(moving);

const current = (page: Page) => page.locator('nav [aria-current]');
const faq = (page: Page) => page.locator('#preguntas details');

/** Returns the tag @full for every width but the phone’s, because `npm test` runs only tests without this tag. */
const alsoAt = (viewport: object) => (viewport === PHONE ? [] : '@full');

/** Opens the page, and waits for the script that loads last. */
async function open(page: Page, path = '/'): Promise<void> {
  await page.goto(path);
  await expect(current(page)).toHaveCount(1);
}

test('the menu marks the section in view', { tag: '@full' }, async ({ page }) => {
  await page.clock.install();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  await expect(current(page)).toContainText('Inicio');
  const process = page.getByRole('navigation').getByRole('link', { name: 'Proceso' });
  await process.click();
  await expect(process).toHaveAttribute('aria-current', 'location');
  // A clicked menu item stays marked for a second.
  await page.clock.runFor(1100);
  await page.locator('#preguntas').evaluate((section) => section.scrollIntoView());
  await expect(current(page)).toContainText('Testimonios');
  await page.evaluate(() => scrollTo(0, 0));
  await expect(current(page)).toContainText('Inicio');
});

for (const viewport of [PHONE, DESKTOP]) {
  const title = `the button 'Cotizar Ahora' centres the form and focuses its first field at ${viewport.width} px`;
  test(title, { tag: alsoAt(viewport) }, async ({ page }) => {
    await page.setViewportSize(viewport);
    await open(page);
    const first = page.locator('#reservar-espacio [name=nombre]');
    // The page itself measures the time from click to focus; the test would also measure delays of the machine.
    await first.evaluate((field) => {
      addEventListener('click', (event) => {
        field.addEventListener('focus', (focus) => Object.assign(window, { delay: focus.timeStamp - event.timeStamp }));
      });
    });
    await page.getByRole('link', { name: 'Cotizar Ahora' }).first().click();
    await expect(first).toBeFocused();
    expect(await page.evaluate(() => (window as unknown as { delay: number }).delay)).toBeGreaterThan(790);
    await expect.poll(() => isReachable(first)).toBe(true);
    // The form is centred between the fixed bars. On a phone the form is too high for this, and shows its beginning.
    const offCentre = async () => {
      const { y, height } = (await page.locator('#reservar-espacio').boundingBox())!;
      const middle = (viewport.height + (viewport === DESKTOP ? 108 : 0)) / 2;
      return Math.max(0, Math.abs(y + height / 2 - middle) - (viewport === DESKTOP ? 0 : height / 2));
    };
    await expect.poll(offCentre).toBeLessThan(10);
  });
}

test("the button 'Cotizar Ahora' takes no focus from a field chosen meanwhile", { tag: '@full' }, async ({ page }) => {
  await page.clock.install();
  await open(page);
  await page.getByRole('link', { name: 'Cotizar Ahora' }).first().click();
  const email = page.locator('#reservar-espacio [name=email]');
  await email.focus();
  await page.clock.runFor(900);
  await expect(email).toBeFocused();
});

test('the page on a phone stays within its limits of height, touch targets and empty space', async ({ page }) => {
  await page.setViewportSize(PHONE);
  await open(page);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(11_100);
  expect(await smallParts(page, 'main section:not(#contact-form), header, footer')).toEqual([]);

  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  await expect(page.getByRole('complementary')).toBeHidden();
  await expect(page.locator('nav')).toBeHidden();
  await expect(page.getByRole('table')).toBeVisible();
  await expect(page.locator('html')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(faq(page).first().getByText('con cotización spot')).toBeVisible();

  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });
  await page.setViewportSize(DESKTOP);
  const bands = await page.locator('main section').evaluateAll((sections) => {
    const edges = sections.slice(1).map((section) => {
      const boxes = [...section.querySelectorAll('h2, p, img, li, table, form')]
        .map((element) => element.getBoundingClientRect())
        .filter(({ width, height }) => width > 1 && height > 1);
      return { top: Math.min(...boxes.map(({ top }) => top)), bottom: Math.max(...boxes.map(({ bottom }) => bottom)) };
    });
    return edges.slice(1).map(({ top }, index) => Math.round(top - edges[index]!.bottom));
  });
  expect(bands).toHaveLength(7);
  expect(Math.max(...bands)).toBeLessThanOrEqual(140);
});

test('a link to the form is visible on every width of screen', { tag: '@full' }, async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(page);
  const call = page.getByRole('banner').getByRole('link', { name: 'Cotizar Ahora' });
  const voice = page.locator('[data-island=voice] button').first();
  const first = page.locator('#reservar-espacio [name=nombre]');
  for (const width of [320, 360, 640]) {
    await page.setViewportSize({ width, height: 740 });
    await page.evaluate(() => scrollTo(0, 0));
    await expect(voice).toBeVisible();
    const end = await page.locator('#contact-form').evaluate((form) => form.getBoundingClientRect().top + scrollY);
    for (let y = 0; y < end; y += 500) {
      await page.evaluate((top) => scrollTo({ top, behavior: 'instant' }), y);
      expect(await isReachable(call), `at ${y} px, ${width} px wide`).toBe(true);
    }
    const boxes = await page
      .locator('header nav a, [data-island=voice] button:visible')
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().toJSON() as DOMRect));
    const { x, y, width: wide, height } = (await call.boundingBox())!;
    expect(Math.min(wide, height)).toBeGreaterThanOrEqual(44);
    expect(x + wide).toBeLessThanOrEqual(width);
    expect(
      boxes.filter((box) => box.left < x + wide && box.right > x && box.top < y + height && box.bottom > y),
    ).toEqual([]);
    await call.click();
    await expect(first).toBeFocused();
    // The call button is hidden while a visitor types.
    await first.blur();
  }
});

for (const viewport of [PHONE, DESKTOP]) {
  test(`every section link scrolls to its heading at ${viewport.width} px`, { tag: '@full' }, async ({ page }) => {
    await page.setViewportSize(viewport);
    const anchors = [
      'servicios',
      'beneficios',
      'red-logistica',
      'como-funciona',
      'testimonios',
      'preguntas',
      'contact-form',
    ];
    const bars = viewport === DESKTOP ? 108 : 44;
    const isShown = async (anchor: string, way: string) => {
      const heading = page.locator(`#${anchor}`).getByRole('heading', { level: 2 }).first();
      await expect(heading, `${anchor} by ${way}`).toBeInViewport();
      await expect
        .poll(() => heading.evaluate((element) => element.getBoundingClientRect().top), {
          message: `${anchor} by ${way}`,
        })
        .toBeGreaterThanOrEqual(bars);
      await expect(heading, `${anchor} by ${way}`).toBeInViewport();
    };
    for (const anchor of anchors) {
      await page.goto(`/?${anchor}#${anchor}`);
      await isShown(anchor, 'address');
    }
    // The last link is tested while the parts below the screen are not laid out yet, which is the hardest case.
    await page.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => {
        Object.assign(window, { wasAhead: 'above' in document.documentElement.dataset });
        document.querySelector<HTMLElement>('#hero [href="#contact-form"]')!.click();
      }),
    );
    await page.goto('/');
    await still(page);
    await isShown('contact-form', 'early press');
    expect(await page.evaluate(() => (window as unknown as { wasAhead: boolean }).wasAhead)).toBe(true);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    for (const anchor of anchors) {
      await page.evaluate((id) => {
        scrollTo({ top: 0, behavior: 'instant' });
        const link = Object.assign(document.createElement('a'), { href: `#${id}` });
        document.body.append(link);
        link.click();
      }, anchor);
      await isShown(anchor, 'press');
    }
  });
}

test('an opened question closes the earlier one, even without `details[name]`', { tag: '@full' }, async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(HTMLDetailsElement.prototype, 'name'));
  // The test removes the shared `name` of the questions, to simulate a browser that ignores it.
  await page.route('/', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replaceAll(' name="faq"', '') });
  });
  await page.goto('/');
  const [one, other] = [faq(page).nth(1), faq(page).nth(4)];
  await expect(async () => {
    // Each attempt first closes both questions, because only a change fires the event `toggle`.
    for (const each of [one, other]) await each.evaluate((details) => details.removeAttribute('open'));
    for (const each of [one, other]) await each.evaluate((details) => details.setAttribute('open', ''));
    await expect(one).not.toHaveAttribute('open', '', { timeout: 500 });
  }).toPass();
  await expect(other).toHaveAttribute('open');
  await one.locator('summary').click();
  await expect(other).not.toHaveAttribute('open');
  await one.locator('summary').click();
  await expect(faq(page).and(page.locator('[open]'))).toHaveCount(0);
});

test.describe('the landing page without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page without JavaScript has all links, questions, cities and both languages', async ({ page }) => {
    await page.goto('/');
    await expect(page.getByText('Reserva tu espacio')).toBeVisible();
    await expect(page.getByText('Book your space today')).toBeVisible();
    await expect(page.locator('footer select')).toHaveCount(0);
    await page.getByRole('navigation').getByRole('link', { name: 'Red', exact: false }).click();
    await expect(page.getByRole('heading', { name: 'Red Logística China 2025' })).toBeInViewport();
    // Without JavaScript a picture of the routes replaces the map.
    const network = page.locator('#red-logistica');
    await expect(network.locator('img[src="/network-still.svg"]')).toBeVisible();
    const items = network.getByRole('listitem');
    for (const { code, name } of points) await expect(items.filter({ hasText: `${code} ${name}` })).toBeVisible();
    await expect(network.getByRole('button')).toHaveCount(0);
    await page.locator('#hero').getByRole('link', { name: 'Cotizar Ahora' }).click();
    await expect(page.getByRole('heading', { name: 'Reservar espacio ahora' })).toBeInViewport();
    const [question, next] = [faq(page).nth(2), faq(page).nth(5)];
    await question.locator('summary').click();
    await expect(question.getByText('2–8, 12–15 y 20–25 °C').first()).toBeVisible();
    await next.locator('summary').click();
    await expect(question.getByText('2–8, 12–15 y 20–25 °C').first()).toBeHidden();
  });
});

test('the sky scrolls at half the speed of the page', { tag: '@full' }, async ({ page }) => {
  const sky = page.locator('#hero > [aria-hidden]');
  /** Scrolls, and returns the distance that the sky has moved, divided by the scrolled distance. */
  const part = async () => {
    await page.evaluate(() => scrollTo({ top: 300, behavior: 'instant' }));
    return sky.evaluate((element) => new DOMMatrix(getComputedStyle(element).transform).m42 / scrollY);
  };
  await open(page);
  await expect.poll(part).toBeCloseTo(0.5, 1);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  await expect.poll(part).toBe(0);

  // A script moves the sky in a browser without scroll timelines.
  await page.emulateMedia({ reducedMotion: 'no-preference' });
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS);
    CSS.supports = (...condition: string[]) =>
      !condition.join().includes('animation-timeline') && supports(...(condition as [string]));
  });
  await open(page);
  await part();
  await expect(sky).toHaveAttribute('style', /translateY\(150px\)/);
});

for (const viewport of [PHONE, DESKTOP]) {
  const title = `the Tab key reaches every control, and none is covered, at ${viewport.width} px`;
  test(title, { tag: alsoAt(viewport) }, async ({ page }) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await open(page);
    await page.keyboard.press('Tab');
    await expect(page.getByText('Saltar al contenido')).toBeFocused();
    const visited: string[] = [];
    for (let stop = 0; stop < 80; stop += 1) {
      const focused = page.locator(':focus');
      if ((await focused.count()) === 0) break;
      const name = await focused.evaluate((element) => element.outerHTML.slice(0, 80));
      visited.push(name);
      // The map may still be loading when the focus reaches it.
      await expect.poll(() => isReachable(focused), name).toBe(true);
      expect(await focused.evaluate(showsFocus), name).toBe(true);
      if (name.includes('/#contact-form')) break;
      await page.keyboard.press('Tab');
    }
    expect(visited.length).toBeGreaterThan(25);
    expect(visited.at(-1)).toContain('/#contact-form');
    expect(new Set(visited).size).toBeGreaterThan(20);
  });
}

for (const viewport of [PHONE, DESKTOP]) {
  const title = `no part of the page shifts at ${viewport.width} px, and no third party is asked`;
  test(title, { tag: alsoAt(viewport) }, async ({ page }) => {
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== 'localhost') elsewhere.push(request.url());
    });
    await page.addInitScript(recordShifts);
    const framesLater = () =>
      page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    await page.clock.install();
    await page.setViewportSize(viewport);
    await page.goto('/');
    const height = await page.evaluate(() => document.documentElement.scrollHeight);
    for (let y = 0; y < height; y += viewport.height) {
      await page.mouse.wheel(0, viewport.height);
      await framesLater();
    }
    // The bubbles that suggest a call disappear by themselves; sessionStorage still says that they were shown.
    const hints = () => page.evaluate(() => sessionStorage.getItem('aeropuente.voice-hints'));
    await expect.poll(() => page.clock.fastForward(500).then(hints)).not.toBeNull();
    let wasInvited = false;
    for (let second = 0; second < 11; second += 1) {
      await page.clock.fastForward(1000);
      await framesLater();
      wasInvited ||= (await page.locator('[data-teaser]').count()) > 0;
    }
    expect(wasInvited).toBe(true);
    await expect(page.locator('[data-teaser]')).toHaveCount(0);
    expect(await shiftsOf(page)).toEqual([]);
    expect(elsewhere).toEqual([]);
  });
}

function showsFocus(element: Element): boolean {
  const ringed = (candidate: Element) => {
    const { outlineStyle, outlineWidth } = getComputedStyle(candidate);
    return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2;
  };
  // A form field shows the focus ring on the box around its control.
  return ringed(element) || (element.closest('.field') !== null && ringed(element.closest('.field')!));
}

/** Returns whether the middle of the element is on the screen and not covered. */
async function isReachable(target: ReturnType<Page['locator']>): Promise<boolean> {
  return target.evaluate((element) => {
    const [box] = element.getClientRects();
    if (!box) return false;
    const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return top !== null && (element.contains(top) || top.contains(element));
  });
}
