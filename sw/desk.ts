import { config, keyHeaders } from '../src/config.ts';
import type { ToDesk } from '../src/agreements.ts';
import { showBadge } from '../src/phone/badge.ts';
import { pushedIn } from './pushed.ts';

// Service worker of the desk. It is separate from the visitor's worker: it caches nothing, and shows alerts even while
// no desk is open.

declare const self: ServiceWorkerGlobalScope;

self.addEventListener('push', (event) => {
  const { notification, app_badge } = pushedIn(event);
  if (!notification) return;
  const { title, body, lang, tag, navigate, data } = notification;
  // The tag makes a later alert about a lead replace the earlier one. `renotify` makes the device ring again.
  const options = { body, lang, tag, renotify: true, icon: '/favicon.svg', data: navigate };
  const shown = self.registration.showNotification(title, options);
  event.waitUntil(Promise.all([shown, sayShown(data.message), app_badge != null && showBadge(app_badge)]));
});

/** Tells the server that an alert was shown. The desk displays how many alerts were shown. */
async function sayShown(message_id: string): Promise<void> {
  await fetch(new URL('/rest/v1/alert_shown', config.supabaseUrl ?? self.location.origin), {
    method: 'POST',
    headers: {
      ...keyHeaders,
      'content-type': 'application/json',
      prefer: 'return=minimal',
    },
    body: JSON.stringify({ message_id }),
  }).catch(() => undefined);
}

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openLead(new URL(event.notification.data as string).hash));
});

/** Opens a lead by its hash on the host of this worker, because the server may know the site by another host name. */
async function openLead(hash: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const desk = pages.find(({ url }) => new URL(url).pathname === '/mesa.html');
  if (!desk) return void (await self.clients.openWindow(`/mesa.html${hash}`));
  await desk.focus();
  desk.postMessage({ type: 'OPEN_LEAD', hash } satisfies ToDesk);
}
