import { arrives, leaveWaiting, openWithWorker, well } from './asking.ts';
import { sees, test } from './visit.ts';

/** Number of failed attempts after which the page waits at least 20 s before its next attempt. */
const MANY = 7;
/** Milliseconds in which the quote can arrive only because of the tested event, not by an automatic attempt. */
const SOON = 12_000;

test('a waiting quote is sent when the visitor opens the page', async ({ tab, service }) => {
  await tab.goto('/');
  const nombre = await leaveWaiting(tab, service, MANY);
  await tab.goto('about:blank');
  service.fault = well;
  await tab.goto('/');
  await arrives(service, nombre, SOON);
  await sees(tab, '[role=status]', 'entregada');
});

test('a waiting quote is sent when the browser reports that the network is back', async ({ tab, service, note }) => {
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

test('a waiting quote is sent when the visitor returns to the page from another tab', async ({ tab, service }) => {
  await tab.goto('/');
  const nombre = await leaveWaiting(tab, service, MANY);
  service.fault = well;
  await tab.lookAway();
  await arrives(service, nombre, SOON);
});

test('a waiting quote is sent by the service worker when the page closes', async ({ tab, service }) => {
  await openWithWorker(tab);
  const nombre = await leaveWaiting(tab, service, MANY);
  service.fault = well;
  await tab.goto('about:blank');
  await arrives(service, nombre);
});
