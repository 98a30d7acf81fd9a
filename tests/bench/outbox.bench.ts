import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { Phone } from '../chaos/browser.ts';
import { Service } from '../e2e/service.ts';
import type { Figures } from './run.ts';

export const title = 'A quote, from the tap to the server: ours beside a plain loop of fetches, at 50 ms latency';

const LATENCY = 50;
const ASKS = 40;
const KILLS = 15;
const WAITING = 200;
const LONGEST = 60_000;

export async function measure(): Promise<Figures> {
  const service = await Service.start(await mkdtemp(path.join(tmpdir(), 'aeropuente-')));
  const phone = await Phone.unpack();
  try {
    service.latency = LATENCY;
    const page = await phone.context.newPage();
    await page.goto(service.origin);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const acknowledged = await acknowledgements(page);
    const plain = await plainLoop(page);
    const open = await drain(service, page, (target) => target.evaluate(() => void dispatchEvent(new Event('online'))));
    const worker = await drainByWorker(service, phone);
    const outage = await afterLongOutage(service, phone);
    const survived = await survivors(service, phone);
    return {
      outbox: {
        'acknowledged p95 ms': percentile(acknowledged),
        'survive SIGKILL': `${survived} of ${KILLS}`,
        '200 drained, page open, s': open,
        '200 drained, worker alone, s': worker,
        'server back after a long outage, s': outage,
      },
      'plain loop': {
        'acknowledged p95 ms': percentile(plain.acknowledged),
        '200 drained, page open, s': plain.drained,
      },
    };
  } finally {
    await phone.throwAway();
    await service.stop();
  }
}

function percentile(times: readonly number[]): number {
  return Math.round(times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)]!);
}

/** From the submit to the receipt on screen, in the page's own time. */
async function acknowledgements(page: Page): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < ASKS; count += 1) times.push(await ask(page, `Banco ${count}`));
  return times;
}

function ask(page: Page, nombre: string): Promise<number> {
  return page.evaluate(async (name) => {
    const form = document.querySelector<HTMLFormElement>('#reservar-espacio')!;
    form.scrollIntoView({ behavior: 'instant' });
    const pause = () => new Promise((resolve) => setTimeout(resolve, 1));
    while (form.ariaBusy === 'true' || !form.closest('[data-awake]')) await pause();
    const empresa = `${name}, S.A.`;
    const values = { nombre: name, empresa, email: 'b@banco.mx', telefono: '6641234567', tipo_carga: 'general' };
    for (const [field, value] of Object.entries({ ...values, peso: String(1 + Math.floor(Math.random() * 1e6)) })) {
      const control = form.elements.namedItem(field) as HTMLInputElement;
      control.value = value;
      control.dispatchEvent(new Event('input', { bubbles: true }));
    }
    const pressed = performance.now();
    form.requestSubmit();
    const kept = () =>
      [...document.querySelectorAll('article')].some(({ textContent }) => textContent.includes(empresa));
    while (!kept()) await pause();
    return performance.now() - pressed;
  }, nombre);
}

/** What a form without an outbox does: it says that a quote is sent when the server has said so. */
function plainLoop(page: Page): Promise<{ acknowledged: number[]; drained: number }> {
  return page.evaluate(
    async ({ asks, waiting }) => {
      const send = (peso: number) =>
        fetch('/rest/v1/quotes', {
          method: 'POST',
          headers: { apikey: 'aeropuente-public', 'content-type': 'application/json' },
          body: JSON.stringify({
            nombre: 'P',
            empresa: 'P',
            email: 'p@p.mx',
            telefono: '6641234567',
            peso,
            tipo_carga: 'general',
          }),
        });
      const acknowledged: number[] = [];
      for (let count = 1; count <= asks; count += 1) {
        const pressed = performance.now();
        await send(count);
        acknowledged.push(performance.now() - pressed);
      }
      const began = performance.now();
      for (let count = 1; count <= waiting; count += 1) await send(1000 + count);
      return { acknowledged, drained: Math.round((performance.now() - began) / 100) / 10 };
    },
    { asks: ASKS, waiting: WAITING },
  );
}

