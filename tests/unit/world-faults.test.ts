import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { patched } from '../world/code.ts';
import { FAULTS, SELDOM } from '../world/faults.ts';

test.each([...FAULTS, ...SELDOM])(
  'the fault that the world has to find is a text of today: $name',
  ({ patches = [] }) => {
    for (const file of new Set(patches.map((patch) => patch.file))) {
      const own = patches.filter((patch) => patch.file === file);
      const text = readFileSync(file, 'utf8');
      expect(patched(text, own)).not.toBe(text);
    }
  },
);
