import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { Phone } from '../tests/chaos/browser.ts';
import { Service } from '../tests/e2e/service.ts';
import { ask } from './asking.ts';
import { registrationOf } from './queues.ts';
import { percentile, rounded, type Cell, type Measured, type Size } from './results.ts';
import { seed } from './seeding.ts';

export const title = 'Outbox: from the tap to the server, beside a plain loop of fetches';

const LATENCY = 50;
const SIZES = { whole: { asks: 40, kills: 15, waiting: 200 }, smoke: { asks: 2, kills: 0, waiting: 5 } };
const LONGEST = 60_000;

export async function measure(size: Size): Promise<Measured> {
  const { asks, kills, waiting } = SIZES[size];
  const service = await Service.start(await mkdtemp(path.join(tmpdir(), 'aeropuente-')), {}, []);
  const phone = await Phone.unpack();
  try {
    service.latency = LATENCY;
    const page = await phone.context.newPage();
    await page.goto(service.origin);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const acknowledged = await acknowledgements(page, asks);
    const plain = await plainLoop(page, asks, waiting);
    const atOnline = (target: Page) => target.evaluate(() => void dispatchEvent(new Event('online')));
    const open = await drain(service, page, waiting, atOnline);
    const worker = await drainByWorker(service, phone, waiting);
    const isWhole = size === 'whole';
    const drained = `${waiting} drained, page open, s`;
    const drainedByWorker = `${waiting} drained, worker alone, s`;
    const survived = `of ${kills}, survive SIGKILL`;
    return {
      tables: [
        {
          title: `At ${LATENCY} ms latency`,
          note: 'A plain loop keeps nothing: it says that a quote is sent when the server has said so, and what it held is gone with its tab.',
          figures: {
            outbox: {
              'acknowledged p95, ms': rounded(percentile(acknowledged, 0.95)),
              [drained]: open,
              [drainedByWorker]: worker,
              'sent after a long outage, s': isWhole ? await afterLongOutage(service, phone) : 'not in a smoke run',
              [survived]: isWhole ? await survivors(service, phone, kills) : 'not in a smoke run',
            },
            'plain loop': {
              'acknowledged p95, ms': rounded(percentile(plain.acknowledged, 0.95)),
              [drained]: plain.drained,
              [drainedByWorker]: 'has none',
              'sent after a long outage, s': 'keeps none',
              [survived]: 'keeps none',
            },
          },
          more: [survived],
        },
      ],
    };
  } finally {
    await phone.throwAway();
    await service.stop();
  }
}

/** From the submit to the receipt on screen, in the page's own time. */
async function acknowledgements(page: Page, asks: number): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count < asks; count += 1) times.push(await ask(page, `Banco ${count}`));
  return times;
}

/** A form without an outbox: it says that a quote is sent when the server has said so. */
function plainLoop(page: Page, asks: number, waiting: number): Promise<{ acknowledged: number[]; drained: number }> {
  return page.evaluate(
    async ([many, left]) => {
      const send = async (peso: number) => {
        const response = await fetch('/rest/v1/quotes', {
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
        if (!response.ok) throw new Error(`The plain loop was answered ${response.status}`);
      };
      const acknowledged: number[] = [];
      for (let count = 1; count <= many!; count += 1) {
        const pressed = performance.now();
        await send(count);
        acknowledged.push(performance.now() - pressed);
      }
      const began = performance.now();
      for (let count = 1; count <= left!; count += 1) await send(1000 + count);
      return { acknowledged, drained: Math.round((performance.now() - began) / 100) / 10 };
    },
    [asks, waiting],
  );
}

async function drain(
  service: Service,
  page: Page,
  waiting: number,
  trigger: (page: Page) => Promise<unknown>,
): Promise<Cell> {
  await seed(page, waiting, { attempts: 8, nextTryIn: 300_000 });
  const before = storedBy(service);
  const began = performance.now();
  await trigger(page);
  return secondsUntil(service, before + waiting, began);
}

/** Counted as its answers pass the line: to ask the server meanwhile would take its time from it. */
const storedBy = ({ answers }: Service) => answers[201] ?? 0;

async function secondsUntil(service: Service, stored: number, began: number): Promise<Cell> {
  while (storedBy(service) < stored) {
    if (performance.now() - began > LONGEST) return `not in ${LONGEST / 1000} s`;
    await wait(10);
  }
  return Math.round((performance.now() - began) / 100) / 10;
}

async function drainByWorker(service: Service, phone: Phone, waiting: number): Promise<Cell> {
  const page = phone.context.pages().find((candidate) => candidate.url().startsWith(service.origin))!;
  const session = await phone.context.newCDPSession(page);
  const registrationId = await registrationOf(session, service.origin);
  // A document of ours without script: no page's timers help.
  await page.goto(`${service.origin}/privacidad.html`);
  return drain(service, page, waiting, () =>
    session.send('ServiceWorker.dispatchSyncEvent', {
      origin: service.origin,
      registrationId,
      tag: 'quotes',
      lastChance: false,
    }),
  );
}

/** The back-off has grown to its longest, and no `online` event ever comes. */
async function afterLongOutage(service: Service, phone: Phone): Promise<Cell> {
  const page = await phone.context.newPage();
  await page.goto(`${service.origin}/privacidad.html`);
  service.fault = () => ({ kind: 'lose-request' });
  await seed(page, 5, { attempts: 30, nextTryIn: 300_000 });
  await page.evaluate(() => localStorage.setItem('aeropuente.waiting', '1'));
  await page.goto(service.origin);
  await wait(25_000);
  const before = storedBy(service);
  service.fault = () => ({ kind: 'none' });
  return secondsUntil(service, before + 5, performance.now());
}

async function survivors(service: Service, phone: Phone, kills: number): Promise<number> {
  service.fault = () => ({ kind: 'hang' });
  for (let round = 0; round < kills; round += 1) {
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
  while ((await stored()) < kills && performance.now() - began < LONGEST) await wait(500);
  return stored();
}
