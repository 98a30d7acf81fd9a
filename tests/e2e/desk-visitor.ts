import { randomInt, randomUUID } from 'node:crypto';
import type { Locator, Page } from '@playwright/test';
import { createClient, type SupabaseClient } from '@supabase/supabase-js';
import { codeOf, stepAt } from '../../server/auth/totp.ts';
import { stepWithTimeLeft } from '../integration/code-step.ts';
import { folioOf } from '../../src/lead/folio.ts';
import type { Service } from './service.ts';
import { DESKTOP, elsewhere, expect, someone } from './visitor.ts';

const PUBLIC_KEY = 'aeropuente-public';

export interface Colleague {
  readonly name: string;
  readonly email: string;
  readonly password: string;
  /** Second step of the sign-in; undefined if the account has none. */
  readonly secondStep?: SecondStep;
}

/** An authenticator app and its recovery codes. */
interface SecondStep {
  readonly id: string;
  /** Returns an unused code: at most two codes of the app in each half minute, then a recovery code. */
  next(): { readonly kind: 'app' | 'recovery'; readonly code: string };
}

let count = 0;

/** Makes an account with `npm run staff`, whose temporary password must be changed. */
export async function hire(service: Service, name: string, supervisor = false): Promise<Colleague> {
  const email = `staff${process.pid}-${++count}@example.com`;
  const password = `first ${randomUUID()}`;
  const account = { email, password, app_metadata: { role: 'staff', name, supervisor } };
  const response = await service.asOperator('/auth/v1/admin/users', account);
  expect(response.status).toBe(200);
  return { name, email, password };
}

const colleagues = new WeakMap<Service, Map<string, Promise<Colleague>>>();

/** Returns a supervisor, the same account for all tests with this server. */
export const hireSupervisor = (service: Service): Promise<Colleague> => hireForLong(service, 'Eva Solís', true);

/** Returns a colleague who has changed the password, the same account for all tests with this server. */
export function hireForLong(service: Service, name: string, supervisor = false): Promise<Colleague> {
  const known = colleagues.get(service) ?? new Map<string, Promise<Colleague>>();
  colleagues.set(service, known);
  const colleague = known.get(name) ?? hireAndChoosePassword(service, name, supervisor);
  known.set(name, colleague);
  return colleague;
}

async function hireAndChoosePassword(service: Service, name: string, supervisor: boolean): Promise<Colleague> {
  const colleague = await hire(service, name, supervisor);
  const { auth } = await signedIn(service, colleague);
  const password = `own ${randomUUID()}`;
  const current_password = colleague.password;
  const changed = await auth.updateUser({ password, current_password, data: { must_change: false } });
  expect(changed.error).toBe(null);
  return { ...colleague, password, ...(supervisor && { secondStep: await enrol(auth) }) };
}

async function enrol({ mfa }: SupabaseClient['auth']): Promise<SecondStep> {
  const { data } = await mfa.enroll({ factorType: 'totp', friendlyName: 'App' });
  const { id, totp } = data!;
  let last = (await stepWithTimeLeft()) - 1;
  const first = codeOf(totp.secret, last);
  expect((await mfa.challengeAndVerify({ factorId: id, code: first })).error).toBe(null);
  const recovery = [...(await mfa.recoveryCodes.generate()).data!.codes];
  return {
    id,
    next() {
      const now = stepAt(Date.now());
      if (last > now) return { kind: 'recovery', code: recovery.pop()! };
      last = Math.max(last + 1, now);
      return { kind: 'app', code: codeOf(totp.secret, last) };
    },
  };
}

/** Returns a Supabase client signed in as this colleague, for changes without the desk. */
export async function signedIn(service: Service, { email, password, secondStep }: Colleague) {
  const options = { persistSession: false, autoRefreshToken: false, experimental: { recoveryCodes: true } };
  const client = createClient(service.origin, PUBLIC_KEY, { auth: options });
  expect((await client.auth.signInWithPassword({ email, password })).error).toBe(null);
  if (!secondStep) return client;
  const { mfa } = client.auth;
  const { kind, code } = secondStep.next();
  const passed = await (kind === 'app'
    ? mfa.challengeAndVerify({ factorId: secondStep.id, code })
    : mfa.recoveryCodes.verify({ code }));
  expect(passed.error).toBe(null);
  return client;
}

