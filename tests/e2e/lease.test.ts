import type { BrowserContext, Page } from '@playwright/test';
import { chip } from './every-state.ts';
import { expect, fill, someone, submit, test } from './visitor.ts';

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

test('without Web Locks, tabs that start at once take turns, and what one has sent no other sends again', async ({
  context,
  service,
}) => {
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

test('a tab that dies while it sends is succeeded by one of the others, once its lease is over', async ({
  context,
  service,
}) => {
  service.fault = () => ({ kind: 'hang' });
  const dying = await openTab(context);
  const person = someone();
  await fill(dying, person);
  await submit(dying);
  await expect(chip(dying)).toBeVisible();
  await expect.poll(() => service.inserts.length).toBe(1);
  const heirs = [await openTab(context), await openTab(context)];
  for (const heir of heirs) await expect(chip(heir)).toContainText('1 en espera');
  await dying.close();
  service.fault = () => ({ kind: 'none' });
  service.latency = 500;

  // Not before: what the dead tab sent might still have been on its way.
  for (const heir of heirs) await looksAgain(heir);
  expect(service.inserts).toHaveLength(1);
  await endLease(heirs[0]!);
  for (const heir of heirs) await expect(chip(heir)).toHaveCount(0);
  expect(service.inserts).toHaveLength(2);
  expect(await service.rowsOf(person.nombre)).toHaveLength(1);
});

/** A tab that waits looks four times a second. */
const looksAgain = (page: Page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 600)));

/** As if its thirty seconds were over. The clocks of two tabs cannot be moved at once. */
const endLease = (page: Page) =>
  page.evaluate(async () => {
    const store = await new Promise<IDBDatabase>((resolve) => {
      const opening = indexedDB.open('aeropuente');
      opening.addEventListener('success', () => resolve(opening.result));
    });
    const settings = store.transaction('settings', 'readwrite').objectStore('settings');
    const reading: IDBRequest<{ until: number }> = settings.get('lease');
    reading.addEventListener('success', () => settings.put({ ...reading.result, until: 0 }, 'lease'));
    await new Promise((resolve) => settings.transaction.addEventListener('complete', resolve));
    store.close();
  });
