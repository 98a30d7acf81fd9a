import { folioOf } from '../../src/lead/folio.ts';
import type { Page, Route } from '@playwright/test';
import { expectNoFinding } from './accessible.ts';
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
  saveData,
  sent,
  someone,
  storeOf,
  submit,
  test,
  withoutWorker,
  unfold,
} from './visitor.ts';

// A first visit on which the form is pressed long before React has come.

test.use(withoutWorker);

const REACT = /assets\/(react|quote|common)-.+\.js/;
const button = (page: Page) => page.locator('#reservar-espacio button[type=submit]');
const form = (page: Page) => page.locator('[data-island=quote]');

const onDisk = async (page: Page) =>
  (await storeOf(page)).evaluate(async (store) => {
    const reading = store.transaction('quotes').objectStore('quotes').getAll();
    const entries = await new Promise<{ id: string; quote: { nombre: string }; state: { kind: string } }[]>(
      (resolve) => (reading.onsuccess = () => resolve(reading.result)),
    );
    store.close();
    return entries.map(({ quote, state }) => [quote.nombre, state.kind]);
  });

type Shift = PerformanceEntry & { readonly value: number; readonly sources: readonly { readonly node: Node | null }[] };

const watchShifts = (page: Page) =>
  page.evaluate(() => {
    const shifts: string[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const { value, sources } of list.getEntries() as Shift[])
        shifts.push(
          `${value} ${sources.map(({ node }) => (node as Element | null)?.outerHTML?.slice(0, 90)).join(' | ')}`,
        );
    }).observe({ type: 'layout-shift' });
  });

test('a press before React is answered at once, kept and delivered', async ({ page, service }) => {
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
  expect(await onDisk(page)).toEqual([[person.nombre, 'waiting']]);
  await expect(receipt(page)).toContainText('12,500 kg por mes · Perecederos · Berries del Valle, S. de R.L.');
  await expect(receipt(page)).toContainText(person.nombre);
  await expect(receipt(page)).toBeFocused();
  await expect(receipt(page)).toBeInViewport();
  await expect(button(page)).toHaveAccessibleName(/^Solicitar cotización/);
  await expect(page.locator('[name=nombre]')).toHaveValue('');
  await expectNoFinding(page, 'before React', '#contact-form');

  letSenderGo();
  await expect(receipt(page)).toContainText('entregada');
  await expect(receipt(page)).not.toContainText('Próximo intento');
  await expect(receipt(page)).toContainText('Le respondemos antes de las');
  await expect(form(page)).not.toHaveAttribute('data-awake');
  await expect(deliveredToast(page)).toBeVisible();
  const folio = await receipt(page).getAttribute('aria-label');

  await watchShifts(page);
  letReactGo();
  await expect(form(page)).toHaveAttribute('data-awake');
  await expect(page.locator('[data-island=quote] article')).toBeVisible();
  await expect(receipt(page)).toHaveCount(1);
  await expect(receipt(page)).toHaveAttribute('aria-label', folio!);
  await expect(receipt(page)).toBeFocused();
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
  const stored = await service.rowsOf(person.nombre);
  expect(stored).toHaveLength(1);
  expect(stored[0]).toMatchObject({ empresa: person.empresa, peso: 12500 });
  for (const address of addresses) expect(decodeURIComponent(address)).not.toContain(person.nombre);
});

test('React scrolls nothing on a wide screen', { tag: '@full' }, async ({ page }) => {
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await fill(page, someone());
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  const top = () => receipt(page).evaluate((article) => article.getBoundingClientRect().top);
  const before = await top();
  letReactGo();
  await expect(page.locator('[data-island=quote] article')).toBeVisible();
  await idle(page);
  expect(await top()).toBe(before);
});

test('a quote that waits when React comes is sent and told', async ({ page, service, quiet }) => {
  quiet.allow(/Failed to load resource/);
  const person = someone();
  const letReactGo = await hold(page, REACT);
  service.fault = () => ({ kind: 'answer', status: 503 });
  await page.goto('/');
  await fill(page, person);
  await page.locator('[name=nombre]').press('Enter');
  await expect(receipt(page)).toContainText('No hubo respuesta del servidor');
  service.fault = () => ({ kind: 'none' });
  letReactGo();
  await expect(receipt(page)).toContainText('entregada');
  await expect(deliveredToast(page)).toBeVisible();
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});

