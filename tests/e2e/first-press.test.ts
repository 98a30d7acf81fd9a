import { folioOf } from '../../src/lead/folio.ts';
import type { Page, Route } from '@playwright/test';
import { expectNoFinding } from './accessible.ts';
import { refuses } from './service.ts';
import {
  awake,
  deliveredToast,
  DESKTOP,
  draftKept,
  expect,
  fill,
  hold,
  idle,
  receipt,
  recordShifts,
  sent,
  shiftsOf,
  someone,
  submit,
  test,
  unfold,
} from './visitor.ts';

// The tests hold these scripts back, so that a visitor clicks the form’s button before React is loaded.
const REACT = /assets\/(react|quote|common)-.+\.js/;
const button = (page: Page) => page.locator('#reservar-espacio button[type=submit]');
const form = (page: Page) => page.locator('[data-island=quote]');

test('a quote sent before React has loaded gets a receipt at once, and is delivered', async ({ page, service }) => {
  const person = someone();
  const letReactGo = await hold(page, REACT);
  const letKeeperGo = await hold(page, /assets\/form-.+\.js/);
  const letSenderGo = await hold(page, /assets\/sending-/);
  const addresses: string[] = [];
  page.on('framenavigated', (frame) => addresses.push(frame.url()));
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  await fill(page, person);
  await submit(page);
  await expect(button(page)).toHaveAccessibleName(/^Guardando…/);
  await expect(page.locator('#reservar-espacio')).toHaveAttribute('aria-busy', 'true');
  letKeeperGo();

  await expect(receipt(page)).toContainText('en espera');
  await expect(receipt(page)).toContainText('12,500 kg por mes · Perecederos · Berries del Valle, S. de R.L.');
  await expect(receipt(page)).toContainText(person.nombre);
  await expect(receipt(page)).toBeFocused();
  await expect(receipt(page)).toBeInViewport();
  await expect(button(page)).toHaveAccessibleName(/^Solicitar cotización/);
  await expect(page.locator('[name=nombre]')).toHaveValue('');
  await expectNoFinding(page, 'before React', '#contact-form');

  letSenderGo();
  await expect(receipt(page)).toContainText('entregada');
  await expect(receipt(page)).not.toContainText('Volvemos a intentar');
  await expect(receipt(page)).toContainText('Le respondemos antes de las');
  await expect(form(page)).not.toHaveAttribute('data-awake');
  await expect(deliveredToast(page)).toBeVisible();
  const folio = await receipt(page).getAttribute('aria-label');

  await page.evaluate(recordShifts);
  letReactGo();
  await expect(form(page)).toHaveAttribute('data-awake');
  await expect(page.locator('[data-island=quote] article')).toBeVisible();
  await expect(receipt(page)).toHaveCount(1);
  await expect(receipt(page)).toHaveAttribute('aria-label', folio!);
  await expect(receipt(page)).toBeFocused();
  expect(await shiftsOf(page)).toEqual([]);
  await unfold(page);
  await expect(receipt(page).getByLabel(/Recordar mis datos/)).toHaveCount(1);
  const stored = await service.rowsOf(person.nombre);
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({ empresa: person.empresa, peso: 12500 });
  for (const address of addresses) expect(decodeURIComponent(address)).not.toContain(person.nombre);
});

