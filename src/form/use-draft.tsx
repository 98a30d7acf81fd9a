import { useEffect, useEffectEvent, useRef, useState, type ReactNode, type RefObject } from 'react';
import { ERASED } from '../agreements.ts';
import { mainWords } from '../content/bilingual.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import { wantsCallBack } from '../phone/call-back.ts';
import { setBusy } from '../phone/busy.ts';
import { ButtonWords } from '../ui/ButtonWords.tsx';
import { Inline } from '../ui/Inline.tsx';
import { useStore } from '../ui/store.ts';
import {
  endAside,
  endDraft,
  forgetDraft,
  newDraft,
  readDraft,
  saveDraft,
  setDraftAside,
  toCorrect,
  type Correction,
} from '../phone/draft.ts';
import type { Draft } from '../lead/draft.ts';
import { folioOf } from '../lead/folio.ts';
import { sameQuote, type Quote } from '../lead/quote.ts';
import { outbox } from '../outbox/phone-outbox.ts';
import { byField, CONTACT_FIELDS, FIELDS, type Written } from '../lead/fields.ts';
import { forgetContact, readContact, type Contact } from '../phone/contact.ts';
import { continues } from './before.ts';
import { control, read, write } from './controls.ts';
import { RememberedNote } from './RememberedNote.tsx';
import { check } from './rules.ts';
import styles from './FormStates.module.css';

const PAUSE = 400;

export interface FormDraft {
  /** The values that stand in the form now, under the id that its quote will have. */
  readonly current: () => Draft;
  readonly note: () => void;
  readonly fillWeight: (aMonth: number, shipment: number) => void;
  /** From now on the quote has the id under which it was pressed before. */
  readonly continueAs: (id: string) => void;
  readonly end: () => void;
  readonly notice: ReactNode;
}

/** The phone has a quote of this draft: of these words, for another window may have sent others under its id. */
async function wasKept({ id, values }: Draft): Promise<boolean> {
  const entries = await outbox.entries().catch(() => []);
  const written = check(id, values);
  const isIts = (quote: Quote | null) => !quote || ('quote' in written && sameQuote(quote, written.quote));
  return entries.some((entry) => entry.id === id && isIts(entry.quote));
}

