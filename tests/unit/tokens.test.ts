import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { constantTokens, withTokens } from '../../build/tokens.ts';

const css = `:root {
  --space: 1rem;
  --size: min(1.5rem, 11vw);
  --ink: #000;
  --edge: calc(2 * var(--space));
  --face: Roboto, sans-serif;
}
.night { --ink: #fff }
`;

test('a token is constant when it is set once and names no other', () => {
  expect([...constantTokens(css).keys()]).toEqual(['--space', '--size']);
});

test('inlines constant tokens where they are used, and nowhere else', () => {
  const tokens = constantTokens(css);
  const used = withTokens('p { margin: var(--space) calc(1px + var(--size)); color: var(--ink) }', tokens);
  expect(used).toContain('margin: 1rem calc(1px + min(1.5rem, 11vw))');
  expect(used).toContain('color: var(--ink)');
  const set = withTokens(css, tokens, true);
  expect(set).not.toMatch(/--(space|size)\b/);
  expect(set).toContain('--edge: calc(2 * 1rem)');
});

test('a sheet that sets a constant token again stops the build', () => {
  expect(() => withTokens('p { --space: 2rem }', constantTokens(css))).toThrow('--space is set anew');
});

test('scripts and pictures use no constant token, which the build removes', () => {
  const constant = [...constantTokens(readFileSync('src/styles/tokens.css', 'utf8')).keys()];
  expect(constant).toContain('--gutter');
  const files = globSync(['src/**/*.{ts,tsx}', 'build/drawings/*.ts', 'public/*.svg', 'index.html']);
  const texts = files.map((file) => readFileSync(file, 'utf8'));
  expect(constant.filter((name) => texts.some((text) => text.includes(`var(${name}`)))).toEqual([]);
});
