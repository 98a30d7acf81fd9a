import { DRAFT, ERASED, FORM_ID } from '../agreements.ts';
import { tryStorage } from './storage-access.ts';
import { emptyValues, readDraft as readKept, type Draft } from '../lead/draft.ts';
import { newId, type Quote } from '../lead/quote.ts';
import { createStore } from '../ui/create-store.ts';

export interface Correction {
  readonly quote: Quote;
  /** Then nothing changes it any more: its correction is a new quote that says which one it replaces. */
  readonly delivered: boolean;
  /** It is filled in as a quote of its own, and corrects nothing. */
  readonly isCopy?: boolean;
  /** The id of the delivered quote that it corrects itself. */
  readonly replaced?: string | undefined;
  /** The consent that it had: of one that was delivered it may have been taken back since. */
  readonly promociones: boolean;
}

/** What the form is asked to correct: it takes that once it has woken and is not sending. */
export const toCorrect = createStore<Correction | undefined>(undefined);

/** A form that sleeps is woken by the focus. */
export function askToCorrect(correction: Correction): void {
  toCorrect.set(correction);
  document.querySelector<HTMLElement>(`#${FORM_ID} input`)?.focus();
}

/** The draft that was being written when something else came first. */
const ASIDE = 'aeropuente.draft-aside';
const KEPT_FOR = 7 * 24 * 60 * 60_000;

// localStorage, not the outbox's database: only it is written before `pagehide` returns.

export function newDraft(): Draft {
  return { id: newId(), values: emptyValues(), savedAt: Date.now() };
}

export function readDraft(): Draft | undefined {
  return read(DRAFT) ?? endDraft();
}

export function saveDraft(draft: Draft): void {
  write(DRAFT, { ...draft, savedAt: Date.now() });
}

/** Its words were taken out of the form again. */
export function forgetDraft(id: string): void {
  if (read(DRAFT)?.id === id) forget(DRAFT);
}

/** Makes room for another without losing what was being written. */
export function setDraftAside(): void {
  const current = read(DRAFT);
  // A correction can be asked for again.
  const canBeLost = current?.corrects || current?.reemplaza;
  if (current && !(canBeLost && read(ASIDE))) write(ASIDE, current);
  forget(DRAFT);
}

/** Its quote was kept before its page was closed. */
export function endAside(id: string): void {
  if (read(ASIDE)?.id === id) forget(ASIDE);
}

/** Ends the current draft; the one that was set aside, if any, comes back. */
export function endDraft(): Draft | undefined {
  const aside = read(ASIDE);
  forget(ASIDE);
  forget(DRAFT);
  if (aside) write(DRAFT, aside);
  return aside;
}

/** The forms of all tabs let go of what they hold too: they would keep it again as they are closed. */
export function eraseDrafts(): void {
  forget(DRAFT);
  forget(ASIDE);
  toCorrect.set(undefined);
  tryStorage(() => localStorage.setItem(ERASED, ''));
  forget(ERASED);
  // All but the one that wrote.
  dispatchEvent(new StorageEvent('storage', { key: ERASED }));
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
