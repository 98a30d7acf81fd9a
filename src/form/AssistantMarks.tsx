import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { mainWords } from '../content/bilingual.ts';
import { assistantValues as words } from '../content/assistant-values.ts';
import { quoteForm } from '../content/quote-form.ts';
import { fieldWords } from '../content/fields.ts';
import { FIELDS, type Field } from '../lead/fields.ts';
import { dismiss, FORM_DURATION, toast } from '../notices/toasts.ts';
import { assistantValues, type AssistantValues } from '../phone/assistant-values.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import { control, write } from './controls.ts';
import styles from './AssistantMarks.module.css';
import states from './FormStates.module.css';

const labelOf = (field: Field) => fieldWords[field].label;
const buttonOf = (field: Field) => `${field}-confirm`;

/**
 * Writes the voice assistant's values into the form and highlights those fields until the visitor confirms, undoes or
 * changes each value. The form cannot be sent while a field is highlighted.
 */
export function AssistantMarks({ form }: { readonly form: HTMLFormElement }) {
  const unconfirmed = useStore(assistantValues);
  const markedFields = FIELDS.filter((field) => unconfirmed.has(field));
  const previousValues = useRef(new Map<Field, string>());
  const isWriting = useRef(false);
  const refusedAt = useRef(-Infinity);
  const toastId = useRef<symbol>(undefined);
  const [top] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    form.prepend(top);
    return () => top.remove();
  }, [form, top]);

  function fillField(field: Field, value: string) {
    isWriting.current = true;
    write(form, field, value);
    // The form reacts to this event as if the visitor had typed: it updates the draft and the faults.
    control(form, field).dispatchEvent(new Event('input', { bubbles: true }));
    isWriting.current = false;
  }

  function confirm(...fields: Field[]) {
    for (const field of fields) previousValues.current.delete(field);
    assistantValues.set(new Map([...assistantValues.read()].filter(([field]) => !fields.includes(field))));
  }

  /**
   * True for a press within 700 ms after a press on the submit button was refused. The refusal moves the page and the
   * focus to a highlighted field, so a second tap, or a key still held, would confirm that field by accident.
   */
  const isAccidental = ({ detail, timeStamp }: { readonly detail: number; readonly timeStamp: number }) =>
    detail > 0 && timeStamp - refusedAt.current < 700;
  const ignoreRepeat = (event: KeyboardEvent) => event.repeat && event.preventDefault();

  /**
   * Moves the focus, because the pressed button disappears: to the next highlighted field, or to the submit button
   * after the last one.
   */
  function focusNext() {
    const [next] = FIELDS.filter((field) => assistantValues.read().has(field));
    if (next) control(form, buttonOf(next)).focus();
    else form.querySelector<HTMLElement>('[type=submit]')!.focus();
  }

  const fill = useEffectEvent((values: AssistantValues) => {
    let lastControl: HTMLElement | undefined;
    for (const [field, value] of values) {
      const { value: shown } = control(form, field);
      if (value === undefined && shown === '') confirm(field);
      if (value === undefined) continue;
      if (!previousValues.current.has(field)) previousValues.current.set(field, shown);
      if (value === shown) continue;
      fillField(field, value);
      lastControl = control(form, field);
    }
    // Shows the last filled field, because the panel of the call covers the bottom of the screen. The scroll is not
    // smooth: content above the field may still grow during a smooth scroll. If the focus is in the form, the page does
    // not move.
    if (lastControl && !form.contains(document.activeElement))
      lastControl.parentElement!.scrollIntoView({ behavior: 'instant' });
  });
  useLayoutEffect(() => fill(unconfirmed), [unconfirmed]);

  useLayoutEffect(() => {
    const controls = markedFields.map((field) => control(form, field));
    for (const input of controls) input.setAttribute('aria-description', mainWords(words.mark));
    return () => controls.forEach((input) => input.removeAttribute('aria-description'));
  }, [form, markedFields]);

  const refuseSubmit = useEffectEvent((event: Event) => {
    if (event.target !== form || assistantValues.read().size === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refusedAt.current = event.timeStamp;
    if (toastId.current !== undefined) dismiss(toastId.current);
    toastId.current = toast(quoteForm.confirmFirst, { type: 'info', duration: FORM_DURATION });
    focusNext();
  });
  const confirmTyped = useEffectEvent(({ target }: Event) => {
    const { name } = target as HTMLInputElement;
    if (!isWriting.current && assistantValues.read().has(name as Field)) confirm(name as Field);
  });
  const confirmAll = useEffectEvent(() => confirm(...FIELDS));
  useEffect(() => {
    // A capturing listener on the window runs before the submit listeners of the form and of React.
    addEventListener('submit', refuseSubmit, true);
    form.addEventListener('input', confirmTyped);
    form.addEventListener('reset', confirmAll);
    return () => {
      removeEventListener('submit', refuseSubmit, true);
      form.removeEventListener('input', confirmTyped);
      form.removeEventListener('reset', confirmAll);
    };
  }, [form]);

  return (
    <>
      {createPortal(
        <div className={`${states['draft']} ${styles['all']}`} role="status">
          <span>
            <Inline text={words.wrote(markedFields.map(labelOf))} />
          </span>
          <button
            className="button plain"
            type="button"
            onKeyDown={ignoreRepeat}
            onClick={(event) => {
              if (isAccidental(event)) return;
              confirm(...FIELDS);
              focusNext();
            }}
          >
            <ButtonWords text={words.allRight} />
          </button>
        </div>,
        top,
      )}
      {markedFields.map((field) =>
        createPortal(
          <div
            className={styles['mark']}
            role="group"
            aria-label={`${mainWords(labelOf(field))}: ${mainWords(words.mark)}`}
          >
            <button
              className="button plain"
              type="button"
              name={buttonOf(field)}
              onKeyDown={ignoreRepeat}
              onClick={(event) => {
                if (isAccidental(event)) return;
                confirm(field);
                focusNext();
              }}
            >
              <ButtonWords text={words.right} />
            </button>
            <button
              className="button plain"
              type="button"
              onClick={(event) => {
                if (isAccidental(event)) return;
                fillField(field, previousValues.current.get(field) ?? '');
                confirm(field);
                control(form, field).focus();
              }}
            >
              <ButtonWords text={words.undo} />
            </button>
          </div>,
          control(form, field).parentElement!,
          field,
        ),
      )}
    </>
  );
}
