import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { mainWords, type Bilingual } from '../content/bilingual.ts';
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
  const [top] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    form.prepend(top);
    return () => top.remove();
  }, [form, top]);
  const undo = useWrittenValues(form, unconfirmed);
  const isAccidental = useSubmitGuard(form);
  useLayoutEffect(() => {
    const controls = markedFields.map((field) => control(form, field));
    for (const input of controls) input.setAttribute('aria-description', mainWords(words.mark));
    return () => controls.forEach((input) => input.removeAttribute('aria-description'));
  }, [form, markedFields]);

  const confirmAndGoOn = (...fields: Field[]) => {
    confirm(...fields);
    focusNext(form);
  };
  const button = (text: Bilingual, press: () => void, name?: string) => (
    <button
      className="button plain"
      type="button"
      name={name}
      onKeyDown={ignoreRepeat}
      onClick={(event) => isAccidental(event) || press()}
    >
      <ButtonWords text={text} />
    </button>
  );
  return (
    <>
      {createPortal(
        <div className={`${states['draft']} ${styles['all']}`} role="status">
          <span>
            <Inline text={words.wrote(markedFields.map(labelOf))} />
          </span>
          {button(words.allRight, () => confirmAndGoOn(...FIELDS))}
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
            {button(words.right, () => confirmAndGoOn(field), buttonOf(field))}
            {button(words.undo, () => undo(field))}
          </div>,
          control(form, field).parentElement!,
          field,
        ),
      )}
    </>
  );
}

const ignoreRepeat = (event: KeyboardEvent) => event.repeat && event.preventDefault();

function confirm(...fields: readonly Field[]) {
  assistantValues.set(new Map([...assistantValues.read()].filter(([field]) => !fields.includes(field))));
}

/**
 * Moves the focus, because the pressed button disappears: to the next highlighted field, or to the submit button after
 * the last one.
 */
function focusNext(form: HTMLFormElement) {
  const [next] = FIELDS.filter((field) => assistantValues.read().has(field));
  if (next) control(form, buttonOf(next)).focus();
  else form.querySelector<HTMLElement>('[type=submit]')!.focus();
}

/** Writes the values into the form. Returns a function that restores the earlier value of a field. */
function useWrittenValues(form: HTMLFormElement, unconfirmed: AssistantValues) {
  const previousValues = useRef(new Map<Field, string>());
  const isWriting = useRef(false);

  function fillField(field: Field, value: string) {
    isWriting.current = true;
    write(form, field, value);
    // The form reacts to this event as if the visitor had typed: it updates the draft and the faults.
    control(form, field).dispatchEvent(new Event('input', { bubbles: true }));
    isWriting.current = false;
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
    // The last filled field is shown, because the call's panel covers the bottom of the screen. A smooth scroll would
    // miss the field if content above the field grows during the scroll. With the focus in the form, nothing scrolls.
    if (lastControl && !form.contains(document.activeElement))
      lastControl.parentElement!.scrollIntoView({ behavior: 'instant' });
  });
  useLayoutEffect(() => {
    for (const field of previousValues.current.keys())
      if (!unconfirmed.has(field)) previousValues.current.delete(field);
    fill(unconfirmed);
  }, [unconfirmed]);

  const confirmTyped = useEffectEvent(({ target }: Event) => {
    const { name } = target as HTMLInputElement;
    if (!isWriting.current && assistantValues.read().has(name as Field)) confirm(name as Field);
  });
  useEffect(() => {
    const confirmAll = () => confirm(...FIELDS);
    form.addEventListener('input', confirmTyped);
    form.addEventListener('reset', confirmAll);
    return () => {
      form.removeEventListener('input', confirmTyped);
      form.removeEventListener('reset', confirmAll);
    };
  }, [form]);

  return (field: Field) => {
    fillField(field, previousValues.current.get(field) ?? '');
    confirm(field);
    control(form, field).focus();
  };
}

/**
 * Refuses to send the form while a field is highlighted. Returns a function that tells whether a press is accidental.
 */
function useSubmitGuard(form: HTMLFormElement) {
  const refusedAt = useRef(-Infinity);
  const toastId = useRef<symbol>(undefined);
  const refuseSubmit = useEffectEvent((event: Event) => {
    if (event.target !== form || assistantValues.read().size === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    refusedAt.current = event.timeStamp;
    if (toastId.current !== undefined) dismiss(toastId.current);
    toastId.current = toast(quoteForm.confirmFirst, { type: 'info', duration: FORM_DURATION });
    focusNext(form);
  });
  useEffect(() => {
    // A capturing listener on the window runs before the submit listeners of the form and of React.
    addEventListener('submit', refuseSubmit, true);
    return () => removeEventListener('submit', refuseSubmit, true);
  }, []);

  /**
   * True for a press within 700 ms after a press on the submit button was refused. The refusal moves the page and the
   * focus to a highlighted field, so a second tap, or a key still held, would confirm that field by accident.
   */
  return ({ detail, timeStamp }: { readonly detail: number; readonly timeStamp: number }) =>
    detail > 0 && timeStamp - refusedAt.current < 700;
}
