import { Workbox } from 'workbox-window';
import { ready } from '../content/line.ts';
import { isInstalled } from './installed.ts';
import { watchDataSaver } from './data-saver.ts';
import { isSavingData } from './saving.ts';
import { showForAMoment } from './line.ts';
import { tryStorage } from './storage-access.ts';

const HOUR = 60 * 60_000;

/** The worker fetches the whole site, so it waits for a line that can carry it, or for the installation. */
export function startWorker(): void {
  if (!('serviceWorker' in navigator) || import.meta.env.DEV) return;
  let started = false;
  const start = () => {
    if (started) return;
    started = true;
    void register();
  };
  if (navigator.serviceWorker.controller || isInstalled() || !isSavingData()) return start();
  watchDataSaver(() => !isSavingData() && start());
  addEventListener('appinstalled', start);
}

async function register(): Promise<void> {
  const { serviceWorker } = navigator;
  const workbox = new Workbox('/worker.js');
  workbox.addEventListener('activated', async ({ isUpdate }) => {
    // One that was taken back (sw/retire.js) keeps nothing.
    if (!isUpdate && (await caches.keys()).length > 0 && once('aeropuente.ready')) showForAMoment(ready);
  });

  // Another tab may have accepted it: this one goes on with what it has, and may reload when it likes.
  let isOurs = false;
  let isOffered = false;
  const offer = async () => {
    if (isOffered) return;
    isOffered = true;
    const { offerUpdate } = await import('./update.ts');
    offerUpdate(() => {
      isOurs = true;
      if (registration?.waiting) workbox.messageSkipWaiting();
      else location.reload();
    });
  };
  let hasWorker = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isOurs) location.reload();
    else if (hasWorker) void offer();
    hasWorker = true;
  });
  workbox.addEventListener('waiting', () => void offer());

  const registration = await workbox.register().catch(() => undefined);
  const look = () => {
    if (document.visibilityState === 'visible' && !isSavingData()) registration?.update().catch(() => undefined);
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
