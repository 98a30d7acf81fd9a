import { DRAFT_KEY, ERASED_KEY, FORM_ID } from '../agreements.ts';
import { persisted, persistedText } from './persisted.ts';
import { emptyTexts, readDraft as readStored, type Draft } from '../lead/draft.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { createStore } from '../ui/create-store.ts';

export interface Correction {
  readonly quote: Quote;
  /** True for a delivered quote: the correction is a new quote that names the delivered one. */
  readonly delivered: boolean;
  readonly isCopy?: boolean;
  /** Id of the delivered quote that this one corrected. */
  readonly replaced?: string | undefined;
  /** Current consent to promotions; it may have been withdrawn after the delivery. */
  readonly promociones: boolean;
}

/** Correction that the form takes once it is hydrated and not sending. */
export const toCorrect = createStore<Correction | undefined>(undefined);

/** Hands a correction to the form; the focus hydrates it. */
export function askToCorrect(correction: Correction): void {
  toCorrect.set(correction);
  document.querySelector<HTMLElement>(`#${FORM_ID} input`)?.focus();
}

const KEPT_FOR = 7 * 24 * 60 * 60_000;

function readFresh(stored: unknown): Draft | undefined {
  const draft = readStored(stored);
  return draft && Math.abs(Date.now() - draft.savedAt) < KEPT_FOR ? draft : undefined;
}

// localStorage instead of IndexedDB, because a write is complete before `pagehide` returns.
const current = persisted(DRAFT_KEY, readFresh);
/** Draft that was set aside for another one. */
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

/** Sets the draft aside to make room for another one. */
export function setDraftAside(): void {
  const draft = current.get();
  // A correction can be started again from its quote.
  const canBeLost = draft?.corrects || draft?.reemplaza;
  if (draft && !(canBeLost && aside.get())) aside.set(draft);
  current.set(undefined);
}

/** Deletes a draft whose quote was stored before its page was closed, or one too old to be read. */
export function endAside(id: string): void {
  if ((aside.get()?.id ?? id) === id) aside.set(undefined);
}

/** Ends the current draft and brings back the one that was set aside. */
export function endDraft(): Draft | undefined {
  const draft = aside.get();
  aside.set(undefined);
  current.set(draft);
  return draft;
}

/** Deletes all drafts, and tells the forms of all tabs to drop theirs, which they would store again when closed. */
export function eraseDrafts(): void {
  current.set(undefined);
  aside.set(undefined);
  toCorrect.set(undefined);
  erased.set('1');
  erased.set(undefined);
  // Browsers send storage events to every tab but the one that wrote.
  dispatchEvent(new StorageEvent('storage', { key: ERASED_KEY }));
}
