import { createStore } from '../../ui/create-store.ts';
import { readAnswerDraft, type AnswerDraft } from '../../lead/answer-draft.ts';
import { newId } from '../../lead/quote.ts';
import { persisted } from '../../phone/persisted.ts';
import { tabStorage } from '../api/tab-storage.ts';
import type { Lead } from '../lead/lead.ts';

const PREFIX = 'aeropuente.desk.draft.';

const storedDraft = (quoteId: string) => persisted(PREFIX + quoteId, readAnswerDraft, () => tabStorage);

/** Drafts by the id of their quote. */
export const drafts = createStore<ReadonlyMap<string, AnswerDraft>>(
  new Map(
    tabStorage.keys().flatMap((key) => {
      const quoteId = key.slice(PREFIX.length);
      const draft = key.startsWith(PREFIX) && storedDraft(quoteId).get();
      return draft ? [[quoteId, draft] as const] : [];
    }),
  ),
);

export function writeDraft(quoteId: string, by: string, changes: Partial<AnswerDraft>): AnswerDraft {
  const draft = { id: newId(), ...drafts.read().get(quoteId), by, ...changes };
  storedDraft(quoteId).set(draft);
  drafts.set(new Map(drafts.read()).set(quoteId, draft));
  return draft;
}

function forgetDraft(quoteId: string): void {
  storedDraft(quoteId).set(undefined);
  drafts.set(new Map([...drafts.read()].filter(([id]) => id !== quoteId)));
}

/** Removes the draft of the answer to a quote. The draft of a note about the same quote stays. */
export function forgetAnswer(quoteId: string): void {
  const { by, note, noteId } = drafts.read().get(quoteId) ?? {};
  forgetDraft(quoteId);
  if (by && note) writeDraft(quoteId, by, { note, noteId });
}

export const forgetDrafts = (): void => [...drafts.read().keys()].forEach(forgetDraft);

export function forgetDraftsOfOthers(me: string): void {
  for (const [quoteId, { by }] of drafts.read()) if (by !== me) forgetDraft(quoteId);
}

/** True during the ten seconds in which a sent answer can be undone. */
export const isHeld = ({ waiting, heldUntil = 0 }: AnswerDraft): boolean => Boolean(waiting) && heldUntil > Date.now();

type Placeholders = readonly (readonly [placeholder: string, value: string])[];

const personal = ({ nombre, empresa, email, telefono }: Lead): Placeholders => [
  ['{nombre}', nombre],
  ['{empresa}', empresa ?? ''],
  ['{email}', email ?? ''],
  ['{telefono}', telefono],
];

/**
 * Minimum length of a personal value that becomes a placeholder, in characters. A shorter value could be part of
 * another word.
 */
const LEAST = 3;

/** Replaces the exporter's data in a text by placeholders, so that the tab's storage contains no personal data. */
export function withPlaceholders(text: string, lead: Lead): string {
  const values = personal(lead).filter(([, value]) => value.length >= LEAST);
  const byLength = values.toSorted(([, one], [, other]) => other.length - one.length);
  if (byLength.length === 0) return text;
  const pattern = byLength.map(([, value]) => value.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)).join('|');
  const placeholders = new Map(byLength.map(([placeholder, value]) => [value, placeholder]));
  // All values are replaced in one pass: in a second pass, a value that looks like a placeholder would be replaced too.
  return text.replaceAll(new RegExp(pattern, 'g'), (value) => placeholders.get(value)!);
}

export function filledIn(text: string, lead: Lead, more: Placeholders = []): string {
  const values = new Map([...personal(lead), ...more]);
  // All placeholders are replaced in one pass: in a second pass, a value that looks like a placeholder would be
  // replaced too.
  return text.replaceAll(/\{\w+\}/g, (placeholder) => values.get(placeholder) ?? placeholder);
}
