import { randomUUID } from 'node:crypto';
import type { Page, Worker } from '@playwright/test';
import { CERTIFICATE, PushService, type Device } from '../push/service.ts';
import { quoteTag } from '../../src/lead/quote-tag.ts';
import { expectAccessible, expectNoFinding } from './accessible.ts';
import {
  hireForLong,
  leave,
  openDesk,
  openDialog,
  openLead,
  press,
  sayAsPhone,
  sendQuote,
  sheetOf,
  signIn,
} from './desk-visitor.ts';
import { PRICED, rows } from './every-state.ts';
import { DESKTOP, expect, openWithWorker, openList, eraseAll, receipt, sent, test as base, values } from './visitor.ts';
import { pushDeclared, pushFrom, shown } from './worker-events.ts';

/** Test with a server that sends alerts through the test’s own push service. */
const test = base.extend<{ push: (page: Page, name: string) => Promise<unknown> }, { pushes: PushService }>({
  pushes: [
    async ({}, use) => {
      const pushes = await PushService.start();
      await use(pushes);
      await pushes.stop();
    },
    { scope: 'worker' },
  ],
  environment: [
    ({ pushes }, use) => use({ NODE_EXTRA_CA_CERTS: CERTIFICATE, PUSH_SERVICES: pushes.host }),
    { scope: 'worker' },
  ],
  /** Subscribes a page to the test’s push service. A real browser would use only the service of its vendor. */
  push: async ({ pushes }, use) => {
    pushes.pushed.length = 0;
    pushes.answers = () => ({ status: 201 });
    await use((page, name) => page.addInitScript(subscribing, pushes.subscribe(name)));
  },
});

function subscribing({ endpoint, p256dh, auth }: Device): void {
  const KEY = 'test.push';
  const subscription = () => ({
    endpoint,
    options: { applicationServerKey: Uint8Array.from(JSON.parse(localStorage.getItem(KEY)!) as number[]).buffer },
    toJSON: () => ({ endpoint, keys: { p256dh, auth } }),
    unsubscribe: async () => {
      localStorage.removeItem(KEY);
      return true;
    },
  });
  const made = {
    async subscribe({ applicationServerKey }: { applicationServerKey: Uint8Array }) {
      if (!navigator.onLine) throw new DOMException('Registration failed - push service error', 'AbortError');
      localStorage.setItem(KEY, JSON.stringify([...applicationServerKey]));
      return subscription();
    },
    getSubscription: async () => (localStorage.getItem(KEY) ? subscription() : null),
  };
  Object.assign(PushManager.prototype, made);
}

/** Parts of the service worker’s global scope that the test uses. */
interface Scope extends EventTarget {
  readonly registration: ServiceWorkerRegistration;
  readonly WindowClient: { readonly prototype: { focus: () => Promise<unknown> } };
  readonly clients: { openWindow: (url: string) => Promise<unknown> };
  readonly NotificationEvent: new (
    type: string,
    init: object,
  ) => Event & { waitUntil: (work: Promise<unknown>) => void };
}

/** Gives the page the functions that set the badge of an app icon, as on an iPhone. */
function withBadge(): void {
  Object.defineProperty(navigator, 'userAgentData', { value: undefined });
  Object.assign(navigator, { setAppBadge: async (badge: number) => void Object.assign(window, { badge }) });
}
const badgeOf = (page: Page) => page.evaluate(() => (window as { badge?: number }).badge);

const offer = (page: Page) => receipt(page).getByRole('button', { name: 'Avisarme cuando haya respuesta' });

/** Clicks the first notification. Returns the URLs that the click opened. */
const pressShown = (worker: Worker) =>
  worker.evaluate(async () => {
    const scope = globalThis as unknown as Scope;
    const [notification] = await scope.registration.getNotifications();
    const opened: string[] = [];
    // Browsers let a worker focus or open a window only after a real click, so the test replaces both functions.
    scope.WindowClient.prototype.focus = async () => undefined;
    scope.clients.openWindow = async (url) => opened.push(url);
    const click = new scope.NotificationEvent('notificationclick', { notification });
    let over: Promise<unknown> | undefined;
    click.waitUntil = (work) => (over = work);
    scope.dispatchEvent(click);
    await over;
    return opened;
  });

const closeNotifications = (worker: Worker) =>
  worker.evaluate(async () => {
    const { registration } = globalThis as unknown as Scope;
    for (const notification of await registration.getNotifications()) notification.close();
  });

const workerAt = (page: Page, path: string) =>
  page
    .context()
    .serviceWorkers()
    .find((worker) => new URL(worker.url()).pathname === path)!;

