import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

test.each(['CONTRIBUTING.md', 'README.md', 'SECURITY.md', 'docs/operating.md'])(
  'every file that %s names exists',
  (document) => {
    const text = readFileSync(document, 'utf8');
    const folders = /`((?:src|sw|server|build|tests|bench|supabase|docs|public)\/[\w./-]*)`/g;
    const named = [...text.matchAll(folders)].map(([, file]) => file!);
    const linked = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, file]) => file!);
    expect([...named, ...linked].length).toBeGreaterThan(0);
    const isThere = (file: string) => existsSync(path.join(path.dirname(document), file)) || existsSync(file);
    expect([...named, ...linked].filter((file) => !isThere(file))).toEqual([]);
  },
);

test('every script named in the documents is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
  const text = globSync(['README.md', 'CONTRIBUTING.md', 'docs/*.md'])
    .map((file) => readFileSync(file, 'utf8'))
    .join();
  const named = [...text.matchAll(/npm run (?:-s )?([\w:-]+)/g)].map(([, script]) => script!);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((script) => !(script in scripts))).toEqual([]);
});

test('vitest.config.ts lists every test that runs on both databases, and no missing file', () => {
  const config = readFileSync('vitest.config.ts', 'utf8');
  const named = [...config.matchAll(/^ {2}'([\w-]+)',$/gm)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !existsSync(`tests/integration/${name}.test.ts`))).toEqual([]);
  const onBoth = readdirSync('tests/integration').filter((file) =>
    readFileSync(`tests/integration/${file}`, 'utf8').includes('await engineOfFile()'),
  );
  expect(onBoth.filter((file) => !named.includes(file.replace('.test.ts', '')))).toEqual([]);
});

test('GitHub workflows pin their actions by commit, and only the release workflow may write', () => {
  for (const file of readdirSync('.github/workflows')) {
    const workflow = readFileSync(`.github/workflows/${file}`, 'utf8');
    const used = [...workflow.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
    expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d/.test(action))).toEqual([]);
    const [, granted = ''] = /^permissions:\n((?: {2}.+\n)+)/m.exec(workflow)!;
    const permissions = granted.trim().split(/\s*\n\s*/);
    const release = ['contents: write', 'packages: write'];
    expect(permissions).toEqual(file === 'release.yml' ? release : ['contents: read']);
  }
});
