import { mainWords, type Bilingual } from '../../content/bilingual.ts';
import { deskTeam } from '../../content/desk-team.ts';
import type { ToDesk } from '../../agreements.ts';
import { pushAddress, subscribe, unsubscribe } from '../../phone/push.ts';
import { readPushKey, storeDevice } from '../api/team.ts';
import { isPushed, ring } from './alerts.ts';

/** Scope of the push worker: a folder without pages, so that the worker handles no requests of pages. */
const SCOPE = '/mesa/';

const registered = () => navigator.serviceWorker?.getRegistration(SCOPE);

/**
 * Stores the push subscription of this device again, because another person may have signed in, or the server may have
 * a new push key. Returns true if the device has a subscription.
 */
export async function renewPush(): Promise<boolean> {
  const registration = await registered();
  if (!registration || !(await pushAddress(registration))) return false;
  await storeDevice(await subscribe(registration, await readPushKey()));
  return true;
}

/** Turns alerts of this device on or off. Returns the sentence about a fault, if any. */
export async function turnPush(on: boolean): Promise<Bilingual | undefined> {
  try {
    if (!on) await turnPushOff();
    else if ((await Notification.requestPermission()) === 'granted') await turnPushOn();
    else return deskTeam.alerts.denied;
    isPushed.set(on);
    return undefined;
  } catch {
    return deskTeam.alerts.failed;
  }
}

/** Rings and shows a test notification. Returns a sentence if the browser allows no notifications. */
export async function testAlerts(): Promise<Bilingual | undefined> {
  ring();
  const { permission } = 'Notification' in window ? Notification : { permission: 'denied' };
  if (permission !== 'granted') return deskTeam.alerts.onlySound;
  const registration = await registered();
  await registration?.showNotification(mainWords(deskTeam.alerts.tested), { tag: 'aeropuente.desk' });
  return undefined;
}

async function turnPushOn(): Promise<void> {
  const registration = await navigator.serviceWorker.register('/mesa-worker.js', { scope: SCOPE });
  await activeIn(registration);
  await storeDevice(await subscribe(registration, await readPushKey()));
}

async function turnPushOff(): Promise<void> {
  const registration = await registered();
  if (registration) await unsubscribe(registration);
}

/** Opens the lead of a pressed notification. If the desk is locked, the lead opens after the sign-in. */
export function watchPressed(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<ToDesk>) => {
    if (data.type === 'OPEN_LEAD') location.hash = data.hash;
  });
  navigator.serviceWorker?.startMessages();
}

async function activeIn({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  if (active) return;
  const worker = (installing ?? waiting)!;
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve());
  });
}
