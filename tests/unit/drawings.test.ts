import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { drawings } from '../../build/drawings.ts';

test.each(Object.entries(drawings))('%s is drawn as its figures are (npm run drawings)', (name, draw) => {
  expect(readFileSync(`public/drawings/${name}.svg`, 'utf8')).toBe(draw());
});
