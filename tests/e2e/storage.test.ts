import { eraseAll, expect, fill, openList, receipt, sent, someone, submit, test, unfold } from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const CONNECTION = 'Error de conexion. Verifica tu internet e intenta nuevamente.';
const SENT = 'Su informacion ha sido enviada exitosamente!';

/** Functions that make storage fail as in a private window, on a full phone, and in a broken profile. */
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
  const title = `a quote that cannot be stored stays in the form until there is signal (${what})`;
  test(title, { tag: what === 'the phone is full' ? [] : '@full' }, async ({ page, service }) => {
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
      /wa\.me\/\d+\?text=Solicitud%20de%20cotizaci%C3%B3n/,
    );
    await expect(page.getByText('Guardamos su solicitud')).toHaveCount(0);

    // The test dispatches the event itself, because a busy browser closes a tab without asking the page.
    const mayClose = () => page.evaluate(() => dispatchEvent(new Event('beforeunload', { cancelable: true })));
    expect(await mayClose()).toBe(false);

    // "Erase everything" also clears the form, even if the disk fails.
    await openList(page);
    await page.getByRole('dialog').getByRole('button', { name: 'Borrar todo' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Sí, borrar' }).click();
    await expect(page.locator('#contact-form').getByRole('link', { name: 'WhatsApp' })).toHaveCount(0);
    expect(await mayClose()).toBe(true);
    await page.keyboard.press('Escape');

    service.fault = () => ({ kind: 'none' });
    await fill(page, person);
    await submit(page);
    await expect(page.getByText(SENT)).toBeVisible();
    expect(await service.rowsOf(person.nombre)).toHaveLength(1);
  });
}

test('a correction from a full phone replaces the corrected quote', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  await sent(page, service);
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

test('a phone unable to delete a quote says so, and deletes it later', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  await sent(page, service);
  const setBroken = (isBroken: boolean) =>
    page.evaluate((broken) => {
      const disk = IDBObjectStore.prototype as unknown as Record<string, unknown>;
      for (const name of ['put', 'clear', 'delete']) {
        disk[`real ${name}`] ??= disk[name];
        const fail = () => {
          throw new DOMException('The disk does not answer', 'UnknownError');
        };
        disk[name] = broken ? fail : disk[`real ${name}`];
      }
    }, isBroken);
  await setBroken(true);
  await openList(page);
  const list = page.getByRole('dialog');
  const shared = list.getByLabel(/Teléfono compartido/);
  const notChanged = page.getByText('No se pudo cambiar; inténtelo de nuevo.');
  await unfold(list);
  const one = list.getByRole('button', { name: 'Borrar Delete', exact: true });
  await one.click();
  await expect(notChanged).toBeVisible();
  await expect(list.getByRole('article')).toContainText('entregada');
  await shared.click();
  await expect(shared).not.toBeChecked();
  await list.getByRole('button', { name: 'Borrar todo' }).click();
  await list.getByRole('button', { name: 'Sí, borrar' }).click();
  await expect(page.getByText('No se pudo borrar todo; inténtelo de nuevo.')).toBeVisible();
  await expect(list.getByRole('article')).toContainText('entregada');

  // The button "Deshacer" stays until the restored quote is on the disk.
  await setBroken(false);
  await one.click();
  await expect(list.getByRole('article')).toHaveCount(0);
  await setBroken(true);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(page.getByText('No se pudo deshacer; inténtelo de nuevo.')).toBeVisible();
  await setBroken(false);
  await page.getByRole('button', { name: 'Deshacer' }).click();
  await expect(list.getByRole('article')).toContainText('entregada');
  await expect(page.getByRole('button', { name: 'Deshacer' })).toHaveCount(0);

  await eraseAll(page);
  await expect(list.getByRole('article')).toHaveCount(0);
});

test('a quote sent while the disk does not answer arrives once, and is listed later', async ({ page, service }) => {
  await page.goto('/');
  const person = someone();
  await fill(page, person);
  // The disk writes but never reports success, as on an iPhone that suspends the app.
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
  service.gate = new Promise((resolve) => (answer = resolve));
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
