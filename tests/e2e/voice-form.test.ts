import type { Page } from '@playwright/test';
import { expectAccessible } from './accessible.ts';
import { draftKept, fill, hold } from './visitor.ts';
import { agreed, connect, expect, says, test, withoutWorker } from './voice-visitor.ts';

test.use(withoutWorker);

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
const mark = (page: Page, label: string) =>
  form(page).getByRole('group', { name: `${label}: Lo escribió el asistente` });
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
  const sent: unknown[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && /\/rest\/v1\/quotes/.test(request.url())) sent.push(request.postDataJSON());
  });
  return sent;
}

async function inCall(page: Page) {
  await agreed(page);
  await page.goto('/');
  await connect(page);
}

test('values heard in a call are marked, and sent by their sender alone', async ({ page, voice, quiet }) => {
  // This site has no desk behind it.
  quiet.allow(/405/);
  const sent = watch(page);
  await inCall(page);
  expect(voice.asked).toHaveLength(1);
  await hears(page, { nombre: ALL.nombre });
  await expect(field(page, 'nombre')).toHaveValue('Ana Ríos');
  await expect(field(page, 'nombre')).toBeInViewport();
  await expect(field(page, 'nombre')).toHaveAccessibleDescription('Lo escribió el asistente');
  await hears(page, ALL);
  await expect(field(page, 'tipo_carga')).toHaveValue('perecederos');
  // In view, and above what stands of the call itself.
  await expect
    .poll(() =>
      field(page, 'tipo_carga').evaluate((it) => {
        const { left, top, height } = it.getBoundingClientRect();
        return document.elementFromPoint(left + 20, top + height / 2) === it;
      }),
    )
    .toBe(true);
  await expect(field(page, 'email')).toHaveValue('ana@bayas.mx');
  await expect(form(page).getByRole('group', { name: /Lo escribió el asistente/ })).toHaveCount(6);
  await expectAccessible(page, '', '#reservar-espacio');

  // By a press, and by a thumb in a hurry: nothing goes, and it is said why.
  await send(page).dblclick();
  await expect(page.getByText('Antes de enviar, confirme lo que escribió el asistente.').first()).toBeVisible();
  const marks = form(page).getByRole('group', { name: /Lo escribió el asistente/ });
  await expect(marks).toHaveCount(6);
  expect(sent).toEqual([]);

  // A key that is held in a field is no confirmation either.
  await field(page, 'nombre').focus();
  for (let times = 0; times < 5; times += 1) await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await expect(marks).toHaveCount(6);
  expect(sent).toEqual([]);

  // By keyboard: each confirmation leads to the next, the last one to the button.
  for (const label of ['Nombre', 'Empresa', 'Email', 'Teléfono', 'Peso en kg por mes', 'Tipo de carga']) {
    await expect(right(page, label)).toBeFocused();
    await page.keyboard.press('Enter');
  }
  await expect(send(page)).toBeFocused();
  expect(sent).toEqual([]);
  await page.keyboard.press('Enter');
  await expect(page.getByText(/Su informacion ha sido enviada|Guardamos su solicitud/).first()).toBeVisible();
  const [first, ...again] = sent;
  expect(first).toMatchObject({ nombre: 'Ana Ríos', email: 'ana@bayas.mx', peso: 1500, tipo_carga: 'perecederos' });
  // Nobody takes it here: on a busy machine it has been tried once more by now.
  for (const each of again) expect(each).toEqual(first);
});

test('heard values are not sent before their marks have come', async ({ page, quiet }) => {
  // This site has no desk behind it.
  quiet.allow(/405/);
  const sent = watch(page);
  const letReactGo = await hold(page, /assets\/(react|quote|common)-.+\.js/);
  const letMarksGo = await hold(page, /assets\/HeardMarks-/);
  await page.addInitScript((values) => {
    localStorage.setItem('aeropuente.heard', 'nombre,peso');
    localStorage.setItem('aeropuente.draft', JSON.stringify({ id: crypto.randomUUID(), savedAt: Date.now(), values }));
  }, WRITTEN);
  await page.goto('/');
  // As a browser fills it in again.
  await fill(page, WRITTEN);
  await send(page).click();
  letReactGo();
  const told = page.getByText('Antes de enviar, confirme lo que escribió el asistente.').first();
  await expect(told).toBeVisible();
  letMarksGo();
  await expect(right(page, 'Nombre')).toBeVisible();
  await form(page).getByRole('button', { name: 'Todo está bien' }).click();
  expect(sent).toEqual([]);
  await send(page).click();
  await expect.poll(() => sent.length).toBeGreaterThan(0);
});

test('a heard value is undone, written over, or confirmed with all others', async ({ page, voice }) => {
  expect(voice.asked).toEqual([]);
  await agreed(page);
  await page.goto('/');
  await field(page, 'empresa').fill('Mi empresa');
  // The call button steps aside from who writes.
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

  // The call hears it again: what the visitor wrote since is what 'Deshacer' brings back.
  await hears(page, { nombre: 'Juana' });
  await mark(page, 'Nombre').getByRole('button', { name: 'Deshacer' }).click();
  await expect(field(page, 'nombre')).toHaveValue('Ana Ríos');

  // Heard once more as it stands: to undo it takes nothing away.
  await hears(page, { nombre: 'Ana Ríos' });
  await mark(page, 'Nombre').getByRole('button', { name: 'Deshacer' }).click();
  await expect(field(page, 'nombre')).toHaveValue('Ana Ríos');

  await form(page).getByRole('button', { name: 'Todo está bien' }).click();
  await expect(form(page).getByRole('group', { name: /Lo escribió el asistente/ })).toHaveCount(0);
  await expect(field(page, 'telefono')).toHaveValue('+52 664 123 4567');
});

test('a broken note of marks leaves the form usable', async ({ page, voice }) => {
  expect(voice.asked).toEqual([]);
  await page.addInitScript(() => localStorage.setItem('aeropuente.heard', 'sitio_web,nadie,["peso"],nombre'));
  await page.goto('/');
  await field(page, 'empresa').fill('Bayas del Valle');
  await send(page).click();
  await expect(page.getByText('Nombre es requerido').first()).toBeVisible();
  await expect(form(page).getByRole('group', { name: /Lo escribió el asistente/ })).toHaveCount(0);
});

test('an unconfirmed value is still marked after a reload', async ({ page, voice }) => {
  expect(voice.asked).toEqual([]);
  await inCall(page);
  await hears(page, { nombre: 'Ana', peso: '1500' });
  await right(page, 'Nombre').click();
  await expect(right(page, 'Peso en kg por mes')).toBeVisible();
  await draftKept(page, '1500');
  await expect.poll(() => page.evaluate(() => localStorage.getItem('aeropuente.heard'))).toBe('peso');
  page.on('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await field(page, 'nombre').click();
  await expect(field(page, 'peso')).toHaveValue('1500');
  await expect(right(page, 'Peso en kg por mes')).toBeVisible();
  await expect(mark(page, 'Nombre')).toHaveCount(0);
  await form(page).getByRole('button', { name: 'Descartar' }).click();
  await expect(form(page).getByRole('group', { name: /Lo escribió el asistente/ })).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('aeropuente.heard'))).toBeNull();
});
