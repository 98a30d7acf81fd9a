import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { constantTokens, withTokens } from '../../build/tokens.ts';

test('the build fails if a style sheet overrides a constant design token', () => {
  const tokens = constantTokens(':root { --space: 1rem }');
  expect(withTokens('p { margin: var(--space) }', tokens)).toContain('margin: 1rem');
  expect(() => withTokens('p { --space: 2rem }', tokens)).toThrow('--space is set anew');
});

test('scripts and pictures use no constant design token, because the build replaces these only in CSS', () => {
  const constant = [...constantTokens(readFileSync('src/styles/tokens.css', 'utf8')).keys()];
  expect(constant).toContain('--gutter');
  const files = globSync(['src/**/*.{ts,tsx}', 'build/drawings/*.ts', 'public/*.svg', 'index.html']);
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  expect(constant.filter((name) => texts.some((text) => text.includes(`var(${name}`)))).toEqual([]);
});
