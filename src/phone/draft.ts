import { DRAFT_KEY, ERASED_KEY, FORM_ID } from '../agreements.ts';
import { tryStorage } from './storage-access.ts';
import { emptyTexts, readDraft as readKept, type Draft } from '../lead/draft.ts';
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

/** Key of a draft that was set aside for another one. */
const ASIDE = 'aeropuente.draft-aside';
const KEPT_FOR = 7 * 24 * 60 * 60_000;

// localStorage instead of IndexedDB, because a write is complete before `pagehide` returns.

export function newDraft(): Draft {
  return { id: newId(), values: emptyTexts(), savedAt: Date.now() };
}

export function readDraft(): Draft | undefined {
  return read(DRAFT_KEY) ?? endDraft();
}

export function saveDraft(draft: Draft): void {
  write(DRAFT_KEY, { ...draft, savedAt: Date.now() });
}

export function forgetDraft(id: string): void {
  if (read(DRAFT_KEY)?.id === id) forget(DRAFT_KEY);
}

/** Sets the draft aside to make room for another one. */
export function setDraftAside(): void {
  const current = read(DRAFT_KEY);
  // A correction can be started again from its quote.
  const canBeLost = current?.corrects || current?.reemplaza;
  if (current && !(canBeLost && read(ASIDE))) write(ASIDE, current);
  forget(DRAFT_KEY);
}

/** Deletes a draft whose quote was stored before its page was closed. */
export function endAside(id: string): void {
  if (read(ASIDE)?.id === id) forget(ASIDE);
}

/** Ends the current draft and brings back the one that was set aside. */
export function endDraft(): Draft | undefined {
  const aside = read(ASIDE);
  forget(ASIDE);
  forget(DRAFT_KEY);
  if (aside) write(DRAFT_KEY, aside);
  return aside;
}

/** Deletes all drafts, and tells the forms of all tabs to drop theirs, which they would store again when closed. */
export function eraseDrafts(): void {
  forget(DRAFT_KEY);
  forget(ASIDE);
  toCorrect.set(undefined);
  tryStorage(() => localStorage.setItem(ERASED_KEY, ''));
  forget(ERASED_KEY);
  // Browsers send storage events to every tab but the one that wrote.
  dispatchEvent(new StorageEvent('storage', { key: ERASED_KEY }));
}

function read(key: string): Draft | undefined {
  const draft = readKept(tryStorage(() => JSON.parse(localStorage.getItem(key) ?? 'null') as unknown));
  if (draft && Math.abs(Date.now() - draft.savedAt) < KEPT_FOR) return draft;
  forget(key);
  return undefined;
}

function write(key: string, draft: Draft): void {
  tryStorage(() => localStorage.setItem(key, JSON.stringify(draft)));
}

function forget(key: string): void {
  tryStorage(() => localStorage.removeItem(key));
}
