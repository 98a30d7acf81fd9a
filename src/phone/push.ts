import type { Device } from '../outbox/push-device.ts';
import { isApple, isInstalled } from './installed.ts';

export type { Device };

/** `install-first`: iPhones push only to installed apps. Undefined: no push. */
export function wayToPush(): 'possible' | 'denied' | 'install-first' | undefined {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'denied' : 'possible';
  return isApple() && !isInstalled() ? 'install-first' : undefined;
}

/** Reads the subscription without asking the visitor. `publicKey`: key that the subscription must match. */
export async function pushAddress(
  registration: ServiceWorkerRegistration,
  publicKey?: string,
): Promise<Device | undefined> {
  if (wayToPush() !== 'possible') return undefined;
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription || (publicKey && !usesKey(subscription, bytesOf(publicKey)))) return undefined;
  return addressOf(subscription);
}

/** Subscribes; needs network and permission. `publicKey`: key of the server that will push. */
export async function subscribe(registration: ServiceWorkerRegistration, publicKey: string): Promise<Device> {
  const { pushManager } = registration;
  const key = bytesOf(publicKey);
  const existing = await pushManager.getSubscription();
  if (existing && usesKey(existing, key)) return addressOf(existing);
  await existing?.unsubscribe();
  return addressOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

/** Unsubscribes. The push service reports it at the next alert, and then the server forgets the device. */
export async function unsubscribe(registration: ServiceWorkerRegistration): Promise<void> {
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}

/** True if the subscription has this key: a server that was set up again cannot push to older subscriptions. */
function usesKey({ options }: PushSubscription, key: Uint8Array): boolean {
  const subscribedKey = new Uint8Array(options.applicationServerKey ?? []);
  return key.every((byte, at) => byte === subscribedKey[at]);
}

function bytesOf(publicKey: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(publicKey.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
}

function addressOf(subscription: PushSubscription): Device {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, p256dh, auth };
}
