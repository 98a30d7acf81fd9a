import { FORM_ID, SPARING_MARK, WAITING_MARK, type ToWorker } from '../agreements.ts';
import { ready } from '../content/line.ts';
import { isInstalled } from './installed.ts';
import { watchDataSaver } from './data-saver.ts';
import { isSavingData } from './saving.ts';
import { showForAMoment } from './line.ts';
import { tryStorage } from './storage-access.ts';

const HOUR = 60 * 60_000;
const WITH_SIGNAL = 0;
/** A phone that is full fails like a weak line, and fetches in vain: so often, and no more in this visit. */
const WAITS = [5000, 20_000, 60_000, WITH_SIGNAL, WITH_SIGNAL];

/**
 * The worker fetches the whole site. Who saves data gets one that fetches the least, and only once there is something to
 * lose without it: words in the form, or a quote that waits. The rest comes when the saving ends, or with the installation.
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
 * A weak line loses what a first worker needs, and a browser lets go of one that could not be installed. What had come
 * stays: the next try fetches the rest.
 */
async function register(waits: readonly number[] = WAITS): Promise<void> {
  const registration = await navigator.serviceWorker.register('/worker.js').catch(() => undefined);
  const worker = registration?.installing;
  if (registration && (registration.active || !worker || (await comes(worker)))) return follow(registration, worker);
  const isOffline = !navigator.onLine;
  const [wait, ...rest] = waits;
  await new Promise((resolve) => {
    // Another tab had one come.
    navigator.serviceWorker.addEventListener('controllerchange', resolve);
    if (wait === undefined) return;
    addEventListener('online', resolve);
    // An app that stays open for a day may hear of no signal.
    document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && resolve(undefined));
    if (!isOffline && wait !== WITH_SIGNAL) setTimeout(resolve, wait);
  });
  return register(isOffline ? waits : rest);
}

const comes = (worker: ServiceWorker) =>
  new Promise<boolean>((resolve) => {
    worker.addEventListener('statechange', () => resolve(worker.state !== 'redundant'));
  });

function follow(registration: ServiceWorkerRegistration, first: ServiceWorker | null | undefined): void {
  const { serviceWorker } = navigator;
  // Another tab may have accepted it: this one goes on with what it has, and may reload when it likes.
  let isOurs = false;
  const offer = (release: ServiceWorker | null) =>
    import('./update.ts').then(({ offerUpdate }) =>
      offerUpdate(release, () => {
        isOurs = true;
        if (registration.waiting) registration.waiting.postMessage({ type: 'SKIP_WAITING' } satisfies ToWorker);
        else location.reload();
      }),
    );
  let hasWorker = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isOurs) location.reload();
    else if (hasWorker) void offer(serviceWorker.controller);
    hasWorker = true;
  });

  const watch = (worker: ServiceWorker | null | undefined) => {
    const isUpdate = hasWorker;
    worker?.addEventListener('statechange', async () => {
      if (isUpdate) return worker.state === 'installed' && offer(worker);
      // One that was taken back (sw/retire.js) keeps nothing.
      if (worker.state === 'activated' && (await caches.keys()).length > 0 && once('aeropuente.ready'))
        showForAMoment(ready);
    });
  };
  if (registration.waiting && hasWorker) void offer(registration.waiting);
  watch(first);
  registration.addEventListener('updatefound', () => watch(registration.installing));

  const look = () => {
    if (document.visibilityState === 'visible' && !isSavingData()) registration.update().catch(() => undefined);
  };
  document.addEventListener('visibilitychange', look);
  setInterval(look, HOUR);
}

/** Never, where nothing can be kept: else it would be true at every visit. */
function once(key: string): boolean {
  const isFirst = tryStorage(() => {
    if (localStorage.getItem(key)) return false;
    localStorage.setItem(key, '1');
    return true;
  });
  return isFirst === true;
}
