import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { afterEach, expect, test, vi } from 'vitest';
import { persisted, persistedText } from '../../src/phone/persisted.ts';
import { tryStorage } from '../../src/phone/storage-access.ts';
import { OwnStorage } from './own-storage.ts';

afterEach(() => vi.unstubAllGlobals());

test('tryStorage returns undefined when storage throws, otherwise the stored value', () => {
  expect(tryStorage(() => JSON.parse('{"cut o'))).toBeUndefined();
  expect(tryStorage(() => 'kept')).toBe('kept');
});

test('a persisted text is stored unchanged, any other value as JSON', () => {
  vi.stubGlobal('localStorage', new OwnStorage());
  const text = persistedText('text');
  const count = persisted('count', (value) => (typeof value === 'number' ? value : undefined));
  text.set('on');
  count.set(0);
  expect(localStorage).toMatchObject({ text: 'on', count: '0' });
  expect([text.get(), count.get()]).toEqual(['on', 0]);
  for (const damaged of ['{"cut o', '"0"', 'null']) {
    localStorage.setItem('count', damaged);
    expect(count.get()).toBeUndefined();
  }
  text.set(undefined);
  count.set(undefined);
  expect(localStorage).toEqual({});
});

test('a persisted value is undefined, without an error, if the browser refuses storage', () => {
  const refuse = () => {
    throw new Error('SecurityError');
  };
  const text = persistedText('text', refuse);
  const record = persisted('record', (value) => value, refuse);
  text.set('on');
  record.set({});
  record.set(undefined);
  expect([text.get(), record.get()]).toEqual([undefined, undefined]);
});

/** Returns whether the code uses browser storage outside `tryStorage` and `persisted`. */
function usesOutside(node: unknown, isWithin: boolean): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { type, name, callee } = node as { type?: string; name?: string; callee?: { name?: string } };
  if (type === 'Identifier' && (name === 'localStorage' || name === 'sessionStorage')) return !isWithin;
  const within = isWithin || /^(tryStorage|persisted(Text)?)$/.test(callee?.name ?? '');
  return Object.values(node).some((part) => usesOutside(part, within));
}

test('source files access browser storage only through tryStorage or persisted', () => {
  const files = globSync('src/**/*.{ts,tsx}', {
    exclude: ['**/*.d.ts', 'src/landing/before-paint.ts', 'src/phone/persisted.ts'],
  });
  expect(files.filter((file) => usesOutside(parseSync(file, readFileSync(file, 'utf8')).program, false))).toEqual([]);
});
