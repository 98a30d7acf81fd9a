import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { endAside, endDraft, newDraft, readDraft, saveDraft, setDraftAside } from '../../src/phone/draft.ts';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
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
