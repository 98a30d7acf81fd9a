import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { chunks, leadingInto } from '../../build/chunks.ts';

test('every module that leads into a chunk exists, and leads into only one', () => {
  const files = Object.values(leadingInto).flat();
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  expect(files).toEqual([...new Set(files)]);
});

test('a chunk is found by the full path of its modules', () => {
  const chunkOf = (id: string) => chunks.find(({ test: leadsInto }) => leadsInto(id))?.name;
  expect(chunkOf('/site/src/landing/Quote.tsx')).toBe('quote');
  expect(chunkOf('/site/src/landing/AnotherQuote.tsx')).toBeUndefined();
  expect(chunkOf('/site/src/landing/QuoteNote.tsx')).toBeUndefined();
});
