import path from 'node:path';
import { test as base, expect, type JSHandle, type Locator, type Page, type Request } from '@playwright/test';
import type { Lead } from '../../server/cli/leads.ts';
import { freshDataDirectory } from '../run-folder.ts';
import type { Faces } from './faces.ts';
import { Service } from './service.ts';

export interface Fixtures {
  readonly service: Service;
  /**
   * Fails the test after any console message or page error that the test has not allowed. After a failed test, prints
   * which requests had no response and how many islands (parts of the page) ran React.
   */
  readonly quiet: { allow(pattern: RegExp): void };
}

interface WorkerFixtures {
  readonly shared: Service;
  /** Additional environment of the server. */
  readonly environment: Record<string, string>;
  readonly faces: Faces;
}

/** Fixture with a thing that all tests of a worker share. */
export const sharedBy = <Thing>(open: () => Promise<Thing>, close: (thing: Thing) => unknown) =>
  [
    async ({}, use: (thing: Thing) => Promise<void>) => {
      const thing = await open();
      await use(thing);
      await close(thing);
    },
    { scope: 'worker', timeout: 120_000 },
  ] as [(fixtures: {}, use: (thing: Thing) => Promise<void>) => Promise<void>, { scope: 'worker'; timeout: number }];

export const test = base.extend<Fixtures, WorkerFixtures>({
  faces: ['wide', { scope: 'worker', option: true }],
  launchOptions: [
    async ({ launchOptions, faces }, use) => {
      const FONTCONFIG_FILE = path.resolve(`tests/fonts/${faces}.conf`);
      await use({ ...launchOptions, env: { ...process.env, FONTCONFIG_FILE } });
    },
    { scope: 'worker' },
  ],
  environment: [{}, { scope: 'worker', option: true }],
  shared: [
    async ({ environment }, use) => {
      const service = await Service.start(await freshDataDirectory(), environment);
      await use(service);
      await service.stop();
    },
    { scope: 'worker' },
  ],
  service: async ({ shared }, use) => {
    shared.fault = () => ({ kind: 'none' });
    shared.replyFault = () => ({ kind: 'none' });
    shared.questions.length = 0;
    shared.inserts.length = 0;
    shared.carried.length = 0;
    shared.lost = undefined;
    shared.gate = undefined;
    await use(shared);
    // A test without `service` must get the build in `dist`, not the site of the previous test.
    shared.site = undefined;
  },
  baseURL: async ({ shared }, use) => use(shared.origin),
  quiet: [
    async ({ context }, use, info) => {
      const lines: string[] = [];
      const unanswered = new Set<Request>();
      context.on('request', (request) => unanswered.add(request));
      context.on('requestfinished', (request) => unanswered.delete(request));
      context.on('requestfailed', (request) => unanswered.delete(request));
      const allowed = [/Service Worker registration blocked by Playwright/];
      context.on('console', (message) => lines.push(`${message.type()}: ${message.text()} ${message.location().url}`));
      context.on('weberror', (error) => lines.push(String(error.error())));
      await use({ allow: (pattern) => allowed.push(pattern) });
      if (info.status !== info.expectedStatus) {
        const urls = [...unanswered].map((request) => request.url());
        const islands = context.pages().map((page) => page.locator('[data-awake]').count());
        console.log('Requests without response:', urls, 'Islands with React in each page:', await Promise.all(islands));
      }
      expect(lines.filter((line) => !allowed.some((pattern) => pattern.test(line)))).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

export const values = {
  nombre: 'María José Núñez',
  empresa: 'Berries del Valle, S. de R.L.',
  email: 'Ventas@Berries.mx ',
  telefono: '+52 998 765 4321',
  peso: '12,500',
  tipo_carga: 'perecederos',
};

export const PHONE = { width: 360, height: 740 };
export const DESKTOP = { width: 1440, height: 900 };
export const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1';

/** Blocks the service worker of another page, as playwright.config.ts does for the first page. */
export const withoutWorker = { serviceWorkers: 'block' } as const;

/** Opens a page in another browser, with its own storage, which closes with the browser of the first page. */
export async function elsewhere(page: Page, options: object = {}): Promise<Page> {
  const own = { baseURL: new URL(page.url()).origin, viewport: PHONE, locale: 'es-MX', ...withoutWorker };
  const other = await page
    .context()
    .browser()!
    .newContext({ ...own, ...options });
  page.context().once('close', () => void other.close().catch(() => undefined));
  return other.newPage();
}

/** Allows animations, as most phones do. */
export const moving = { contextOptions: { reducedMotion: 'no-preference' } } as const;

/** Waits until the service worker controls the page. */
export const workerReady = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller !== null);

export async function openWithWorker(page: Page): Promise<void> {
  await page.goto('/');
  await workerReady(page);
}

/** Waits until a new release is installed. */
export const arrived = (page: Page) =>
  expect
    .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state), {
      timeout: 30_000,
    })
    .toBe('installed');

/** Makes the browser report that the visitor wants to save data. */
export const saveData = (page: Page) =>
  page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', {
      value: Object.assign(new EventTarget(), { saveData: true, effectiveType: '4g' }),
    }),
  );