/** Lets the server send alerts to this desk while the desk is closed. */
async function alertDesk(page: Page): Promise<void> {
  await openDialog(page, 'Avisos');
  const box = page.getByRole('checkbox', { name: /Avisos en este dispositivo/ });
  await box.check();
  await expect(box).toBeChecked();
  await expectNoFinding(page, 'alerts', 'dialog');
  await page.keyboard.press('Escape');
}

const to = (pushes: PushService, device: string) => pushes.pushed.filter((each) => each.device === device);

test.use({ permissions: ['notifications'], serviceWorkers: 'allow' });
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('an answer causes one notification if the page is closed', async ({ page, context, service, pushes, push }) => {
  await push(page, 'phone');
  await openWithWorker(page);
  const quote = await sent(page, service);
  await offer(page).focus();
  await page.keyboard.press('Enter');
  await expect(receipt(page)).toContainText('Este teléfono le avisará cuando haya respuesta');
  await expectAccessible(page, 'alerts on', 'article');
  const deliver = await pushFrom(page, `${service.origin}/`);
  // The test leaves the page, because an open page would fetch the answer itself.
  await page.goto('about:blank');
  await service.answer(quote.id, { ...PRICED, body: 'Sale el jueves.' });
  await expect.poll(() => to(pushes, 'phone').length).toBe(1);
  const [pushed] = to(pushes, 'phone');
  const all = JSON.stringify(pushed);
  for (const personal of [quote.id, quote.nombre, quote.email, values.telefono, 'Sale el jueves'])
    expect(all).not.toContain(personal);

  const worker = workerAt(page, '/worker.js');
  const { folio } = quote;
  await context.setOffline(true);
  await deliver(pushed!.payload);
  await expect.poll(() => shown(worker)).toMatchObject([{ title: `Respuesta lista: ${folio}` }]);
  await closeNotifications(worker);
  await context.setOffline(false);
  await deliver(pushed!.payload);
  await deliver(pushed!.payload);
  await expect
    .poll(() => shown(worker))
    .toMatchObject([
      {
        title: `Respuesta lista: ${folio}`,
        body: `Answer ready: ${folio}`,
        tag: await quoteTag(quote.id),
      },
    ]);

  // A later answer to the same quote causes a notification too. The first notification is closed and not counted.
  await closeNotifications(worker);
  await service.answer(quote.id, { ...PRICED, body: 'Mejor el martes.' });
  await deliver(pushed!.payload);
  await expect.poll(async () => (await shown(worker)).length).toBe(1);

  await context.setOffline(true);
  await page.goto('/#mis-cotizaciones');
  await expect(page.getByRole('dialog')).toContainText('Sale el jueves.');
  await expect(page.getByRole('dialog')).toContainText('Mejor el martes.');
  await expect(page.getByText(/Ya hay respuesta/)).toHaveCount(0);
});

test('an iPhone fetches the answer after a push without data', { tag: '@full' }, async ({ page, context, service }) => {
  await page.addInitScript(withBadge);
  await openWithWorker(page);
  const quote = await sent(page, service);
  const worker = workerAt(page, '/worker.js');
  await page.goto('about:blank');
  await service.answer(quote.id, { ...PRICED, body: 'Sale el jueves.' });
  const navigate = `${service.origin}/#mis-cotizaciones`;
  const notification = { title: 'Como llegó', body: 'As it came', lang: 'es-MX', tag: 'otra', navigate, data: {} };
  await context.setOffline(true);
  expect(await pushDeclared(worker, { notification, appBadge: 3 })).toEqual([0, 3]);
  expect(await shown(worker)).toMatchObject([{ title: 'Como llegó', body: 'As it came', tag: 'otra' }]);
  await closeNotifications(worker);
  await context.setOffline(false);
  expect(await pushDeclared(worker, { notification, appBadge: 3 })).toEqual([1]);
  expect(await shown(worker)).toMatchObject([{ title: `Respuesta lista: ${quote.folio}` }]);
  await closeNotifications(worker);
  expect(await pushDeclared(worker, {})).toEqual([1]);
  expect(await shown(worker)).toEqual([]);

  await page.goto('/');
  await expect.poll(() => badgeOf(page)).toBe(1);
  await openList(page);
  await expect(page.getByRole('dialog')).toContainText('Sale el jueves.');
  await expect.poll(() => badgeOf(page)).toBe(0);
});

