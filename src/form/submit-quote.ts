import { deliver } from '../outbox/delivery.ts';
import type { Refusal } from '../lead/refusal.ts';
import type { Entry } from '../outbox/entry.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import type { Quote } from '../lead/quote.ts';
import { countDelivered, inForm } from '../phone/keep-sending.ts';
import { marked } from '../phone/waiting-mark.ts';
import type { State } from '../lead/kept-state.ts';
import type { Outcome } from '../outbox/state.ts';

/** How a submit ends for the form. */
export type Ending =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** On disk, and sent by itself later. `accessDenied`: our side lets nobody in. */
  | { readonly kind: 'kept'; readonly id: string; readonly accessDenied: boolean }
  /** The one case in which it could be neither kept nor sent. */
  | { readonly kind: 'unsaved'; readonly accessDenied: boolean };

const BUSY_AT_MOST = 5000;

/** To disk, then to the server. `onKept` is called as soon as the quote is on disk. */
export async function submitQuote(
  quote: Quote,
  about: { readonly corrects: boolean; readonly replaced?: string | undefined },
  onKept: (entry: Entry) => void,
): Promise<Ending> {
  let entry: Entry;
  try {
    entry = await marked(() => outbox.add(quote, about));
  } catch {
    return sendWithoutKeeping(quote, about.replaced);
  }
  if (entry.state.kind === 'refused') return { kind: 'refused', refusal: entry.state.refusal };
  onKept(entry);
  const ending = await follow(entry);
  // The form still holds the values: nothing is left in the queue. One that had arrived before it was corrected stays: its
  // correction shows the server its id.
  if (ending.kind === 'refused' && ending.refusal.kind !== 'superseded')
    await outbox.remove(entry.id).catch(() => undefined);
  return ending;
}

/** How the first try of what is kept ends; the form tells of it, and nothing else does meanwhile. */
export async function follow(entry: Entry): Promise<Ending> {
  inForm.add(entry.id);
  const answer = firstAnswer(entry.id);
  outbox.flush('due').catch(() => undefined);
  const state = await answer;
  // Storage that fails by now must not hold up the form.
  if (state?.kind === 'delivered') await outbox.claim([entry.id], 'told').catch(() => []);
  inForm.delete(entry.id);
  if (state?.kind === 'delivered') return { kind: 'delivered' };
  if (state?.kind === 'refused') return { kind: 'refused', refusal: state.refusal };
  return { kind: 'kept', id: entry.id, accessDenied: state?.trouble === 'access-denied' };
}

/** Where the entry stands after its first try, or undefined while that takes longer than a form may be busy. */
function firstAnswer(id: string): Promise<State | undefined> {
  return new Promise((resolve) => {
    const stop = outbox.watch((entries) => {
      const state = entries.find((entry) => entry.id === id)?.state;
      if (state && (state.kind !== 'waiting' || state.attempts > 0)) end(state);
    });
    const timer = setTimeout(() => end(undefined), BUSY_AT_MOST);
    function end(state: State | undefined) {
      clearTimeout(timer);
      stop();
      resolve(state);
    }
  });
}

async function sendWithoutKeeping(quote: Quote, replaced: string | undefined): Promise<Ending> {
  const outcome: Outcome = await deliver(quote, replaced);
  if (outcome.kind === 'delivered') countDelivered();
  if (outcome.kind === 'delivered' || outcome.kind === 'refused') return outcome;
  return { kind: 'unsaved', accessDenied: outcome.kind === 'access-denied' };
}
