import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { expectAccessible, expectNoFinding } from './accessible.ts';
import { deskAt, sheet } from './desk-visitor.ts';
import { tray } from './every-state.ts';
import { findMisfits } from './layout.ts';
import {
  askNow,
  openWithWorker,
  storeOf,
  eraseAll,
  expect,
  fill,
  markShared,
  openList,
  receipt,
  sent,
  someone,
  submit,
  test,
} from './visitor.ts';

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

const chooser = (page: Page, at = receipt(page)) =>
  at.getByRole('region', { name: 'Fotos y documentos', includeHidden: true }).locator('input[type=file]');
const attached = (page: Page, state = '') =>
  receipt(page).getByRole('region', { name: 'Fotos y documentos' }).locator(`li${state}`);
const pdf = (name: string, bytes: number) => ({
  name,
  mimeType: 'application/pdf',
  buffer: Buffer.concat([Buffer.from('%PDF-1.7\n'), Buffer.alloc(bytes - 9, name)]),
});

/** Makes the page draw a photo of this size, whose metadata contain a place as from a camera. */
async function takePhoto(page: Page, name: string, width: number, height: number): Promise<number> {
  return chooser(page).evaluate(
    async (input: HTMLInputElement, { called, size }) => {
      const canvas = Object.assign(document.createElement('canvas'), size);
      const context = canvas.getContext('2d')!;
      const noise = context.createImageData(size.width, size.height);
      for (let at = 0; at < noise.data.length; at += 16_384)
        crypto.getRandomValues(noise.data.subarray(at, Math.min(at + 16_384, noise.data.length)));
      for (let at = 3; at < noise.data.length; at += 4) noise.data[at] = 255;
      context.putImageData(noise, 0, 0);
      const blob = await new Promise<Blob>((resolve) => canvas.toBlob((drawn) => resolve(drawn!), 'image/jpeg', 0.9));
      const place = new TextEncoder().encode('Exif\0\0 19.4326 N 99.1332 W');
      const head = new Uint8Array([0xff, 0xd8, 0xff, 0xe1, 0, place.length + 2]);
      const files = new DataTransfer();
      files.items.add(new File([head, place, await blob.slice(2).arrayBuffer()], called, { type: 'image/jpeg' }));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
      return blob.size;
    },
    { called: name, size: { width, height } },
  );
}

/** Returns the number of bytes of files that the phone stores. */
const onDisk = (page: Page) =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        const opening = indexedDB.open('aeropuente-files');
        opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore('parts'));
        opening.addEventListener('success', () => {
          const all = opening.result.transaction('parts').objectStore('parts').getAll();
          all.addEventListener('success', () => {
            opening.result.close();
            resolve((all.result as ArrayBuffer[]).reduce((sum, { byteLength }) => sum + byteLength, 0));
          });
        });
      }),
  );

test.describe('files with a service worker', () => {
  test.use({ serviceWorkers: 'allow' });

  test('a picture is sent after the waiting quotes, and arrives once', async ({ page, context, service }) => {
    const person = someone();
    await openWithWorker(page);
    await context.setOffline(true);
    await fill(page, person);
    await submit(page);
    await expect(receipt(page)).toContainText('en espera');
    expect(await takePhoto(page, 'tarima con hielo.jpeg', 1150, 1150)).toBeGreaterThan(1_000_000);
    await expect(receipt(page)).toContainText('tarima con hielo.jpg');
    await expect(receipt(page)).toContainText('se envía después de la solicitud');
    await expectAccessible(page, 'a picture that waits', 'article');
    expect(await page.evaluate(findMisfits)).toEqual([]);
    const bytes = await onDisk(page);
    expect(bytes).toBeGreaterThan(800_000);
    await page.close();

    // At first only two parts of the picture reach the server. Later every third part is lost.
    let parts = 0;
    let isSlow = true;
    service.replyFault = () => {
      parts += 1;
      return { kind: (isSlow ? parts > 2 : parts % 3 === 0) ? 'lose-request' : 'none' };
    };
    await context.setOffline(false);
    const next = await context.newPage();
    await next.goto('/');
    await expect.poll(() => parts).toBeGreaterThan(2);
    const quick = [someone(), someone()];
    for (const each of quick) {
      await fill(next, each);
      await submit(next);
      await expect.poll(() => service.rowsOf(each.nombre), { timeout: 30_000 }).toHaveLength(1);
    }
    const [quote, ...others] = await service.rowsOf(person.nombre);
    expect(others).toEqual([]);
    const arrived = async () =>
      (await service.rowsAbout('quote_files', quote!.id)).map(({ whole_at }) => whole_at !== null);
    expect(await arrived(), 'the quotes had to wait for it').toEqual([false]);
    isSlow = false;
    await expect
      .poll(async () => {
        await askNow(next);
        return arrived();
      })
      .toEqual([true]);
    const files = await service.files(quote!.id);
    expect(files).toMatchObject([{ nombre: 'tarima con hielo.jpg' }]);
    const { content } = files[0]!;
    expect(content).toHaveLength(bytes);
    expect(content.includes('Exif')).toBe(false);
    expect(content.includes('19.4326')).toBe(false);
    for (const each of quick) expect(await service.rowsOf(each.nombre)).toHaveLength(1);

    const desk = await deskAt(page, service, quote!.folio);
    const picture = sheet(desk).getByRole('region', { name: 'Fotos y documentos' }).locator('img');
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
    const coming = desk.waitForEvent('download');
    await sheet(desk).getByRole('button', { name: 'Descargar tarima con hielo.jpg' }).click();
    const download = await coming;
    expect(download.suggestedFilename()).toBe(`${quote!.folio} tarima con hielo.jpg`);
    const saved = await readFile(await download.path());
    expect(createHash('sha256').update(saved).digest('hex')).toBe(createHash('sha256').update(content).digest('hex'));
    await expect(desk.getByText('ábralo con cuidado')).toBeVisible();
    await expectNoFinding(desk, 'a sheet with a picture', 'article');
  });
});