test('two presses are one quote, and the next one is another', async ({ page, service }) => {
  const [first, second] = [someone(), someone()];
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await fill(page, first);
  await button(page).dblclick();
  await expect(receipt(page)).toContainText(first.nombre);
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  await fill(page, second);
  await submit(page);
  await expect(receipt(page)).toContainText(second.nombre);
  letReactGo();
  await expect(form(page)).toHaveAttribute('data-awake');
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

/** Each sentence of the specification's form about a field, by what is written there. */
const FAULTS = [
  ['nombre', ' ', 'Nombre es requerido'],
  ['empresa', '', 'Empresa es requerida'],
  ['email', '', 'Email es requerido'],
  ['email', 'ventas', 'Email debe tener un formato valido'],
  ['telefono', '', 'Telefono es requerido'],
  ['telefono', '664 555', 'Telefono debe tener entre 7 y 15 digitos'],
  ['peso', '', 'Peso es requerido'],
  ['peso', '0', 'Peso debe ser un numero mayor a 0'],
  ['peso', '1000001', 'Peso parece demasiado alto, verifica el valor'],
  ['tipo_carga', '', 'Tipo de carga es requerido'],
] as const;

/** Sentences about a quote that the server refuses. */
const REFUSALS = [
  [409, '23505', 'quotes_email_key', 'Ya existe una cotizacion con este email. Te contactaremos pronto.'],
  [400, '23514', 'quotes_peso_check', 'Datos invalidos. Verifica la informacion e intenta nuevamente.'],
] as const;

const FORM_LATE = /assets\/(form|basis)-.+\.js/;

for (const [moment, held] of [
  ['its script has come', [FORM_LATE, REACT]],
  ['React has come', [REACT]],
] as const)
  test(`a press before ${moment} gets each sentence of the form`, async ({ page, service, quiet }) => {
    quiet.allow(/Failed to load resource/);
    const person = someone();
    const isFirst = held.length > 1;
    const letGo = isFirst ? await hold(page, FORM_LATE) : () => undefined;
    await hold(page, REACT);
    await page.goto('/');
    const says = async (sentence: string) => {
      const toast = page.getByRole('alert').getByText(sentence);
      await expect(toast).toBeInViewport({ ratio: 1 });
      return toast.boundingBox();
    };
    for (const [name, written, sentence] of FAULTS) {
      await fill(page, { ...person, [name]: written });
      await submit(page);
      // The first press happens before the script has come.
      letGo();
      const above = await says(`Error de validacion: ${sentence}`);
      const field = page.locator(`#reservar-espacio [name=${name}]`);
      await expect(field).toBeFocused();
      await expect(field).toHaveAccessibleDescription(new RegExp(sentence));
      const below = await field.boundingBox();
      expect(below!.y).toBeGreaterThan(above!.y + above!.height);
      await expect(button(page)).toHaveAccessibleName(/^Solicitar cotización/);
    }
    for (const [status, code, message, sentence] of REFUSALS) {
      const headers = { 'content-type': 'application/json' };
      service.fault = () => ({ kind: 'answer', status, headers, body: JSON.stringify({ code, message }) });
      await fill(page, person);
      await submit(page);
      await says(sentence);
      await expect(page.locator('[name=nombre]')).toHaveValue(person.nombre);
      await expect(receipt(page)).toHaveCount(0);
    }
    service.fault = () => ({ kind: 'none' });
    await page.locator('[name=sitio_web]').evaluate((trap: HTMLInputElement) => (trap.value = 'http://spam'));
    await submit(page);
    await says('Error al enviar la cotizacion. Por favor intenta nuevamente.');
    await submit(page);
    await expect(page.getByText('Su informacion ha sido enviada exitosamente!')).toBeVisible();
    await expect(page.locator('[name=nombre]')).toHaveValue('');
    await expect(form(page)).not.toHaveAttribute('data-awake');
    expect(await service.rowsOf(person.nombre)).toHaveLength(1);
  });

test('sentences said before React stay when it comes', { tag: '@full' }, async ({ page }) => {
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await fill(page, { ...someone(), email: 'ventas' });
  await submit(page);
  const email = page.locator('[name=email]');
  await expect(email).toHaveAccessibleDescription(/Email debe tener un formato valido/);
  await expectNoFinding(page, 'refused before React', '[data-island=quote]');
  await watchShifts(page);
  letReactGo();
  await expect(form(page)).toHaveAttribute('data-awake');
  await expect(email).toHaveAccessibleDescription(/Email debe tener un formato valido/);
  await expect(email).toBeFocused();
  expect(await page.evaluate(() => (window as unknown as { shifts: string[] }).shifts)).toEqual([]);
});

for (const [what, refuse] of Object.entries({
  'is refused': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission to access the database.', 'SecurityError');
    };
  },
  'never opens': () => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  },
}))
  test(
    `on a phone whose storage ${what} a press is sent unkept before React has come`,
    { tag: what === 'is refused' ? [] : '@full' },
    async ({ page, service }) => {
      const person = someone();
      await page.addInitScript(refuse);
      await hold(page, REACT);
      await page.goto('/');
      await fill(page, person);
      await submit(page);
      await expect(page.getByText('Su informacion ha sido enviada exitosamente!')).toBeVisible();
      await expect(button(page)).toHaveAccessibleName(/^Solicitar cotización/);
      expect(await service.rowsOf(person.nombre)).toHaveLength(1);
    },
  );

