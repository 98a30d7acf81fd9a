import { startQuoteForm, type QuoteForm } from '../form/quote-form.ts';
import type { Entry } from '../outbox/entry.ts';
import { removeStub } from '../receipts/current-stub.ts';
import { showStub } from '../receipts/show-stub.ts';
import { loadWithRetry } from '../ui/hydration.ts';

/** Longest time in milliseconds for which React waits, so that a submitted quote is sent first. */
const QUOTE_FIRST = 10_000;

const loadSendQuote = async () => {
  const sending = await loadWithRetry(() => import('../form/send-quote.ts'));
  // `keepSending` also sends quotes of earlier visits, and quotes for which the form no longer waits.
  sending.keepSending();
  return sending;
};

/** Custom element around the form, which works without React. Quote.tsx adds the parts that need React. */
export class QuoteFormElement extends HTMLElement {
  form!: QuoteForm;
  /** Resolves when the quote of the last press is sent, or after QUOTE_FIRST milliseconds. */
  pressing: Promise<unknown> = Promise.resolve();

  connectedCallback(): void {
    const form = this.querySelector('form')!;
    this.form = startQuoteForm(form, {
      loadSendQuote,
      showReceipt: (entry) => void this.showReceipt(entry),
      removeReceipt: removeStub,
    });
    // The event comes from the form itself, not from this element: the receipt contains forms too, and their submit
    // events also reach this element.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.press();
    });
    // This attribute tells before-paint.ts that the form handles presses itself from now on.
    this.dataset['live'] = '';
    delete this.dataset['pressed'];
    form.ariaBusy = 'false';
    if (this.pressed === form) this.press();
  }

  press(): void {
    const timeout = new Promise((resolve) => setTimeout(resolve, QUOTE_FIRST));
    this.pressing = Promise.race([this.form.press(), timeout]);
  }

  /** Shows the stub, a receipt without React, unless React has loaded and shows the receipt itself. */
  async showReceipt({ quote, id }: Entry): Promise<void> {
    if ('receipt' in this.dataset) return;
    const option = this.querySelector<HTMLOptionElement>('.field [name=tipo_carga] option:checked')!;
    const cargo = option.label.split(' · ')[0]!;
    const stub = showStub(quote!, cargo, this.querySelector(':scope > div')!);
    const { outbox } = await loadSendQuote();
    // The receipt's code is fetched after the request with the quote has started: on a slow connection it would delay
    // the quote.
    await new Promise((resolve) => setTimeout(resolve));
    const { watchStub } = await loadWithRetry(() => import('../receipts/watch-stub.ts'));
    watchStub(outbox, id, stub);
  }
}

customElements.define('quote-form', QuoteFormElement);
