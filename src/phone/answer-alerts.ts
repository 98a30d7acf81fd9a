import { fetchPushKey, registerDevice, type Device } from '../outbox/push-device.ts';
import { createStore } from '../ui/create-store.ts';
import { pushAddress, subscribe, unsubscribe } from './push.ts';
import { persisted } from './persisted.ts';

/** `endpoint`: this browser's address at the push service. `ids`: quotes about which it gets alerts. */
interface AlertedQuotes {
  readonly endpoint: string;
  readonly ids: readonly string[];
}

const NOBODY: AlertedQuotes = { endpoint: '', ids: [] };

const storedAlerts = persisted<AlertedQuotes>('aeropuente.alerts', (stored) => {
  const { endpoint, ids } = (stored ?? NOBODY) as Partial<AlertedQuotes>;
  return endpoint && Array.isArray(ids) ? { endpoint, ids } : undefined;
});

const readAlerts = () => storedAlerts.get() ?? NOBODY;

export const alertedQuotes = createStore<AlertedQuotes>(NOBODY);

function setAlerted(next: AlertedQuotes): void {
  storedAlerts.set(next);
  alertedQuotes.set(next);
}

/**
 * Fetches the server's public key once for all receipts on the page. If the server did not respond, the next call
 * fetches the key again.
 */
const serverKey = createServerKey();

function createServerKey() {
  let key: Promise<string | undefined> | undefined;
  const ask = async () => {
    const answer = await fetchPushKey();
    if (!answer) key = undefined;
    return answer;
  };
  return () => (key ??= ask());
}

/** Registers one more quote for alerts, if the visitor has turned alerts on before. */
export async function alertToo(id: string, worker: ServiceWorkerRegistration): Promise<void> {
  if (!(await pushAddress(worker))) return alertedQuotes.set(NOBODY);
  const address = await pushAddress(worker, await serverKey());
  if (!address) return alertedQuotes.set(NOBODY);
  const known = readAlerts();
  if (known.endpoint === address.endpoint && known.ids.includes(id)) return alertedQuotes.set(known);
  await register(id, address);
}

/** Turns alerts on for a quote. False if the server refused; rejects if the browser refused. */
export async function turnAlertsOn(id: string, worker: ServiceWorkerRegistration): Promise<boolean> {
  const key = await fetchPushKey();
  return key !== undefined && register(id, await subscribe(worker, key));
}

export async function turnAlertsOff(worker: ServiceWorkerRegistration): Promise<void> {
  await unsubscribe(worker).catch(() => undefined);
  setAlerted(NOBODY);
}

/**
 * Deletes the stored quote ids and ends the push subscription, when the phone's data are erased or the phone becomes
 * shared. With these ids the quotes could be opened. Callers do not wait for the end, because the browser may have no
 * worker or no push.
 */
export function forgetAlerts(): void {
  storedAlerts.set(undefined);
  alertedQuotes.set(NOBODY);
  navigator.serviceWorker
    ?.getRegistration()
    .then((worker) => worker && unsubscribe(worker))
    .catch(() => undefined);
}

async function register(id: string, device: Device): Promise<boolean> {
  if (!(await registerDevice(id, device))) return false;
  const { endpoint, ids } = readAlerts();
  setAlerted({ endpoint: device.endpoint, ids: endpoint === device.endpoint ? [...ids, id] : [id] });
  return true;
}