test('parts opened before React stay open', { tag: '@full' }, async ({ page }) => {
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await fill(page, { email: 'ana@' });
  await submit(page);
  const wrong = page.getByText('Email debe tener un formato valido').first();
  await expect(wrong).toBeVisible();
  await fill(page, someone());
  await page.getByText('Calcular el peso cobrable').click();
  letReactGo();
  await expect(form(page)).toHaveAttribute('data-awake');
  await expect(page.locator('details[open] input').first()).toBeVisible();
  await expect(page.locator('[name=email]')).not.toHaveAttribute('aria-invalid', 'true');
});

test('a data saver fetches the keeper with the first touch', { tag: '@full' }, async ({ page, service }) => {
  await saveData(page);
  const fetched: string[] = [];
  page.on('request', (request) => fetched.push(request.url()));
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await page.waitForLoadState('networkidle');
  await idle(page);
  expect(fetched.filter((url) => /form-|sending/.test(url))).toEqual([]);
  const person = someone();
  await fill(page, person);
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
  letReactGo();
});

test('a line cut at any moment loses and doubles no kept quote', async ({ context, service, quiet }) => {
  quiet.allow(/Failed to load resource|Failed to fetch|dynamically imported/);
  const calledKept: string[] = [];
  const all: string[] = [];
  for (let moment = 0; moment < 10; moment += 1) {
    const person = someone();
    all.push(person.nombre);
    const page = await context.newPage();
    let passed = 0;
    let isPressed = false;
    const held: (() => void)[] = [];
    // Before the press nothing but the document has come; after it the line dies at the so-manieth request.
    // What was fetched comes from the browser's cache when it is imported, which a test that looks at the line does without.
    const carry = (route: Route) =>
      route.request().resourceType() === 'script' || passed++ < moment ? route.continue() : route.abort();
    await page.route(/\/assets\/|\/rest\//, (route) => {
      if (isPressed) return carry(route);
      return new Promise<void>((resolve) => held.push(() => void carry(route).then(resolve)));
    });
    await page.goto('/', { waitUntil: 'domcontentloaded' });
    await fill(page, person);
    await submit(page);
    isPressed = true;
    for (const letGo of held) letGo();
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
  // Some moments come before it is on disk, and some after.
  expect(calledKept.length).toBeGreaterThan(0);
  expect(calledKept.length).toBeLessThan(all.length);
});

test('a correction filled in again by the browser stays one', { tag: '@full' }, async ({ page, service }) => {
  const person = someone();
  await page.goto('/');
  const first = await sent(page, service, person);
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await page.locator('[name=peso]').fill('750');
  await draftKept(page, '"750"');
  await hold(page, REACT);
  await page.reload();
  // A browser that brings back what stood in a form does so before any script of the page; then somebody goes on writing.
  await fill(page, { ...person, peso: '800' });
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  const [, second, ...others] = await service.rowsOf(person.nombre);
  expect(others).toEqual([]);
  expect(second).toMatchObject({ peso: 800, reemplaza: folioOf(first.id) });
});

test('Enter goes to the next empty field, or sends', { tag: '@full' }, async ({ page, service }) => {
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

test('a draft filled in again is kept with its boxes', { tag: '@full' }, async ({ page, service }) => {
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
  // A press of the empty form.
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

test('a press while React begins to listen is one quote', async ({ page, service }) => {
  const person = someone();
  const letReactGo = await hold(page, REACT);
  await page.goto('/');
  await fill(page, person);
  await idle(page);
  await form(page).evaluate((island) =>
    new MutationObserver((_, observer) => {
      if (!('heard' in island.dataset)) return;
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

test('the button says so while a slow disk keeps a quote', { tag: '@full' }, async ({ page, context, service }) => {
  await page.clock.install();
  await page.goto('/');
  await sent(page, service);
  const other = await context.newPage();
  await other.goto('/privacidad.html');
  // A second writer waits for the first.
  await other.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('aeropuente');
        opening.onsuccess = () => {
          const store = opening.result.transaction('quotes', 'readwrite').objectStore('quotes');
          const stay = () => 'letGo' in window || (store.count().onsuccess = stay);
          stay();
          resolve();
        };
      }),
  );
  const person = someone();
  const letReactGo = await hold(page, REACT);
  await page.reload();
  await fill(page, person);
  await submit(page);
  await expect(button(page)).toHaveAccessibleName(/^Guardando…/);
  letReactGo();
  await other.evaluate(() => Object.assign(window, { letGo: true }));
  await expect(receipt(page)).toContainText('entregada');
  await expect(button(page)).toHaveAccessibleName(/^Solicitar cotización/);
  await expect(page.locator('[name=nombre]')).toHaveValue('');
  expect(await page.evaluate(() => localStorage.getItem('aeropuente.draft'))).toBeNull();
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});

test('lost scripts are fetched again with a press', { tag: '@full' }, async ({ page, quiet }) => {
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
    const before = wait ? lost : 0;
    await page.clock.runFor(wait * 1000);
    await expect.poll(() => lost).toBeGreaterThan(before);
  }
  isDown = false;
  await idle(page);
  await expect(form(page)).not.toHaveAttribute('data-awake');
  await page.getByText('Calcular el peso').first().click();
  await expect(form(page)).toHaveAttribute('data-awake');
});
