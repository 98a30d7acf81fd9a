import { useEffect, useLayoutEffect, useRef, useState, type ComponentType } from 'react';
import { FORM_ID, TRAP } from '../agreements.ts';
import { formAction } from '../config.ts';
import { mainWords } from '../content/bilingual.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import type { Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { later } from '../ui/later.tsx';
import { Field } from './Field.tsx';
import { FIELDS } from '../lead/fields.ts';
import { kindOf } from '../lead/kinds.ts';
import states from './FormStates.module.css';
import styles from './QuoteForm.module.css';
import { keepSending } from '../phone/keep-sending.ts';
import { useQuoteForm } from './use-quote-form.tsx';
import { heard } from '../phone/heard.ts';
import { useStore } from '../ui/store.ts';

const CallBackNote = later(() => import('./CallBackNote.tsx').then((module) => module.CallBackNote));
const HeardMarks = later(() => import('./HeardMarks.tsx').then((module) => module.HeardMarks));
const InstallOffer = later(() => import('../phone/InstallOffer.tsx').then((module) => module.InstallOffer));
const WeightHelper = later(() => import('./WeightHelper.tsx').then((module) => module.WeightHelper));

interface Props {
  /** The receipt of what was kept is another part of the page. */
  readonly Receipt: ComponentType<{ readonly entry: Entry; readonly isNew?: boolean }>;
  readonly HandOff: ComponentType<{ readonly quote: Quote }>;
}

export function QuoteForm({ Receipt, HandOff }: Props) {
  const form = useRef<HTMLFormElement>(null);
  const helper = useRef<HTMLDetailsElement>(null);
  const [helped, setHelped] = useState(false);
  const { state, entry, chosen, notice, note, leave, fillWeight, submit } = useQuoteForm(form);
  const { faults, unsaved } = state;
  const cargo = chosen.tipo_carga;
  const isHeard = useStore(heard).size > 0;
  const busy = state.kind === 'sending';

  // It may have been opened before anybody listened.
  useLayoutEffect(() => setHelped(helper.current!.open), []);
  // The list does the same, but its chunk may not have come.
  useEffect(keepSending, []);

  return (
    <>
      {entry && <Receipt key={entry.id} entry={entry} isNew />}
      {entry && !busy && <InstallOffer waiting={entry.state.kind === 'waiting'} />}
      {/* For who has no script. method=dialog outside a dialog goes nowhere: nothing typed can end up in an address. */}
      <form
        id={FORM_ID}
        ref={form}
        className={styles['form']}
        tabIndex={-1}
        {...(formAction ? { method: 'post', action: formAction } : { method: 'dialog' })}
        noValidate
        aria-busy={busy}
        onSubmit={submit}
        onInput={note}
      >
        <CallBackNote form={form} />
        {notice}
        {isHeard && <HeardMarks form={form} />}
        <fieldset disabled={busy}>
          <legend className="hidden">{mainWords(words.legend)}</legend>
          {FIELDS.filter((name) => !kindOf(chosen).without.includes(name)).map((name) => (
            <Field key={name} name={name} fault={faults?.[name]} onBlur={leave} />
          ))}
          {(cargo === 'perecederos' || cargo === 'especial') && (
            <div className={states['note']}>
              <Inline text={words.notes[cargo]} />
            </div>
          )}
          <details ref={helper} className={styles['helper']} onToggle={() => setHelped(true)}>
            <summary>
              <Inline text={words.weightHelper} />
            </summary>
            {helped && <WeightHelper cubic={kindOf(chosen).cubic} onUse={fillWeight} />}
          </details>
          <label className={styles['choice']} htmlFor="promociones">
            <input id="promociones" type="checkbox" name="promociones" />
            <span>
              <Inline text={words.promotions} />
            </span>
          </label>
          <label className="hidden" aria-hidden="true">
            {mainWords(words.trap)}
            <input name={TRAP} tabIndex={-1} autoComplete="off" />
          </label>
          <div className={styles['privacy']}>
            <Inline text={words.privacy} />
            <a href="/privacidad.html">{mainWords(words.privacyLink)}</a>
          </div>
          <button className="button" type="submit" aria-busy={busy}>
            <span className={styles['saving']}>
              <ButtonWords text={words.saving} />
            </span>
            <ButtonWords text={busy ? words.sending : words.send} />
          </button>
        </fieldset>
      </form>
      {unsaved && <HandOff quote={unsaved} />}
    </>
  );
}