test('the page names files that it cannot use, and stores the others', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  const { id } = await sent(page, service);
  const attach = (...files: ReturnType<typeof pdf>[]) => chooser(page).setInputFiles(files);
  await expect(chooser(page)).toBeAttached();
  // The test makes reads of a file fail, as for a file in an unreachable cloud, or a file moved after it was chosen.
  await page.evaluate(() => {
    const read = Reflect.get<Blob, 'arrayBuffer'>(Blob.prototype, 'arrayBuffer');
    Blob.prototype.arrayBuffer = () => {
      Blob.prototype.arrayBuffer = read;
      return Promise.reject(new DOMException('The file could not be read.', 'NotReadableError'));
    };
  });
  await attach(pdf('nube.pdf', 1000), pdf('a.pdf', 1000));
  await expect(page.getByText('nube.pdf no es una foto ni un PDF que este teléfono pueda leer')).toBeVisible();
  await expect(attached(page)).toHaveCount(1);
  await expect(receipt(page)).not.toContainText('Preparando…');
  await attach({ name: 'lista.pdf', mimeType: 'application/pdf', buffer: Buffer.from('<script>alert(1)</script>') });
  await expect(page.getByText('lista.pdf no es una foto ni un PDF')).toBeVisible();
  await attach(pdf('grande.pdf', 10 * 1024 * 1024 + 1));
  await expect(page.getByText('grande.pdf pesa más de 10 MB')).toBeVisible();
  await attach(...'bcdefghi'.split('').map((name) => pdf(`${name}.pdf`, 1000)));
  await expect(attached(page)).toHaveCount(9);
  await attach({ ...pdf('a.pdf', 1000), name: 'otra vez.pdf' });
  await expect(page.getByText('otra vez.pdf ya está agregado')).toBeVisible();
  await receipt(page)
    .getByRole('button', { name: /^Agregar/ })
    .focus();
  await takePhoto(page, '../../etc/pass\u0001wd', 3000, 60);
  await expect(attached(page)).toHaveCount(10);
  const section = receipt(page).getByRole('region', { name: 'Fotos y documentos' });
  await expect(section).toBeFocused();
  await chooser(page).setInputFiles(pdf('j.pdf', 1000));
  await expect(page.getByText('j.pdf no se agregó')).toBeVisible();
  await expect(receipt(page).getByRole('button', { name: /^Agregar/ })).toHaveCount(0);
  await expect.poll(async () => (await service.files(id)).filter(({ whole }) => whole).length).toBe(10);
  expect((await service.files(id)).map(({ nombre }) => nombre).toSorted()).toEqual(
    ['pass wd.jpg', ...'abcdefghi'.split('').map((name) => `${name}.pdf`)].toSorted(),
  );
  const photo = (await service.files(id)).find(({ nombre }) => nombre.endsWith('.jpg'))!.content;
  // In the SOF0 segment of a JPEG, the height comes after marker, length and precision: 7 bytes.
  expect(photo.readUInt16BE(photo.indexOf(Buffer.from('ffc0', 'hex')) + 7)).toBe(2000);
  await expect(attached(page, '[data-state=delivered]')).toHaveCount(10);
  await expectAccessible(page, 'ten files', 'article');
});

