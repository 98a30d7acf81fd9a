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
/**
 * Milliseconds between two attempts to install the worker in one visit. The number of attempts is limited, because on a
 * full disk every attempt fails.
 */
const WAITS = [5000, 20_000, 60_000, WITH_SIGNAL, WITH_SIGNAL];

/**
 * Starts the worker, which fetches the whole site. In data saver mode the worker fetches only what a quote needs, and
 * it starts only if something could be lost: text in the form or a waiting quote. It fetches the other files when data
 * saver mode ends or the site is installed.
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
  // On a slow connection the visitor may have typed something before this script arrived.
  const isWritten = [...new FormData(form).values()].some(Boolean);
  if (serviceWorker.controller || !isSparing() || isWaiting || isWritten) return void start();
  form.addEventListener('input', start, { once: true });
}

/**
 * Registers the worker, and retries if a weak connection lost a file: browsers discard a first worker whose
 * installation fails. Files that were already fetched stay in the cache.
 */
async function register(waits: readonly number[] = WAITS): Promise<void> {
  // Each attempt needs a new Workbox instance. After a failed attempt, the old instance would believe that the next
  // worker belongs to another tab.
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
    // The next attempt also starts when the page becomes visible: an app that stays open all day may receive no
    // `online` event.
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && resolve(undefined));
    if (!isOffline && wait !== WITH_SIGNAL) setTimeout(resolve, wait);
  });
  return register(isOffline ? waits : rest);
}

const isInstalledWhole = (worker: ServiceWorker) =>
  new Promise<boolean>((resolve) => {
    worker.addEventListener('statechange', () => resolve(worker.state !== 'redundant'));
  });

/** Offers each new release. Announces once that the page works without a connection. */
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
    // Another tab accepted the new release. This page keeps its own files until it is reloaded.
    void offer(serviceWorker.controller);
    hasWorker = true;
  });
  workbox.addEventListener('activated', async ({ isUpdate, isExternal }) => {
    // A worker without a cache only removes itself (sw/retire.js); the page does not work offline with it.
    if (!isUpdate && !isExternal && (await caches.keys()).length > 0 && once('aeropuente.ready'))
      showForAMoment(offlineReady);
  });
  if (registration.waiting) void offer(registration.waiting);
  // This page watches for new releases itself, because Workbox reports only the first release that appears later than a
  // minute after the registration.
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

/**
 * True at the first call on this phone. False if the storage fails, because the announcement would otherwise be
 * repeated at every visit.
 */
function once(key: string): boolean {
  const mark = persistedText(key);
  if (mark.get()) return false;
  mark.set('1');
  return mark.get() === '1';
}