export async function signIn(page: Page, { email, password, secondStep }: Colleague): Promise<void> {
  await page.getByLabel('Correo').fill(email);
  await page.getByLabel('Contraseña').fill(password);
  await page.getByRole('button', { name: 'Entrar' }).click();
  if (!secondStep) return;
  const { kind, code } = secondStep.next();
  if (kind === 'recovery') await press(page, 'Usar un código de recuperación');
  await page.getByLabel(kind === 'app' ? 'Código de 6 dígitos' : 'Código de recuperación').fill(code);
  await press(page, 'Entrar');
}

export async function openDesk(page: Page, colleague: Colleague): Promise<void> {
  await page.goto('/mesa.html');
  await signIn(page, colleague);
  await expect(page.getByText('Al día')).toBeVisible({ timeout: 30_000 });
}

/** Opens the desk of a colleague in another browser. */
export async function deskOf(page: Page, service: Service, name: string): Promise<Page> {
  const desk = await elsewhere(page, { baseURL: service.origin, viewport: DESKTOP });
  await openDesk(desk, await hireForLong(service, name));
  return desk;
}

/** Opens this lead at a desk on another computer. */
export async function deskAt(page: Page, service: Service, folio: string): Promise<Page> {
  const desk = await deskOf(page, service, 'Ana Ruiz');
  await desk.goto(`${service.origin}/mesa.html#${folio}`);
  return desk;
}

export interface Sent {
  readonly id: string;
  readonly folio: string;
  readonly nombre: string;
}

/** Returns a random telephone number, for a customer who is not known yet. */
export const newPhone = (): string => `55${randomInt(10_000_000, 100_000_000)}`;

/** Sends a quote as a phone does. */
export async function sendQuote(service: Service, changes: Record<string, unknown> = {}): Promise<Sent> {
  const id = randomUUID();
  const telefono = newPhone();
  const quote = { ...someone(), telefono, peso: 12_500, id, ...changes };
  await insert(service, 'quotes', 'id', id, quote);
  return { id, folio: folioOf(id), nombre: quote.nombre };
}

/** Reads the team’s answers as the quote’s phone does. */
export async function askAsPhone(service: Service, id: string): Promise<readonly Record<string, unknown>[]> {
  const columns = 'id,quote_id,created_at,body,price,price_for,currency,valid_until,kind,kilos,state';
  const response = await fetch(`${service.origin}/rest/v1/quote_words?select=${columns}&order=created_at`, {
    headers: { apikey: PUBLIC_KEY, 'x-submission-id': id },
  });
  return (await response.json()) as Record<string, unknown>[];
}

/** Books an accepted offer as Ana, who must own the lead for that. */
export async function book(service: Service, quote_id: string, answer_id: string, more: object = {}) {
  const ana = await signedIn(service, await hireForLong(service, 'Ana Ruiz'));
  await ana.from('quote_desk').update({ status: 'tomada' }).eq('quote_id', quote_id);
  const move = {
    id: randomUUID(),
    quote_id,
    answer_id,
    state: 'reservada',
    word: 'Le llamamos.',
    reference: '784-12345675',
  };
  expect((await ana.from('offer_moves').insert({ ...move, ...more })).error).toBe(null);
  return { quote_id, answer_id };
}

export const sayAsPhone = (
  service: Service,
  table: string,
  key: string,
  row: { readonly quote_id: string; readonly [column: string]: unknown },
) => insert(service, table, key, row.quote_id, row);

async function insert(service: Service, table: string, key: string, quoteId: string, row: object): Promise<void> {
  const response = await fetch(`${service.origin}/rest/v1/${table}?on_conflict=${key}`, {
    method: 'POST',
    headers: {
      apikey: PUBLIC_KEY,
      'content-type': 'application/json',
      'x-submission-id': quoteId,
      prefer: 'resolution=ignore-duplicates',
    },
    body: JSON.stringify(row),
  });
  expect(response.status).toBe(201);
}

/** Rows of the list of leads; options of select boxes are excluded. */
export const rows = (page: Page) => page.getByRole('listbox', { name: 'Solicitudes' }).getByRole('option');