test('a click on a notification opens the list of quotes', { tag: '@full' }, async ({ page }) => {
  await openWithWorker(page);
  const worker = workerAt(page, '/worker.js');
  const show = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).showNotification('Respuesta lista:'));
  // The test simulates a slow phone, on which the click comes before the page listens for messages.
  await page.addInitScript(() => {
    window.requestIdleCallback = (run) => window.setTimeout(run, 2000, { didTimeout: true, timeRemaining: () => 0 });
  });
  await page.goto('/');
  await show();
  expect(await pressShown(worker)).toEqual([]);
  await expect(page.getByRole('dialog', { name: 'Mis cotizaciones' })).toBeVisible();
  for (const address of ['/privacidad.html', '/?icon-designer']) {
    await page.goto(address);
    await show();
    expect(await pressShown(worker)).toEqual(['/#mis-cotizaciones']);
  }
});

test('alerts stay on until the visitor turns them off', { tag: '@full' }, async ({ page, service, pushes, push }) => {
  await push(page, 'again');
  await openWithWorker(page);
  await sent(page, service);
  await offer(page).click();
  await expect(receipt(page)).toContainText('Este teléfono le avisará');
  await page.goto('about:blank');
  await page.goto('/');
  const next = await sent(page, service);
  await expect(receipt(page)).toContainText('Este teléfono le avisará');
  await service.answer(next.id, { ...PRICED, body: 'Con gusto.' });
  await expect.poll(() => to(pushes, 'again').length).toBe(1);

  const registered: string[] = [];
  page.on('request', (request) => request.url().includes('/push_devices') && registered.push(request.url()));
  await page.goto('/#mis-cotizaciones');
  await page.reload();
  const list = page.getByRole('dialog');
  const off = list.getByRole('button', { name: 'Desactivar avisos' });
  const on = list.getByRole('button', { name: 'Avisarme cuando haya respuesta' });
  const openDelivered = async () => {
    const row = rows(page).filter({ hasText: 'entregada' }).first();
    if ((await row.getAttribute('aria-expanded')) === 'false') await row.click();
  };
  // The list shows the answered quote as delivered until the page has read the answer.
  await expect(rows(page).filter({ hasText: 'respondida' })).toHaveCount(1);
  await openDelivered();
  await expect(off).toHaveCount(1);
  // The server already knows the device, so the page does not register the device again.
  expect(registered).toEqual([]);
  await off.click();
  await expect(on).toHaveCount(1);
  await expect(list).not.toContainText('Este teléfono le avisará');

  // The page ends all alerts when the visitor marks the phone as shared, or erases everything.
  const subscribed = () =>
    page.evaluate(async () => (await navigator.serviceWorker.ready).pushManager.getSubscription());
  const turnOn = async () => {
    await openDelivered();
    await on.first().click();
    await expect(list).toContainText('Este teléfono le avisará');
    expect(await subscribed()).not.toBeNull();
  };
  await turnOn();
  await list.getByLabel(/Teléfono compartido/).check();
  await expect.poll(subscribed).toBeNull();
  await list.getByLabel(/Teléfono compartido/).uncheck();
  await page.keyboard.press('Escape');
  await sent(page, service);
  await openList(page);
  await turnOn();
  await eraseAll(page);
  await page.keyboard.press('Escape');
  await sent(page, service);
  await expect(offer(page)).toBeVisible();
  expect(await subscribed()).toBeNull();
});

test('the receipt says why this phone gets no alerts', { tag: '@full' }, async ({ page, context, service, push }) => {
  await push(page, 'nowhere');
  await page.addInitScript(() => {
    Notification.requestPermission = () => {
      sessionStorage.setItem('asked', '1');
      const answer = sessionStorage.getItem('answer') ?? 'granted';
      if (answer === 'denied') sessionStorage.setItem('permission', answer);
      return Promise.resolve(answer as NotificationPermission);
    };
    Object.defineProperty(Notification, 'permission', {
      get: () => sessionStorage.getItem('permission') ?? 'default',
    });
  });
  const requested = () => page.evaluate(() => sessionStorage.getItem('asked'));
  await openWithWorker(page);
  await sent(page, service);
  await expect(offer(page)).toBeVisible();
  expect(await requested()).toBeNull();
  await context.setOffline(true);
  await offer(page).click();
  await expect.poll(requested).toBe('1');
  await expect(receipt(page)).toContainText('No se pudo. Intente de nuevo cuando haya señal.');
  await expectAccessible(page, 'alerts failed', 'article');
  await context.setOffline(false);

  // When the visitor denies notifications, the receipt says that they are blocked, and this text gets the focus.
  await page.evaluate(() => sessionStorage.setItem('answer', 'denied'));
  await offer(page).press('Enter');
  await expect(
    receipt(page).getByRole('status').filter({ hasText: 'Los avisos de esta página están bloqueados' }),
  ).toBeFocused();
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'PushManager');
    Object.defineProperty(navigator, 'userAgent', {
      get: () => 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X)',
    });
  });
  await page.reload();
  await sent(page, service);
  await expect(receipt(page)).toContainText('En iPhone, los avisos llegan sólo a la app instalada');
});