type Written = Pick<typeof values, 'nombre'> & Partial<typeof values>;

let count = 0;
/** Returns the form values of a visitor with a unique name, by which a test finds its rows. */
export function someone(): typeof values {
  count += 1;
  return {
    ...values,
    nombre: `${values.nombre} ${process.pid}.${count}`,
    email: `ventas${process.pid}-${count}@berries.mx`,
  };
}

export async function fill(page: Page, written: Partial<typeof values>): Promise<void> {
  const form = page.locator('#reservar-espacio');
  for (const [name, value] of Object.entries(written)) {
    const control = form.locator(`[name="${name}"]`);
    if (name === 'tipo_carga') await control.selectOption(value);
    else await control.fill(value);
  }
}

/** Waits until React has hydrated the form. The form also works before that (first-press.test.ts). */
export async function awake(page: Page): Promise<void> {
  await page.locator('#reservar-espacio').scrollIntoViewIfNeeded();
  await expect(page.locator('[data-island=quote]')).toHaveAttribute('data-awake');
}

export const submit = (page: Page) => page.locator('#reservar-espacio button[type=submit]').click();

/** Toast that reports a delivery. Its text depends on whether the form was still waiting for the server. */
export const deliveredToast = (page: Page) =>
  page.getByText(/^Su informacion ha sido enviada exitosamente!|^Solicitud AP-\S+ entregada/).first();

export const receipt = (page: Page) => page.getByRole('article', { name: /^Su solicitud AP-/ });

/** Sends a quote from this page. Returns the quote’s row after the delivery. */
export async function sent(page: Page, service: Service, person: Written = someone()): Promise<Lead> {
  await fill(page, person);
  await submit(page);
  // The page may have receipts of earlier quotes, so the test looks for the receipt with this name.
  await expect(receipt(page).filter({ hasText: person.nombre })).toContainText('entregada');
  const [row] = await service.rowsOf(person.nombre);
  return row!;
}

/** Sends a quote while the server fails, so that the quote waits on the phone. */
export async function leaveWaiting(page: Page, service: Service, person = someone()): Promise<typeof values> {
  service.fault = () => ({ kind: 'answer', status: 503 });
  await fill(page, person);
  await submit(page);
  await expect(receipt(page)).toContainText('Volvemos a intentar');
  return person;
}

/** Holds matching requests until the returned function is called. */
export async function hold(page: Page, what: RegExp): Promise<() => void> {
  const { promise: isFree, resolve: letGo } = Promise.withResolvers<void>();
  await page.route(what, (route) => isFree.then(() => route.continue()));
  return letGo;
}

/** Fires `online`, so that the page sends waiting quotes and asks for answers at once. */
export const askNow = (page: Page) => page.evaluate(() => void dispatchEvent(new Event('online')));

/** Expects a text while the network comes back again and again, so that the page retries without its pauses. */
export const retriesUntil = (page: Page, place: Locator, text: string | RegExp) =>
  expect(async () => {
    await askNow(page);
    await expect(place).toContainText(text, { timeout: 1000 });
  }).toPass();

/**
 * Opens the list of quotes by a change of the URL, as a notification does. First waits until an earlier list has
 * closed, because until then the URL is already that of the list and would not change.
 */
export async function openList(page: Page): Promise<void> {
  const list = page.getByRole('dialog', { name: 'Mis cotizaciones' });
  const isClosing = async () => page.url().endsWith('#mis-cotizaciones') && !(await list.isVisible());
  await expect.poll(isClosing).toBe(false);
  await page.evaluate(() => void (location.hash = '#mis-cotizaciones'));
}

/** Opens the phone’s database of quotes, for states that a visitor cannot cause or see. */
export const storeOf = (page: Pick<Page, 'evaluateHandle'>): Promise<JSHandle<IDBDatabase>> =>
  page.evaluateHandle(
    () =>
      new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open('aeropuente');
        opening.onsuccess = () => resolve(opening.result);
      }),
  );

