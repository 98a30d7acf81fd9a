import type { Device } from '../outbox/push-device.ts';
import { isApple, isInstalled } from './installed.ts';

export type { Device };

/**
 * Tells whether this browser can receive push messages. `install-first`: an iPhone allows push only in the installed
 * app. Undefined: the browser has no push.
 */
export function wayToPush(): 'possible' | 'denied' | 'install-first' | undefined {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'denied' : 'possible';
  return isApple() && !isInstalled() ? 'install-first' : undefined;
}

/**
 * Returns the existing push subscription without asking the visitor; undefined if there is none. `publicKey`: server
 * key for which the subscription must have been made.
 */
export async function pushAddress(
  registration: ServiceWorkerRegistration,
  publicKey?: string,
): Promise<Device | undefined> {
  if (wayToPush() !== 'possible') return undefined;
  const subscription = await registration.pushManager.getSubscription();
  if (!subscription || (publicKey && !usesKey(subscription, bytesOf(publicKey)))) return undefined;
  return addressOf(subscription);
}

/**
 * Subscribes to push messages, for which a connection and the visitor's permission are needed. `publicKey`: key of the
 * server that will send them.
 */
export async function subscribe(registration: ServiceWorkerRegistration, publicKey: string): Promise<Device> {
  const { pushManager } = registration;
  const key = bytesOf(publicKey);
  const existing = await pushManager.getSubscription();
  if (existing && usesKey(existing, key)) return addressOf(existing);
  await existing?.unsubscribe();
  return addressOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

/**
 * Ends the push subscription. The server is not told now: at the next alert the push service reports the end, and the
 * server then removes the device.
 */
export async function unsubscribe(registration: ServiceWorkerRegistration): Promise<void> {
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}

/**
 * True if the subscription was made for this server key. A server that was set up again has a new key and cannot use
 * older subscriptions.
 */
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
