import { deliver } from '../outbox/delivery.ts';
import { refusalMessage, undeliveredMessage } from '../content/refusals.ts';
import type { Bilingual } from '../content/bilingual.ts';
import type { Refusal } from '../lead/refusal.ts';
import type { Entry } from '../outbox/entry.ts';
import { newEntry } from '../outbox/new-entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import type { Quote } from '../lead/quote.ts';
import { countDelivered, inForm, keepSending } from '../phone/keep-sending.ts';
import type { DeliveryState } from '../lead/delivery-state.ts';
import type { SendOutcome } from '../outbox/state.ts';

// Code that sends a quote: a chunk of its own, fetched after the form's and before React.

export { keepSending, outbox };

/** Result of storing and sending a quote, which the form shows. */
export type SendEnding =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly text: Bilingual }
  /**
   * Stored on the phone, and sent later without the visitor. `accessDenied`: the server's configuration refuses all
   * requests.
   */
  | { readonly kind: 'stored'; readonly id: string; readonly accessDenied: boolean }
  /** Storing and sending both failed. */
  | { readonly kind: 'unsaved'; readonly text: Bilingual };

/**
 * Sends a stored quote and waits for the result of the first try. While its id is in `inForm`, only the form shows this
 * result.
 */
export async function sendStored(entry: Entry, atMost: number): Promise<SendEnding> {
  inForm.add(entry.id);
  const answer = firstState(entry.id, atMost);
  outbox.flush('due').catch(() => undefined);
  const state = await answer;
  // A failed write is ignored: the quote is delivered, even if the phone cannot store this.
  if (state?.kind === 'delivered') await outbox.claim([entry.id], 'told').catch(() => []);
  inForm.delete(entry.id);
  if (state?.kind === 'delivered') return { kind: 'delivered' };
  if (state?.kind !== 'refused')
    return { kind: 'stored', id: entry.id, accessDenied: state?.trouble === 'access-denied' };
  const { refusal } = state;
  // The form still has the values, so the entry of a refused quote is removed. The entry of a delivered quote stays,
  // because the correction needs its id.
  if (refusal.kind !== 'superseded') await outbox.remove(entry.id).catch(() => undefined);
  return refused(refusal);
}

export const refused = (refusal: Refusal): SendEnding => ({
  kind: 'refused',
  refusal,
  text: refusalMessage(refusal),
});

/** State of the entry after its first try; undefined if the try takes longer than `atMost` milliseconds. */
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

/** Sends a quote that could not be stored. */
export async function sendUnstored(quote: Quote, replaced: string | undefined): Promise<SendEnding> {
  const outcome: SendOutcome = await deliver(quote, replaced);
  // The failed write may still succeed late. The entry is therefore stored as delivered, or it would be sent again.
  if (outcome.kind === 'delivered') {
    countDelivered();
    const { kind, at, promisedAt } = outcome;
    const entry = { ...newEntry(quote, Date.now()), replaced };
    void outbox
      .restore({ ...entry, state: { kind, at, promisedAt, told: true, counted: true } })
      .then(() => outbox.flush('due'))
      .catch(() => undefined);
    return outcome;
  }
  if (outcome.kind !== 'refused')
    return { kind: 'unsaved', text: undeliveredMessage({ accessDenied: outcome.kind === 'access-denied' }) };
  if (outcome.refusal.kind !== 'superseded') void outbox.remove(quote.id).catch(() => undefined);
  return refused(outcome.refusal);
}