/** Puts quotes into the outbox as if they had waited through an outage. */
function seed(page: Page, count: number, waited: { attempts: number; nextTryIn: number }): Promise<void> {
  return page.evaluate(
    ({ count: many, waited: { attempts, nextTryIn } }) =>
      new Promise<void>((resolve) => {
        const opening = indexedDB.open('aeropuente');
        opening.addEventListener('success', () => {
          const transaction = opening.result.transaction('quotes', 'readwrite');
          const now = Date.now();
          for (let at = 0; at < many; at += 1) {
            const id = crypto.randomUUID();
            const peso = 1 + Math.floor(Math.random() * 1e6);
            transaction.objectStore('quotes').put({
              id,
              createdAt: now - at,
              quote: {
                id,
                nombre: 'W',
                empresa: 'W',
                email: `w${at}@w.mx`,
                telefono: '6641234567',
                peso,
                tipo_carga: 'general',
              },
              state: {
                kind: 'waiting',
                attempts,
                since: now,
                nextTry: now + nextTryIn,
                sendingUntil: 0,
                trouble: 'unreachable',
              },
            });
          }
          transaction.addEventListener('complete', () => {
            opening.result.close();
            resolve();
          });
        });
      }),
    { count, waited },
  );
}

async function drain(service: Service, page: Page, trigger: (page: Page) => Promise<unknown>): Promise<number> {
  await seed(page, WAITING, { attempts: 8, nextTryIn: 300_000 });
  const before = (await service.quotes()).length;
  const began = performance.now();
  await trigger(page);
  return secondsUntil(service, before + WAITING, began);
}

async function secondsUntil(service: Service, rows: number, began: number): Promise<number> {
  while ((await service.quotes()).length < rows) {
    if (performance.now() - began > LONGEST) return Number.POSITIVE_INFINITY;
    await wait(100);
  }
  return Math.round((performance.now() - began) / 100) / 10;
}

async function drainByWorker(service: Service, phone: Phone): Promise<number> {
  const page = phone.context.pages().find((candidate) => candidate.url().startsWith(service.origin))!;
  const session = await phone.context.newCDPSession(page);
  const registered = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const ours = registrations.find(({ scopeURL }) => scopeURL.startsWith(service.origin));
      if (ours) resolve(ours.registrationId);
    });
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered;
  // A document of ours without script: no page's timers help.
  await page.goto(`${service.origin}/privacidad.html`);
  return drain(service, page, () =>
    session.send('ServiceWorker.dispatchSyncEvent', {
      origin: service.origin,
      registrationId,
      tag: 'quotes',
      lastChance: false,
    }),
  );
}

/** The back-off has grown to its longest, and no `online` event ever comes. */
async function afterLongOutage(service: Service, phone: Phone): Promise<number> {
  const page = await phone.context.newPage();
  await page.goto(`${service.origin}/privacidad.html`);
  service.fault = () => ({ kind: 'lose-request' });
  await seed(page, 5, { attempts: 30, nextTryIn: 300_000 });
  await page.evaluate(() => localStorage.setItem('aeropuente.waiting', '1'));
  await page.goto(service.origin);
  await wait(25_000);
  const before = (await service.quotes()).length;
  service.fault = () => ({ kind: 'none' });
  return secondsUntil(service, before + 5, performance.now());
}

async function survivors(service: Service, phone: Phone): Promise<number> {
  service.fault = () => ({ kind: 'hang' });
  for (let round = 0; round < KILLS; round += 1) {
    const page = await phone.context.newPage();
    await page.goto(service.origin);
    await ask(page, `Corte ${round}`);
    await phone.die();
    await phone.turnOn();
  }
  service.fault = () => ({ kind: 'none' });
  const page = await phone.context.newPage();
  await page.goto(service.origin);
  const stored = async () => (await service.quotes()).filter(({ nombre }) => nombre.startsWith('Corte ')).length;
  const began = performance.now();
  while ((await stored()) < KILLS && performance.now() - began < LONGEST) await wait(500);
  return stored();
}
