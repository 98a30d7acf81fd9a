import { deliver } from '../outbox/delivery.ts';
import { refusalMessage, undeliveredMessage } from '../content/refusals.ts';
import type { Bilingual } from '../content/bilingual.ts';
import type { Refusal } from '../lead/refusal.ts';
import type { Entry } from '../outbox/entry.ts';
import { newEntry } from '../outbox/new-entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import type { Quote } from '../lead/quote.ts';
import { countDelivered, deliveryNews, keepSending } from '../phone/keep-sending.ts';
import type { DeliveryState } from '../lead/delivery-state.ts';
import type { SendOutcome } from '../outbox/state.ts';

// This code, which sends quotes, is a separate file: phones fetch it after the form's code and before React.

export { keepSending, outbox };

/** Result of storing and sending a quote, as the form shows it. */
export type SendEnding =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly text: Bilingual }
  /**
   * The quote is on the phone and will be sent later, without another press. `accessDenied`: the server's configuration
   * refuses all requests.
   */
  | { readonly kind: 'stored'; readonly id: string; readonly accessDenied: boolean }
  /** The quote could not be stored, and sending it failed too. */
  | { readonly kind: 'unsaved'; readonly text: Bilingual };

/**
 * Sends a stored quote and resolves with the result of the first try. The form shows this result;
 * `deliveryNews.claimed` keeps other parts of the page from announcing it too.
 */
export async function sendStored(entry: Entry, atMost: number): Promise<SendEnding> {
  deliveryNews.claimed.add(entry.id);
  const answer = firstState(entry.id, atMost);
  outbox.flush('due').catch(() => undefined);
  const state = await answer;
  // The quote is delivered even if the phone cannot record that the visitor knows it, so a failed write is ignored.
  if (state?.kind === 'delivered') await outbox.claim([entry.id], 'announced').catch(() => []);
  deliveryNews.claimed.delete(entry.id);
  if (state?.kind === 'delivered') return { kind: 'delivered' };
  if (state?.kind !== 'refused')
    return { kind: 'stored', id: entry.id, accessDenied: state?.trouble === 'access-denied' };
  const { refusal } = state;
  // The form still has the values of a refused quote, so its entry is removed. If an earlier text of the quote was
  // delivered ('superseded'), the entry stays, because the correction needs its id.
  if (refusal.kind !== 'superseded') await outbox.remove(entry.id).catch(() => undefined);
  return refused(refusal);
}

export const refused = (refusal: Refusal): SendEnding => ({
  kind: 'refused',
  refusal,
  text: refusalMessage(refusal),
});

/** Resolves with the entry's state after the first try; undefined if the try takes more than `atMost` milliseconds. */
function firstState(id: string, atMost: number): Promise<DeliveryState | undefined> {
  return new Promise((resolve) => {
    const stop = outbox.watch((entries) => {
      const state = entries.find((entry) => entry.id === id)?.state;
      if (state && (state.kind !== 'waiting' || state.attempts > 0)) end(state);
    });
    const timer = setTimeout(() => end(undefined), atMost);
    function end(state: DeliveryState | undefined) {
      clearTimeout(timer);
      stop();
      resolve(state);
    }
  });
}

export async function sendUnstored(quote: Quote, replaced: string | undefined): Promise<SendEnding> {
  const outcome: SendOutcome = await deliver(quote, replaced);
  // The failed write may still succeed later, and the quote would then be sent a second time. The entry is therefore
  // stored as delivered.
  if (outcome.kind === 'delivered') {
    countDelivered();
    const { kind, at, promisedAt } = outcome;
    const entry = { ...newEntry(quote, Date.now()), replaced };
    void outbox
      .restore({ ...entry, state: { kind, at, promisedAt, announced: true, counted: true } })
      .then(() => outbox.flush('due'))
      .catch(() => undefined);
    return outcome;
  }
  if (outcome.kind !== 'refused')
    return { kind: 'unsaved', text: undeliveredMessage({ accessDenied: outcome.kind === 'access-denied' }) };
  if (outcome.refusal.kind !== 'superseded') void outbox.remove(quote.id).catch(() => undefined);
  return refused(outcome.refusal);
}