test('a quote that still waits when React has loaded is sent and announced', async ({ page, service, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const person = someone();
  const letReactGo = await hold(page, REACT);
  service.fault = () => ({ kind: 'answer', status: 503 });
  await page.goto('/');
  await fill(page, person);
  await page.locator('[name=nombre]').press('Enter');
  await expect(receipt(page)).toContainText('El servidor no respondió');
  service.fault = () => ({ kind: 'none' });
  letReactGo();
  await expect(receipt(page)).toContainText('entregada');
  await expect(deliveredToast(page)).toBeVisible();
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});

test('a double click sends one quote; a later click with other values sends another', async ({ page, service }) => {
  const [first, second] = [someone(), someone()];
  await page.setViewportSize(DESKTOP);
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await fill(page, first);
  await button(page).dblclick();
  await expect(receipt(page)).toContainText(first.nombre);
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  await fill(page, second);
  await submit(page);
  await expect(receipt(page)).toContainText(second.nombre);
  await expect(receipt(page)).toContainText('entregada');
  const top = () => receipt(page).evaluate((article) => article.getBoundingClientRect().top);
  const place = await top();
  letReactGo();
  await expect(page.locator('[data-island=quote] article')).toBeVisible();
  await idle(page);
  expect(await top()).toBe(place);
  await expect
    .poll(async () =>
      (await service.quotes())
        .map(({ nombre }) => nombre)
        .filter((one) => [first.nombre, second.nombre].includes(one))
        .toSorted(),
    )
    .toEqual([first.nombre, second.nombre].toSorted());
  await expect(receipt(page)).toHaveCount(1);
});

const FORM_LATE = /assets\/(form|basis)-.+\.js/;

test('a click before the form’s script loads shows errors or sends a valid quote', async ({ page, service, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const person = someone();
  const letGo = await hold(page, FORM_LATE);
  await hold(page, REACT);
  await page.goto('/');
  const says = (sentence: string) => expect(page.getByRole('alert').getByText(sentence)).toBeInViewport({ ratio: 1 });
  await fill(page, { ...person, nombre: ' ' });
  await submit(page);
  letGo();
  await says('Error de validacion: Nombre es requerido');
  const field = page.locator('#reservar-espacio [name=nombre]');
  await expect(field).toBeFocused();
  await expect(field).toHaveAccessibleDescription(/Nombre es requerido/);
  await expect(button(page)).toHaveAccessibleName(/^Solicitar cotización/);
  service.fault = refuses(409, '23505', 'quotes_email_key');
  await fill(page, person);
  await submit(page);
  await says('Ya existe una cotizacion con este email. Te contactaremos pronto.');
  await expect(field).toHaveValue(person.nombre);
  await expect(receipt(page)).toHaveCount(0);
  service.fault = () => ({ kind: 'none' });
  await submit(page);
  const aloud = page.locator('[role=status], [role=alert], [aria-live]');
  await expect(aloud.filter({ hasText: 'Su informacion ha sido enviada exitosamente!' })).toHaveCount(1);
  await expect(field).toHaveValue('');
  await expect(form(page)).not.toHaveAttribute('data-awake');
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});

test('error messages and opened sections stay when React takes over', { tag: '@full' }, async ({ page }) => {
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await page.getByText('Calcular el peso cobrable').click();
  await fill(page, { ...someone(), email: 'ventas' });
  await submit(page);
  const email = page.locator('[name=email]');
  await expect(email).toHaveAccessibleDescription(/Email debe tener un formato valido/);
  await expectNoFinding(page, 'refused before React', '[data-island=quote]');
  await page.evaluate(recordShifts);
  letReactGo();
  await expect(form(page)).toHaveAttribute('data-awake');
  await expect(email).toHaveAccessibleDescription(/Email debe tener un formato valido/);
  await expect(email).toBeFocused();
  await expect(page.locator('details[open] input').first()).toBeVisible();
  expect(await shiftsOf(page)).toEqual([]);
});

for (const first of [1, 0]) {
  const title = `a network failure after ${first}, ${first + 2} … requests neither loses nor doubles a quote`;
  test(title, { tag: first === 1 ? [] : '@full' }, async ({ context, service, quiet }) => {
    quiet.allow(/Failed to load resource|Failed to fetch|dynamically imported/);
    const calledKept: string[] = [];
    const all: string[] = [];
    for (let moment = first; moment < 10; moment += 2) {
      const person = someone();
      all.push(person.nombre);
      const page = await context.newPage();
      let passed = 0;
      let isPressed = false;
      const requests: (() => void)[] = [];
      // The test holds all requests until the click. After that, `moment` requests pass and later ones fail. Scripts
      // always pass, because the browser may take them from its cache.
      const carry = (route: Route) =>
        route.request().resourceType() === 'script' || passed++ < moment ? route.continue() : route.abort();
      await page.route(/\/assets\/|\/rest\//, (route) => {
        if (isPressed) return carry(route);
        return new Promise<void>((resolve) => requests.push(() => void carry(route).then(resolve)));
      });
      await page.goto('/', { waitUntil: 'domcontentloaded' });
      await fill(page, person);
      await submit(page);
      isPressed = true;
      for (const letGo of requests) letGo();
      await page.waitForLoadState('networkidle');
      await idle(page);
      if (await receipt(page).count()) calledKept.push(person.nombre);
      await page.close();
    }
    const page = await context.newPage();
    await page.goto('/');
    const arrived = async () =>
      (await service.quotes()).map(({ nombre }) => nombre).filter((nombre) => all.includes(nombre));
    await expect.poll(arrived).toEqual(expect.arrayContaining(calledKept));
    const stored = await arrived();
    expect(stored.length).toBe(new Set(stored).size);
    // In some cases the page had stored the quote before the network failed, in others not.
    expect(calledKept.length).toBeGreaterThan(0);
    expect(calledKept.length).toBeLessThan(all.length);
  });
}

test('a correction stays one when the browser restores its fields', { tag: '@full' }, async ({ page, service }) => {
  const person = someone();
  await page.goto('/');
  const first = await sent(page, service, person);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await page.locator('[name=peso]').fill('750');
  await draftKept(page, '"750"');
  await hold(page, REACT);
  await page.reload();
  // The browser restores the fields before any script runs, and the visitor continues to type.
  await sent(page, service, { ...person, peso: '800' });
  const [, second, ...others] = await service.rowsOf(person.nombre);
  expect(others).toEqual([]);
  expect(second).toMatchObject({ peso: 800, reemplaza: folioOf(first.id) });
});

test('the Enter key goes to the next empty field, or sends the form', { tag: '@full' }, async ({ page, service }) => {
  const { nombre, empresa, ...rest } = someone();
  const field = (name: string) => page.locator(`[name=${name}]`);
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await expect(page.locator('quote-form:defined')).toBeAttached();
  for (const isAwake of [false, true]) {
    if (isAwake) letReactGo();
    if (isAwake) await expect(form(page)).toHaveAttribute('data-awake');
    await field('nombre').fill(nombre);
    await expect(field('nombre')).toHaveAttribute('enterkeyhint', 'next');
    await field('nombre').press('Enter');
    await expect(field('empresa')).toBeFocused();
    await expect(form(page).locator('[aria-invalid=true]')).toHaveCount(0);
  }
  await fill(page, rest);
  await field('nombre').press('Enter');
  await expect(field('empresa')).toBeFocused();
  await field('empresa').fill(empresa);
  await expect(field('empresa')).toHaveAttribute('enterkeyhint', 'send');
  await field('empresa').press('Enter');
  await expect(receipt(page)).toContainText('entregada');
  expect(await service.rowsOf(nombre)).toHaveLength(1);
});

test('a draft that the browser restores keeps its ticked boxes', { tag: '@full' }, async ({ page, service }) => {
  const person = someone();
  const box = page.locator('[name=promociones]');
  await page.goto('/');
  await awake(page);
  await fill(page, person);
  await box.check();
  await draftKept(page, '"promociones":true');
  const letReactGo = await hold(page, REACT);
  await page.reload();
  await fill(page, { ...person, peso: '700' });
  await box.uncheck();
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  expect(await page.evaluate(() => localStorage.getItem('aeropuente.draft'))).toBeNull();
  // The form ignores clicks in the half second after a quote, so the test waits.
  await page.waitForFunction((at) => Date.now() > at, Date.now() + 1000);
  await submit(page);
  await expect(page.getByText('Nombre es requerido').first()).toBeVisible();
  await expect(button(page)).toHaveAccessibleName(/^Solicitar cotización/);
  letReactGo();
  await expect(form(page)).toHaveAttribute('data-awake');
  await expect(page.locator('[name=nombre]')).toHaveValue('');
  await expect(page.getByText('Borrador recuperado')).toHaveCount(0);
  expect(await service.rowsOf(person.nombre)).toMatchObject([{ peso: 700, promociones: false }]);
});

test('a click in the moment when React takes over the form sends one quote', async ({ page, service }) => {
  const person = someone();
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await fill(page, person);
  await idle(page);
  await form(page).evaluate((island) =>
    new MutationObserver((_, observer) => {
      if (!('live' in island.dataset)) return;
      observer.disconnect();
      island.querySelector<HTMLElement>('button[type=submit]')!.click();
    }).observe(island, { attributes: true }),
  );
  letReactGo();
  await expect(receipt(page)).toContainText('entregada');
  await idle(page);
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
  expect(service.inserts).toHaveLength(1);
  await expect(receipt(page)).toHaveCount(1);
});

test('a click on the form fetches again the scripts that failed to load', async ({ page, quiet }) => {
  quiet.allow(/Failed to load resource|Failed to fetch|dynamically imported/);
  let isDown = true;
  let lost = 0;
  await page.route(REACT, (route) => {
    if (!isDown) return route.continue();
    lost += 1;
    return route.abort();
  });
  await page.clock.install();
  await page.goto('/');
  await page.locator('[name=nombre]').focus();
  for (const wait of [0, 1, 2, 4, 8, 16]) {
    const lostBefore = wait ? lost : 0;
    await page.clock.runFor(wait * 1000);
    await expect.poll(() => lost).toBeGreaterThan(lostBefore);
  }
  isDown = false;
  await idle(page);
  await expect(form(page)).not.toHaveAttribute('data-awake');
  await page.getByText('Calcular el peso').first().click();
  await expect(form(page)).toHaveAttribute('data-awake');
});
