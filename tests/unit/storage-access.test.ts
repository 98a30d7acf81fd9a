import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { tryStorage } from '../../src/phone/storage-access.ts';

test('returns undefined when storage throws, otherwise its value', () => {
  expect(tryStorage(() => JSON.parse('{"cut o'))).toBeUndefined();
  expect(tryStorage(() => 'kept')).toBe('kept');
});

/** Whether storage is used outside `tryStorage`. */
function usesOutside(node: unknown, isWithin: boolean): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { type, name, callee } = node as { type?: string; name?: string; callee?: { name?: string } };
  if (type === 'Identifier' && (name === 'localStorage' || name === 'sessionStorage')) return !isWithin;
  const within = isWithin || callee?.name === 'tryStorage';
  return Object.values(node).some((part) => usesOutside(part, within));
}

test('storage is used only within tryStorage, except in the inlined script before the paint', () => {
  const files = globSync('src/**/*.{ts,tsx}', { exclude: ['**/*.d.ts', 'src/landing/before-paint.ts'] });
  expect(files.filter((file) => usesOutside(parseSync(file, readFileSync(file, 'utf8')).program, false))).toEqual([]);
});
