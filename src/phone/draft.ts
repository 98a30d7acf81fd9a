import { DRAFT_KEY, ERASED_KEY, FORM_ID } from '../agreements.ts';
import { persisted, persistedText } from './persisted.ts';
import { emptyTexts, readDraft as readStored, type Draft } from '../lead/draft.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { createStore } from '../ui/create-store.ts';

export interface Correction {
  readonly quote: Quote;
  /** True for the correction of a delivered quote: a new quote, which names the delivered one. */
  readonly delivered: boolean;
  readonly isCopy?: boolean;
  /** Id of the delivered quote that the quote to correct replaces. */
  readonly replaced?: string | undefined;
  /** Current consent to promotions; the visitor may have withdrawn it after the delivery. */
  readonly promociones: boolean;
}

/** Correction that the form shows as soon as it is hydrated and not sending. */
export const toCorrect = createStore<Correction | undefined>(undefined);

/** Hands a correction to the form and focuses the form, which hydrates it. */
export function askToCorrect(correction: Correction): void {
  toCorrect.set(correction);
  document.querySelector<HTMLElement>(`#${FORM_ID} input`)?.focus();
}

const KEPT_FOR = 7 * 24 * 60 * 60_000;

function readFresh(stored: unknown): Draft | undefined {
  const draft = readStored(stored);
  return draft && Math.abs(Date.now() - draft.savedAt) < KEPT_FOR ? draft : undefined;
}

// localStorage instead of IndexedDB: its write is complete before `pagehide` returns.
const current = persisted(DRAFT_KEY, readFresh);
/** Draft that was set aside while the form shows another one. */
const aside = persisted('aeropuente.draft-aside', readFresh);
const erased = persistedText(ERASED_KEY);

export function newDraft(): Draft {
  return { id: newId(), values: emptyTexts(), savedAt: Date.now() };
}

export function readDraft(): Draft | undefined {
  return current.get() ?? endDraft();
}

export function saveDraft(draft: Draft): void {
  current.set({ ...draft, savedAt: Date.now() });
}

/** Deletes the stored draft if it belongs to this quote, or if its format is too old to be read. */
export function forgetDraft(id: string): void {
  if ((current.get()?.id ?? id) === id) current.set(undefined);
}

/** Sets the current draft aside to make room for another one. */
export function setDraftAside(): void {
  const draft = current.get();
  // A correction does not displace a draft already set aside: the correction can be started again from the quote.
  const canBeLost = draft?.corrects || draft?.reemplaza;
  if (draft && !(canBeLost && aside.get())) aside.set(draft);
  current.set(undefined);
}

/** Deletes the draft set aside, if its quote was stored before the page closed or its format is too old to be read. */
export function endAside(id: string): void {
  if ((aside.get()?.id ?? id) === id) aside.set(undefined);
}

/** Deletes the current draft. The draft that was set aside becomes the current one and is returned. */
export function endDraft(): Draft | undefined {
  const draft = aside.get();
  aside.set(undefined);
  current.set(draft);
  return draft;
}

/**
 * Deletes all drafts, and makes the forms of all tabs drop theirs: otherwise the forms would store them again when
 * closed.
 */
export function eraseDrafts(): void {
  current.set(undefined);
  aside.set(undefined);
  toCorrect.set(undefined);
  erased.set('1');
  erased.set(undefined);
  // The form of this tab gets an event too, because browsers send storage events only to the other tabs.
  dispatchEvent(new StorageEvent('storage', { key: ERASED_KEY }));
}
