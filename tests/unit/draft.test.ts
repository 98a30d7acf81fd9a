import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { emptyTexts } from '../../src/lead/draft.ts';
import type { FieldTexts } from '../../src/lead/fields.ts';
import { endAside, endDraft, newDraft, readDraft, saveDraft, setDraftAside } from '../../src/phone/draft.ts';
import { endTabDrafts } from '../../src/phone/end-tab-drafts.ts';
import { tabDraft } from '../../src/phone/tab-draft.ts';
import { OwnStorage } from './own-storage.ts';

beforeEach(() => {
  for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, new OwnStorage());
});
afterEach(() => void vi.unstubAllGlobals());

const draft = newDraft();
const correction = { ...newDraft(), corrects: true };

test('a draft of the form is restored for seven days, even if fields were added since', () => {
  saveDraft({ ...draft, values: { nombre: 'María' } as FieldTexts });
  expect(readDraft()?.values).toEqual({ ...emptyTexts(), nombre: 'María' });
  vi.useFakeTimers({ now: Date.now() + 7 * 24 * 60 * 60_000 + 1000 });
  expect(readDraft()).toBeUndefined();
  vi.useRealTimers();
});

test('a draft set aside for a correction returns when the correction ends or stays empty', () => {
  saveDraft(draft);
  setDraftAside();
  expect(readDraft()).toMatchObject({ id: draft.id });
  setDraftAside();
  saveDraft(correction);
  expect(readDraft()).toMatchObject({ id: correction.id });
  // The second draft set aside does not replace the first.
  setDraftAside();
  expect(endDraft()).toMatchObject({ id: draft.id });
  expect(endDraft()).toBeUndefined();
});

test('a draft set aside is deleted only when the quote of that draft is stored', () => {
  saveDraft(draft);
  setDraftAside();
  endAside(correction.id);
  expect(readDraft()).toMatchObject({ id: draft.id });
  setDraftAside();
  endAside(draft.id);
  expect(readDraft()).toBeUndefined();
});

test('the erasure of all data deletes the drafts kept for a browser tab (question, shipment details)', () => {
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