test('a full phone deletes copies of delivered files, not the quote', { tag: '@full' }, async ({ page, service }) => {
  const session = await page.context().newCDPSession(page);
  const limit = (quotaSize: number) =>
    session.send('Storage.overrideQuotaForOrigin', { origin: service.origin, quotaSize });
  await limit(12_000_000);
  await page.goto('/');
  const { id } = await sent(page, service);
  await chooser(page).setInputFiles(pdf('primera.pdf', 3_000_000));
  await expect(attached(page, '[data-state=delivered]')).toHaveCount(1);
  expect(await onDisk(page)).toBe(3_000_000);
  await limit(1);
  // Returns how a write of this size ends. After a large write has failed, the browser measures the free space again,
  // and even 100 bytes fail.
  const endOf = (bytes: number) =>
    storeOf(page).then((store) =>
      store.evaluate((database, size) => {
        const transaction = database.transaction('settings', 'readwrite');
        transaction.objectStore('settings').put('x'.repeat(size), 'x');
        return new Promise((resolve) => {
          transaction.addEventListener('complete', () => resolve('kept'));
          transaction.addEventListener('abort', () => resolve(transaction.error?.name));
        });
      }, bytes),
    );
  for (const bytes of [12_000_000, 100]) expect(await endOf(bytes)).toBe('QuotaExceededError');
  await chooser(page).setInputFiles(pdf('segunda.pdf', 2_000_000));
  await expect(
    page.getByText('Este teléfono no tiene espacio para segunda.pdf. Su solicitud está a salvo'),
  ).toBeVisible();
  await expect(attached(page)).toHaveCount(1);
  expect(await onDisk(page)).toBe(0);
  expect((await service.files(id)).map(({ nombre }) => nombre)).toEqual(['primera.pdf']);
});

test('a visitor removes an attached file by keyboard', { tag: '@full' }, async ({ page, service }) => {
  await page.goto('/');
  await fill(page, someone());
  service.fault = () => ({ kind: 'lose-request' });
  await submit(page);
  await expect(receipt(page)).toContainText('en espera');
  const ten = Array.from({ length: 10 }, (_, at) => pdf(`${at}.pdf`, 1000 + at));
  await chooser(page).setInputFiles(ten);
  await expect(attached(page)).toHaveCount(10);
  const remove = receipt(page).getByRole('button', { name: 'Quitar 0.pdf' });
  await page.evaluate(() => {
    const put = Reflect.get(IDBObjectStore.prototype, 'put') as () => IDBRequest;
    IDBObjectStore.prototype.put = () => {
      throw new DOMException('The disk does not answer', 'UnknownError');
    };
    addEventListener('disk-answers', () => (IDBObjectStore.prototype.put = put));
  });
  await remove.click();
  await expect(page.getByText('No se pudo cambiar; inténtelo de nuevo.')).toBeVisible();
  await page.evaluate(() => dispatchEvent(new Event('disk-answers')));
  await expect(attached(page)).toHaveCount(10);
  await remove.press('Enter');
  await expect(attached(page)).toHaveCount(9);
  await expect(receipt(page).getByRole('region', { name: 'Fotos y documentos' })).toBeFocused();
  await receipt(page).getByRole('button', { name: 'Quitar 1.pdf' }).press('Enter');
  await expect(attached(page)).toHaveCount(8);
  const add = receipt(page).getByRole('button', { name: /^Agregar/ });
  await expect(add).toBeFocused();
  // A key pressed while the removal is still being stored may open no file dialog, so the test repeats the key.
  await expect(async () => {
    const choosing = page.waitForEvent('filechooser', { timeout: 2000 });
    await add.press('Enter');
    await (await choosing).setFiles(ten.slice(0, 2));
  }).toPass();
  await expect(attached(page)).toHaveCount(10);
  await openList(page);
  await eraseAll(page);
  expect(await onDisk(page)).toBe(0);
});

test('a shared phone deletes a file and its name after the delivery', async ({ page, service }) => {
  const person = someone();
  await page.clock.install();
  await page.goto('/');
  await fill(page, person);
  service.fault = () => ({ kind: 'lose-request' });
  await submit(page);
  await expect(receipt(page)).toContainText('en espera');
  await chooser(page).setInputFiles(pdf('una.pdf', 100_000));
  await expect(attached(page)).toHaveCount(1);
  await openList(page);
  await markShared(page);
  expect(await onDisk(page)).toBe(100_000);
  service.fault = () => ({ kind: 'none' });
  await askNow(page);
  await expect.poll(() => service.rowsOf(person.nombre)).toHaveLength(1);
  const [{ id } = { id: '' }] = await service.rowsOf(person.nombre);
  await expect.poll(async () => (await service.files(id)).map(({ whole }) => whole)).toEqual([true]);
  await expect(tray(page)).toContainText('Datos borrados de este teléfono');
  // The page deletes the file 30 s after the erasure of its quote, so the test moves the clock.
  const onDiskLater = async () => {
    await page.clock.runFor(10_000);
    return onDisk(page);
  };
  await expect.poll(onDiskLater).toBe(0);
});
