import type { Page } from '@playwright/test';
import { readFile, rm } from 'node:fs/promises';
import { openSite } from '../../server/site.ts';
import { releases, unpackRelease } from '../releases/archive.ts';
import { askNow, awake, expect, fill, receipt, someone, submit, test } from './visitor.ts';

// From a release that a phone has to the one that is published. How one is offered is in update.test.ts.

test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

for (const name of await releases()) {
  test(`a phone that last saw ${name} comes to the present release and its waiting quote arrives once`, async ({
    page,
    context,
    service,
  }) => {
    const directory = await unpackRelease(name);
    service.site = openSite(directory);
    service.fault = () => ({ kind: 'answer', status: 503 });
    await page.goto('/#contact-form');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const isPresent = (tab: Page) => tab.evaluate(() => document.documentElement.dataset['weight'] !== undefined);
    expect(await isPresent(page)).toBe(false);
    const person = someone();
    await fill(page, person);
    await submit(page);
    await expect(receipt(page)).toContainText('en espera');

    service.site = undefined;
    await page.goto('/');
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state), {
        timeout: 30_000,
      })
      .toBe('installed');
    // The earlier worker goes when it has nothing left to do, which is to try once more to send, and when no page is left
    // of it: in a tab that went on to another address one may stay in memory.
    await page.close();
    const other = await context.newPage();
    const client = await context.newCDPSession(other);
    await client.send('ServiceWorker.enable');
    let tab = other;
    await expect(async () => {
      tab = await context.newPage();
      await tab.goto('/');
      const present = await isPresent(tab);
      if (!present) {
        await tab.close();
        // That of the first release may hang. Chromium ends such a worker after minutes.
        await client.send('ServiceWorker.stopAllWorkers');
      }
      expect(present).toBe(true);
    }).toPass();
    await expect(tab.getByRole('button', { name: '1 en espera' })).toBeVisible();
    service.fault = () => ({ kind: 'none' });
    await askNow(tab);
    await expect.poll(() => service.rowsOf(person.nombre), { timeout: 30_000 }).toHaveLength(1);
    await expect(tab.getByRole('button', { name: /en espera/ })).toHaveCount(0);
    await rm(directory, { recursive: true });
  });
}

test('a worker that was taken back leaves with all it cached, and the quote that waits stays and arrives', async ({
  page,
  service,
}) => {
  await page.goto('/');
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.goto('/?otra=vez#contact-form');
  await awake(page);
  service.fault = () => ({ kind: 'answer', status: 503 });
  const person = someone();
  await fill(page, person);
  await submit(page);
  await expect(receipt(page)).toContainText('en espera');
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) await cache.put(request, new Response('poisoned'));
    }
  });

  // As a build with VITE_RETIRE_WORKER has it (published.test.ts).
  const site = openSite('dist');
  const retired = await readFile('sw/retire.js');
  service.site = (request, response) => {
    if (request.url !== '/worker.js') return site(request, response);
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(retired);
  };
  await page.goto('/');
  await expect(page.locator('body')).toHaveText('poisoned');
  const left = () =>
    page.evaluate(async () => [
      ...(await caches.keys()),
      ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    ]);
  await expect.poll(left).toEqual([]);
  await page.goto('/');
  await expect(page.getByRole('button', { name: '1 en espera' })).toBeVisible();
  await expect(page.getByText('Lista para usarse sin conexión')).toHaveCount(0);
  service.fault = () => ({ kind: 'none' });
  await askNow(page);
  await expect.poll(() => service.rowsOf(person.nombre), { timeout: 30_000 }).toHaveLength(1);
});
