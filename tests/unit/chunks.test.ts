import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chunks, leadingInto } from '../../build/chunks.ts';

test('every module listed for a chunk exists and is listed for only one chunk', () => {
  const files = Object.values(leadingInto).flat();
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(files).toEqual([...new Set(files)]);
});

test('a module belongs to a chunk by its full path, not by a similar file name', () => {
  const chunkOf = (id: string) => chunks.find(({ test: leadsInto }) => leadsInto(id))?.name;
  expect(chunkOf('/site/src/landing/Quote.tsx')).toBe('quote');
  expect(chunkOf('/site/src/landing/AnotherQuote.tsx')).toBeUndefined();
  expect(chunkOf('/site/src/landing/QuoteNote.tsx')).toBeUndefined();
});

test('modules of page and worker keep their state in created objects, not in variables', () => {
  const modules = globSync(['src/**/*.{ts,tsx}', 'sw/**/*.ts'], { exclude: ['**/*.d.ts'] });
  expect(modules.filter((file) => /^(export )?(let|var) /m.test(readFileSync(file, 'utf8')))).toEqual([]);
});
