import { ERASED_KEY, HONEYPOT } from '../agreements.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { callBackNote } from '../content/call-back.ts';
import { formFailures, success } from '../content/failures.ts';
import { validationFailure } from '../content/field-failures.ts';
import { notices } from '../content/notices.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import { fields, FIELDS, type Field, type FieldTexts } from '../lead/fields.ts';
import { serviceOf } from '../lead/services.ts';
import { sameQuote, type Quote } from '../lead/quote.ts';
import { dismiss, FORM_DURATION, toast, type Toast } from '../notices/toasts.ts';
import { startToaster } from '../notices/toaster.ts';
import type { Entry } from '../outbox/entry.ts';
import { wantsCallBack } from '../phone/call-back.ts';
import { toCorrect } from '../phone/draft.ts';
import { isUnconfirmed } from '../phone/assistant-values.ts';
import { askForPersistence } from '../phone/persistent-storage.ts';
import { element } from '../ui/element.ts';
import { wordsOf } from '../ui/words.ts';
import { control, focusField, read } from './controls.ts';
import { followEnter } from './enter-key.ts';
import { createFaultLines } from './fault-lines.ts';
import { createFormDraft } from './form-draft.ts';
import { createNoteLine } from './note-line.ts';
import { firstFault, judge } from './rules.ts';
import type { SendEnding } from './send-quote.ts';
import { createBusyButton } from './busy-button.ts';
import { isSending, pressedQuote, unsavedQuote } from './form-state.ts';
import { submitQuote } from './submit-quote.ts';
import { watchUnsaved } from './unsaved-quote.ts';
import states from './FormStates.module.css';

/**
 * Milliseconds after a quote was stored in which a press on the emptied form is ignored: it is the second tap of a
 * double tap.
 */
const ONE_PRESS = 500;

export interface Means {
  /** Loads the code that sends quotes. It is a separate file, fetched after the form's code. */
  readonly loadSendQuote: () => Promise<typeof import('./send-quote.ts')>;
  readonly showReceipt: (entry: Entry) => void;
  readonly removeReceipt: () => void;
}

export interface QuoteForm {
  readonly press: () => Promise<void>;
  readonly fillWeight: (aMonth: number, shipment: number) => void;
}

