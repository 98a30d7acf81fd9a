import { readFile } from 'node:fs/promises';
import { askNow, awake, expect, openWithWorker, leaveWaiting, test } from './visitor.ts';

test.use({ serviceWorkers: 'allow' });
test.beforeEach(({ quiet }) => quiet.allow(/Failed to load resource/));

test('sw/retire.js removes the site’s service worker and its caches', { tag: '@full' }, async ({ page, service }) => {
  await openWithWorker(page);
  await page.goto('/?otra=vez#contact-form');
  await awake(page);
  const { nombre } = await leaveWaiting(page, service);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) await cache.put(request, new Response('poisoned'));
    }
  });

  // published.test.ts tests that a build with VITE_RETIRE_WORKER contains sw/retire.js.
  const retired = await readFile('sw/retire.js');
  service.replace(/^\/worker\.js$/, (response) =>
    response.writeHead(200, { 'content-type': 'text/javascript' }).end(retired),
  );
  await page.goto('/');
  await expect(page.locator('body')).toHaveText('poisoned');
  const left = () =>
    page.evaluate(async () => [
      ...(await caches.keys()),
      ...(await navigator.serviceWorker.getRegistrations()).map(({ scope }) => scope),
    ]);
  await expect.poll(left).toEqual([]);
  await page.goto('/');
  await expect(page.locator('.way')).toContainText('en espera');
  await expect(page.getByText('Ya puede usar esta página sin internet')).toHaveCount(0);
  service.fault = () => ({ kind: 'none' });
  await askNow(page);
  await expect.poll(() => service.rowsOf(nombre), { timeout: 30_000 }).toHaveLength(1);
});
