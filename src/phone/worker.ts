import { Workbox } from 'workbox-window';
import { FORM_ID, SPARING_MARK, WAITING_MARK, type ToWorker } from '../agreements.ts';
import { offlineReady } from '../content/status-line.ts';
import { isInstalled } from './installed.ts';
import { watchDataSaver } from './data-saver.ts';
import { isSavingData } from './is-saving-data.ts';
import { showForAMoment } from './status-line.ts';
import { persistedText } from './persisted.ts';

const HOUR = 60 * 60_000;
const WITH_SIGNAL = 0;
/** Milliseconds between tries in one visit. Finite, because a full disk fails as a weak connection does. */
const WAITS = [5000, 20_000, 60_000, WITH_SIGNAL, WITH_SIGNAL];

/**
 * Starts the worker, which fetches the whole site. With data saving the worker fetches the minimum, and starts only
 * when something could be lost: words in the form, or a waiting quote. The rest follows when saving ends or the app is
 * installed.
 */
export function startWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  const { serviceWorker } = navigator;
  let registered: Promise<void> | undefined;
  let isApp = isInstalled();
  const isSparing = () => isSavingData() && !isApp;
  const start = async () => {
    if (isSparing()) await caches.open(SPARING_MARK);
    else void serviceWorker.ready.then(({ active }) => active!.postMessage({ type: 'KEEP_ALL' } satisfies ToWorker));
    registered ??= register();
  };
  watchDataSaver(() => (registered || !isSparing()) && start());
  addEventListener('appinstalled', () => {
    isApp = true;
    void start();
  });
  const form = document.querySelector<HTMLFormElement>(`#${FORM_ID}`)!;
  const isWaiting = persistedText(WAITING_MARK).get();
  // On a slow connection the visitor may have typed before this script arrives.
  const isWritten = [...new FormData(form).values()].some(Boolean);
  if (serviceWorker.controller || !isSparing() || isWaiting || isWritten) return void start();
  form.addEventListener('input', start, { once: true });
}

/**
 * Registers the worker, and retries if a weak connection lost a part: browsers drop a first worker that fails to
 * install. Fetched parts stay in the cache.
 */
async function register(waits: readonly number[] = WAITS): Promise<void> {
  // A failed Workbox instance takes the next worker for another tab's.
  const workbox = new Workbox('/worker.js');
  const registration = await workbox.register({ immediate: true }).catch(() => undefined);
  const worker = registration?.installing;
  if (registration && (registration.active || !worker || (await isInstalledWhole(worker))))
    return follow(workbox, registration);
  const isOffline = !navigator.onLine;
  const [wait, ...rest] = waits;
  await new Promise((resolve) => {
    navigator.serviceWorker.addEventListener('controllerchange', resolve);
    if (wait === undefined) return;
    addEventListener('online', resolve);
    // An app that stays open for a day may get no `online` event.
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && resolve(undefined));
    if (!isOffline && wait !== WITH_SIGNAL) setTimeout(resolve, wait);
  });
  return register(isOffline ? waits : rest);
}

const isInstalledWhole = (worker: ServiceWorker) =>
  new Promise<boolean>((resolve) => {
    worker.addEventListener('statechange', () => resolve(worker.state !== 'redundant'));
  });

/** Offers each new release, and announces once that the page works without signal. */
function follow(workbox: Workbox, registration: ServiceWorkerRegistration): void {
  const { serviceWorker } = navigator;
  let hasWorker = serviceWorker.controller !== null;
  let isAccepted = false;
  const accept = () => {
    isAccepted = true;
    if (registration.waiting) workbox.messageSkipWaiting();
    else location.reload();
  };
  const offer = async (release: ServiceWorker | null) => {
    if (hasWorker) (await import('./update.ts')).offerUpdate(release, accept);
  };
  workbox.addEventListener('controlling', () => {
    if (isAccepted) return location.reload();
    // Another tab accepted the release; this page keeps its own files until a reload.
    void offer(serviceWorker.controller);
    hasWorker = true;
  });
  workbox.addEventListener('activated', async ({ isUpdate, isExternal }) => {
    // A worker that removes itself (sw/retire.js) has no cache.
    if (!isUpdate && !isExternal && (await caches.keys()).length > 0 && once('aeropuente.ready'))
      showForAMoment(offlineReady);
  });
  if (registration.waiting) void offer(registration.waiting);
  // Workbox misses every release after the first that appears a minute after registration.
  const watch = (release: ServiceWorker | null) =>
    release?.addEventListener('statechange', () => release.state === 'installed' && offer(release));
  watch(registration.installing);
  registration.addEventListener('updatefound', () => watch(registration.installing));

  const look = () => {
    if (document.visibilityState === 'visible' && !isSavingData()) workbox.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  setInterval(look, HOUR);
}

/** True the first time on this phone. False if storage fails, because the message would repeat at every visit. */
function once(key: string): boolean {
  const mark = persistedText(key);
  if (mark.get()) return false;
  mark.set('1');
  return mark.get() === '1';
}
