import { hasBackgroundSync } from './background-sync.ts';
import { SYNC_TAG, type ToWorker } from '../agreements.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import { FORM_DURATION, toast, toasts, withdraw } from '../notices/toasts.ts';
import { notifyWhereAllowed } from './notifications.ts';
import { createStore } from '../ui/create-store.ts';
import { once } from '../ui/once.ts';
import { awaitsAnswer, parcelsIn, type Entry } from '../outbox/entry.ts';
import { folioOf } from '../lead/folio.ts';
import { startRetryTimer } from '../outbox/retry-timer.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { showDelivered } from './quote-notifications.ts';
import { setWaitingMark } from './quote-marks.ts';

declare global {
  interface Window {
    gtag?: (command: 'event', name: string, details: Record<string, string>) => void;
  }
  interface ServiceWorkerRegistration {
    readonly sync?: { register(tag: string): Promise<void> };
    readonly periodicSync?: { register(tag: string, options: { minInterval: number }): Promise<void> };
  }
}

/**
 * Milliseconds for which a delivery waits to be counted: a site may load analytics only after the visitor's consent.
 */
const WAIT_FOR_ANALYTICS = 7 * 24 * 60 * 60_000;
const HALF_A_DAY = 12 * 60 * 60_000;

/** True if waiting quotes are sent also while no page is open; false once the browser refuses background sync. */
export const sendsClosed = createStore(hasBackgroundSync);

/** Ids of the quotes whose delivery the form itself announces. */
export const inForm = new Set<string>();

const registeredSyncs = { sync: false, periodicSync: false };
const claimed = { told: new Set<string>(), counted: new Set<string>() };
type Claim = keyof typeof claimed;

/** Sends waiting quotes and messages as soon as possible, and announces each delivery. */
export const keepSending = once(() => {
  const flush = startRetryTimer(outbox);
  outbox.watch((entries) => {
    setWaitingMark(hasWorkForNextVisit(entries));
    void registerSyncs(entries);
    void announceDelivered(entries);
    // The code that asks for answers is loaded only if there is a delivered quote.
    if (entries.some(({ state, quote }) => state.kind === 'delivered' && quote))
      void import('./keep-asking.ts').then(({ keepAsking }) => keepAsking()).catch(() => undefined);
  });
  const pause = () => outbox.setPaused(true);
  const signOfLife = () => {
    outbox.setPaused(false);
    flush('sign-of-life');
    // `refresh` notifies the listeners of changes that the suspended page missed, and of deliveries that a hidden page
    // without permission for notifications could not announce.
    outbox.refresh();
  };
  addEventListener('online', signOfLife);
  addEventListener('pageshow', signOfLife);
  document.addEventListener('resume', signOfLife);
  // While the page is suspended no flush runs: an IndexedDB request that is interrupted may never end.
  addEventListener('pagehide', pause);
  document.addEventListener('freeze', pause);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') signOfLife();
  });
  // The worker outlives this page and goes on sending.
  addEventListener('pagehide', () =>
    navigator.serviceWorker?.controller?.postMessage({ type: 'FLUSH' } satisfies ToWorker),
  );
  signOfLife();
});

/** True if something must be done as soon as the next visit starts. */
function hasWorkForNextVisit(entries: readonly Entry[]): boolean {
  return (
    parcelsIn(entries).length > 0 ||
    entries.some(
      (entry) =>
        entry.state.kind !== 'delivered' ||
        !entry.state.told ||
        (!entry.state.counted && Date.now() - entry.state.at < WAIT_FOR_ANALYTICS) ||
        entry.answers.some(({ told }) => !told) ||
        awaitsAnswer(entry, entries),
    )
  );
}

async function registerSyncs(entries: readonly Entry[]): Promise<void> {
  if (!('serviceWorker' in navigator)) return;
  const waits = parcelsIn(entries).length > 0;
  const needed = { sync: waits, periodicSync: waits || entries.some((entry) => awaitsAnswer(entry, entries)) };
  const isNew = {
    sync: needed.sync && !registeredSyncs.sync,
    periodicSync: needed.periodicSync && !registeredSyncs.periodicSync,
  };
  Object.assign(registeredSyncs, needed);
  if (!isNew.sync && !isNew.periodicSync) return;
  const registration = await navigator.serviceWorker.ready;
  // Private windows refuse both kinds of sync, and periodic sync needs an installed app.
  if (isNew.sync) await registration.sync?.register(SYNC_TAG).catch(() => sendsClosed.set(false));
  if (isNew.periodicSync)
    await registration.periodicSync?.register(SYNC_TAG, { minInterval: HALF_A_DAY }).catch(() => undefined);
}

export function countDelivered(): void {
  window.gtag?.('event', 'form_submit', { event_category: 'engagement', event_label: 'quote_request' });
}

async function announceDelivered(entries: readonly Entry[]): Promise<void> {
  const delivered = (what: Claim) =>
    entries.flatMap(({ id, state }) => (state.kind === 'delivered' && !state[what] ? id : []));
  if (window.gtag) for (const _ of await claim(delivered('counted'), 'counted')) countDelivered();
  // The form announces the quotes in `inForm` itself.
  const unannounced = delivered('told').filter((id) => !inForm.has(id));
  if (unannounced.length > 0 && document.visibilityState !== 'visible') {
    return notifyWhereAllowed(async (registration) => {
      for (const id of await claim(unannounced, 'told')) await showDelivered(registration, id);
    });
  }
  const fresh = await claim(unannounced, 'told');
  if (fresh.length > 0) showDeliveries(fresh);
}

/** Folios in each toast about deliveries. */
const foliosOf = new Map<symbol, readonly string[]>();

function showDeliveries(ids: readonly string[]): void {
  // The earlier toast ('the quote is stored') is outdated.
  for (const id of ids) withdraw(id);
  const folios = [...toasts.read().flatMap(({ id }) => foliosOf.get(id) ?? []), ...ids.map(folioOf)];
  foliosOf.set(
    toast(words.deliveredNotice(folios), { type: 'success', duration: FORM_DURATION, about: 'told' }),
    folios,
  );
}

/** Asks for each id once: `watch` may call again before the first claim is written. */
async function claim(ids: readonly string[], what: Claim): Promise<readonly string[]> {
  const fresh = ids.filter((id) => !claimed[what].has(id));
  if (fresh.length === 0) return [];
  for (const id of fresh) claimed[what].add(id);
  return outbox.claim(fresh, what).catch(() => []);
}