/** Marks the phone as shared. Waits until the mark is on disk, because closing the page could abort the write. */
export async function markShared(page: Page): Promise<void> {
  await page
    .getByRole('dialog', { name: 'Mis cotizaciones' })
    .getByLabel(/Teléfono compartido/)
    .check();
  const database = await storeOf(page);
  const isStored = () =>
    database.evaluate((quotes) => {
      const reading = quotes.transaction('settings').objectStore('settings').get('shared');
      return new Promise((resolve) => (reading.onsuccess = () => resolve(reading.result)));
    });
  await expect.poll(isStored).toBe(true);
  await database.evaluate((quotes) => quotes.close());
}

/** Erases all data in the open list of quotes. */
export async function eraseAll(page: Page): Promise<void> {
  const list = page.getByRole('dialog', { name: 'Mis cotizaciones' });
  await list.getByRole('button', { name: 'Borrar todo' }).click();
  await list.getByRole('button', { name: 'Sí, borrar' }).click();
  await expect(page.getByText('Ya no hay datos suyos')).toBeVisible();
}

/** Accepts the open offer in this receipt or list. */
export async function accept(place: Locator): Promise<void> {
  await place.getByRole('button', { name: 'Aceptar' }).click();
  await place.getByRole('button', { name: 'Sí, aceptar' }).click();
}

/** Moves the focus to a control with the Tab key alone. */
export async function tabTo(page: Page, control: Locator, key = 'Tab'): Promise<void> {
  await expect(control).toBeVisible();
  for (let presses = 0; presses < 60; presses += 1) {
    if (await control.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(control).toBeFocused();
}

/** Moves the focus to a control with the Tab key, and presses Enter. */
export async function enter(page: Page, control: Locator): Promise<void> {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

/** Opens all collapsed sections of the receipts in this part of the page. */
export async function unfold(place: Page | Locator): Promise<void> {
  const folds = 'goto' in place ? place.locator('article details') : place.locator('details');
  await folds.first().waitFor({ state: 'attached' });
  await openAll(folds);
}

/** Opens all given <details>. The browser would keep only one of the same `name` open. */
export const openAll = (details: Locator) =>
  details.evaluateAll((all) => {
    for (const each of all as HTMLDetailsElement[]) {
      each.removeAttribute('name');
      each.open = true;
    }
  });

/** Makes the page hidden, as if the visitor looked at another tab. */
export const lookAway = (page: Page) =>
  page.evaluate(() => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  });

export const lookBack = (page: Page) =>
  page.evaluate(() => {
    Reflect.deleteProperty(document, 'visibilityState');
    document.dispatchEvent(new Event('visibilitychange'));
  });

export const idle = (page: Page) =>
  page.evaluate(async () => {
    for (let turn = 0; turn < 2; turn += 1)
      await new Promise((resolve) => {
        requestIdleCallback(resolve);
        // Chromium may never report idle time unless a frame is requested.
        requestAnimationFrame(() => undefined);
      });
  });

/** Waits until page and element have not moved for twelve frames. */
export const still = (page: Page, thing = page.locator('html')) =>
  thing.evaluate(async (element) => {
    const place = () => `${scrollY} ${element.getBoundingClientRect().x}`;
    let last = place();
    for (let same = 0; same < 12; last = place()) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      same = place() === last ? same + 1 : 0;
    }
  });

/** Waits until the draft with these words is stored, which happens shortly after typing. */
export const draftKept = (page: Page, words: string) =>
  expect.poll(() => page.evaluate(() => localStorage.getItem('aeropuente.draft') ?? '')).toContain(words);

/** Waits until all flushes requested in this page have ended. */
export const flushed = (page: Page) =>
  page.evaluate(async () => {
    // The lock is requested twice, because a second flush may be waiting for the lock of the first.
    for (let turn = 0; turn < 2; turn += 1) await navigator.locks.request('quotes-flush', () => undefined);
  });

type Shift = PerformanceEntry & {
  readonly hadRecentInput: boolean;
  readonly sources: readonly { node: Element | null }[];
};

/** Runs in the page: records the part that moved in each layout shift without input. */
export function recordShifts(): void {
  const shifts: (string | undefined)[] = [];
  new PerformanceObserver((list) => {
    for (const { hadRecentInput, sources } of list.getEntries() as Shift[])
      if (!hadRecentInput) shifts.push(...sources.map(({ node }) => node?.outerHTML?.slice(0, 90)));
  }).observe({ type: 'layout-shift' });
  Object.assign(window, { shifts });
}

export const shiftsOf = (page: Page) => page.evaluate(() => (window as unknown as { shifts: unknown[] }).shifts);
