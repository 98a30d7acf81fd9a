import { QUOTES_ADDRESS, type ToPage } from '../src/agreements.ts';
import { showDelivered } from '../src/quote/delivered-notification.ts';
import { outbox } from '../src/quote/phone-outbox.ts';

declare const self: ServiceWorkerGlobalScope;

/** Rejects while anything waits: that is how the browser learns to try again later. */
export async function deliverWaiting({ again }: { readonly again?: string | undefined }): Promise<void> {
  const settled = await outbox.flush('sign-of-life');
  for (const { id, state } of settled) if (state.kind === 'delivered') await notify(id);
  const waiting = (await outbox.entries()).some(({ state }) => state.kind === 'waiting');
  if (!waiting) return;
  // The browser gives up after this one: it is asked anew.
  if (again) await self.registration.sync?.register(again);
  throw new Error('Quotes are still waiting.');
}

/** Once, and only where no page is there to say it and the visitor allowed it. */
async function notify(id: string): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  if (pages.some((page) => page.visibilityState === 'visible')) return;
  if (Notification.permission !== 'granted' || (await outbox.claim([id], 'told')).length === 0) return;
  await showDelivered(self.registration, id);
}

export async function openQuotes(): Promise<void> {
  const [page] = await self.clients.matchAll({ type: 'window' });
  if (!page) return void (await self.clients.openWindow(`/${QUOTES_ADDRESS}`));
  await page.focus();
  page.postMessage({ type: 'OPEN_QUOTES' } satisfies ToPage);
}
