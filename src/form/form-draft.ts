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
  /** Values in the form now, with the id of the future quote. */
  readonly current: () => Draft;
  readonly note: () => void;
  readonly save: () => void;
  readonly fillWeight: (aMonth: number, shipment: number) => void;
  readonly continueAs: (id: string) => void;
  readonly correct: (correction: Correction) => void;
  /** Empties the form after the phone's data were erased. */
  readonly erase: () => void;
  /** Takes the draft off the disk once its quote is kept; the words stay in the form. */
  readonly forget: () => void;
  readonly end: () => void;
}

interface Means {
  readonly entries: () => Promise<readonly Entry[]>;
  /** Called when another draft, or none, is in the form. */
  readonly onShown: (draft: Draft | undefined, isErased: boolean) => void;
}

/** Keeps what is written on every pause and when the page hides; brings it back without a question. */
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
    const written = current();
    // Empty forms are not kept.
    if (FIELDS.some((field) => written.values[field].trim())) saveDraft(written);
    else forgetDraft(written.id);
  }

  function note() {
    draft ??= newDraft();
    setBusy('form', true);
    clearTimeout(timer);
    timer = setTimeout(save, PAUSE);
  }

  function show(next: Draft | undefined, isErased = false) {
    clearTimeout(timer);
    // A kept draft survives the reload of an update; unsaved typing would not.
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
    const said = folio
      ? [
          `${mainWords(words.correcting)} `,
          element('span', { class: 'whole' }, folio),
          ...(corrects ? [] : ['. ', ...wordsOf(words.correctsDelivered)]),
        ]
      : wordsOf(words.draft.found);
    line.show(said, { label: words.draft.discard, run: end });
  }

  /** Contact data of the last quote, where its sender asked the phone to remember them. */
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

  /** Looks for a kept quote with the id and the words of a draft: another window may have sent other words under the id. */
  async function wasKept({ id, values }: Draft): Promise<boolean> {
    const written = check(id, values);
    const isIts = (quote: Quote | null) => !quote || ('quote' in written && sameQuote(quote, written.quote));
    return (await entries().catch(() => [])).some((entry) => entry.id === id && isIts(entry.quote));
  }

  /** Ends a draft whose quote was kept just before the page was closed. */
  async function endIfSent(found: Draft, kept: Draft) {
    if (!(await wasKept(kept)) || draft !== found) return;
    const values = read(form);
    if (FIELDS.every((field) => values[field] === kept.values[field])) return end();
    // The changed words begin another quote.
    draft = newDraft();
    save();
  }

  function begin() {
    const kept = readDraft();
    const there = read(form);
    const known: Partial<FieldTexts> | undefined = kept?.values ?? readContact();
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
        // The box may have been changed since the browser filled the form in again.
        ...(isFilledIn && { promociones: control(form, 'promociones').checked }),
      };
      // The visitor may be typing already, so the form is not emptied first.
      fill(found);
      if (!found.corrects) void endIfSent(found, kept);
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
    continueAs: (id) => void (draft = { ...(draft ?? newDraft()), id }),
    correct(correction) {
      save();
      // A second correction gives up the first.
      if (!draft?.corrects && !draft?.reemplaza) setDraftAside();
      show(draftOf(correction));
      save();
      // The form is higher than a phone's screen, and its first line names the corrected folio.
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
  const written = {
    values: byField((field) => String(quote[field] || '')),
    llamada: quote.llamada === true,
    promociones,
    ...(quote.embarque && { embarque: quote.embarque, made: String(quote.peso) }),
  };
  if (isCopy) return { ...newDraft(), ...written };
  if (delivered) return { ...newDraft(), ...written, reemplaza: folioOf(quote.id), replaced: quote.id };
  return {
    id: quote.id,
    ...written,
    savedAt: Date.now(),
    corrects: true,
    // An unsent correction keeps the replaced folio.
    ...(quote.reemplaza && { reemplaza: quote.reemplaza }),
    ...(replaced && { replaced }),
  };
}

/**
 * Says whether the form continues the `known` draft. After a reload browsers fill in the contact, and the visitor may have
 * changed the cargo since. Any other words are newer than the draft.
 */
function continues(known: Partial<FieldTexts> | undefined, values: FieldTexts): boolean {
  const contact = CONTACT_FIELDS.filter((field) => values[field]);
  const compared = contact.length > 0 ? contact : FIELDS.filter((field) => values[field]);
  return compared.every((field) => values[field] === known?.[field]);
}
