import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'lightningcss';
import { expect, test } from 'vitest';
import { points } from '../../src/content/points.ts';
import { states } from '../../src/content/quote-states.ts';
import type { Toast } from '../../src/notices/toasts.ts';

/** Style sheets whose classes are named after values, with those values. */
const NAMED_BY_VALUES: Record<string, readonly string[]> = {
  'src/network/PointMark.module.css': points.map(({ type }) => type),
  'src/notices/Toast.module.css': ['success', 'error', 'info'] satisfies Toast['type'][],
  'src/receipts/Receipt.module.css': Object.keys(states),
};

/** Classes that components use from each style sheet; `readByValue` has the sheets used with computed names. */
const read = new Map<string, Set<string>>();
const readByValue = new Set<string>();

for (const file of globSync('src/**/*.{ts,tsx}', { exclude: ['**/*.d.ts'] })) {
  const text = readFileSync(file, 'utf8');
  for (const [, local, source] of text.matchAll(/^import (\w+) from '(.*\.module\.css)';$/gm)) {
    const sheet = path.join(path.dirname(file), source!).replaceAll('\\', '/');
    const uses = new RegExp(`\\b${local}(?:\\.(\\w+)|\\['([\\w-]+)'\\]|\\[)`, 'g');
    for (const [, plain, quoted] of text.matchAll(uses)) {
      const name = plain ?? quoted;
      if (name) read.set(sheet, (read.get(sheet) ?? new Set()).add(name));
      else readByValue.add(sheet);
    }
  }
}

const sheets = globSync('src/**/*.module.css').map((file) => file.replaceAll('\\', '/'));

test('the table NAMED_BY_VALUES lists every style sheet whose class names are computed in code', () => {
  expect([...readByValue].toSorted()).toEqual(Object.keys(NAMED_BY_VALUES).toSorted());
});

test.each(sheets)('every class of %s is used, and every used class exists', (sheet) => {
  const { exports } = transform({ filename: sheet, code: readFileSync(sheet), cssModules: { animation: false } });
  const known = new Set([...(read.get(sheet) ?? []), ...(NAMED_BY_VALUES[sheet] ?? [])]);
  expect(Object.keys(exports as object).toSorted()).toEqual([...known].toSorted());
});
