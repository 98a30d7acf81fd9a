import { existsSync, globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chunks, leadingInto } from '../../build/chunks.ts';

test('each module in the lists of script chunks exists, and is in only one list', () => {
  const files = Object.values(leadingInto).flat();
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(files).toEqual([...new Set(files)]);
});

test('the build chooses a module’s chunk by the full path, not by a similar name', () => {
  const chunkOf = (id: string) => chunks.find(({ test: leadsInto }) => leadsInto(id))?.name;
  expect(chunkOf('/site/src/landing/Quote.tsx')).toBe('quote');
  expect(chunkOf('/site/src/landing/AnotherQuote.tsx')).toBeUndefined();
  expect(chunkOf('/site/src/landing/QuoteNote.tsx')).toBeUndefined();
});

test('modules of the page and of the service worker have no variables at module level', () => {
  const modules = globSync(['src/**/*.{ts,tsx}', 'sw/**/*.ts'], { exclude: ['**/*.d.ts'] });
  expect(modules.filter((file) => /^(export )?(let|var) /m.test(readFileSync(file, 'utf8')))).toEqual([]);
});
