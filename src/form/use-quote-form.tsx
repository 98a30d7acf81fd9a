import {
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  type FocusEvent,
  type FormEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { TRAP } from '../agreements.ts';
import type { Bilingual } from '../content/bilingual.ts';
import { formFailures, success } from '../content/failures.ts';
import { notices } from '../content/notices.ts';
import { faultOf, validationFailure } from '../content/field-failures.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import { dismiss, FORM_DURATION, toast, type Toast } from '../notices/toasts.ts';
import { askToKeep } from '../phone/keep.ts';
import type { Entry } from '../outbox/entry.ts';
import { emptyValues } from '../lead/draft.ts';
import { byField, fields, type Field, type Written } from '../lead/fields.ts';
import { sameQuote, type Quote } from '../lead/quote.ts';
import { refusalMessage, undeliveredMessage } from '../content/refusals.ts';
import { firstFault, judge, type Faults } from './rules.ts';
import { before, KEPT } from './before.ts';
import { follow, submitQuote } from './submit-quote.ts';
import { askToCorrect } from '../phone/draft.ts';
import { isUnconfirmed } from '../phone/heard.ts';
import { control, focusField, read } from './controls.ts';
import { useDraft, type FormDraft } from './use-draft.tsx';
import { useEntries } from '../phone/use-entries.ts';

/**
 * Where the form stands. Before the first press it has no `faults`, not even none. `unsaved` could be neither kept nor
 * sent: its sender may hand it over until another try ends otherwise.
 */
type FormState =
  | { readonly kind: 'writing'; readonly faults: Faults | undefined; readonly unsaved: Quote | undefined }
  | { readonly kind: 'sending'; readonly faults?: undefined; readonly unsaved: Quote | undefined }
  /** On disk or delivered: the form is empty again. */
  | { readonly kind: 'kept'; readonly faults?: undefined; readonly unsaved?: undefined }
  | { readonly kind: 'refused'; readonly faults: Faults; readonly unsaved?: undefined }
  | { readonly kind: 'unsaved'; readonly faults?: undefined; readonly unsaved: Quote };

export interface QuoteFormState {
  readonly state: FormState;
  /** The last quote that was kept: its receipt stays while the next one is written. */
  readonly entry: Entry | undefined;
  /** Choices that other parts of the form depend on. */
  readonly chosen: Pick<Written, 'tipo_carga' | 'servicio'>;
  readonly notice: ReactNode;
  readonly note: (event: FormEvent<HTMLFormElement>) => void;
  readonly leave: (event: FocusEvent) => void;
  readonly fillWeight: FormDraft['fillWeight'];
  readonly submit: (event: FormEvent<HTMLFormElement>) => Promise<void>;
}

/** Takes what is written in the form to its end, and tells its sender. */
export function useQuoteForm(form: RefObject<HTMLFormElement | null>): QuoteFormState {
  const [state, setState] = useState<FormState>(() => {
    // Once, as the page is hydrated: what was shown in it meanwhile comes back before it is painted.
    before.hideFaults?.();
    return { kind: 'writing', faults: undefined, unsaved: undefined };
  });
  /** `written`: as it went to disk, until a look at the disk finds it there. On a slow one that takes seconds. */
  const [sent, setSent] = useState<{ readonly id: string; readonly written?: Entry }>();
  const [chosen, setChosen] = useState<QuoteFormState['chosen']>(emptyValues);
  const readChosen = () => setChosen(read(form.current!));
  const draft = useDraft(form, state.kind === 'sending', (isErased) => {
    setState((now) => {
      // It can be handed over no more, and nobody is warned for it.
      const unsaved = isErased ? undefined : now.unsaved;
      if (now.kind === 'sending') return { kind: 'sending', unsaved };
      return now.faults || isErased ? { kind: 'writing', faults: undefined, unsaved } : now;
    });
    readChosen();
  });
  const found = useEntries().find(({ id }) => id === sent?.id);
  if (found && sent?.written) setSent({ id: found.id });
  const entry = found ?? sent?.written;
  const { unsaved } = state;

  // Its words stood in the form as this one woke, and were taken for a draft.
  const endKept = useEffectEvent(draft.end);
  useLayoutEffect(() => {
    const { faults: said } = before;
    // What was put right since is right.
    const faults = said && byField((field) => said[field] && faultOf(field, control(form.current!, field).value));
    if (faults) setState({ kind: 'writing', faults, unsaved: undefined });
    const takeOver = () => {
      const { entry: kept } = before;
      if (!kept) return;
      setSent({ id: kept.id });
      // Its receipt says all else, and the form may hold the next quote.
      void follow(kept).then((ending) => {
        if (ending.kind === 'delivered') say(success, 'success');
        if (ending.kind === 'refused') say(refusalMessage(ending.refusal), 'error');
      });
    };
    const takeOverLate = () => {
      takeOver();
      endKept();
    };
    takeOver();
    addEventListener(KEPT, takeOverLate);
    return () => removeEventListener(KEPT, takeOverLate);
  }, [form]);

  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unsaved]);

  const landed = useEffectEvent((quote: Quote) => {
    setState({ kind: 'kept' });
    const result = judge(form.current!, draft.current());
    if ('quote' in result && sameQuote(result.quote, quote)) draft.end();
  });
  useEffect(() => {
    if (unsaved && state.kind !== 'sending' && found?.id === unsaved.id) landed(unsaved);
  }, [unsaved, state.kind, found]);

  /** After the first press: the sentence under a field follows what is written, and a new one comes when it is left. */
  function checkAgain(target: EventTarget, left: boolean) {
    const { name, value } = target as HTMLInputElement;
    if (!(name in fields)) return;
    const field = name as Field;
    setState((now) => {
      if (!now.faults || !(left || now.faults[field])) return now;
      return { ...now, faults: { ...now.faults, [field]: faultOf(field, value) } };
    });
  }

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const trap = control(element, TRAP);
    if (state.kind === 'sending' || before.isKeeping) return;
    before.hideToast?.();
    if (lastToast) dismiss(lastToast);
    // Their marks may still be on the line.
    if (isUnconfirmed(draft.current().values)) return say(words.confirmFirst, 'info');
    if (trap.value) {
      // A program filled it, or a person's browser did: the next press counts either way.
      trap.value = '';
      say(formFailures.other, 'error');
      return;
    }
    const { unkeptId } = before;
    delete before.unkeptId;
    if (unkeptId) draft.continueAs(unkeptId);
    const written = draft.current();
    const { corrects = false, replaced, embarque, made, values } = written;
    const result = judge(element, written);
    if ('faults' in result) {
      const { faults } = result;
      setState({ kind: 'writing', faults, unsaved });
      const first = firstFault(faults)!;
      say(validationFailure(faults[first]!), 'error');
      focusField(element, first);
      return;
    }
    const quote = { ...result.quote, ...(embarque && values.peso === made && { embarque }) };
    setState({ kind: 'sending', unsaved });
    askToKeep();
    const onKept = (kept: Entry) => setSent({ id: kept.id, written: kept });
    // The write of an unkept quote may have landed late: the press corrects that entry.
    const about = { corrects: corrects || unsaved?.id === quote.id, replaced, isUnkept: unkeptId !== undefined };
    const ending = await submitQuote(quote, about, onKept, () => {
      setSent({ id: quote.id });
      say(notices.unkept, 'info');
    });
    switch (ending.kind) {
      case 'delivered':
      case 'kept':
        setState({ kind: 'kept' });
        draft.end();
        if (ending.kind === 'delivered') return say(success, 'success');
        return say(ending.accessDenied ? words.keptNotLetIn : words.kept, 'info', ending.id);
      case 'refused': {
        const { refusal } = ending;
        const said = refusalMessage(refusal);
        setSent(undefined);
        setState({ kind: 'refused', faults: refusal.kind === 'invalid' ? { [refusal.field]: said } : {} });
        if (refusal.kind === 'invalid') focusField(element, refusal.field);
        // The next press sends it as a new one.
        if (refusal.kind === 'superseded')
          askToCorrect({ quote, delivered: true, promociones: quote.promociones === true });
        return say(said, 'error');
      }
      case 'unsaved':
        setState({ kind: 'unsaved', unsaved: quote });
        return say(undeliveredMessage(ending), 'error');
    }
  }

  return {
    state,
    entry,
    chosen,
    notice: draft.notice,
    note({ target }) {
      draft.note();
      readChosen();
      checkAgain(target, false);
    },
    leave: ({ target }) => afterPress(() => checkAgain(target, true)),
    fillWeight(aMonth, shipment) {
      draft.fillWeight(aMonth, shipment);
      checkAgain(control(form.current!, 'peso'), false);
    },
    submit,
  };
}

/** How the last press ended: no longer true with the next one. */
let lastToast: number | undefined;

function say(text: Bilingual, type: Toast['type'], about?: string): void {
  if (lastToast) dismiss(lastToast);
  lastToast = toast(text, { type, duration: FORM_DURATION, about });
}

/** A sentence that comes while a button is held would move it from under the press. */
function afterPress(then: () => void): void {
  setTimeout(() => (document.querySelector(':active') ? afterPress(then) : then()), 100);
}
