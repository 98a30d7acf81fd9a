import { DRAFT_KEY, ERASED_KEY, FORM_ID } from '../agreements.ts';
import { persisted, persistedText } from './persisted.ts';
import { emptyTexts, readDraft as readStored, type Draft } from '../lead/draft.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { createStore } from '../ui/create-store.ts';

export interface Correction {
  readonly quote: Quote;
  /** True if `quote` was delivered. Its correction is then a new quote, which names the delivered one. */
  readonly delivered: boolean;
  readonly isCopy?: boolean;
  /** Id of an earlier delivered quote, if `quote` is itself a correction of that one. */
  readonly replaced?: string | undefined;
  /** Present consent to promotions: the visitor may have withdrawn it after the delivery. */
  readonly promociones: boolean;
}

/** Correction that the form shows as soon as its code runs and no quote is being sent. */
export const toCorrect = createStore<Correction | undefined>(undefined);

/**
 * Hands a correction to the form, and focuses the form's first field, because the form's code is loaded at the first
 * focus.
 */
export function askToCorrect(correction: Correction): void {
  toCorrect.set(correction);
  document.querySelector<HTMLElement>(`#${FORM_ID} input`)?.focus();
}

const KEPT_FOR = 7 * 24 * 60 * 60_000;

function readFresh(stored: unknown): Draft | undefined {
  const draft = readStored(stored);
  return draft && Math.abs(Date.now() - draft.savedAt) < KEPT_FOR ? draft : undefined;
}

// Drafts are in localStorage, because a write to it ends before the page closes; a write to IndexedDB may not.
const current = persisted(DRAFT_KEY, readFresh);
/** Draft that waits while the form shows another one. */
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

/** Deletes the stored draft if the draft has this id, or if it is too old or unreadable. */
export function forgetDraft(id: string): void {
  if ((current.get()?.id ?? id) === id) current.set(undefined);
}

export function setDraftAside(): void {
  const draft = current.get();
  // If the present draft is a correction, it does not replace a draft that was set aside before: the correction can be
  // started again from its quote.
  const canBeLost = draft?.corrects || draft?.reemplaza;
  if (draft && !(canBeLost && aside.get())) aside.set(draft);
  current.set(undefined);
}

/**
 * Deletes the draft set aside, if `id` names it: a quote with this id is already stored. Also deletes a draft that is
 * too old or unreadable.
 */
export function endAside(id: string): void {
  if ((aside.get()?.id ?? id) === id) aside.set(undefined);
}

/** Deletes the present draft. The draft that was set aside takes its place and is returned. */
export function endDraft(): Draft | undefined {
  const draft = aside.get();
  aside.set(undefined);
  current.set(draft);
  return draft;
}

/**
 * Deletes all drafts. The forms of all tabs must drop their drafts too, because a form stores its draft again when its
 * tab closes.
 */
export function eraseDrafts(): void {
  current.set(undefined);
  aside.set(undefined);
  toCorrect.set(undefined);
  erased.set('1');
  erased.set(undefined);
  // Browsers send storage events only to the other tabs, so this code sends one to the form of this tab.
  dispatchEvent(new StorageEvent('storage', { key: ERASED_KEY }));
}
