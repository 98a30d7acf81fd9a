import { startQuoteForm, type QuoteForm } from '../form/quote-form.ts';
import type { Entry } from '../outbox/entry.ts';
import { removeStub } from '../receipts/current-stub.ts';
import { showStub } from '../receipts/show-stub.ts';
import { loadWithRetry } from '../ui/hydration.ts';

/** Longest time in milliseconds for which React waits until the quote of a press is sent. */
const QUOTE_FIRST = 10_000;

const loadSendQuote = async () => {
  const sending = await loadWithRetry(() => import('../form/send-quote.ts'));
  // Waiting quotes of earlier visits are sent too, and quotes for which the form no longer waits.
  sending.keepSending();
  return sending;
};

/** Custom element of the form, which works without React. Quote.tsx adds the parts that need React. */
export class QuoteFormElement extends HTMLElement {
  form!: QuoteForm;
  /** Resolves when the quote of the last press is sent, or after QUOTE_FIRST. */
  pressing: Promise<unknown> = Promise.resolve();

  connectedCallback(): void {
    const form = this.querySelector('form')!;
    this.form = startQuoteForm(form, {
      loadSendQuote,
      showReceipt: (entry) => void this.showReceipt(entry),
      removeReceipt: removeStub,
    });
    // The receipt inside this element has forms of its own, whose submit events arrive here too.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.press();
    });
    // The attribute makes before-paint.ts stop recording presses, because the form now handles them.
    this.dataset['live'] = '';
    delete this.dataset['pressed'];
    form.ariaBusy = 'false';
    if (this.pressed === form) this.press();
  }

  press(): void {
    const timeout = new Promise((resolve) => setTimeout(resolve, QUOTE_FIRST));
    this.pressing = Promise.race([this.form.press(), timeout]);
  }

  /** Shows the stub, a receipt without React, unless React can render the receipt at once. */
  async showReceipt({ quote, id }: Entry): Promise<void> {
    if ('receipt' in this.dataset) return;
    const option = this.querySelector<HTMLOptionElement>('.field [name=tipo_carga] option:checked')!;
    const cargo = option.label.split(' · ')[0]!;
    const stub = showStub(quote!, cargo, this.querySelector(':scope > div')!);
    const { outbox } = await loadSendQuote();
    // The quote is sent before the receipt's code is fetched, which would delay it on a slow connection.
    await new Promise((resolve) => setTimeout(resolve));
    const { watchStub } = await loadWithRetry(() => import('../receipts/watch-stub.ts'));
    watchStub(outbox, id, stub);
  }
}

customElements.define('quote-form', QuoteFormElement);