test.describe('alerts that the desk’s service worker shows', { tag: '@full' }, () => {
  test.use({ viewport: DESKTOP });
  test.beforeEach(({ service }) => service.eraseQuotes());

  test('a click on the one notification of a locked desk opens the lead', async ({ page, service, pushes, push }) => {
    await push(page, 'desk');
    const ana = await hireForLong(service, 'Ana Ruiz');
    await openDesk(page, ana);
    await alertDesk(page);
    const deliver = await pushFrom(page, `${service.origin}/mesa/`);
    await leave(page);

    const exporter = await page.context().browser()!.newPage({ baseURL: service.origin });
    await exporter.goto('/');
    const quote = await sent(exporter, service);
    await exporter.close();
    await expect.poll(() => to(pushes, 'desk').length).toBe(1);
    const worker = workerAt(page, '/mesa-worker.js');
    const { folio } = quote;
    const tag = await quoteTag(quote.id);
    await expect(async () => {
      // A worker that is stopping may miss the push message, so the test repeats the message.
      await deliver(to(pushes, 'desk')[0]!.payload);
      await expect
        .poll(() => shown(worker), { timeout: 3000 })
        .toMatchObject([{ title: `Solicitud nueva ${folio}`, body: `New request ${folio}`, tag }]);
    }).toPass();

    await pressShown(worker);
    await expect(page).toHaveURL(new RegExp(`/mesa\\.html#${folio}$`));
    await signIn(page, ana);
    await expect(sheetOf(page, folio)).toBeVisible();
    await press(page, 'Tomar');
    await openDialog(page, 'Indicadores');
    await expect(page.getByRole('dialog')).toContainText('avisos enviados 1 · vistos 1 · atendidos 1');
  });

  test('the desk on an iPhone shows what a push itself declares', async ({ page, service, push }) => {
    await push(page, 'declared');
    await page.addInitScript(withBadge);
    await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
    await sendQuote(service);
    await expect.poll(() => badgeOf(page)).toBeGreaterThan(0);
    await alertDesk(page);
    await leave(page);
    await expect.poll(() => badgeOf(page)).toBe(0);
    const worker = workerAt(page, '/mesa-worker.js');
    const navigate = `${service.origin}/mesa.html#AP-5D7E-JYAM`;
    const data = { message: randomUUID() };
    const notification = { title: 'Solicitud nueva', body: 'New request', lang: 'es-MX', tag: 't', navigate, data };
    expect(await pushDeclared(worker, { notification, appBadge: 2 })).toEqual([2]);
    expect(await shown(worker)).toMatchObject([{ title: 'Solicitud nueva', data: navigate }]);
    expect(await pushDeclared(worker, {})).toEqual([]);
  });

  test('a shared computer alerts whoever signed in last', async ({ page, service, pushes, push }) => {
    await push(page, 'shared');
    const [eva, beto] = [await hireForLong(service, 'Eva Mora'), await hireForLong(service, 'Beto Díaz')];
    await openDesk(page, eva);
    await alertDesk(page);
    await leave(page);
    // The wrong key is that of another server, as after a new installation, so the page must subscribe again.
    await page.evaluate(() => localStorage.setItem('test.push', '[4,1,2]'));
    await signIn(page, beto);
    await expect(page.getByText('Al día')).toBeVisible();
    const key = () => page.evaluate(() => localStorage.getItem('test.push')!.split(',').length);
    await expect.poll(key).toBeGreaterThan(3);
    const own = await sendQuote(service);
    await expect.poll(() => to(pushes, 'shared').map(({ topic }) => topic)).toEqual([await quoteTag(own.id)]);
    await openLead(page, own);
    await press(page, 'Tomar');
    const question = { id: randomUUID(), quote_id: own.id, kind: 'pregunta', body: '¿Y el viernes?' };
    await sayAsPhone(service, 'quote_replies', 'id', question);
    // Beto now owns the lead, so the customer’s question alerts the computer on which Beto signed in last.
    await expect.poll(() => to(pushes, 'shared').length).toBe(2);

    await openDialog(page, 'Avisos');
    const box = page.getByRole('checkbox', { name: /Avisos en este dispositivo/ });
    await box.uncheck();
    await page.reload();
    await openDialog(page, 'Avisos');
    await expect(box).not.toBeChecked();
  });
});