/** Starts the form: checks, faults, toasts, button, draft, storing and sending. Nothing here needs React. */
export function startQuoteForm(form: HTMLFormElement, means: Means): QuoteForm {
  const faults = createFaultLines(form);
  const callBack = createNoteLine(form);
  const showPhase = createBusyButton(form);
  const setUnsaved = watchUnsaved(means, (quote) => {
    const judged = judge(form, draft.current());
    if ('quote' in judged && sameQuote(judged.quote, quote)) draft.end();
  });
  let lastToast: symbol | undefined;
  let storedAt = -Infinity;
  let isCorrection = false;

  startToaster();
  const showCargoNote = createCargoNote(form);
  const draft = createFormDraft(form, {
    entries: async () => (await means.loadSendQuote()).outbox.entries(),
    onShown(shown, isErased) {
      isCorrection = Boolean(shown?.corrects || shown?.reemplaza);
      if (!isSending.read()) showPhase(undefined, isCorrection);
      faults.clear();
      // After all data were erased, the form no longer warns about the unsaved quote and no longer offers to send it by
      // another app.
      if (isErased) setUnsaved(undefined);
      showFieldsOfCargo();
    },
  });

  function showFieldsOfCargo() {
    const values = read(form);
    const { withoutFields: without } = serviceOf(values);
    for (const field of FIELDS) control(form, field).closest<HTMLElement>('.field')!.hidden = without.includes(field);
    showCargoNote(values);
  }

  /** Shows a toast and removes the toast of the previous press. */
  function say(text: Bilingual, type: Toast['type'], about?: string) {
    if (lastToast) dismiss(lastToast);
    lastToast = toast(text, { type, duration: FORM_DURATION, about });
  }

  function setPhase(phase: 'saving' | 'sending' | undefined) {
    showPhase(phase, isCorrection);
    if (!phase) takeCorrection();
  }

  function takeCorrection() {
    const correction = toCorrect.read();
    if (!correction || isSending.read()) return;
    toCorrect.set(undefined);
    draft.correct(correction);
  }

  async function press(): Promise<void> {
    const draftValues = draft.current();
    const { values, corrects = false, replaced, embarque, made } = draftValues;
    const isEmpty = FIELDS.every((field) => !values[field]);
    if (isSending.read() || (isEmpty && Date.now() - storedAt < ONE_PRESS)) return;
    if (lastToast) dismiss(lastToast);
    // AssistantMarks refuses to send unconfirmed values before this code runs, but its script may not have loaded yet.
    if (isUnconfirmed(values)) return say(words.confirmFirst, 'info');
    const trap = control(form, HONEYPOT);
    if (trap.value) {
      // The browser may have filled in the honeypot by itself. The field is emptied, so that the next press of a human
      // visitor succeeds.
      trap.value = '';
      return say(formFailures.other, 'error');
    }
    const judged = judge(form, draftValues);
    if ('faults' in judged) {
      const first = firstFault(judged.faults)!;
      faults.show(judged.faults);
      say(validationFailure(judged.faults[first]!), 'error');
      return focusField(form, first);
    }
    faults.clear();
    const quote = { ...judged.quote, ...(embarque && values.peso === made && { embarque }) };
    // A write that was reported as failed may still have succeeded. The stored quote would then have the same id, and
    // the quote that is sent now replaces it.
    return send(quote, { corrects: corrects || unsavedQuote.read()?.id === quote.id, replaced });
  }

  async function send(quote: Quote, about: { readonly corrects: boolean; readonly replaced: string | undefined }) {
    setPhase('saving');
    askForPersistence();
    try {
      const ending = await submitQuote(quote, about, {
        loadSendQuote: means.loadSendQuote,
        onStored(entry) {
          storedAt = Date.now();
          pressedQuote.set({ id: entry.id, entry });
          // If the draft stayed on disk, the next visit would show the values of the stored quote as an unsent draft.
          draft.forget();
          means.showReceipt(entry);
          setPhase('sending');
        },
        onStoreFailed() {
          pressedQuote.set({ id: quote.id });
          say(notices.unsaved, 'info');
          setPhase('sending');
        },
      });
      end(ending, quote);
    } finally {
      // An exception must not leave the form busy.
      setPhase(undefined);
    }
  }

  function end(ending: SendEnding, quote: Quote) {
    if (ending.kind !== 'unsaved') setUnsaved(undefined);
    switch (ending.kind) {
      case 'delivered':
      case 'stored':
        draft.end();
        if (ending.kind === 'delivered') say(success, 'success');
        else say(ending.accessDenied ? words.savedAccessDenied : words.saved, 'info', ending.id);
        break;
      case 'refused': {
        const { refusal, text } = ending;
        pressedQuote.set(undefined);
        means.removeReceipt();
        draft.save();
        faults.show(refusal.kind === 'invalid' ? { [refusal.field]: text } : {});
        say(text, 'error');
        if (refusal.kind === 'invalid') focusField(form, refusal.field);
        // The earlier text of the quote is already delivered. The form therefore becomes a correction: the next press
        // sends a new quote that replaces the delivered one.
        if (refusal.kind === 'superseded')
          toCorrect.set({ quote, delivered: true, promociones: quote.promociones === true });
        break;
      }
      case 'unsaved':
        setUnsaved(quote);
        say(ending.text, 'error');
    }
  }

  const nameOf = ({ target }: Event) => (target as HTMLInputElement).name as Field;
  form.addEventListener('input', (event) => {
    draft.note();
    showFieldsOfCargo();
    if (nameOf(event) in fields) faults.follow(nameOf(event), false);
  });
  form.addEventListener('focusout', (event) => {
    if (nameOf(event) in fields) afterPointerUp(() => hasFocus(event) || faults.follow(nameOf(event), true));
  });
  form.addEventListener('reset', () => wantsCallBack.set(false));
  followEnter(form);

  const showCallBack = () => (wantsCallBack.read() ? callBack.show(wordsOf(callBackNote)) : callBack.hide());
  wantsCallBack.subscribe(showCallBack);
  showCallBack();
  toCorrect.subscribe(takeCorrection);
  takeCorrection();
  const leave = () => isSending.read() || draft.save();
  addEventListener('pagehide', leave);
  document.addEventListener('visibilitychange', leave);
  addEventListener('storage', ({ key }) => key === ERASED_KEY && draft.erase());

  return {
    press,
    fillWeight(aMonth, shipment) {
      draft.fillWeight(aMonth, shipment);
      faults.follow('peso', false);
    },
  };
}

/** Returns a function that shows the note about the chosen type of cargo below the fields. */
function createCargoNote(form: HTMLFormElement): (values: FieldTexts) => void {
  let cargo: string | undefined;
  let note: HTMLElement | undefined;
  return ({ tipo_carga }) => {
    if (tipo_carga === cargo) return;
    cargo = tipo_carga;
    note?.remove();
    const text = words.notes[cargo as keyof typeof words.notes] as Bilingual | undefined;
    if (!text) return;
    note = element('div', { class: states['note']! }, ...wordsOf(text));
    form.querySelector('details')!.before(note);
  };
}

/** True if the visitor has returned to the field of this event. No new fault appears while the visitor types. */
const hasFocus = ({ target }: Event) => target === document.activeElement;

/**
 * Waits until nothing is pressed, and then calls `then`. A new fault changes the form's height and would move the
 * submit button away under the visitor's finger.
 */
function afterPointerUp(then: () => void): void {
  setTimeout(() => (document.querySelector(':active') ? afterPointerUp(then) : then()), 100);
}
