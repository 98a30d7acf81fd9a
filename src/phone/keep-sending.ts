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
 * Milliseconds for which a delivery can wait to be counted: a site may load its analytics only after the visitor has
 * agreed.
 */
const WAIT_FOR_ANALYTICS = 7 * 24 * 60 * 60_000;
const HALF_A_DAY = 12 * 60 * 60_000;

/** True if waiting quotes are sent even while no page is open; false once the browser has refused background sync. */
export const sendsClosed = createStore(hasBackgroundSync);

/** Keeps sending waiting quotes and messages while the page is open, and announces each delivery. */
export const keepSending = once(() => {
  const flush = startRetryTimer(outbox);
  const registerSyncs = createSyncs();
  outbox.watch((entries) => {
    setWaitingMark(hasWorkForNextVisit(entries));
    void registerSyncs(entries);
    void deliveryNews.announce(entries);
    // The code that asks for answers is needed only once a quote is delivered.
    if (entries.some(({ state, quote }) => state.kind === 'delivered' && quote))
      void import('./keep-asking.ts').then(({ keepAsking }) => keepAsking()).catch(() => undefined);
  });
  const pause = () => outbox.setPaused(true);
  const signOfLife = () => {
    outbox.setPaused(false);
    flush('sign-of-life');
    // Listeners may have missed changes while the page was suspended. Deliveries that a hidden page could not announce,
    // because notifications are not allowed, are announced now.
    outbox.refresh();
  };
  addEventListener('online', signOfLife);
  addEventListener('pageshow', signOfLife);
  document.addEventListener('resume', signOfLife);
  // A flush must not run while the browser suspends the page: an IndexedDB request that is interrupted may never end.
  addEventListener('pagehide', pause);
  document.addEventListener('freeze', pause);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') signOfLife();
  });
  // The worker runs longer than this page and continues to send.
  addEventListener('pagehide', () =>
    navigator.serviceWorker?.controller?.postMessage({ type: 'FLUSH' } satisfies ToWorker),
  );
  signOfLife();
});

/** True if the next visit must load this code at its start, for example to send or announce something. */
function hasWorkForNextVisit(entries: readonly Entry[]): boolean {
  return (
    parcelsIn(entries).length > 0 ||
    entries.some(
      (entry) =>
        entry.state.kind !== 'delivered' ||
        !entry.state.announced ||
        (!entry.state.counted && Date.now() - entry.state.at < WAIT_FOR_ANALYTICS) ||
        entry.answers.some(({ announced }) => !announced) ||
        awaitsAnswer(entry, entries),
    )
  );
}

/** Returns a function that asks the browser for a background sync as soon as one is needed. */
function createSyncs() {
  let registered = { sync: false, periodicSync: false };
  return async (entries: readonly Entry[]): Promise<void> => {
    if (!('serviceWorker' in navigator)) return;
    const sync = parcelsIn(entries).length > 0;
    const periodicSync = sync || entries.some((entry) => awaitsAnswer(entry, entries));
    const isNew = { sync: sync && !registered.sync, periodicSync: periodicSync && !registered.periodicSync };
    registered = { sync, periodicSync };
    if (!isNew.sync && !isNew.periodicSync) return;
    const registration = await navigator.serviceWorker.ready;
    // Private windows refuse both kinds of background sync. Periodic sync works only in an installed app.
    if (isNew.sync) await registration.sync?.register(SYNC_TAG).catch(() => sendsClosed.set(false));
    if (isNew.periodicSync)
      await registration.periodicSync?.register(SYNC_TAG, { minInterval: HALF_A_DAY }).catch(() => undefined);
  };
}

export function countDelivered(): void {
  window.gtag?.('event', 'form_submit', { event_category: 'engagement', event_label: 'quote_request' });
}

type Claim = 'announced' | 'counted';

function createDeliveryNews() {
  const claimed = { announced: new Set<string>(), counted: new Set<string>() };
  /** Folios that each toast about deliveries names. */
  const foliosOf = new Map<symbol, readonly string[]>();

  async function announce(entries: readonly Entry[]): Promise<void> {
    const delivered = (what: Claim) =>
      entries.flatMap(({ id, state }) => (state.kind === 'delivered' && !state[what] ? id : []));
    if (window.gtag) for (const _ of await claim(delivered('counted'), 'counted')) countDelivered();
    const unannounced = delivered('announced');
    if (unannounced.length > 0 && document.visibilityState !== 'visible') {
      return notifyWhereAllowed(async (registration) => {
        for (const id of await claim(unannounced, 'announced')) await showDelivered(registration, id);
      });
    }
    const fresh = await claim(unannounced, 'announced');
    if (fresh.length > 0) showDeliveries(fresh);
  }

  function showDeliveries(ids: readonly string[]): void {
    // The toasts that say 'stored on the phone' about these quotes are outdated.
    for (const id of ids) withdraw(id);
    const folios = [...toasts.read().flatMap(({ id }) => foliosOf.get(id) ?? []), ...ids.map(folioOf)];
    const look = { type: 'success', duration: FORM_DURATION, about: 'announced' } as const;
    foliosOf.set(toast(words.deliveredNotice(folios), look), folios);
  }

  /**
   * Claims the ids that this page has not claimed before: changes of the outbox may call this again before the first
   * claim is on disk.
   */
  async function claim(ids: readonly string[], what: Claim): Promise<readonly string[]> {
    const fresh = ids.filter((id) => !claimed[what].has(id));
    if (fresh.length === 0) return [];
    for (const id of fresh) claimed[what].add(id);
    return outbox.claim(fresh, what).catch(() => {
      for (const id of fresh) claimed[what].delete(id);
      return [];
    });
  }

  return {
    announce,
    /** Ids of the quotes whose delivery was announced, or is announced by the form. */
    claimed: claimed.announced,
  };
}

export const deliveryNews = createDeliveryNews();
