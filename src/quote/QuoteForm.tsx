import { useEffect, useId, useRef, useState, type FormEvent } from 'react';
import type { Bilingual } from '../content/bilingual.ts';
import { formFailures, success, validationFailure } from '../content/failures.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import { FORM_DURATION, toast } from '../notices/toasts.ts';
import { askToKeep } from '../pwa/keep.ts';
import { Inline } from '../ui/Inline.tsx';
import { later } from '../ui/later.tsx';
import { Field } from './Field.tsx';
import { FIELDS, type Field as Name } from './fields.ts';
import states from './FormStates.module.css';
import styles from './QuoteForm.module.css';
import { keepSending } from './keep-sending.ts';
import type { Quote } from './quote.ts';
import { refusalMessage } from './refusals.ts';
import { check, firstFault, type Faults } from './rules.ts';
import { submitQuote } from './submission.ts';
import { useDraft } from './use-draft.tsx';
import { useEntries } from './use-entries.ts';

const loadReceipt = () => import('./Receipt.tsx').then((module) => module.Receipt);
const Receipt = later(loadReceipt);
const HandOff = later(() => import('./HandOff.tsx').then((module) => module.HandOff));
const CallBackNote = later(() => import('./CallBackNote.tsx').then((module) => module.CallBackNote));
const InstallOffer = later(() => import('../pwa/InstallOffer.tsx').then((module) => module.InstallOffer));
const WeightHelper = later(() => import('./WeightHelper.tsx').then((module) => module.WeightHelper));

const TRAP = 'sitio_web';

export function QuoteForm() {
  const form = useRef<HTMLFormElement>(null);
  const promotionsId = useId();
  const [busy, setBusy] = useState(false);
  const [faults, setFaults] = useState<Faults>({});
  const [cargo, setCargo] = useState('');
  const [helped, setHelped] = useState(false);
  const [sent, setSent] = useState<string>();
  /** Could be neither kept nor sent: its sender may still hand it over. */
  const [unsaved, setUnsaved] = useState<Quote>();
  const showCargo = () => setCargo(valueOf(form.current, 'tipo_carga'));
  const draft = useDraft(form, () => {
    setFaults({});
    showCargo();
  });
  const entry = useEntries().find(({ id }) => id === sent);

  useEffect(() => {
    // The list does the same, but its chunk may not have come.
    keepSending();
    // It must be at hand when the signal is not.
    loadReceipt().catch(() => undefined);
  }, []);

  useEffect(() => {
    if (!unsaved) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', warn);
    return () => removeEventListener('beforeunload', warn);
  }, [unsaved]);

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const element = event.currentTarget;
    const trap = element.elements.namedItem(TRAP) as HTMLInputElement;
    if (busy) return;
    if (trap.value) {
      // A program filled it, or a person's browser did: the next press counts either way.
      trap.value = '';
      say(formFailures.other, 'error');
      return;
    }
    const { id, values, corrects = false } = draft.current();
    const result = check(id, values);
    if ('faults' in result) {
      setFaults(result.faults);
      const first = firstFault(result.faults)!;
      say(validationFailure(result.faults[first]!), 'error');
      focusField(element, first);
      return;
    }
    setFaults({});
    setBusy(true);
    askToKeep();
    const promotions = (element.elements.namedItem('promociones') as HTMLInputElement).checked;
    const ending = await submitQuote(result.quote, { promotions, corrects }, (kept) => setSent(kept.id));
    setBusy(false);
    setUnsaved(ending.kind === 'unsaved' ? result.quote : undefined);
    switch (ending.kind) {
      case 'delivered':
        draft.end();
        return say(success, 'success');
      case 'kept':
        draft.end();
        if (ending.ours) return say(formFailures.temporary, 'error');
        toast(words.kept, { duration: FORM_DURATION });
        return;
      case 'refused':
        setSent(undefined);
        if (ending.refusal.kind === 'invalid') {
          setFaults({ [ending.refusal.field]: refusalMessage(ending.refusal) });
          focusField(element, ending.refusal.field);
        }
        return say(refusalMessage(ending.refusal), 'error');
      case 'unsaved':
        return say(ending.ours ? formFailures.temporary : formFailures.connection, 'error');
    }
  }

  return (
    <>
      {entry && <Receipt key={sent} entry={entry} isNew />}
      {entry && !busy && <InstallOffer waiting={entry.state.kind === 'waiting'} />}
      {/* method=dialog outside a dialog goes nowhere: nothing typed can end up in an address. */}
      <form
        id="reservar-espacio"
        ref={form}
        className={styles['form']}
        tabIndex={-1}
        method="dialog"
        noValidate
        aria-busy={busy}
        onSubmit={submit}
        onInput={() => {
          draft.note();
          showCargo();
        }}
      >
        <CallBackNote form={form} />
        {draft.notice}
        <fieldset disabled={busy}>
          <legend className="hidden">{words.legend.es}</legend>
          {FIELDS.map((name) => (
            <Field key={name} name={name} fault={faults[name]} />
          ))}
          {(cargo === 'perecederos' || cargo === 'especial') && (
            <div className={states['note']}>
              <Inline text={words.notes[cargo]} />
            </div>
          )}
          <details className={styles['helper']} onToggle={() => setHelped(true)}>
            <summary>
              <Inline text={words.weightHelper} />
            </summary>
            {helped && <WeightHelper onUse={(kilos) => draft.fill('peso', String(kilos))} />}
          </details>
          <label className={styles['choice']} htmlFor={promotionsId}>
            <input id={promotionsId} type="checkbox" name="promociones" />
            <span>
              <Inline text={words.promotions} />
            </span>
          </label>
          <label className="hidden" aria-hidden="true">
            {words.trap.es}
            <input name={TRAP} tabIndex={-1} autoComplete="off" />
          </label>
          <div className={styles['privacy']}>
            <Inline text={words.privacy} />
            <a href="/privacidad.html">{words.privacyLink.es}</a>
          </div>
          <button className="button" type="submit" aria-busy={busy}>
            {busy ? words.sending.es : words.send.es}
          </button>
        </fieldset>
      </form>
      {unsaved && <HandOff quote={unsaved} />}
    </>
  );
}

function say(text: Bilingual, type: 'success' | 'error'): void {
  toast(text, { type, duration: FORM_DURATION });
}

function valueOf(form: HTMLFormElement | null, name: Name): string {
  const control = form?.elements.namedItem(name) as HTMLInputElement | HTMLSelectElement | null;
  return control?.value ?? '';
}

function focusField(form: HTMLFormElement, name: Name): void {
  // The field may still be disabled while the answer is shown.
  requestAnimationFrame(() => (form.elements.namedItem(name) as HTMLElement).focus());
}
