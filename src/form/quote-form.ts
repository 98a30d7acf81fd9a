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
import { isUnconfirmed } from '../phone/heard.ts';
import { askToKeep } from '../phone/keep.ts';
import { element } from '../ui/element.ts';
import { wordsOf } from '../ui/words.ts';
import { control, focusField, read } from './controls.ts';
import { followEnter } from './enter-key.ts';
import { createFaultLines } from './fault-lines.ts';
import { createFormDraft } from './form-draft.ts';
import { createNoteLine } from './note-line.ts';
import { firstFault, judge } from './rules.ts';
import type { SendEnding } from './sending.ts';
import { createBusyButton } from './busy-button.ts';
import { isSending, sent, unsaved } from './sent.ts';
import { submitQuote } from './submit-quote.ts';
import { watchUnsaved } from './unsaved-quote.ts';
import states from './FormStates.module.css';

/** Milliseconds in which a press of an empty form counts as the second tap of the last one. */
const ONE_PRESS = 500;

export interface Means {
  /** Resolves with the code that sends, which loads after the form. */
  readonly bringSending: () => Promise<typeof import('./sending.ts')>;
  readonly showReceipt: (entry: Entry) => void;
  readonly removeReceipt: () => void;
}

export interface QuoteForm {
  readonly press: () => Promise<void>;
  readonly fillWeight: (aMonth: number, shipment: number) => void;
}

/** Starts the form: values, sentences, toast, button, draft, keeping and sending. No part of it waits for React. */
export function startQuoteForm(form: HTMLFormElement, means: Means): QuoteForm {
  const faults = createFaultLines(form);
  const callBack = createNoteLine(form);
  const showPhase = createBusyButton(form);
  const setUnsaved = watchUnsaved(means, (quote) => {
    const judged = judge(form, draft.current());
    if ('quote' in judged && sameQuote(judged.quote, quote)) draft.end();
  });
  let lastToast: number | undefined;
  let lastKept = -Infinity;
  let isCorrection = false;

  startToaster();
  const showCargoNote = createCargoNote(form);
  const draft = createFormDraft(form, {
    entries: async () => (await means.bringSending()).outbox.entries(),
    onShown(shown, isErased) {
      isCorrection = Boolean(shown?.corrects || shown?.reemplaza);
      if (!isSending.read()) showPhase(undefined, isCorrection);
      faults.clear();
      // An erased quote needs no hand-over and no warning.
      if (isErased) setUnsaved(undefined);
      showChosen();
    },
  });

  function showChosen() {
    const values = read(form);
    const { withoutFields: without } = serviceOf(values);
    for (const field of FIELDS) control(form, field).closest<HTMLElement>('.field')!.hidden = without.includes(field);
    showCargoNote(values);
  }

  /** Replaces the toast of an earlier press. */
  function say(text: Bilingual, type: Toast['type'], about?: string) {
    if (lastToast) dismiss(lastToast);
    lastToast = toast(text, { type, duration: FORM_DURATION, about });
  }

  function setPhase(phase: 'saving' | 'sending' | undefined) {
    showPhase(phase, isCorrection);
    if (!phase) takeCorrection();
  }

  function takeCorrection() {
    const wanted = toCorrect.read();
    if (!wanted || isSending.read()) return;
    toCorrect.set(undefined);
    draft.correct(wanted);
  }

  async function press(): Promise<void> {
    const written = draft.current();
    const { values, corrects = false, replaced, embarque, made } = written;
    const isEmpty = FIELDS.every((field) => !values[field]);
    if (isSending.read() || (isEmpty && Date.now() - lastKept < ONE_PRESS)) return;
    if (lastToast) dismiss(lastToast);
    // The script of the marks may not have loaded.
    if (isUnconfirmed(values)) return say(words.confirmFirst, 'info');
    const trap = control(form, HONEYPOT);
    if (trap.value) {
      // A bot or a browser filled the trap: the next press counts.
      trap.value = '';
      return say(formFailures.other, 'error');
    }
    const judged = judge(form, written);
    if ('faults' in judged) {
      const first = firstFault(judged.faults)!;
      faults.show(judged.faults);
      say(validationFailure(judged.faults[first]!), 'error');
      return focusField(form, first);
    }
    faults.clear();
    const quote = { ...judged.quote, ...(embarque && values.peso === made && { embarque }) };
    // A late write may have stored the unkept quote: the press corrects that entry.
    return send(quote, { corrects: corrects || unsaved.read()?.id === quote.id, replaced });
  }

  async function send(quote: Quote, about: { readonly corrects: boolean; readonly replaced: string | undefined }) {
    setPhase('saving');
    askToKeep();
    try {
      const ending = await submitQuote(quote, about, {
        bringSending: means.bringSending,
        onKept(entry) {
          lastKept = Date.now();
          sent.set({ id: entry.id, entry });
          // The draft would come back on the next visit.
          draft.forget();
          means.showReceipt(entry);
          setPhase('sending');
        },
        onUnkept() {
          sent.set({ id: quote.id });
          say(notices.unsaved, 'info');
          setPhase('sending');
        },
      });
      end(ending, quote);
    } finally {
      // A fault of ours must not leave the form busy.
      setPhase(undefined);
    }
  }

  function end(ending: SendEnding, quote: Quote) {
    if (ending.kind !== 'unsaved') setUnsaved(undefined);
    switch (ending.kind) {
      case 'delivered':
      case 'kept':
        draft.end();
        if (ending.kind === 'delivered') say(success, 'success');
        else say(ending.accessDenied ? words.savedAccessDenied : words.saved, 'info', ending.id);
        break;
      case 'refused': {
        const { refusal, text } = ending;
        sent.set(undefined);
        means.removeReceipt();
        draft.save();
        faults.show(refusal.kind === 'invalid' ? { [refusal.field]: text } : {});
        say(text, 'error');
        if (refusal.kind === 'invalid') focusField(form, refusal.field);
        // The next press sends a new quote that replaces the delivered one.
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
    showChosen();
    if (nameOf(event) in fields) faults.follow(nameOf(event), false);
  });
  form.addEventListener('focusout', (event) => {
    if (nameOf(event) in fields) afterPress(() => faults.follow(nameOf(event), true));
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

/** Note beneath the fields for the chosen cargo. */
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

/** Waits until no button is held: a new sentence would move the button from under the press. */
function afterPress(then: () => void): void {
  setTimeout(() => (document.querySelector(':active') ? afterPress(then) : then()), 100);
}
