import { englishWords, spanishWords, type Bilingual } from '../content/bilingual.ts';
import { notifications as words } from '../content/notifications.ts';
import { folioOf } from '../lead/folio.ts';
import { quoteTag } from '../lead/quote-tag.ts';
import type { Entry } from '../outbox/entry.ts';

export function showDelivered(registration: ServiceWorkerRegistration, id: string): Promise<void> {
  return show(registration, id, words.delivered(folioOf(id)));
}

export function showAnswered(registration: ServiceWorkerRegistration, { id, answers }: Entry): Promise<void> {
  const hasMoved = answers.every(({ track }) => track);
  return show(registration, id, (hasMoved ? words.moved : words.answered)(folioOf(id)));
}

/** Shows a notification about a quote. It replaces an earlier notification about the same quote, even a pushed one. */
async function show(registration: ServiceWorkerRegistration, id: string, text: Bilingual): Promise<void> {
  const body = englishWords(text);
  await registration.showNotification(spanishWords(text), { body, tag: await quoteTag(id), icon: '/favicon.svg' });
}
