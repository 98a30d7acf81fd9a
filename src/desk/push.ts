import type { ToDesk } from '../agreements.ts';
import { pushAddress, subscribe, unsubscribe, type Device } from '../phone/push.ts';
import { readPushKeyRow } from '../lead/rows.ts';
import { backend, rows } from './backend.ts';

/** The worker of the desk, whose folder holds no page: it takes part in no request of this one. */
const SCOPE = '/mesa/';

const registered = () => navigator.serviceWorker?.getRegistration(SCOPE);

/**
 * Is this computer told while the desk is closed? Whoever sat down at it is whom its alerts are for. Where the server was
 * set up anew, it subscribes again.
 */
export async function renewPush(): Promise<boolean> {
  const registration = await registered();
  if (!registration || !(await pushAddress(registration))) return false;
  await tellServer(await subscribe(registration, await pushKey()));
  return true;
}

/** Throws where the network, or this browser, does not let it. */
export async function turnPushOn(): Promise<void> {
  const registration = await navigator.serviceWorker.register('/mesa-worker.js', { scope: SCOPE });
  await activeIn(registration);
  await tellServer(await subscribe(registration, await pushKey()));
}

async function pushKey(): Promise<string> {
  const [key] = await rows(backend.from('push_keys').select('public_key'), readPushKeyRow);
  return key!.public_key;
}

export async function turnPushOff(): Promise<void> {
  const registration = await registered();
  if (registration) await unsubscribe(registration);
}

/** A notification was pressed while a desk was open. A locked one shows the lead to who signs in. */
export function watchPressed(): void {
  navigator.serviceWorker?.addEventListener('message', ({ data }: MessageEvent<ToDesk>) => {
    if (data.type === 'OPEN_LEAD') location.hash = data.hash;
  });
  navigator.serviceWorker?.startMessages();
}

async function tellServer(device: Device): Promise<void> {
  await rows(backend.from('push_devices').insert({ ...device }));
}

async function activeIn({ active, installing, waiting }: ServiceWorkerRegistration): Promise<void> {
  if (active) return;
  const worker = (installing ?? waiting)!;
  await new Promise<void>((resolve) => {
    worker.addEventListener('statechange', () => worker.state === 'activated' && resolve());
  });
}
