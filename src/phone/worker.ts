import { Workbox } from 'workbox-window';
import { FORM_ID, SPARING_MARK, WAITING_MARK, type ToWorker } from '../agreements.ts';
import { ready } from '../content/line.ts';
import { isInstalled } from './installed.ts';
import { watchDataSaver } from './data-saver.ts';
import { isSavingData } from './saving.ts';
import { showForAMoment } from './line.ts';
import { tryStorage } from './storage-access.ts';

const HOUR = 60 * 60_000;
const WITH_SIGNAL = 0;
/** Pauses between the tries of one visit. A full phone fails like a weak line does, so they end. */
const WAITS = [5000, 20_000, 60_000, WITH_SIGNAL, WITH_SIGNAL];

/**
 * Starts the worker, which fetches the whole site. A visitor who saves data gets one that fetches the least, and only when
 * something could be lost without it: words in the form, or a quote that waits. The rest follows when saving ends or the
 * app is installed.
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
  const isWaiting = tryStorage(() => localStorage.getItem(WAITING_MARK));
  // On a slow line words may be there before this script is.
  const isWritten = [...new FormData(form).values()].some(Boolean);
  if (serviceWorker.controller || !isSparing() || isWaiting || isWritten) return void start();
  form.addEventListener('input', start, { once: true });
}

/**
 * Registers the worker, and tries again where a weak line lost a part of it: browsers drop a first worker that could not
 * be installed. Parts that came are kept, so the next try fetches the rest.
 */
async function register(waits: readonly number[] = WAITS): Promise<void> {
  // Each try has its own Workbox: a failed instance counts the next worker as another tab's.
  const workbox = new Workbox('/worker.js');
  const registration = await workbox.register({ immediate: true }).catch(() => undefined);
  const worker = registration?.installing;
  if (registration && (registration.active || !worker || (await isInstalledWhole(worker))))
    return follow(workbox, registration);
  const isOffline = !navigator.onLine;
  const [wait, ...rest] = waits;
  await new Promise((resolve) => {
    // Another tab has installed one.
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

/** Offers each new release, and says once that the page now opens without signal. */
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
    // Another tab has accepted the release. This page keeps its own files until it is reloaded.
    void offer(serviceWorker.controller);
    hasWorker = true;
  });
  workbox.addEventListener('activated', async ({ isUpdate, isExternal }) => {
    // A worker that removes itself (sw/retire.js) has no cache.
    if (!isUpdate && !isExternal && (await caches.keys()).length > 0 && once('aeropuente.ready')) showForAMoment(ready);
  });
  if (registration.waiting) void offer(registration.waiting);
  // Workbox reports no release after the first that it finds a minute after the registration.
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

/** Is this the first time on this phone? `false` where storage is refused, or the message would come at every visit. */
function once(key: string): boolean {
  const isFirst = tryStorage(() => {
    if (localStorage.getItem(key)) return false;
    localStorage.setItem(key, '1');
    return true;
  });
  return isFirst === true;
}
