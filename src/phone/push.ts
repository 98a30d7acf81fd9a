import { isApple, isInstalled } from './installed.ts';

/** Where a push service reaches this browser; the names are those of the columns. */
export interface PushAddress {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

/** `install-first`: an iPhone pushes to what is on its home screen alone. Undefined: this browser has no push. */
export function wayToPush(): 'possible' | 'denied' | 'install-first' | undefined {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return Notification.permission === 'denied' ? 'denied' : 'possible';
  return isApple() && !isInstalled() ? 'install-first' : undefined;
}

/** The subscription that is there, without asking anyone. */
export async function pushAddress(registration: ServiceWorkerRegistration): Promise<PushAddress | undefined> {
  if (wayToPush() !== 'possible') return undefined;
  const subscription = await registration.pushManager.getSubscription();
  return subscription ? addressOf(subscription) : undefined;
}

/** Needs the network, and a permission that was given. `publicKey`: of the server that will push. */
export async function subscribe(registration: ServiceWorkerRegistration, publicKey: string): Promise<PushAddress> {
  const { pushManager } = registration;
  const key = Uint8Array.from(atob(publicKey.replaceAll('-', '+').replaceAll('_', '/')), (each) => each.charCodeAt(0));
  const present = await pushManager.getSubscription();
  // A server that was set up anew has another key, and the old subscription is deaf to it.
  const known = new Uint8Array(present?.options.applicationServerKey ?? []);
  if (present && key.every((byte, at) => byte === known[at])) return addressOf(present);
  await present?.unsubscribe();
  return addressOf(await pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key }));
}

/** The push service says so to the server with the next alert, which forgets the device then. */
export async function unsubscribe(registration: ServiceWorkerRegistration): Promise<void> {
  await (await registration.pushManager.getSubscription())?.unsubscribe();
}

function addressOf(subscription: PushSubscription): PushAddress {
  const { p256dh = '', auth = '' } = subscription.toJSON().keys ?? {};
  return { endpoint: subscription.endpoint, p256dh, auth };
}
