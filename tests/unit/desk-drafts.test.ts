import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readAnswerDraft } from '../../src/lead/answer-draft.ts';
import { OwnStorage } from './own-storage.ts';

// The drafts module reads storage only when it loads, so each test loads the module again.
beforeEach(() => void vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('the desk ignores an answer draft that is truncated in storage, and reads the other drafts', async () => {
  const stored = {
    'aeropuente.desk.draft.a': '{"id":"1","by":"ana","body":"Sale el ju',
    'aeropuente.desk.draft.b': 'null',
    'aeropuente.desk.draft.c': JSON.stringify({ id: '3', by: 'ana', body: 'Sale el jueves.' }),
  };
  vi.stubGlobal('sessionStorage', Object.assign(new OwnStorage(), stored));
  const { drafts } = await import('../../src/desk/answer/drafts.ts');
  expect([...drafts.read()]).toEqual([['c', { id: '3', by: 'ana', body: 'Sale el jueves.' }]]);
});

test('the desk ignores a stored answer draft without author or id', () => {
  const draft = { id: '1', by: 'ana', body: 'Sale', waiting: true, heldUntil: 0 };
  expect(readAnswerDraft({ ...draft, kind: 'otra', price: 4 })).toEqual(draft);
  for (const missing of [{ id: '' }, { by: '' }, { by: 7 }])
    expect(readAnswerDraft({ ...draft, ...missing })).toBeUndefined();
  expect(readAnswerDraft(null)).toBeUndefined();
});