export const row = (page: Page, { folio }: Pick<Sent, 'folio'>) => rows(page).filter({ hasText: folio });

export const sheet = (page: Page) => page.getByRole('article');

export const sheetOf = (page: Page, folio: string) => page.locator(`article[data-folio="${folio}"]`);

export const toasts = (page: Page) => page.getByRole('region', { name: 'Avisos' });

/** Checks that the open lead shows this status and owner. */
export async function stands(page: Page, status: string, owner = 'Yo'): Promise<void> {
  const head = sheet(page).locator('header');
  await expect(head).toContainText(status);
  await expect(head).toContainText(`Responsable: ${owner}`);
}

export const field = (page: Page, name: string | RegExp) => sheet(page).getByLabel(name);

/** Scrolls the list page by page to this row, because only rows in view are in the document. */
export async function bringIntoView(page: Page, sent: Sent): Promise<void> {
  const list = page.getByRole('listbox');
  const turn = async () => {
    if ((await row(page, sent).count()) > 0) return true;
    await list.evaluate((box) => {
      const isAtEnd = box.scrollTop + box.clientHeight >= box.scrollHeight - 1;
      box.scrollTop = isAtEnd ? 0 : box.scrollTop + box.clientHeight;
    });
    return false;
  };
  // Earlier tests may leave many pages of rows, and by default Playwright would try only once a second.
  await expect.poll(turn, { intervals: [100] }).toBe(true);
}

/** Sends a quote, and opens it at the desk of Ana Ruiz. */
export async function openNewLead(page: Page, service: Service, changes: Record<string, unknown> = {}): Promise<Sent> {
  const sent = await sendQuote(service, changes);
  await openDesk(page, await hireForLong(service, 'Ana Ruiz'));
  await openLead(page, sent);
  return sent;
}

export async function openLead(page: Page, sent: Sent): Promise<void> {
  await bringIntoView(page, sent);
  await row(page, sent).click();
  await expect(sheetOf(page, sent.folio)).toBeVisible();
  await expect(sheet(page).getByText('Cargando…')).toHaveCount(0);
}

/** Waits for an element, and fires the event "focus" repeatedly, because the desk then reads changes at once. */
export const seesSoon = (desk: Page, what: Locator) =>
  expect(async () => {
    await desk.evaluate(() => void dispatchEvent(new Event('focus')));
    await expect(what).toBeVisible({ timeout: 300 });
  }).toPass();

/** Ends the shift, and keeps the open leads if the desk asks. */
export async function leave(page: Page): Promise<void> {
  await pressInMenu(page.getByRole('banner'), 'Cerrar turno');
  const dialog = page.getByRole('dialog', { name: 'Cerrar turno' });
  await expect(dialog.or(page.getByLabel('Contraseña'))).toBeVisible();
  if (await dialog.isVisible()) await dialog.getByRole('button', { name: 'Cerrar turno' }).click();
}

export async function writeAnswer(page: Page, kind: 'Oferta' | 'Pregunta' | 'Mensaje', body: string): Promise<void> {
  await sheet(page).getByRole('radio', { name: kind }).check();
  await field(page, /^Respuesta/).fill(body);
}

const SEND = /^(Enviar|Tomar y enviar) (oferta|pregunta|mensaje)$/;

/** Presses "send"; the desk then waits ten seconds before it sends the answer. */
export const holdAnswer = (page: Page) => press(page, SEND);

export async function saveAnswer(page: Page): Promise<void> {
  await holdAnswer(page);
  await press(page, 'Enviar ya');
}

export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click();

/** Presses an action in the menu of the desk or of the open lead. */
async function pressInMenu(place: Locator, name: string, menu = 'Más'): Promise<void> {
  await place.getByRole('button', { name: menu, exact: true }).click();
  await place.getByRole('button', { name, exact: true }).click();
}

export const openDialog = (page: Page, name: string) => pressInMenu(page.getByRole('banner'), name);

export const act = (page: Page, name: string) => pressInMenu(sheet(page), name);

export const closeAs = (page: Page, name: 'Ganada' | 'Perdida') => pressInMenu(sheet(page), name, 'Cerrar como…');
