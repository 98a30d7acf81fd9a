import type { BrowserContext, Page } from '@playwright/test';
import { chip } from './every-state.ts';
import { expect, test } from './visitor.ts';

// An address without https has no Web Locks, and no worker: its tabs agree by a note in the database.
// How they do is in tests/unit/outbox-tabs.test.ts; here are tabs that are tabs.

test.beforeEach(async ({ context, quiet }) => {
  quiet.allow(/Failed to load resource/);
  await context.addInitScript(() => {
    for (const missing of ['locks', 'serviceWorker']) Reflect.deleteProperty(Navigator.prototype, missing);
  });
});

async function openTab(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.goto('/');
  expect(await page.evaluate(() => 'locks' in navigator || 'serviceWorker' in navigator)).toBe(false);
  return page;
}

/** When the tab was sending, by a clock that all tabs share. */
const sendings = (page: Page) =>
  page.evaluate(() =>
    (performance.getEntriesByType('resource') as PerformanceResourceTiming[])
      .filter(({ name }) => name.includes('/rest/v1/quotes'))
      .map(({ startTime, responseEnd }) => ({
        from: performance.timeOrigin + startTime,
        to: performance.timeOrigin + responseEnd,
      })),
  );

/** As an earlier visit left them. */
const keepSome = (page: Page) =>
  page.evaluate(async () => {
    const store = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('aeropuente', 1);
      opening.addEventListener('upgradeneeded', () => {
        opening.result.createObjectStore('quotes', { keyPath: 'id' });
        opening.result.createObjectStore('settings');
      });
      opening.addEventListener('success', () => resolve(opening.result));
    });
    const transaction = store.transaction('quotes', 'readwrite');
    const ids: string[] = [];
    for (let peso = 1; peso <= 5; peso += 1) {
      const id = crypto.randomUUID();
      const person = { nombre: 'T', empresa: 'T', email: 't@t.mx', telefono: '6641234567' };
      const quote = { id, ...person, peso, tipo_carga: 'general' };
      transaction.objectStore('quotes').put({ id, createdAt: peso, quote, state: { kind: 'waiting' } });
      ids.push(id);
    }
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    store.close();
    localStorage.setItem('aeropuente.waiting', '1');
    return ids;
  });

test('tabs without Web Locks take turns and send nothing twice', async ({ context, service }) => {
  const page = await context.newPage();
  await page.goto('/privacidad.html');
  const ids = await keepSome(page);
  // Whoever comes first does not send it all.
  service.fault = (_quote, attempt) => (attempt < 2 ? { kind: 'answer', status: 503 } : { kind: 'none' });
  service.latency = 200;
  const tabs = await Promise.all([1, 2, 3].map(() => openTab(context)));
  const arrived = async () => (await service.quotes()).filter(({ id }) => ids.includes(id)).length;
  await expect.poll(arrived, { timeout: 50_000 }).toBe(ids.length);
  for (const tab of tabs) await expect(chip(tab)).toHaveCount(0);
  expect(service.inserts.toSorted()).toEqual(ids.flatMap((id) => [id, id, id]).toSorted());

  const times = await Promise.all(tabs.map(sendings));
  expect(times.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
  for (const [index, ours] of times.entries()) {
    const others = times.filter((_, other) => other !== index).flat();
    expect(ours.filter(({ from, to }) => others.some((other) => other.from < to && from < other.to))).toEqual([]);
  }
});
