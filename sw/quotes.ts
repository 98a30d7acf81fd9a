import { QUOTES_ADDRESS, type ToPage } from '../src/agreements.ts';
import { attentionIn, awaitsAnswer, parcelsIn } from '../src/outbox/entry.ts';
import { deleteUnusedFiles } from '../src/outbox/file-store.ts';
import { syncAnswers } from '../src/outbox/sync-answers.ts';
import { outbox } from '../src/outbox/phone-outbox.ts';
import { showBadge } from '../src/phone/badge.ts';
import { showAnswered, showDelivered } from '../src/phone/quote-notifications.ts';
import { pushedIn } from './pushed.ts';

declare const self: ServiceWorkerGlobalScope;

/**
 * Sends waiting quotes and messages. Rejects if any of them still waits: the browser then starts the sync again later.
 */
export async function deliverWaiting({ retryTag }: { readonly retryTag?: string | undefined }): Promise<void> {
  const settled = await outbox.flush('sign-of-life');
  for (const { id, state } of settled) if (state.kind === 'delivered') await notifyDelivered(id);
  await deleteUnusedFiles(outbox).catch(() => undefined);
  const entries = await outbox.entries();
  await showBadge(attentionIn(entries).count);
  if (parcelsIn(entries).length === 0) return;
  // This was the browser's last attempt, so a new sync is registered.
  if (retryTag) await self.registration.sync?.register(retryTag);
  throw new Error('Quotes are still waiting.');
}

/**
 * Fetches answers and shows notifications about them while no page is visible. Resolves with the number of
 * notifications.
 */
export async function lookForAnswers(isAsked: typeof awaitsAnswer = awaitsAnswer): Promise<number> {
  const entries = await outbox.entries();
  await syncAnswers(entries.filter((entry) => isAsked(entry, entries)));
  await showBadge(attentionIn(await outbox.entries()).count);
  if (!(await mayNotify())) return 0;
  const answered = await outbox.claimAnswers();
  for (const entry of answered) await showAnswered(self.registration, entry);
  return answered.length;
}

/**
 * Shows a push message. Fetches the answer first, so that the phone has it when the visitor opens the notification. If
 * no answer comes, shows the pushed text: browsers revoke the permission for push if a site shows nothing.
 */
export async function showPushed(event: PushEvent): Promise<void> {
  // Answered quotes are included, because there may be a newer offer or a withdrawal.
  const shown = await lookForAnswers(({ quote, state }) => quote !== null && state.kind === 'delivered').catch(() => 0);
  const { notification, app_badge } = pushedIn(event);
  if (!notification || shown > 0 || !(await mayNotify())) return;
  const { title, body, lang, tag } = notification;
  await self.registration.showNotification(title, { body, lang, tag, icon: '/favicon.svg' });
  if (app_badge) await showBadge(app_badge);
}

async function notifyDelivered(id: string): Promise<void> {
  if (!(await mayNotify()) || (await outbox.claim([id], 'announced')).length === 0) return;
  await showDelivered(self.registration, id);
}

async function mayNotify(): Promise<boolean> {
  const pages = await self.clients.matchAll({ type: 'window' });
  return pages.every((page) => page.visibilityState !== 'visible') && Notification.permission === 'granted';
}

export async function openQuotes(): Promise<void> {
  const pages = await self.clients.matchAll({ type: 'window' });
  const page = pages.find(hasQuotes);
  if (!page) return void (await self.clients.openWindow(`/${QUOTES_ADDRESS}`));
  await page.focus();
  // A page that is still loading cannot reply yet, so the message is sent repeatedly.
  for (let tries = 0; tries < 20 && !(await opensQuotes(page)); tries += 1);
}

function opensQuotes(page: Client): Promise<boolean> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.addEventListener('message', () => resolve(true));
    port1.start();
    page.postMessage({ type: 'OPEN_QUOTES' } satisfies ToPage, [port2]);
    setTimeout(resolve, 500, false);
  });
}

function hasQuotes({ url }: Client): boolean {
  const { pathname, search } = new URL(url);
  return pathname === '/' && !/icon-designer|vapi-icon/.test(search);
}
