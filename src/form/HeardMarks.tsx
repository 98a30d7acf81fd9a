import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { createPortal } from 'react-dom';
import { mainWords } from '../content/bilingual.ts';
import { assistantValues as words } from '../content/assistant-values.ts';
import { quoteForm } from '../content/quote-form.ts';
import { fieldWords } from '../content/fields.ts';
import { FIELDS, type Field } from '../lead/fields.ts';
import { dismiss, FORM_DURATION, toast } from '../notices/toasts.ts';
import { heard, type Heard } from '../phone/heard.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import { control, write } from './controls.ts';
import styles from './HeardMarks.module.css';
import states from './FormStates.module.css';

const labelOf = (field: Field) => fieldWords[field].label;
const buttonOf = (field: Field) => `${field}-heard`;

/**
 * Fills in and marks what the assistant heard. A mark goes when the visitor confirms the value, undoes or changes it.
 * A press sends nothing before that.
 */
export function HeardMarks({ form }: { readonly form: HTMLFormElement }) {
  const waiting = useStore(heard);
  const marked = FIELDS.filter((field) => waiting.has(field));
  const before = useRef(new Map<Field, string>());
  const isWriting = useRef(false);
  const heldAt = useRef(-Infinity);
  const told = useRef<number>(undefined);
  const [top] = useState(() => document.createElement('div'));
  useLayoutEffect(() => {
    form.prepend(top);
    return () => top.remove();
  }, [form, top]);

  function put(field: Field, value: string) {
    isWriting.current = true;
    write(form, field, value);
    // An input event, as of typing: the draft keeps the value, and the sentence under the field follows.
    control(form, field).dispatchEvent(new Event('input', { bubbles: true }));
    isWriting.current = false;
  }

  function confirm(...fields: Field[]) {
    for (const field of fields) before.current.delete(field);
    heard.set(new Map([...heard.read()].filter(([field]) => !fields.includes(field))));
  }

  /** The page moved to what is to be confirmed: a second tap, or a key that is still held, was meant for the form. */
  const inHaste = ({ detail, timeStamp }: { readonly detail: number; readonly timeStamp: number }) =>
    detail > 0 && timeStamp - heldAt.current < 700;
  const notByRepeat = (event: KeyboardEvent) => event.repeat && event.preventDefault();

  /** The button that was pressed goes: the focus moves on to what is left to do. */
  function moveOn() {
    const [next] = FIELDS.filter((field) => heard.read().has(field));
    if (next) control(form, buttonOf(next)).focus();
    else form.querySelector<HTMLElement>('[type=submit]')!.focus();
  }

  const fill = useEffectEvent((news: Heard) => {
    let last: HTMLElement | undefined;
    for (const [field, value] of news) {
      const { value: stands } = control(form, field);
      if (value === undefined && stands === '') confirm(field);
      if (value === undefined) continue;
      if (!before.current.has(field)) before.current.set(field, stands);
      if (value === stands) continue;
      put(field, value);
      last = control(form, field);
    }
    // To the top: beneath stands the call. At once, for what is above may grow while it comes into view. Who is writing
    // in another field stays there.
    if (last && !form.contains(document.activeElement)) last.parentElement!.scrollIntoView({ behavior: 'instant' });
  });
  useLayoutEffect(() => fill(waiting), [waiting]);

  useLayoutEffect(() => {
    const controls = marked.map((field) => control(form, field));
    for (const each of controls) each.setAttribute('aria-description', mainWords(words.mark));
    return () => controls.forEach((each) => each.removeAttribute('aria-description'));
  }, [form, marked]);

  const hold = useEffectEvent((event: Event) => {
    if (event.target !== form || heard.read().size === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    heldAt.current = event.timeStamp;
    if (told.current !== undefined) dismiss(told.current);
    told.current = toast(quoteForm.confirmFirst, { type: 'info', duration: FORM_DURATION });
    moveOn();
  });
  const typed = useEffectEvent(({ target }: Event) => {
    const { name } = target as HTMLInputElement;
    if (!isWriting.current && heard.read().has(name as Field)) confirm(name as Field);
  });
  const emptied = useEffectEvent(() => confirm(...FIELDS));
  useEffect(() => {
    // Before React, and before the form itself hears of it.
    addEventListener('submit', hold, true);
    form.addEventListener('input', typed);
    form.addEventListener('reset', emptied);
    return () => {
      removeEventListener('submit', hold, true);
      form.removeEventListener('input', typed);
      form.removeEventListener('reset', emptied);
    };
  }, [form]);

  return (
    <>
      {createPortal(
        <div className={`${states['draft']} ${styles['all']}`} role="status">
          <span>
            <Inline text={words.wrote(marked.map(labelOf))} />
          </span>
          <button
            className="button plain"
            type="button"
            onKeyDown={notByRepeat}
            onClick={(event) => {
              if (inHaste(event)) return;
              confirm(...FIELDS);
              moveOn();
            }}
          >
            <ButtonWords text={words.allRight} />
          </button>
        </div>,
        top,
      )}
      {marked.map((field) =>
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
              onKeyDown={notByRepeat}
              onClick={(event) => {
                if (inHaste(event)) return;
                confirm(field);
                moveOn();
              }}
            >
              <ButtonWords text={words.right} />
            </button>
            <button
              className="button plain"
              type="button"
              onClick={(event) => {
                if (inHaste(event)) return;
                put(field, before.current.get(field) ?? '');
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
