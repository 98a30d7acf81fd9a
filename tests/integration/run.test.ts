import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryDirectory } from './processes.ts';

const FAILING = `it's "odd" in $HOME, (is it?) \`x\``;
const CLOSING = /^\d+ passed, \d+ failed, \d+ skipped$/;

/** A project as small as can be, under the same runner: one failing and one passing test for each way to run them. */
function project(): string {
  const root = temporaryDirectory();
  const file = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), text);
  };
  const tests = (from: string) => `
    import { expect, test } from '${from}';
    test.describe('a group', () => {
      test(${JSON.stringify(FAILING)}, () => expect(1).toBe(2));
      test(${JSON.stringify(`${FAILING} and more`)}, () => expect(1).toBe(1));
    });`;
  const scripts = { test: `node ${path.resolve('tests/run.ts')}` };
  file('package.json', JSON.stringify({ type: 'module', scripts }));
  file('build/site.ts', '');
  file('tests/own-settings.ts', 'export const useOwnSettings = () => {};');
  file('tests/run-folder.ts', `export const SHORT_LIVED = '--liftoff-only';`);
  file('tests/unit/sums.test.ts', tests('vitest').replace('test.describe', 'test.suite'));
  file('tests/e2e/page.test.ts', tests('@playwright/test'));
  file('playwright.config.ts', `export default { testDir: 'tests/e2e', reporter: 'line', retries: 1 };`);
  file(
    'tests/engines/playwright.config.ts',
    `export default {
      projects: [{ name: 'One' }, { name: 'Two' }],
      reporter: [['json', { outputFile: '../../.cache/engines.json' }]],
    };`,
  );
  file('tests/engines/flow.test.ts', tests('@playwright/test').replace('toBe(2)', 'toBe(test.info().project.name)'));
  for (const empty of ['integration', 'hosted']) mkdirSync(path.join(root, 'tests', empty));
  copyFileSync('vitest.config.ts', path.join(root, 'vitest.config.ts'));
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  return root;
}

/** What a newcomer would type, in a shell of their own. */
function type(root: string, command: string, environment: Record<string, string> = {}) {
  const { PATH, HOME } = process.env as { PATH: string; HOME: string };
  // Any file that can be run will do for a browser: no test here opens one.
  const env = { PATH, HOME, CHROMIUM_PATH: process.execPath, ...environment };
  const { status, stdout } = spawnSync(command, { cwd: root, env, shell: true, encoding: 'utf8' });
  const lines = stdout.trimEnd().split('\n');
  return { status, output: stdout, lines, again: lines.flatMap((line) => /again: (.*)/.exec(line)?.[1] ?? []) };
}

test('what nothing matches is said, and is a failure', () => {
  const { status, lines } = type(project(), "npm test --silent -- 'no such thing'");
  expect(lines).toEqual([expect.stringMatching(/^Nothing matches 'no such thing': no test file, no test's title/)]);
  expect(status).toBe(1);
});

test('each failed test is named with the command that repeats it, and it alone', { timeout: 180_000 }, () => {
  const root = project();
  const all = type(root, 'npm test --silent -- sums page.test flow');
  // Each engine counts.
  expect(all.lines.at(-1), all.output).toBe('4 passed, 4 failed, 0 skipped');
  expect(all.again).toHaveLength(4);
  // For whoever sees only the first lines, as on a forge.
  expect(all.output.match(/^ {11}(Expected: 2$|AssertionError: expected 1 to be 2)/gm), all.output).toHaveLength(2);
  // A unit test, and one of two engines.
  for (const part of ['unit/', 'engines/']) {
    const command = all.again.find((each) => each.includes(part))!;
    const alone = type(root, command);
    expect(alone.lines.at(-1), alone.output).toBe('0 passed, 1 failed, 0 skipped');
    expect(alone.again).toEqual([command]);
  }
});

test('what passes only when it is run again is named with what it said at first and is no failure; what fails twice, or cannot be read, is one', () => {
  const root = project();
  const file = (name: string, text: string) => writeFileSync(path.join(root, 'tests', name), text);
  file(
    'e2e/late.test.ts',
    `import { expect, test } from '@playwright/test';
    test('late once', () => expect(test.info().retry).toBe(1));`,
  );
  file(
    'unit/late.test.ts',
    `import { existsSync, writeFileSync } from 'node:fs';
    import { expect, test } from 'vitest';
    test('late once', () => {
      const before = existsSync('seen');
      writeFileSync('seen', '');
      expect(before).toBe(true);
    });
    test('never', () => expect(1).toBe(2));`,
  );
  file('unit/broken.test.ts', `import './not-there.ts';`);
  const { output, lines, again } = type(root, 'npm test --silent -- late.test broken');
  expect(output).toMatch(/^ok +browser +\S+ s +1 tests, 1 unsteady$/m);
  expect(output).toContain('failed at first, passed when it was run again: late.test.ts:2 late once');
  expect(output).toContain('Received: 0');
  expect(output).toMatch(/^FAILED unit +\S+ s +1 tests, 2 failed, 1 unsteady$/m);
  expect(output).toContain('failed at first, passed when it was run again: late.test.ts late once');
  expect(again).toEqual(
    expect.arrayContaining(['npm test -- unit/broken.test.ts', `npm test -- unit/late.test.ts '^never$'`]),
  );
  expect(lines.at(-1)).toBe('2 passed, 2 failed, 0 skipped');
});

test('a word that no file has is looked for in titles, in any case, and the choice is said first', () => {
  const { status, lines } = type(project(), "npm test --silent -- 'AND MORE'");
  expect(lines[0]).toBe('Chosen: "AND MORE" in unit/sums.test.ts, e2e/page.test.ts, engines/flow.test.ts');
  expect(lines.slice(-2)).toEqual([expect.stringMatching(/^Took (\d+ min )?\d+ s$/), '4 passed, 0 failed, 0 skipped']);
  expect(status).toBe(0);
});

test('the quick part looks for no Chromium, builds nothing and installs nothing; the browser tests do look', () => {
  const root = project();
  const asked = path.join(root, 'asked');
  const own = path.join(root, 'own');
  mkdirSync(own);
  for (const name of ['oxfmt', 'oxlint', 'tsc', 'knip', 'npx', 'apt-get', 'vitest', 'playwright', 'npm', 'node']) {
    const script = ['npx', 'apt-get', 'playwright', 'npm'].includes(name) ? `echo ${name} >> '${asked}'` : 'exit 0';
    writeFileSync(path.join(own, name), `#!/bin/sh\n${script}\n`);
    chmodSync(path.join(own, name), 0o755);
  }
  const environment = { PATH: `${own}:/nowhere`, CHROMIUM_PATH: '', PLAYWRIGHT_BROWSERS_PATH: own };
  const node = `'${process.execPath}' '${path.resolve('tests/run.ts')}'`;
  const quick = type(root, `${node} quick`, environment);
  expect(quick.lines[0]).toBe('Chosen: format, lint, types, dead code, unit');
  expect(quick.lines.at(-1)).toMatch(CLOSING);
  expect(existsSync(asked)).toBe(false);
  const browser = type(root, `${node} browser`, environment);
  expect(existsSync(asked)).toBe(true);
  expect(browser.output).toContain('It needs Chromium: install it, or set CHROMIUM_PATH to its file.');
  expect(browser.lines.at(-1)).toBe('0 passed, 1 failed, 0 skipped');
});
