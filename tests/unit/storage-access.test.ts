import { globSync, readFileSync } from 'node:fs';
import { parseSync } from 'vite';
import { expect, test } from 'vitest';
import { tryStorage } from '../../src/phone/storage-access.ts';

test('what storage throws is undefined, what it answers is handed on', () => {
  expect(tryStorage(() => JSON.parse('{"cut o'))).toBeUndefined();
  expect(tryStorage(() => 'kept')).toBe('kept');
});

/** Is storage used anywhere but within `tryStorage`? */
function usesOutside(node: unknown, isWithin: boolean): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { type, name, callee } = node as { type?: string; name?: string; callee?: { name?: string } };
  if (type === 'Identifier' && (name === 'localStorage' || name === 'sessionStorage')) return !isWithin;
  const within = isWithin || callee?.name === 'tryStorage';
  return Object.values(node).some((part) => usesOutside(part, within));
}

test('storage is used within tryStorage alone, but for the script that is inlined before the paint', () => {
  const files = globSync('src/**/*.{ts,tsx}', { exclude: ['**/*.d.ts', 'src/landing/before-paint.ts'] });
  expect(files.filter((file) => usesOutside(parseSync(file, readFileSync(file, 'utf8')).program, false))).toEqual([]);
});
