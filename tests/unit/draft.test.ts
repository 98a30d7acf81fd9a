import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endAside, endDraft, newDraft, readDraft, saveDraft, setDraftAside } from '../../src/phone/draft.ts';
import { endTabDrafts } from '../../src/phone/end-tab-drafts.ts';
import { endTabDraft, readTabDraft, saveTabDraft } from '../../src/phone/tab-draft.ts';

/** A storage, whose own keys are what is kept. */
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

const written = newDraft();
const correction = { ...newDraft(), corrects: true };

test('a draft that was set aside comes back when what came first has ended, and then is the only one', () => {
  saveDraft(written);
  setDraftAside();
  saveDraft(correction);
  expect(readDraft()).toMatchObject({ id: correction.id });
  expect(endDraft()).toMatchObject({ id: written.id });
  expect(endDraft()).toBeUndefined();
});

test('it comes back too where the page ended before anything else was written', () => {
  saveDraft(written);
  setDraftAside();
  expect(readDraft()).toMatchObject({ id: written.id });
  expect(endDraft()).toBeUndefined();
});

test('a correction takes the place of no draft that was set aside', () => {
  saveDraft(written);
  setDraftAside();
  saveDraft(correction);
  setDraftAside();
  expect(endDraft()).toMatchObject({ id: written.id });
});

test('one whose quote is on the phone does not come back, and no other goes with it', () => {
  saveDraft(written);
  setDraftAside();
  endAside(correction.id);
  expect(readDraft()).toMatchObject({ id: written.id });
  setDraftAside();
  endAside(written.id);
  expect(readDraft()).toBeUndefined();
});

test('what is being written of one quote is ended by nothing that happens to another; erasing ends all of it', () => {
  const [one, other] = [newDraft(), newDraft()];
  sessionStorage.setItem('of the desk', 'stays');
  saveTabDraft('question', one.id, { body: '¿Y el viernes' });
  saveTabDraft('details', one.id, { producto: 'Abulón' });
  saveTabDraft('question', other.id, { body: '¿Y el sábado' });
  endTabDraft('question', other.id);
  expect(readTabDraft('question', one.id)).toEqual({ body: '¿Y el viernes' });
  expect(readTabDraft('details', one.id)).toEqual({ producto: 'Abulón' });
  expect(readTabDraft('question', other.id)).toBeUndefined();
  endTabDrafts();
  expect(Object.keys(sessionStorage)).toEqual(['of the desk']);
});
