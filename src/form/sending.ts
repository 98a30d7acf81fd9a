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

// Code that sends a quote: a chunk of its own, fetched after the form and before React.

export { keepSending, outbox };

/** End of a press, for the form. */
export type SendEnding =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly refusal: Refusal; readonly text: Bilingual }
  /** On disk, and sent by itself later. `accessDenied`: our side lets nobody in. */
  | { readonly kind: 'kept'; readonly id: string; readonly accessDenied: boolean }
  /** Storing and sending both failed. */
  | { readonly kind: 'unsaved'; readonly text: Bilingual };

/** Sends a kept quote and waits for the end of its first try. Only the form reports that end. */
export async function follow(entry: Entry, atMost: number): Promise<SendEnding> {
  inForm.add(entry.id);
  const answer = firstAnswer(entry.id, atMost);
  outbox.flush('due').catch(() => undefined);
  const state = await answer;
  // Storage that fails by now must not hold up the form.
  if (state?.kind === 'delivered') await outbox.claim([entry.id], 'told').catch(() => []);
  inForm.delete(entry.id);
  if (state?.kind === 'delivered') return { kind: 'delivered' };
  if (state?.kind !== 'refused')
    return { kind: 'kept', id: entry.id, accessDenied: state?.trouble === 'access-denied' };
  const { refusal } = state;
  // The form still holds the values, so the entry goes. A delivered quote stays: its correction needs the id.
  if (refusal.kind !== 'superseded') await outbox.remove(entry.id).catch(() => undefined);
  return refused(refusal);
}

export const refused = (refusal: Refusal): SendEnding => ({ kind: 'refused', refusal, text: refusalMessage(refusal) });

/** State of the entry after its first try, or undefined if that takes longer. */
function firstAnswer(id: string, atMost: number): Promise<DeliveryState | undefined> {
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

/** Sends a quote that the disk does not keep. */
export async function sendUnkept(quote: Quote, replaced: string | undefined): Promise<SendEnding> {
  const outcome: SendOutcome = await deliver(quote, replaced);
  // The disk may answer again, or its write may land late: the entry then has to say 'delivered'.
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
