import { QUOTES_ADDRESS, type ToPage } from '../src/agreements.ts';
import { attentionIn, awaitsAnswer, parcelsIn } from '../src/outbox/entry.ts';
import { tidyFiles } from '../src/outbox/file-store.ts';
import { hearAnswers } from '../src/outbox/hear-answers.ts';
import { outbox } from '../src/outbox/phone-outbox.ts';
import { showBadge } from '../src/phone/badge.ts';
import { showAnswered, showDelivered } from '../src/phone/quote-notifications.ts';
import { pushedIn } from './pushed.ts';

declare const self: ServiceWorkerGlobalScope;

/** Rejects while anything waits: that is how the browser learns to try again later. */
export async function deliverWaiting({ again }: { readonly again?: string | undefined }): Promise<void> {
  const settled = await outbox.flush('sign-of-life');
  for (const { id, state } of settled) if (state.kind === 'delivered') await notifyDelivered(id);
  // What was erased, or is over, takes its pictures along.
  await tidyFiles(outbox).catch(() => undefined);
  const entries = await outbox.entries();
  await showBadge(attentionIn(entries).count);
  if (parcelsIn(entries).length === 0) return;
  // The browser gives up after this one: it is asked anew.
  if (again) await self.registration.sync?.register(again);
  throw new Error('Quotes are still waiting.');
}

/** While no page is open, what the sales team answered is looked for now and then. Resolves with how many were told. */
export async function lookForAnswers(isAsked: typeof awaitsAnswer = awaitsAnswer): Promise<number> {
  const entries = await outbox.entries();
  await hearAnswers(entries.filter((entry) => isAsked(entry, entries)));
  await showBadge(attentionIn(await outbox.entries()).count);
  if (!(await mayNotify())) return 0;
  const answered = await outbox.claimAnswers();
  for (const { id } of answered) await showAnswered(self.registration, id);
  return answered.length;
}

/**
 * The sales team has answered. The answer is fetched, so that it is there when the notification is pressed. Where that
 * fails, what was pushed is shown: a browser takes the right to push from who shows nothing.
 */
export async function showPushed(event: PushEvent): Promise<void> {
  // Also of what was answered before: there is a newer offer, or one was withdrawn.
  const told = await lookForAnswers(({ quote, state }) => quote !== null && state.kind === 'delivered').catch(() => 0);
  const { notification, app_badge } = pushedIn(event);
  if (!notification || told > 0 || !(await mayNotify())) return;
  const { title, body, lang, tag } = notification;
  await self.registration.showNotification(title, { body, lang, tag, icon: '/favicon.svg' });
  if (app_badge) await showBadge(app_badge);
}

async function notifyDelivered(id: string): Promise<void> {
  if (!(await mayNotify()) || (await outbox.claim([id], 'told')).length === 0) return;
  await showDelivered(self.registration, id);
}

/** Only where no page is there to say it and the visitor allowed it. */
async function mayNotify(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window' });
  return pages.every((page) => page.visibilityState !== 'visible') && Notification.permission === 'granted';
}

export async function openQuotes(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(hasQuotes);
  if (!page) return void (await self.clients.openWindow(`/${QUOTES_ADDRESS}`));
  await page.focus();
  // A page that is still loading does not answer yet.
  for (let tries = 0; tries < 20 && !(await hears(page)); tries += 1);
}

/** Asks the page to open its quotes, and waits half a second for its answer. */
function hears(page: Client): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(true));
    port1.start();
    page.postMessage({ type: 'OPEN_QUOTES' } satisfies ToPage, [port2]);
    setTimeout(resolve, 500, false);
  });
}

/** The landing alone has them; an internal page stands at the same address, with its name behind it. */
function hasQuotes({ url }: Client): boolean {
  const { pathname, search } = new URL(url);
  return pathname === '/' && !/icon-designer|vapi-icon/.test(search);
}
