import type { Quote } from '../lead/quote.ts';
import type { Means } from './quote-form.ts';
import { isSending, unsaved } from './sent.ts';

/**
 * Returns what sets the quote that failed to be stored and sent. A late write may still put it on disk: `onStored` is
 * called then, and its sender needs no hand-over any more.
 */
export function watchUnsaved(
  { bringSending }: Pick<Means, 'bringSending'>,
  onStored: (quote: Quote) => void,
): (quote: Quote | undefined) => void {
  let stop: (() => void) | undefined;

  function set(quote: Quote | undefined) {
    stop?.();
    unsaved.set(quote);
    if (quote) void look(quote);
  }

  async function look(quote: Quote) {
    const { outbox } = await bringSending();
    if (unsaved.read() !== quote) return;
    stop = outbox.watch((entries) => {
      if (isSending.read() || !entries.some(({ id }) => id === quote.id)) return;
      set(undefined);
      onStored(quote);
    });
  }

  addEventListener('beforeunload', (event) => unsaved.read() && event.preventDefault());
  return set;
}
