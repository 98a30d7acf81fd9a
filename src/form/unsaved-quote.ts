import type { Quote } from '../lead/quote.ts';
import type { Means } from './quote-form.ts';
import { isSending, unsavedQuote } from './form-state.ts';

/**
 * Returns a function that sets the quote that could not be stored and whose sending failed too. If the failed write
 * succeeds later, `onStored` is called, and the visitor no longer needs to send the quote by another app.
 */
export function watchUnsaved(
  { loadSendQuote }: Pick<Means, 'loadSendQuote'>,
  onStored: (quote: Quote) => void,
): (quote: Quote | undefined) => void {
  let stop: (() => void) | undefined;

  function set(quote: Quote | undefined) {
    stop?.();
    unsavedQuote.set(quote);
    if (quote) void watchOutbox(quote);
  }

  async function watchOutbox(quote: Quote) {
    const { outbox } = await loadSendQuote();
    if (unsavedQuote.read() !== quote) return;
    stop = outbox.watch((entries) => {
      if (isSending.read() || !entries.some(({ id }) => id === quote.id)) return;
      set(undefined);
      onStored(quote);
    });
  }

  addEventListener('beforeunload', (event) => unsavedQuote.read() && event.preventDefault());
  return set;
}
