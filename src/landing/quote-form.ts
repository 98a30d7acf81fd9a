import { startQuoteForm, type QuoteForm } from '../form/quote-form.ts';
import type { Entry } from '../outbox/entry.ts';
import { takeStubAway } from '../receipts/shown-stub.ts';
import { showStub } from '../receipts/stub.ts';
import { insist } from '../ui/waking.ts';

/** As long as the line is for a quote alone. */
const ALONE = 10_000;

const bringSending = async () => {
  const sending = await insist(() => import('../form/sending.ts'));
  // Also what waits from an earlier visit, and what the form does not wait for any more.
  sending.keepSending();
  return sending;
};

/** The form of the page, from the first of its scripts to the last. Quote.tsx is what React adds to it. */
export class QuoteFormElement extends HTMLElement {
  form!: QuoteForm;
  /** Resolves when what was pressed is sent, or the line has had its time for it. */
  pressing: Promise<unknown> = Promise.resolve();

  connectedCallback(): void {
    const form = this.querySelector('form')!;
    this.form = startQuoteForm(form, {
      bringSending,
      showReceipt: (entry) => void this.showReceipt(entry),
      removeReceipt: takeStubAway,
    });
    // Not on the element: the receipt beside the form has forms of its own.
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      this.press();
    });
    // From here on each press is heard: what before-paint.ts kept as well would be two.
    this.dataset['heard'] = '';
    delete this.dataset['pressed'];
    form.ariaBusy = 'false';
    if (this.pressed === form) this.press();
  }

  press(): void {
    const alone = new Promise((resolve) => setTimeout(resolve, ALONE));
    this.pressing = Promise.race([this.form.press(), alone]);
  }

  /** A stub, where React has not brought the receipt itself. */
  async showReceipt({ quote, id }: Entry): Promise<void> {
    if ('receipt' in this.dataset) return;
    const cargo = this.querySelector('.field [name=tipo_carga] option:checked')!.textContent.split(' · ')[0]!;
    const stub = showStub(quote!, cargo, this.querySelector(':scope > div')!);
    const { outbox } = await bringSending();
    // The quote goes first, on a line that is slow.
    await new Promise((resolve) => setTimeout(resolve));
    const { follow } = await insist(() => import('../receipts/follow.ts'));
    follow(outbox, id, stub);
  }
}

customElements.define('quote-form', QuoteFormElement);
