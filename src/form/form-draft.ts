import { mainWords } from '../content/bilingual.ts';
import { quoteForm as words } from '../content/quote-form.ts';
import { filledContact } from '../content/filled-contact.ts';
import type { Draft } from '../lead/draft.ts';
import { byField, CONTACT_FIELDS, FIELDS, type FieldTexts } from '../lead/fields.ts';
import { folioOf } from '../lead/folio.ts';
import { sameQuote, type Quote } from '../lead/quote.ts';
import type { Entry } from '../outbox/entry.ts';
import { setBusy } from '../phone/busy.ts';
import { wantsCallBack } from '../phone/call-back.ts';
import { forgetContact, readContact } from '../phone/contact.ts';
import {
  endAside,
  endDraft,
  forgetDraft,
  newDraft,
  readDraft,
  saveDraft,
  setDraftAside,
  type Correction,
} from '../phone/draft.ts';
import { element } from '../ui/element.ts';
import { wordsOf } from '../ui/words.ts';
import { control, read, write } from './controls.ts';
import { createNoteLine } from './note-line.ts';
import { check } from './rules.ts';

const PAUSE = 400;

export interface FormDraft {
  /** Returns the draft with the form's present values and the id of the future quote. */
  readonly current: () => Draft;
  readonly note: () => void;
  readonly save: () => void;
  readonly fillWeight: (aMonth: number, shipment: number) => void;
  readonly correct: (correction: Correction) => void;
  /** Empties the form after the visitor has erased the phone's data. */
  readonly erase: () => void;
  /** Deletes the draft from the disk, because its quote is now stored. The form still shows the values. */
  readonly forget: () => void;
  readonly end: () => void;
}

interface Means {
  readonly entries: () => Promise<readonly Entry[]>;
  /** Called when the form shows another draft or was emptied. */
  readonly onShown: (draft: Draft | undefined, isErased: boolean) => void;
}

/**
 * Keeps the form's values as a draft: writes them to disk after each pause in typing and when the page is hidden, and
 * fills them in again at the next visit.
 */
