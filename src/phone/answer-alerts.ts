import { fetchPushKey, registerDevice, type Device } from '../outbox/push-device.ts';
import { createStore } from '../ui/create-store.ts';
import { pushAddress, subscribe, unsubscribe } from './push.ts';
import { tryStorage } from './storage-access.ts';

const KEPT = 'aeropuente.alerts';

/** Which quotes this browser is told about, and where the server reaches it. */
interface Told {
  readonly endpoint: string;
  readonly ids: readonly string[];
}

const NOBODY: Told = { endpoint: '', ids: [] };

function readTold(): Told {
  const kept = tryStorage(() => JSON.parse(localStorage.getItem(KEPT) ?? 'null') as Partial<Told> | null);
  return typeof kept?.endpoint === 'string' && Array.isArray(kept.ids) ? (kept as Told) : NOBODY;
}

/** All receipts of a page show the same. */
export const told = createStore<Told>(NOBODY);

function setTold(next: Told): void {
  tryStorage(() => localStorage.setItem(KEPT, JSON.stringify(next)));
  told.set(next);
}

/** Of the server, asked for once: a list has many receipts. */
let serverKey: Promise<string | undefined> | undefined;

async function askForKey(): Promise<string | undefined> {
  const key = await fetchPushKey();
  if (!key) serverKey = undefined;
  return key;
}

/** An alert that was asked for with an earlier quote is for this one too; the server learns it once. */
export async function alertToo(id: string, worker: ServiceWorkerRegistration): Promise<void> {
  if (!(await pushAddress(worker))) return told.set(NOBODY);
  const address = await pushAddress(worker, await (serverKey ??= askForKey()));
  if (!address) return told.set(NOBODY);
  const kept = readTold();
  if (kept.endpoint === address.endpoint && kept.ids.includes(id)) return told.set(kept);
  await register(id, address);
}

/** False where the server did not take it; throws where the browser did not. */
export async function turnAlertsOn(id: string, worker: ServiceWorkerRegistration): Promise<boolean> {
  const key = await fetchPushKey();
  return key !== undefined && register(id, await subscribe(worker, key));
}

export async function turnAlertsOff(worker: ServiceWorkerRegistration): Promise<void> {
  await unsubscribe(worker).catch(() => undefined);
  setTold(NOBODY);
}

/**
 * Ids open quotes: on a phone that was erased, or is used by others, none stays, and nobody is told. Nothing waits for
 * that: there may be no worker, and no push.
 */
export function forgetAlerts(): void {
  tryStorage(() => localStorage.removeItem(KEPT));
  told.set(NOBODY);
  navigator.serviceWorker
    ?.getRegistration()
    .then((worker) => worker && unsubscribe(worker))
    .catch(() => undefined);
}

async function register(id: string, device: Device): Promise<boolean> {
  if (!(await registerDevice(id, device))) return false;
  const { endpoint, ids } = readTold();
  setTold({ endpoint: device.endpoint, ids: endpoint === device.endpoint ? [...ids, id] : [id] });
  return true;
}
