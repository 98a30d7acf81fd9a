import { expect, fill, openList, receipt, someone, submit, test, withoutWorker, unfold } from './visitor.ts';

test.use(withoutWorker);

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const CONNECTION = 'Error de conexion. Verifica tu internet e intenta nuevamente.';
const SENT = 'Su informacion ha sido enviada exitosamente!';

/** As a private window, a full phone and a broken profile do. */
const refusals = {
  'opening is refused': () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('The user denied permission', 'SecurityError');
    };
  },
  'the phone is full': () => {
    IDBObjectStore.prototype.add = IDBObjectStore.prototype.put = () => {
      throw new DOMException('Quota exceeded', 'QuotaExceededError');
    };
  },
  'opening never ends': () => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  },
};

for (const [what, refuse] of Object.entries(refusals)) {
  test(`${what}: without signal the values stay, the sender is told, may hand it over, is warned before leaving, and sends it once there is signal`, async ({
    page,
    service,
  }) => {
    service.fault = () => ({ kind: 'lose-request' });
    await page.addInitScript(refuse);
    await page.goto('/');
    const person = someone();
    await fill(page, person);
    await submit(page);
    await expect(page.getByRole('alert').getByText(CONNECTION)).toBeVisible();
    await expect(page.locator('[name=nombre]')).toHaveValue(person.nombre);
    await expect(page.locator('#contact-form').getByRole('link', { name: 'WhatsApp' })).toHaveAttribute(
      'href',
      /wa\.me\/\d+\?text=Cotizaci%C3%B3n/,
    );
    await expect(page.getByText('Guardamos su solicitud')).toHaveCount(0);

    let warned = false;
    page.once('dialog', (dialog) => {
      warned = dialog.type() === 'beforeunload';
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => warned).toBe(true);

    // Who erases everything leaves nothing behind here either, whatever the disk says to it.
    await openList(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Borrar todo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sí, borrar' }).click();
    await expect(page.locator('#contact-form').getByRole('link', { name: 'WhatsApp' })).toHaveCount(0);
    expect(await page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })))).toBe(true);
    await page.keyboard.press('Escape');

    service.fault = () => ({ kind: 'none' });
    await fill(page, person);
    await submit(page);
    await expect(page.getByText(SENT)).toBeVisible();
    expect(await service.rowsOf(person.nombre)).toHaveLength(1);
  });
}

test('a correction on a full phone shows the id that it replaces', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  await fill(page, someone());
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  await unfold(page);
  await receipt(page).getByRole('button', { name: 'Corregir' }).click();
  await page.evaluate(refusals['the phone is full']);
  const person = someone();
  await fill(page, person);
  await submit(page);
  const stored = () => service.rowsOf(person.nombre);
  await expect.poll(stored).toHaveLength(1);
  const [correction] = await stored();
  const replaced = (await service.quotes()).find(({ folio }) => folio === correction!.reemplaza);
  expect(replaced).toMatchObject({ replaced_by: correction!.id, open: false });
});

test('an older tab that blocks the upgrade holds up no quote', { tag: '@full' }, async ({ context, service }) => {
  const old = await context.newPage();
  await old.goto('/privacidad.html');
  await old.evaluate(
    () =>
      new Promise((resolve) => {
        // Version 0.5, so to speak: it never closes, whatever it is asked.
        const opening = indexedDB.open('aeropuente', 1);
        opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('quotes', { keyPath: 'id' }));
        opening.addEventListener('success', resolve);
      }),
  );
  const page = await context.newPage();
  await page.addInitScript(() => {
    const original = IDBFactory.prototype.open.bind(indexedDB);
    IDBFactory.prototype.open = (name, version) => {
      return original(name, version && version + 1);
    };
  });
  await page.goto('/');
  const person = someone();
  await fill(page, person);
  await submit(page);
  await expect(page.getByText(SENT)).toBeVisible({ timeout: 15_000 });
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});

test('a database of a newer build takes and sends quotes', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/privacidad.html');
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('aeropuente', 7);
        opening.addEventListener('upgradeneeded', () => {
          opening.result.createObjectStore('quotes', { keyPath: 'id' });
          opening.result.createObjectStore('settings');
          opening.result.createObjectStore('of-the-future');
        });
        opening.addEventListener('success', () => {
          opening.result.close();
          resolve();
        });
      }),
  );
  await page.goto('/');
  const person = someone();
  await fill(page, person);
  await submit(page);
  await expect(page.getByText(SENT)).toBeVisible();
  await expect(receipt(page)).toContainText('entregada');
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});

