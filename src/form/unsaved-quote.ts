import type { Quote } from '../lead/quote.ts';
import type { Means } from './quote-form.ts';
import { isSending, unsavedQuote } from './form-state.ts';

/**
 * Returns a setter for the quote that was not stored and not sent. If the failed write succeeds late, `onStored`
 * is called, and the sender need not hand the quote over any more.
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
