import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { PARTS } from '../runner/parts.ts';

const guide = readFileSync('CONTRIBUTING.md', 'utf8');

test.each(['CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'docs/operating.md'])(
  'every file that %s names is there',
  (document) => {
    const text = readFileSync(document, 'utf8');
    const folders = /`((?:src|sw|server|build|tests|bench|supabase|docs|public)\/[\w./-]*)`/g;
    const named = [...text.matchAll(folders)].map(([, file]) => file!);
    const linked = [...text.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)].map(([, file]) => file!);
    expect([...named, ...linked].length).toBeGreaterThan(0);
    expect(
      [...named, ...linked].filter((file) => !existsSync(path.join(path.dirname(document), file)) && !existsSync(file)),
    ).toEqual([]);
  },
);

test('the guide names every part of npm test', () => {
  const [, list] = /one part: (.*?) \|/.exec(guide)!;
  expect([...list!.matchAll(/`'?([^`']+)'?`/g)].map(([, name]) => name)).toEqual(PARTS.map(({ name }) => name));
});

test('what runs on each push is pinned by content and may only read', () => {
  for (const file of readdirSync('.github/workflows')) {
    const workflow = readFileSync(`.github/workflows/${file}`, 'utf8');
    const used = [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/.test(action))).toEqual([]);
    expect(workflow).toMatch(/^permissions:\n {2}contents: read$/m);
    expect(workflow).not.toContain('write');
  }
});
