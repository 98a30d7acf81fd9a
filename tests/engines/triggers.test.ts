import { arrives, leaveWaiting, openWithWorker, RECEIPT, well } from './asking.ts';
import { expect, sees, test } from './visit.ts';

/** After so many tries it is 20 s until the next one comes by itself. */
const MANY = 7;
/** So what arrives sooner was brought by what the test names. */
const SOON = 12_000;

test('what waits is sent when the app starts', async ({ tab, service }) => {
  await tab.goto('/');
  const nombre = await leaveWaiting(tab, service, MANY);
  await tab.goto('about:blank');
  service.fault = well;
  await tab.goto('/');
  await arrives(service, nombre, SOON);
  await sees(tab, '[role=status]', 'entregada');
});

test('what waits is tried again by itself while the page is open', async ({ tab, service }) => {
  await tab.goto('/');
  const nombre = await leaveWaiting(tab, service, 3);
  service.fault = well;
  await sees(tab, RECEIPT, 'entregada');
  expect(await service.rowsOf(nombre)).toHaveLength(1);
});

test('what waits is sent when the engine says that the network is back', async ({ tab, service, note }) => {
  await tab.goto('/');
  const nombre = await leaveWaiting(tab, service, MANY);
  if (tab.setOnline) {
    await tab.setOnline(false);
    service.fault = well;
    await tab.setOnline(true);
  } else {
    note('its network cannot be cut: the event is made up');
    service.fault = well;
    await tab.evaluate(() => void dispatchEvent(new Event('online')));
  }
  await arrives(service, nombre, SOON);
});

test('a waiting quote is sent when the page is looked at again', async ({ tab, service }) => {
  await tab.goto('/');
  const nombre = await leaveWaiting(tab, service, MANY);
  service.fault = well;
  await tab.lookAway();
  await arrives(service, nombre, SOON);
});

test('what waits is handed to the worker when the page goes', async ({ tab, service }) => {
  await openWithWorker(tab);
  const nombre = await leaveWaiting(tab, service, MANY);
  service.fault = well;
  await tab.goto('about:blank');
  await arrives(service, nombre);
});
