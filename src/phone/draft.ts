import { DRAFT } from '../agreements.ts';
import { tryStorage } from './storage-access.ts';
import { emptyValues, readDraft as readKept, type Draft } from '../lead/draft.ts';
import { newId, type Quote } from '../lead/quote.ts';

/** Another part of the page asks for a quote to be corrected in the form. */
export const CORRECT = 'quote:correct';

export interface Correction {
  readonly quote: Quote;
  /** Then nothing changes it any more: its correction is a new quote that says which one it replaces. */
  readonly delivered: boolean;
  /** It is filled in as a quote of its own, and corrects nothing. */
  readonly isCopy?: boolean;
}

export const ERASED = 'quote:erased';

/** The draft that was being written when a correction came first. */
const ASIDE = 'aeropuente.draft-aside';
const KEPT_FOR = 7 * 24 * 60 * 60_000;

// localStorage, not the outbox's database: only it is written before `pagehide` returns.

export function newDraft(): Draft {
  return { id: newId(), values: emptyValues(), savedAt: Date.now() };
}

export function readDraft(): Draft | undefined {
  return read(DRAFT) ?? read(ASIDE);
}

export function saveDraft(draft: Draft): void {
  write(DRAFT, { ...draft, savedAt: Date.now() });
}

/** Makes room for a correction without losing what was being written. */
export function setDraftAside(): void {
  const current = read(DRAFT);
  if (current && !current.corrects && !current.reemplaza) write(ASIDE, current);
}

/** Ends the current draft; the one that was set aside, if any, comes back. */
export function endDraft(): Draft | undefined {
  const aside = read(ASIDE);
  forget(ASIDE);
  forget(DRAFT);
  if (aside) write(DRAFT, aside);
  return aside;
}

/** The form, if it is on the page, lets go of what it holds too. */
export function eraseDrafts(): void {
  forget(DRAFT);
  forget(ASIDE);
  dispatchEvent(new Event(ERASED));
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
