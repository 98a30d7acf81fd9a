import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { draftKept, fill, hold } from './visitor.ts';
import { agreed, connect, expect, says, test } from './voice-visitor.ts';

let calls = 0;
const hears = (page: Page, values: Readonly<Record<string, string>>) =>
  says(page, {
    type: 'tool-calls',
    toolCallList: Object.entries(values).map(([campo, valor]) => ({
      id: `call-${++calls}`,
      type: 'function',
      function: { name: 'llenar_campo', arguments: JSON.stringify({ campo, valor }) },
    })),
  });
const form = (page: Page) => page.locator('#reservar-espacio');
const field = (page: Page, name: string) => form(page).locator(`[name=${name}]`);
const mark = (page: Page, label: string) => form(page).getByRole('group', { name: `${label}: Por confirmar` });
const right = (page: Page, label: string) => mark(page, label).getByRole('button', { name: 'Está bien' });
const send = (page: Page) => form(page).getByRole('button', { name: /^Solicitar cotización/ });

const ALL = {
  nombre: 'Ana Ríos',
  empresa: 'Bayas del Valle',
  email: 'Ana@Bayas.mx',
  telefono: '+52 664 123 4567',
  peso: '1500',
  tipo_carga: 'Perecederos',
};

const WRITTEN = { ...ALL, email: 'ana@bayas.mx', tipo_carga: 'perecederos' };

function watch(page: Page) {
  const posted: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/rest\/v1\/quotes/.test(request.url())) posted.push(request.postDataJSON());
  });
  return posted;
}

async function inCall(page: Page) {
  await agreed(page);
  await page.goto('/');
  await connect(page);
}

test('the form highlights the voice assistant’s values until the visitor confirms', async ({ page, voice, quiet }) => {
  // A static host answers 405 to a quote.
  quiet.allow(/405|customer_ways/);
  const posted = watch(page);
  await inCall(page);
  expect(voice.asked).toHaveLength(1);
  await hears(page, { nombre: ALL.nombre });
  await expect(field(page, 'nombre')).toHaveValue('Ana Ríos');
  await expect(field(page, 'nombre')).toBeInViewport();
  await expect(field(page, 'nombre')).toHaveAccessibleDescription('Por confirmar');
  await hears(page, ALL);
  await expect(field(page, 'tipo_carga')).toHaveValue('perecederos');
  // The panel of the call does not cover the field.
  await expect
    .poll(() =>
      field(page, 'tipo_carga').evaluate((it) => {
        const { left, top, height } = it.getBoundingClientRect();
        return document.elementFromPoint(left + 20, top + height / 2) === it;
      }),
    )
    .toBe(true);
  await expect(field(page, 'email')).toHaveValue('ana@bayas.mx');
  await expect(form(page).getByRole('group', { name: /Por confirmar/ })).toHaveCount(6);
  await expectAccessible(page, '', '#reservar-espacio');

  // A double click on "send" sends nothing, and the page says why.
  await send(page).dblclick();
  await expect(page.getByText('Antes de enviar, confirme los datos marcados.').first()).toBeVisible();
  const marks = form(page).getByRole('group', { name: /Por confirmar/ });
  await expect(marks).toHaveCount(6);
  expect(posted).toEqual([]);

  // The Enter key in a field does not confirm a value either.
  await field(page, 'nombre').focus();
  for (let times = 0; times < 5; times += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(marks).toHaveCount(6);
  expect(posted).toEqual([]);

  // After each confirmation the focus moves to the next value to confirm, at last to the button "send".
  for (const label of ['Nombre', 'Empresa', 'Email', 'Teléfono', 'Peso en kg por mes', 'Tipo de carga']) {
    await expect(right(page, label)).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(send(page)).toBeFocused();
  expect(posted).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Su informacion ha sido enviada|Guardamos su solicitud/).first()).toBeVisible();
  const [first, ...retries] = posted;
  expect(first).toMatchObject({ nombre: 'Ana Ríos', email: 'ana@bayas.mx', peso: 1500, tipo_carga: 'perecederos' });
  // The static host stores no quote, so the page may have sent the quote several times.
  for (const each of retries) expect(each).toEqual(first);
});

