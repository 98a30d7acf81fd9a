import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAnswerDraft } from '../../src/lead/answer-draft.ts';

// Drafts are read when the module is loaded, which another file may have done.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('a draft that was cut off in storage is left out, and the desk opens with the others', async () => {
  const kept = new Map([
    ['aeropuente.desk.draft.a', '{"id":"1","by":"ana","body":"Sale el ju'],
    ['aeropuente.desk.draft.b', 'null'],
    ['aeropuente.desk.draft.c', JSON.stringify({ id: '3', by: 'ana', body: 'Sale el jueves.' })],
  ]);
  const getItem = (key: string) => kept.get(key) ?? null;
  vi.stubGlobal('sessionStorage', { ...Object.fromEntries(kept), getItem });
  const { drafts } = await import('../../src/desk/answer/drafts.ts');
  expect([...drafts.read()]).toEqual([['c', { id: '3', by: 'ana', body: 'Sale el jueves.' }]]);
});

test('a draft without author or id is none, and strange parts are left out', () => {
  const draft = { id: '1', by: 'ana', body: 'Sale', waiting: true, heldUntil: 0 };
  expect(readAnswerDraft({ ...draft, kind: 'otra', price: 4 })).toEqual(draft);
  for (const missing of [{ id: '' }, { by: '' }, { by: 7 }])
    expect(readAnswerDraft({ ...draft, ...missing })).toBeUndefined();
  expect(readAnswerDraft(null)).toBeUndefined();
});
