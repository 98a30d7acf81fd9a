import { startQuoteForm, type QuoteForm } from '../form/quote-form.ts';
import type { Entry } from '../outbox/entry.ts';
import { removeStub } from '../receipts/current-stub.ts';
import { showStub } from '../receipts/show-stub.ts';
import { insist } from '../ui/waking.ts';

/** Milliseconds for which a pressed quote has the line to itself, at most. */
const ALONE = 10_000;

const bringSending = async () => {
  const sending = await insist(() => import('../form/sending.ts'));
  // Quotes of earlier visits are due too, and those for which the form has stopped waiting.
  sending.keepSending();
  return sending;
};

/** The form of the page, from the first of its scripts to the last. Quote.tsx is what React adds to it. */
export class QuoteFormElement extends HTMLElement {
  form!: QuoteForm;
  /** Resolves when the pressed quote is sent, or after ALONE. */
  pressing: Promise<unknown> = Promise.resolve();

  connectedCallback(): void {
    const form = this.querySelector('form')!;
    this.form = startQuoteForm(form, {
      bringSending,
      showReceipt: (entry) => void this.showReceipt(entry),
      removeReceipt: removeStub,
    });
    // The receipt inside the element has forms of its own.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.press();
    });
    // Tells before-paint.ts that presses reach the form now.
    this.dataset['heard'] = '';
    delete this.dataset['pressed'];
    form.ariaBusy = 'false';
    if (this.pressed === form) this.press();
  }

  press(): void {
    const alone = new Promise((resolve) => setTimeout(resolve, ALONE));
    this.pressing = Promise.race([this.form.press(), alone]);
  }

  /** Shows a stub unless React has brought the receipt. */
  async showReceipt({ quote, id }: Entry): Promise<void> {
    if ('receipt' in this.dataset) return;
    const option = this.querySelector<HTMLOptionElement>('.field [name=tipo_carga] option:checked')!;
    const cargo = option.label.split(' · ')[0]!;
    const stub = showStub(quote!, cargo, this.querySelector(':scope > div')!);
    const { outbox } = await bringSending();
    // On a slow line the quote goes first.
    await new Promise((resolve) => setTimeout(resolve));
    const { watchStub: follow } = await insist(() => import('../receipts/watch-stub.ts'));
    follow(outbox, id, stub);
  }
}

customElements.define('quote-form', QuoteFormElement);
