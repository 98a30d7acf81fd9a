import { deliver } from '../outbox/delivery.ts';
import type { Refusal } from '../lead/refusal.ts';
import type { Entry } from '../outbox/entry.ts';
import { newEntry } from '../outbox/new-entry.ts';
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

interface About {
  readonly corrects: boolean;
  readonly replaced?: string | undefined;
  /** The disk was asked before, and is not asked again. */
  readonly isUnkept?: boolean;
}

/**
 * To disk, then to the server. `onKept` is called as soon as the quote is on disk, `onUnkept` before the quote is sent
 * without being kept.
 */
export async function submitQuote(
  quote: Quote,
  about: About,
  onKept: (entry: Entry) => void,
  onUnkept: () => void,
): Promise<Ending> {
  const entry = about.isUnkept ? undefined : await marked(() => outbox.add(quote, about)).catch(() => undefined);
  if (!entry) {
    onUnkept();
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
  // The disk may answer again, and the write may have landed after its bound: both know then how it ended.
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
  if (outcome.kind !== 'refused') return { kind: 'unsaved', accessDenied: outcome.kind === 'access-denied' };
  if (outcome.refusal.kind !== 'superseded') void outbox.remove(quote.id).catch(() => undefined);
  return outcome;
}
