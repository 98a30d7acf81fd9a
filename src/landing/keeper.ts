import { DRAFT, TRAP } from '../agreements.ts';
import { validationFailure } from '../content/field-failures.ts';
import { notices } from '../content/notices.ts';
import { before, continues, KEPT } from '../form/before.ts';
import { control, focusField, read } from '../form/controls.ts';
import { followEnter } from '../form/enter-key.ts';
import { firstFault, judge, type Faults } from '../form/rules.ts';
import '../form/FormStates.module.css';
import type { Draft } from '../lead/draft.ts';
import { FIELDS } from '../lead/fields.ts';
import { newId, quoteId, type Quote } from '../lead/quote.ts';
import { part } from '../lead/shape.ts';
import { wantsCallBack } from '../phone/call-back.ts';
import { isUnconfirmed } from '../phone/heard.ts';
import { keepNew } from '../outbox/phone-keeper.ts';
import { askToKeep } from '../phone/keep.ts';
import { tryStorage } from '../phone/storage-access.ts';
import { marked } from '../phone/waiting-mark.ts';
import { showStub, wordsOf } from '../receipts/stub.ts';
import { showEarlyToast } from './early-toast.ts';

/** As long as the line is for the quote alone. */
const ALONE = 10_000;
/** A thumb in a hurry presses twice, and the first press may have emptied the form by then. */
const ONE_PRESS = 1000;

/**
 * A form is pressed, on a first visit with one bar, long before React has come. Until then this judges and keeps what
 * stands in it, by the form's own rules and as the outbox does, and shows the receipt. What comes back resolves when
 * what was pressed is kept and sent, or the line has had its time for it.
 */
export function keepFor(island: HTMLElement): () => Promise<unknown> {
  let keeping: Promise<unknown> | undefined;
  let working: Promise<unknown> = Promise.resolve();

  function press(form: HTMLFormElement): void {
    // From there on the form hears it (src/ui/wake.tsx): it would be two quotes.
    if ('heard' in island.dataset) return;
    // One press too many: what stood in the form is being kept.
    if (keeping) return void delete island.pressed;
    const kept = take(island, form);
    keeping = kept.finally(() => (keeping = undefined));
    const sent = kept.then((quote) => quote && sendAndShow(quote, form, island)).catch(() => undefined);
    working = Promise.race([sent, new Promise((resolve) => setTimeout(resolve, ALONE))]);
  }

  followEnter(island);
  island.addEventListener('submit', ({ target }) => press(target as HTMLFormElement));
  if (island.pressed instanceof HTMLFormElement) press(island.pressed);
  return () => working;
}

/** The quote that is on disk now, if one is. */
async function take(island: HTMLElement, form: HTMLFormElement): Promise<Quote | undefined> {
  const values = read(form);
  const isEmpty = FIELDS.every((field) => !values[field]);
  if (isEmpty && before.entry && Date.now() - before.entry.createdAt < ONE_PRESS) {
    delete island.pressed;
    release(island, form);
    return undefined;
  }
  const found = tryStorage(() => JSON.parse(localStorage.getItem(DRAFT)!) as Draft | null);
  const draft = found && continues(found.values, values) ? found : undefined;
  const isMore = draft?.corrects || draft?.reemplaza || draft?.llamada || draft?.embarque;
  // The form itself has an answer to these, when it comes.
  if (control(form, TRAP).value || (isEmpty && found) || isMore || isUnconfirmed(values)) return undefined;
  delete island.pressed;
  hideFaults();
  const id = part(quoteId, draft?.id) || newId();
  const judged = judge(form, { id, values });
  if ('faults' in judged) {
    release(island, form);
    showFaults(form, judged.faults);
    return undefined;
  }
  askToKeep();
  before.isKeeping = true;
  const entry = await marked(() => keepNew(judged.quote)).catch((error: unknown) => {
    // The outbox decides about an id that is there already.
    if ((error as DOMException).name === 'ConstraintError') return;
    before.unkeptId = id;
    before.hideToast = showEarlyToast(notices.unkept, 'info');
  });
  before.isKeeping = false;
  if (!entry) {
    // A phone that keeps nothing: the form sends it unkept, and says how that ended.
    if ('awake' in island.dataset) form.requestSubmit();
    else island.pressed = form;
    return undefined;
  }
  before.entry = entry;
  // It is no draft any more, and would come back as one.
  if (draft) tryStorage(() => localStorage.removeItem(DRAFT));
  return judged.quote;
}

/** The sender is fetched before the words for how that goes. */
async function sendAndShow(quote: Quote, form: HTMLFormElement, island: HTMLElement): Promise<void> {
  const cargo = form.querySelector('option:checked')!.textContent.split(' · ')[0]!;
  form.reset();
  wantsCallBack.set(false);
  release(island, form);
  const stub = showStub(quote, cargo, island);
  dispatchEvent(new Event(KEPT));
  const { outbox } = await import('./sender.ts');
  const sent = outbox.flush('due').catch(() => undefined);
  const { follow } = await import('../receipts/follow.ts');
  follow(outbox, quote.id, stub);
  await sent;
}

/** The button says again what it is for. */
function release(island: HTMLElement, form: HTMLFormElement): void {
  delete island.dataset['pressed'];
  form.ariaBusy = 'false';
}

/** Shows the sentence under each field as Field does, and the first of them as a toast. */
function showFaults(form: HTMLFormElement, faults: Faults): void {
  const first = firstFault(faults)!;
  before.hideToast = showEarlyToast(validationFailure(faults[first]!));
  const undo: (() => void)[] = [];
  for (const field of FIELDS) {
    const fault = faults[field];
    if (!fault) continue;
    const input = control(form, field);
    const sentence = document.createElement('p');
    sentence.id = `${field}-fault`;
    sentence.append(...wordsOf(fault));
    input.closest('.field')!.append(sentence);
    const described = input.getAttribute('aria-describedby');
    input.setAttribute('aria-invalid', 'true');
    input.setAttribute('aria-describedby', described ? `${described} ${sentence.id}` : sentence.id);
    undo.push(() => {
      sentence.remove();
      input.removeAttribute('aria-invalid');
      if (described) input.setAttribute('aria-describedby', described);
      else input.removeAttribute('aria-describedby');
    });
  }
  before.faults = faults;
  before.hideFaults = () => undo.forEach((each) => each());
  focusField(form, first);
}

function hideFaults(): void {
  before.hideToast?.();
  before.hideFaults?.();
  delete before.hideFaults;
  delete before.faults;
}
