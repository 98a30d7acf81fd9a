import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyTexts } from '../../src/lead/draft.ts';
import type { FieldTexts } from '../../src/lead/fields.ts';
import { endAside, endDraft, newDraft, readDraft, saveDraft, setDraftAside } from '../../src/phone/draft.ts';
import { endTabDrafts } from '../../src/phone/end-tab-drafts.ts';
import { tabDraft } from '../../src/phone/tab-draft.ts';

/** A storage whose own properties are the stored keys, as in a browser. */
const storage = (): object =>
  Object.create({
    getItem(this: Record<string, string>, key: string) {
      return this[key] ?? null;
    },
    setItem(this: Record<string, string>, key: string, value: string) {
      this[key] = value;
    },
    removeItem(this: Record<string, string>, key: string) {
      delete this[key];
    },
  });

beforeEach(() => {
  vi.stubGlobal('localStorage', storage());
  vi.stubGlobal('sessionStorage', storage());
});
afterEach(() => void vi.unstubAllGlobals());

const draft = newDraft();
const correction = { ...newDraft(), corrects: true };

test('restores the stored values for seven days, those of newer fields empty', () => {
  saveDraft({ ...draft, values: { nombre: 'María' } as FieldTexts });
  expect(readDraft()?.values).toEqual({ ...emptyTexts(), nombre: 'María' });
  vi.useFakeTimers({ now: Date.now() + 7 * 24 * 60 * 60_000 + 1000 });
  expect(readDraft()).toBeUndefined();
  vi.useRealTimers();
});

test('restores a draft set aside when the other draft ends', () => {
  saveDraft(draft);
  setDraftAside();
  saveDraft(correction);
  expect(readDraft()).toMatchObject({ id: correction.id });
  expect(endDraft()).toMatchObject({ id: draft.id });
  expect(endDraft()).toBeUndefined();
});

test('restores a draft set aside when the page ended before another was written', () => {
  saveDraft(draft);
  setDraftAside();
  expect(readDraft()).toMatchObject({ id: draft.id });
  expect(endDraft()).toBeUndefined();
});

test('a correction does not replace a draft that was set aside', () => {
  saveDraft(draft);
  setDraftAside();
  saveDraft(correction);
  setDraftAside();
  expect(endDraft()).toMatchObject({ id: draft.id });
});

test('ends a draft set aside whose quote was stored, and no other draft', () => {
  saveDraft(draft);
  setDraftAside();
  endAside(correction.id);
  expect(readDraft()).toMatchObject({ id: draft.id });
  setDraftAside();
  endAside(draft.id);
  expect(readDraft()).toBeUndefined();
});

test('ends the tab drafts of one quote alone; erasing ends them all', () => {
  const [one, other] = [newDraft(), newDraft()];
  sessionStorage.setItem('of the desk', 'stays');
  tabDraft('question', one.id).set({ body: '¿Y el viernes' });
  tabDraft('details', one.id).set({ producto: 'Abulón' });
  tabDraft('question', other.id).set({ body: '¿Y el sábado' });
  tabDraft('question', other.id).set(undefined);
  expect(tabDraft('question', one.id).get()).toEqual({ body: '¿Y el viernes' });
  expect(tabDraft('details', one.id).get()).toEqual({ producto: 'Abulón' });
  expect(tabDraft('question', other.id).get()).toBeUndefined();
  endTabDrafts();
  expect(Object.keys(sessionStorage)).toEqual(['of the desk']);
});
