import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { bothWords, mainWords } from '../content/bilingual.ts';
import { askedDetails as questions, details as words, kilosInWords, products } from '../content/details.ts';
import { destinations, hub, origins } from '../content/points.ts';
import {
  chargeableOf,
  DETAILS,
  INCOTERMS,
  LONGEST_DETAIL,
  MOST,
  PACKED,
  readDetailTexts,
  TEMPERATURES,
  type Detail,
  type Details,
  type DetailMeasure,
  type DetailTexts,
} from '../lead/details.ts';
import type { Quote } from '../lead/quote.ts';
import { tabDraft } from '../phone/tab-draft.ts';
import { Fold } from '../ui/Fold.tsx';
import { ActionLabel } from './ActionLabel.tsx';
import { passFocus } from '../ui/focus.ts';
import { Inline } from '../ui/Inline.tsx';
import { NextPaint } from '../ui/NextPaint.tsx';
import styles from './Details.module.css';

interface Props {
  readonly id: string;
  readonly quote: Quote;
  readonly details: Details;
  /** True if a press opened the form. The pressed button has disappeared, so the form takes the focus. */
  readonly takesFocus: boolean;
  readonly onSave: (details: Details) => Promise<unknown>;
  readonly onCancel: () => void;
}

const CM = ['largo', 'ancho', 'alto'] as const satisfies DetailMeasure[];

/** Form for the optional shipment details. Unsent texts survive a reload of the page. */
export function DetailsForm({ id, quote, details, takesFocus, onSave, onCancel }: Props) {
  const listId = useId();
  const [changes, setChanges] = useState<Partial<DetailTexts>>(() => tabDraft('details', id).get() ?? {});
  const texts = Object.fromEntries(
    DETAILS.map((name) => [name, String(changes[name] ?? details[name] ?? '')]),
  ) as DetailTexts;
  const chargeable = chargeableOf(readDetailTexts(texts), quote);

  function change(name: Detail, value: string) {
    const all = { ...changes, [name]: value };
    setChanges(all);
    tabDraft('details', id).set(all);
  }
  const { inputProps, field, measure, place, choice } = createFields(listId, texts, change);

  function submit(event: FormEvent) {
    event.preventDefault();
    void onSave(readDetailTexts(texts));
  }

  return (
    <form
      ref={takesFocus ? takeFocus : passFocusOn}
      className={styles['form']}
      tabIndex={-1}
      onSubmit={submit}
      aria-label={mainWords(words.title)}
    >
      <p>
        <Inline text={questions.why} />
      </p>
      <Fold title={questions.steps.cargo} brief={texts.producto} isOpen>
        <div className={styles['step']}>
          {place(
            'producto',
            products.map((each) => [mainWords(each), bothWords(each)]),
          )}
          {choice('peligrosa', [
            ['false', bothWords(words.no)],
            ['true', bothWords(words.yes)],
          ])}
          {choice(
            'temperatura',
            TEMPERATURES.map((each) => [each, bothWords(words.temperatures[each])]),
          )}
          <p role="status">{texts.peligrosa === 'true' && <Inline text={questions.dangerous} />}</p>
        </div>
      </Fold>
      <NextPaint>
        <Fold title={questions.steps.measures} brief={chargeable !== undefined && kilosInWords(chargeable)}>
          <div className={styles['step']}>
            {choice(
              'empaque',
              PACKED.map((each) => [each, bothWords(words.packed[each])]),
            )}
            {measure('piezas', styles['small']!)}
            {CM.map((name) => measure(name, styles['third']!))}
            {measure('kilos', styles['half']!)}
            <output aria-live="polite">
              {chargeable !== undefined && <Inline text={questions.chargeableIs(kilosInWords(chargeable))} />}
            </output>
          </div>
        </Fold>
        <Fold title={questions.steps.journey} brief={[texts.salida, texts.destino].filter(Boolean).join(' – ')}>
          <div className={styles['step']}>
            {field(
              'lista',
              <input type="date" min="2000-01-01" max="9999-12-31" {...inputProps('lista')} />,
              styles['half'],
            )}
            {choice(
              'incoterm',
              INCOTERMS.map((each) => [each, each]),
            )}
            {place(
              'salida',
              origins.map(({ name }) => [name, name]),
            )}
            {place(
              'destino',
              [hub, ...destinations].map(({ name }) => [name, name]),
            )}
          </div>
        </Fold>
        <div className={styles['buttons']}>
          <button className="button" type="submit">
            <ActionLabel text={questions.save} />
          </button>
          <button className="button plain" type="button" onClick={onCancel}>
            <ActionLabel text={questions.cancel} />
          </button>
        </div>
      </NextPaint>
    </form>
  );
}

/** Returns functions that render the form's fields. `idPrefix`: prefix of the elements' ids. */
function createFields(idPrefix: string, texts: DetailTexts, change: (name: Detail, value: string) => void) {
  const inputProps = (name: Detail) => ({
    id: `${idPrefix}${name}`,
    value: texts[name],
    onChange: ({ target }: { target: { value: string } }) => change(name, target.value),
  });
  const field = (name: Detail, input: ReactNode, share = '') => (
    <div key={name} className={`field ${share}`}>
      <label className="label" htmlFor={`${idPrefix}${name}`}>
        <Inline text={words.fields[name]} />
      </label>
      {input}
    </div>
  );
  const measure = (name: DetailMeasure, share: string) =>
    field(
      name,
      <input type="number" inputMode="decimal" step="any" min={1} max={MOST[name]} {...inputProps(name)} />,
      share,
    );
  const place = (
    name: 'producto' | 'salida' | 'destino',
    offered: readonly (readonly [value: string, words: string])[],
  ) =>
    field(
      name,
      <>
        <input
          type="text"
          maxLength={LONGEST_DETAIL}
          autoComplete="off"
          list={`${idPrefix}${name}s`}
          {...inputProps(name)}
        />
        <datalist id={`${idPrefix}${name}s`}>
          {offered.map(([value, text]) => (
            <option key={value} value={value}>
              {text}
            </option>
          ))}
        </datalist>
      </>,
    );
  const choice = (name: Detail, choices: readonly (readonly [value: string, words: string])[]) =>
    field(
      name,
      <select {...inputProps(name)}>
        <option value="">{bothWords(questions.none)}</option>
        {choices.map(([value, text]) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>,
      styles['half'],
    );
  return { inputProps, field, measure, place, choice };
}

/** Focuses the form instead of a field: a phone would open its keyboard over the other fields. */
function takeFocus(form: HTMLFormElement | null): () => void {
  form?.focus({ preventScroll: true });
  return passFocusOn(form);
}

/** Moves the focus to the text above the form, which says that an offer has closed the form. */
const passFocusOn = passFocus((form) => form.previousElementSibling);
