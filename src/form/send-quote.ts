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

// Code that sends a quote: a separate chunk, fetched after the form and before React.

export { keepSending, outbox };

/** Result of a press, for the form. */
export type SendEnding =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly text: Bilingual }
  /** Stored, and sent later without the visitor. `accessDenied`: the server's configuration refuses everyone. */
  | { readonly kind: 'stored'; readonly id: string; readonly accessDenied: boolean }
  /** Storing and sending both failed. */
  | { readonly kind: 'unsaved'; readonly text: Bilingual };

/** Sends a stored quote and waits for the result of the first try, which only the form shows (`inForm`). */
export async function sendStored(entry: Entry, atMost: number): Promise<SendEnding> {
  inForm.add(entry.id);
  const answer = firstState(entry.id, atMost);
  outbox.flush('due').catch(() => undefined);
  const state = await answer;
  // The form must not wait for storage that fails now.
  if (state?.kind === 'delivered') await outbox.claim([entry.id], 'told').catch(() => []);
  inForm.delete(entry.id);
  if (state?.kind === 'delivered') return { kind: 'delivered' };
  if (state?.kind !== 'refused')
    return { kind: 'stored', id: entry.id, accessDenied: state?.trouble === 'access-denied' };
  const { refusal } = state;
  // The form still has the values, so the refused entry is removed. The entry of a delivered quote stays, because the
  // correction needs its id.
  if (refusal.kind !== 'superseded') await outbox.remove(entry.id).catch(() => undefined);
  return refused(refusal);
}

export const refused = (refusal: Refusal): SendEnding => ({
  kind: 'refused',
  refusal,
  text: refusalMessage(refusal),
});

/** State of the entry after its first try, or undefined if that takes longer. */
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
  // Storing failed but may still succeed later. The entry must then say 'delivered', or it is sent again.
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