test('values of the voice assistant are not sent before the page has highlighted them', async ({ page, quiet }) => {
  // A static host answers 405 to a quote.
  quiet.allow(/405|customer_ways/);
  const posted = watch(page);
  const letReactGo = await hold(page, /assets\/(react|quote|common)-.+\.js/);
  const letMarksGo = await hold(page, /assets\/AssistantMarks-/);
  await page.addInitScript((values) => {
    // Fields that this release does not know are ignored.
    localStorage.setItem('aeropuente.unconfirmed', 'sitio_web,nadie,["peso"],nombre,peso');
    localStorage.setItem('aeropuente.draft', JSON.stringify({ id: crypto.randomUUID(), savedAt: Date.now(), values }));
  }, WRITTEN);
  await page.goto('/');
  // The test fills in the values as a browser does when it restores a form after a reload.
  await fill(page, WRITTEN);
  await send(page).click();
  letReactGo();
  const reminder = page.getByText('Antes de enviar, confirme los datos marcados.').first();
  await expect(reminder).toBeVisible();
  letMarksGo();
  await expect(right(page, 'Nombre')).toBeVisible();
  await form(page).getByRole('button', { name: 'Todo está bien' }).click();
  expect(posted).toEqual([]);
  await send(page).click();
  await expect.poll(() => posted.length).toBeGreaterThan(0);
});

test('a visitor can undo, overwrite or confirm the values of the voice assistant', async ({ page, voice }) => {
  expect(voice.asked).toEqual([]);
  await agreed(page);
  await page.goto('/');
  await field(page, 'empresa').fill('Mi empresa');
  // The call button is hidden while the visitor types.
  await field(page, 'empresa').blur();
  await page.evaluate(() => scrollTo(0, 0));
  await connect(page);
  await hears(page, { nombre: 'Ana', empresa: 'Otra', telefono: '+52 664 123 4567', peso: '1500' });
  await expect(field(page, 'empresa')).toHaveValue('Otra');

  await mark(page, 'Empresa').getByRole('button', { name: 'Deshacer' }).click();
  await expect(field(page, 'empresa')).toHaveValue('Mi empresa');
  await expect(field(page, 'empresa')).toBeFocused();
  await expect(mark(page, 'Empresa')).toHaveCount(0);

  await field(page, 'nombre').press('End');
  await field(page, 'nombre').pressSequentially(' Ríos');
  await expect(field(page, 'nombre')).toHaveValue('Ana Ríos');
  await expect(mark(page, 'Nombre')).toHaveCount(0);

  // "Deshacer" restores the visitor’s edit, also if the assistant repeats the value that the field already has.
  for (const nombre of ['Juana', 'Ana Ríos']) {
    await hears(page, { nombre });
    await mark(page, 'Nombre').getByRole('button', { name: 'Deshacer' }).click();
    await expect(field(page, 'nombre')).toHaveValue('Ana Ríos');
  }

  await form(page).getByRole('button', { name: 'Todo está bien' }).click();
  await expect(form(page).getByRole('group', { name: /Por confirmar/ })).toHaveCount(0);
  await expect(field(page, 'telefono')).toHaveValue('+52 664 123 4567');
});

test('a value of the voice assistant stays highlighted after a reload', async ({ page, voice }) => {
  expect(voice.asked).toEqual([]);
  await inCall(page);
  await hears(page, { nombre: 'Ana', peso: '1500' });
  await right(page, 'Nombre').click();
  await expect(right(page, 'Peso en kg por mes')).toBeVisible();
  await draftKept(page, '1500');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('aeropuente.unconfirmed'))).toBe('peso');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await field(page, 'nombre').click();
  await expect(field(page, 'peso')).toHaveValue('1500');
  await expect(right(page, 'Peso en kg por mes')).toBeVisible();
  await expect(mark(page, 'Nombre')).toHaveCount(0);
  await form(page).getByRole('button', { name: 'Descartar' }).click();
  await expect(form(page).getByRole('group', { name: /Por confirmar/ })).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('aeropuente.unconfirmed'))).toBeNull();
});