test('a receipt has the time of the server', { tag: '@full' }, async ({ page, service }) => {
  await page.clock.install({ time: Date.now() + 365 * 24 * 60 * 60_000 });
  await page.goto('/');
  const person = someone();
  await fill(page, person);
  await submit(page);
  await expect(page.getByText(SENT)).toBeVisible();
  const [stored] = await service.rowsOf(person.nombre);
  const at = new Intl.DateTimeFormat('es-MX', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'America/Tijuana',
  });
  await expect(receipt(page)).toContainText(
    `La recibimos hoy a las ${at.format(Date.parse(stored!.created_at))}. Le respondemos antes de las ${at.format(Date.parse(stored!.created_at) + 7_200_000)} (Tijuana).`,
  );
});

test('a phone that cannot delete says so and does it later', { tag: '@full' }, async ({ page }) => {
  await page.goto('/');
  await fill(page, someone());
  await submit(page);
  await expect(receipt(page)).toContainText('entregada');
  await page.evaluate(() => {
    const put = Reflect.get(IDBObjectStore.prototype, 'put') as () => IDBRequest;
    const clear = Reflect.get(IDBObjectStore.prototype, 'clear') as () => IDBRequest;
    const remove = Reflect.get(IDBObjectStore.prototype, 'delete') as () => IDBRequest;
    const broken = () => {
      throw new DOMException('The disk does not answer', 'UnknownError');
    };
    const breakIt = () => Object.assign(IDBObjectStore.prototype, { put: broken, clear: broken, delete: broken });
    breakIt();
    addEventListener('broken', breakIt);
    addEventListener('mended', () => Object.assign(IDBObjectStore.prototype, { put, clear, delete: remove }));
  });
  await openList(page);
  const list = page.getByRole('dialog');
  const shared = list.getByLabel(/Teléfono compartido/);
  const notChanged = page.getByText('No se pudo cambiar; inténtelo de nuevo.');
  await unfold(list);
  const one = list.getByRole('button', { name: 'Borrar Delete', exact: true });
  await one.click();
  await expect(notChanged).toBeVisible();
  await expect(list.getByRole('article')).toContainText('entregada');
  await page.getByRole('button', { name: 'Cerrar aviso' }).last().click();
  await shared.click();
  await expect(notChanged).toBeVisible();
  await expect(shared).not.toBeChecked();
  await list.getByRole('button', { name: 'Borrar todo' }).click();
  await list.getByRole('button', { name: 'Sí, borrar' }).click();
  await expect(page.getByText('No se pudo borrar todo; inténtelo de nuevo.')).toBeVisible();
  await expect(list.getByRole('article')).toContainText('entregada');

  // What was deleted can be brought back until it is back.
  await page.evaluate(() => void dispatchEvent(new Event('mended')));
  await one.click();
  await expect(list.getByRole('article')).toHaveCount(0);
  await page.evaluate(() => void dispatchEvent(new Event('broken')));
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('No se pudo deshacer; inténtelo de nuevo.')).toBeVisible();
  await page.evaluate(() => void dispatchEvent(new Event('mended')));
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(list.getByRole('article')).toContainText('entregada');
  await expect(page.getByRole('button', { name: 'Deshacer' })).toHaveCount(0);

  await shared.check();
  await expect(list.getByRole('article')).toContainText('Datos borrados de este teléfono');
  await list.getByRole('button', { name: 'Borrar todo' }).click();
  await list.getByRole('button', { name: 'Sí, borrar' }).click();
  await expect(page.getByText('Ya no hay datos suyos')).toBeVisible();
  await expect(list.getByRole('article')).toHaveCount(0);
  await expect(shared).not.toBeChecked();
});

test('a press on a disk that never answers arrives once and is known afterwards', async ({ page, service }) => {
  await page.goto('/');
  const person = someone();
  await fill(page, person);
  // Writes land without an answer, which happens on an iPhone that puts the app aside.
  await page.evaluate(() => {
    const { prototype } = IDBObjectStore;
    for (const name of ['add', 'put'] as const) {
      const write = prototype[name];
      prototype[name] = function (this: IDBObjectStore, value: unknown) {
        return Object.assign(write.call(this, value), { addEventListener: () => undefined });
      };
    }
  });
  let answer = () => {};
  service.held = new Promise((resolve) => (answer = resolve));
  await submit(page);
  await expect(page.getByText('No pudimos guardarla en este teléfono; la estamos enviando.')).toBeVisible({
    timeout: 15_000,
  });
  answer();
  await expect(page.getByText(SENT)).toBeVisible();
  await page.reload();
  await openList(page);
  await expect(page.getByRole('dialog')).toContainText('entregada');
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});
