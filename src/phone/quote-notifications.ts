import { englishWords, mainWords, type Bilingual } from '../content/bilingual.ts';
import { notifications as words } from '../content/notifications.ts';
import { folioOf } from '../lead/folio.ts';
import { quoteTag } from '../lead/quote-tag.ts';

/** The notification of a delivery, shown by whoever was first to deliver: a hidden page or the worker. */
export function showDelivered(registration: ServiceWorkerRegistration, id: string): Promise<void> {
  return show(registration, id, words.delivered(folioOf(id)));
}

export function showAnswered(registration: ServiceWorkerRegistration, id: string): Promise<void> {
  return show(registration, id, words.answered(folioOf(id)));
}

/** The later word about a quote takes the place of the earlier, also of one that was pushed. */
async function show(registration: ServiceWorkerRegistration, id: string, text: Bilingual): Promise<void> {
  const body = englishWords(text);
  await registration.showNotification(mainWords(text), { body, tag: await quoteTag(id), icon: '/favicon.svg' });
}
