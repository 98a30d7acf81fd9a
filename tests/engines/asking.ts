import { someone, values } from '../e2e/visitor.ts';
import type { Service } from '../e2e/service.ts';
import type { Tab } from './engine.ts';
import { expect, polled, sees } from './visit.ts';

export const RECEIPT = 'article[aria-label^="Su solicitud AP-"]';
const SEND = '#reservar-espacio button[type=submit]';

const unavailable = () => ({ kind: 'answer', status: 503 }) as const;
export const well = () => ({ kind: 'none' }) as const;

async function write(tab: Tab, written: Partial<typeof values>): Promise<void> {
  for (const [name, value] of Object.entries(written)) {
    const control = `#reservar-espacio [name="${name}"]`;
    if (name === 'tipo_carga') await tab.choose(control, value);
    else await tab.type(control, value);
  }
}

/** Fills and sends the form. Returns the random name by which the test finds the stored row. */
export async function ask(tab: Tab): Promise<string> {
  const person = someone();
  await write(tab, person);
  await tab.click(SEND);
  return person.nombre;
}

export const folio = (tab: Tab) => tab.evaluate(() => document.querySelector('article [translate=no]')!.textContent);

export const arrives = (service: Service, nombre: string, timeout?: number) =>
  polled(() => service.rowsOf(nombre), nombre, timeout).toHaveLength(1);

export const workerIsReady = (tab: Tab) => tab.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));

/** Visits the page twice, because the service worker controls the page from the second visit on. */
export async function openWithWorker(tab: Tab): Promise<void> {
  await tab.goto('/');
  await workerIsReady(tab);
  await tab.reload();
  expect(await tab.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
}

/** Reloads while the server is down, so that the page comes from the phone’s cache. */
export async function reopenWithServerDead(tab: Tab, service: Service): Promise<void> {
  await service.kill();
  await service.lineDown();
  await tab.reload();
  await sees(tab, 'h1', 'Reserva tu espacio hoy');
}

/**
 * Leaves a waiting quote on the phone after `tries` failed attempts. The page waits longer after each failure before
 * its next automatic attempt.
 */
export async function leaveWaiting(tab: Tab, service: Service, tries: number): Promise<string> {
  service.fault = unavailable;
  const nombre = await ask(tab);
  await sees(tab, RECEIPT, 'en espera');
  while (service.inserts.length < tries) {
    const sent = service.inserts.length;
    // The event `pageshow` makes the page send at once.
    await tab.evaluate(() => void dispatchEvent(new Event('pageshow')));
    await polled(async () => service.inserts.length).toBeGreaterThan(sent);
    await sees(tab, RECEIPT, 'en espera');
  }
  return nombre;
}