/** Keeps what is written on every pause and when the page hides; brings it back without a question. */
export function useDraft(
  form: RefObject<HTMLFormElement | null>,
  isSending: boolean,
  onShown: (isErased: boolean) => void,
): FormDraft {
  const draft = useRef<Draft>(undefined);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const [shown, setShown] = useState<Draft>();
  /** Filled in from the last quote. */
  const [contact, setContact] = useState<Contact>();

  function current(): Draft {
    draft.current ??= newDraft();
    const promociones = control(form.current!, 'promociones').checked;
    return { ...draft.current, values: read(form.current!), llamada: wantsCallBack.read(), promociones };
  }

  function save() {
    clearTimeout(timer.current);
    if (!draft.current) return;
    const written = current();
    // An empty form is no draft.
    if (FIELDS.some((field) => written.values[field].trim())) saveDraft(written);
    else forgetDraft(written.id);
  }

  function show(next: Draft | undefined, isErased = false) {
    clearTimeout(timer.current);
    draft.current = next;
    setShown(next);
    // A draft that is kept survives a reload: only who writes is not to be interrupted.
    setBusy('form', false);
    form.current?.reset();
    wantsCallBack.set(next?.llamada === true);
    if (next?.promociones) control(form.current!, 'promociones').checked = true;
    for (const field of FIELDS) if (next) write(form.current!, field, next.values[field]);
    setContact(next ? undefined : fillIn());
    onShown(isErased);
  }

  function fillIn(): Contact | undefined {
    const remembered = readContact();
    for (const field of CONTACT_FIELDS) if (remembered) write(form.current!, field, remembered[field]);
    return remembered;
  }

  const end = () => show(endDraft());

  function note() {
    draft.current ??= newDraft();
    setBusy('form', true);
    clearTimeout(timer.current);
    timer.current = setTimeout(save, PAUSE);
  }

  const begin = useEffectEvent(() => {
    const kept = readDraft();
    const there = read(form.current!);
    const known: Partial<Written> | undefined = kept?.values ?? readContact();
    const isChanged = FIELDS.some((field) => there[field] && there[field] !== known?.[field]);
    if (isChanged && !continues(known, there)) {
      setDraftAside();
      if (kept && !kept.corrects) void wasKept(kept).then((was) => was && endAside(kept.id));
    } else if (kept) {
      const isFilledIn = FIELDS.some((field) => there[field]);
      const found = {
        ...kept,
        values: byField((field) => there[field] || kept.values[field]),
        llamada: kept.llamada || wantsCallBack.read(),
        // What the browser filled in again may have been changed since.
        ...(isFilledIn && { promociones: control(form.current!, 'promociones').checked }),
      };
      show(found);
      if (!found.corrects) void endIfSent(found, kept);
    } else setContact(fillIn());
    if (isChanged) note();
  });

  /** The phone may have kept the quote just before this page was closed: then there is nothing left to write. */
  async function endIfSent(found: Draft, kept: Draft) {
    if (!(await wasKept(kept)) || draft.current !== found) return;
    const values = read(form.current!);
    if (FIELDS.every((field) => values[field] === kept.values[field])) return end();
    // Words that were typed meanwhile begin another quote.
    draft.current = newDraft();
    save();
  }

  const correct = useEffectEvent(({ quote, delivered, isCopy, promociones, replaced }: Correction) => {
    save();
    // One correction after another: the earlier one is given up.
    if (!draft.current?.corrects && !draft.current?.reemplaza) setDraftAside();
    const written = {
      values: byField((field) => String(quote[field] || '')),
      llamada: quote.llamada === true,
      promociones,
      ...(quote.embarque && { embarque: quote.embarque, made: String(quote.peso) }),
    };
    show(
      isCopy
        ? { ...newDraft(), ...written }
        : delivered
          ? { ...newDraft(), ...written, reemplaza: folioOf(quote.id), replaced: quote.id }
          : {
              id: quote.id,
              ...written,
              savedAt: Date.now(),
              corrects: true,
              // What it corrects itself, if it is a correction that has not gone yet.
              ...(quote.reemplaza && { reemplaza: quote.reemplaza }),
              ...(replaced && { replaced }),
            },
    );
    save();
    // At its beginning, where it says what it corrects: on a phone it is higher than the screen.
    form.current!.scrollIntoView({ block: 'start' });
    control(form.current!, FIELDS[0]!).focus({ preventScroll: true });
  });
  const leave = useEffectEvent(save);
  const erased = useEffectEvent(() => show(undefined, true));

  useEffect(() => {
    begin();
    const onStorage = ({ key }: StorageEvent) => key === ERASED && erased();
    addEventListener('storage', onStorage);
    addEventListener('pagehide', leave);
    document.addEventListener('visibilitychange', leave);
    return () => {
      removeEventListener('storage', onStorage);
      removeEventListener('pagehide', leave);
      document.removeEventListener('visibilitychange', leave);
    };
  }, []);

  const wanted = useStore(toCorrect);
  useEffect(() => {
    if (!wanted || isSending) return;
    toCorrect.set(undefined);
    correct(wanted);
  }, [wanted, isSending]);

  return {
    current,
    note,
    fillWeight(aMonth, shipment) {
      const made = String(aMonth);
      draft.current = { ...(draft.current ?? newDraft()), embarque: shipment, made };
      setBusy('form', true);
      write(form.current!, 'peso', made);
      save();
    },
    continueAs: (id) => void (draft.current = { ...(draft.current ?? newDraft()), id }),
    end,
    notice: contact ? (
      <RememberedNote
        onForget={() => {
          forgetContact();
          for (const field of CONTACT_FIELDS)
            if (control(form.current!, field).value === contact[field]) write(form.current!, field, '');
          setContact(undefined);
          // The button goes with its line.
          form.current!.focus({ preventScroll: true });
        }}
      />
    ) : (
      shown && (
        <div className={styles['draft']} role="status">
          {shown.corrects || shown.reemplaza ? (
            <span>
              {mainWords(words.correcting)}{' '}
              <span className="whole">{shown.corrects ? folioOf(shown.id) : shown.reemplaza}</span>
            </span>
          ) : (
            <span>
              <Inline text={words.draft.found} />
            </span>
          )}
          <button
            className="button plain"
            type="button"
            onClick={() => {
              end();
              // The button goes with the draft.
              form.current!.focus({ preventScroll: true });
            }}
          >
            <ButtonWords text={words.draft.discard} />
          </button>
        </div>
      )
    ),
  };
}
