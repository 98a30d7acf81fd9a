import { startQuoteForm, type QuoteForm } from '../form/quote-form.ts';
import type { Entry } from '../outbox/entry.ts';
import { removeStub } from '../receipts/current-stub.ts';
import { showStub } from '../receipts/show-stub.ts';
import { loadWithRetry } from '../ui/hydration.ts';

/** Longest time in milliseconds for which React waits until a pressed quote is sent. */
const QUOTE_FIRST = 10_000;

const loadSendQuote = async () => {
  const sending = await loadWithRetry(() => import('../form/send-quote.ts'));
  // Quotes of earlier visits wait too, and quotes that outlasted the patience of the form.
  sending.keepSending();
  return sending;
};

/** Custom element of the form, which works without React. Quote.tsx adds the parts that need React. */
export class QuoteFormElement extends HTMLElement {
  form!: QuoteForm;
  /** Resolves when the pressed quote is sent, or after QUOTE_FIRST. */
  pressing: Promise<unknown> = Promise.resolve();

  connectedCallback(): void {
    const form = this.querySelector('form')!;
    this.form = startQuoteForm(form, {
      loadSendQuote,
      showReceipt: (entry) => void this.showReceipt(entry),
      removeReceipt: removeStub,
    });
    // The receipt inside the element has forms of its own.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.press();
    });
    // before-paint.ts stops recording presses, because the form handles them now.
    this.dataset['live'] = '';
    delete this.dataset['pressed'];
    form.ariaBusy = 'false';
    if (this.pressed === form) this.press();
  }

  press(): void {
    const timeout = new Promise((resolve) => setTimeout(resolve, QUOTE_FIRST));
    this.pressing = Promise.race([this.form.press(), timeout]);
  }

  /** Shows a stub unless React can show the receipt itself. */
  async showReceipt({ quote, id }: Entry): Promise<void> {
    if ('receipt' in this.dataset) return;
    const option = this.querySelector<HTMLOptionElement>('.field [name=tipo_carga] option:checked')!;
    const cargo = option.label.split(' · ')[0]!;
    const stub = showStub(quote!, cargo, this.querySelector(':scope > div')!);
    const { outbox } = await loadSendQuote();
    // On a slow connection the quote is sent first.
    await new Promise((resolve) => setTimeout(resolve));
    const { watchStub } = await loadWithRetry(() => import('../receipts/watch-stub.ts'));
    watchStub(outbox, id, stub);
  }
}

customElements.define('quote-form', QuoteFormElement);