export function createFormDraft(form: HTMLFormElement, { entries, onShown }: Means): FormDraft {
  const line = createNoteLine(form);
  let draft: Draft | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function current(): Draft {
    draft ??= newDraft();
    const promociones = control(form, 'promociones').checked;
    return { ...draft, values: read(form), llamada: wantsCallBack.read(), promociones };
  }

  function save() {
    clearTimeout(timer);
    if (!draft) return;
    const latest = current();
    // A form without text is not stored, and its draft is deleted.
    if (FIELDS.some((field) => latest.values[field].trim())) saveDraft(latest);
    else forgetDraft(latest.id);
  }

  function note() {
    draft ??= newDraft();
    setBusy('form', true);
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }

  function show(next: Draft | undefined, isErased = false) {
    clearTimeout(timer);
    // The draft on the screen is also on disk, so a new release may reload the page: nothing would be lost.
    setBusy('form', false);
    form.reset();
    fill(next, isErased);
  }

  function fill(next: Draft | undefined, isErased = false) {
    draft = next;
    wantsCallBack.set(next?.llamada === true);
    control(form, 'promociones').checked = next?.promociones === true;
    for (const field of FIELDS) if (next) write(form, field, next.values[field]);
    if (next) showLine(next);
    else fillInContact();
    onShown(next, isErased);
  }

  const end = () => show(endDraft());

  function showLine({ id, corrects, reemplaza }: Draft) {
    const folio = corrects ? folioOf(id) : reemplaza;
    const text = folio
      ? [
          `${mainWords(words.correcting)} `,
          element('span', { class: 'whole' }, folio),
          ...(corrects ? [] : ['. ', ...wordsOf(words.correctsDelivered)]),
        ]
      : wordsOf(words.draft.found);
    line.show(text, { label: words.draft.discard, run: end });
  }

  /** Fills in the contact data of the last quote, if the visitor asked the phone to remember them. */
  function fillInContact() {
    const contact = readContact();
    if (!contact) return line.hide();
    for (const field of CONTACT_FIELDS) write(form, field, contact[field]);
    line.show(wordsOf(filledContact.filledIn), {
      label: filledContact.forget,
      run() {
        forgetContact();
        for (const field of CONTACT_FIELDS) if (control(form, field).value === contact[field]) write(form, field, '');
      },
    });
  }

  /**
   * True if this draft has already become a stored quote. The values are compared too, because another window may have
   * stored other values under the same id.
   */
  async function isQuoteStored({ id, values }: Draft): Promise<boolean> {
    const judged = check(id, values);
    const hasSameValues = (quote: Quote | null) => !quote || ('quote' in judged && sameQuote(quote, judged.quote));
    return (await entries().catch(() => [])).some((entry) => entry.id === id && hasSameValues(entry.quote));
  }

  /** Ends a draft whose quote was stored just before the page closed. */
  async function endIfStored(found: Draft, stored: Draft) {
    if (!(await isQuoteStored(stored)) || draft !== found) return;
    const values = read(form);
    if (FIELDS.every((field) => values[field] === stored.values[field])) return end();
    // The visitor has changed the values since, so they become the draft of a new quote.
    draft = newDraft();
    save();
  }

  function begin() {
    const stored = readDraft();
    const shown = read(form);
    const known: Partial<FieldTexts> | undefined = stored?.values ?? readContact();
    const isChanged = FIELDS.some((field) => shown[field] && shown[field] !== known?.[field]);
    if (isChanged && !continues(known, shown)) {
      setDraftAside();
      if (stored && !stored.corrects) void isQuoteStored(stored).then((isStored) => isStored && endAside(stored.id));
    } else if (stored) {
      const isFilledIn = FIELDS.some((field) => shown[field]);
      const found = {
        ...stored,
        values: byField((field) => shown[field] || stored.values[field]),
        llamada: stored.llamada || wantsCallBack.read(),
        // The browser has restored the form, and its checkbox may be newer than the stored draft.
        ...(isFilledIn && { promociones: control(form, 'promociones').checked }),
      };
      // The form is not reset before it is filled, because the visitor may already be typing.
      fill(found);
      if (!found.corrects) void endIfStored(found, stored);
    } else fillInContact();
    if (isChanged) note();
  }

  begin();
  return {
    current,
    note,
    save,
    end,
    fillWeight(aMonth, shipment) {
      const made = String(aMonth);
      draft = { ...(draft ?? newDraft()), embarque: shipment, made };
      setBusy('form', true);
      write(form, 'peso', made);
      save();
    },
    correct(correction) {
      save();
      // The present draft is set aside for later, unless it is a correction: a correction can be started again from its
      // quote.
      if (!draft?.corrects && !draft?.reemplaza) setDraftAside();
      show(draftOf(correction));
      save();
      // The folio of the corrected quote is at the top of the form. The form is taller than a phone's screen, so its
      // top is scrolled into view.
      form.scrollIntoView({ block: 'start' });
      control(form, FIELDS[0]!).focus({ preventScroll: true });
    },
    erase: () => show(undefined, true),
    forget() {
      clearTimeout(timer);
      if (draft) forgetDraft(draft.id);
    },
  };
}

function draftOf({ quote, delivered, isCopy, promociones, replaced }: Correction): Draft {
  const contents = {
    values: byField((field) => String(quote[field] || '')),
    llamada: quote.llamada === true,
    promociones,
    ...(quote.embarque && { embarque: quote.embarque, made: String(quote.peso) }),
  };
  if (isCopy) return { ...newDraft(), ...contents };
  if (delivered) return { ...newDraft(), ...contents, reemplaza: folioOf(quote.id), replaced: quote.id };
  return {
    id: quote.id,
    ...contents,
    savedAt: Date.now(),
    corrects: true,
    // The corrected quote may itself be a correction. The new draft then keeps the folio of the quote that both
    // replace.
    ...(quote.reemplaza && { reemplaza: quote.reemplaza }),
    ...(replaced && { replaced }),
  };
}

/**
 * True if the restored form belongs to the `known` draft; false if its values are newer. The contact data are compared.
 * Other fields are compared only in a form without contact data, because the visitor may have changed the cargo.
 */
function continues(known: Partial<FieldTexts> | undefined, values: FieldTexts): boolean {
  const contact = CONTACT_FIELDS.filter((field) => values[field]);
  const compared = contact.length > 0 ? contact : FIELDS.filter((field) => values[field]);
  return compared.every((field) => values[field] === known?.[field]);
}
