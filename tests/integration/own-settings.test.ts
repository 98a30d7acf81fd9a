import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { serving, temporaryDirectory } from './processes.ts';

const LITTLE_EFFORT = path.resolve('tests/e2e/little-effort.ts');
const NOT_SOURCES = /(^|\/)node_modules$|^(dist|bench|\.git|\.cache|\.data.*|.*\.tsbuildinfo)$/;

/** Copies the sources, and writes production settings to every file from which tests could read them. */
function checkout(settings: Readonly<Record<string, string>>): string {
  const root = path.join(temporaryDirectory(), 'checkout');
  cpSync('.', root, { recursive: true, filter: (file) => !NOT_SOURCES.test(path.relative('.', file)) });
  symlinkSync(path.resolve('node_modules'), path.join(root, 'node_modules'));
  const text = Object.entries(settings).map((each) => `${each.join('=')}\n`);
  for (const name of ['.env', '.env.local', '.env.production']) writeFileSync(path.join(root, name), text.join(''));
  return root;
}

test('the tests send nothing to the hosted project that .env or the shell names', async () => {
  const arrived: string[] = [];
  const hosted = await serving((request, response) => {
    arrived.push(`${request.method} ${request.url}`);
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' };
    response.writeHead(request.method === 'POST' ? 201 : 200, headers).end();
  });
  const settings = {
    VITE_SUPABASE_URL: hosted,
    VITE_SUPABASE_PUBLISHABLE_KEY: 'theirs',
    SUPABASE_URL: hosted,
    SUPABASE_SECRET_KEY: 'theirs',
  };
  const root = checkout(settings);
  const begin = (...command: string[]) => {
    const { TESTS_RUN_FOLDER: _, ...own } = process.env;
    const env = { ...own, ...settings, NODE_OPTIONS: `--import=${LITTLE_EFFORT}` };
    return spawn(process.execPath, command, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] });
  };
  const run = async (...command: string[]) => {
    const child = begin(...command);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
    const [code] = (await once(child, 'close')) as [number];
    return { code, output };
  };
  const asInNpmScripts = '--import=./build/dotenv.ts';
  const policy = () => readFileSync(path.join(root, 'dist/_headers'), 'utf8');
  const isStale = `import('./build/build-if-stale.ts').then(async ({ isStale }) => console.log(await isStale()))`;
  const markBuilt = `import('./build/build-if-stale.ts').then(async ({ fingerprint, markBuilt }) => markBuilt(await fingerprint()))`;

  // The test copies a build and changes a header in it, because a build for production would take too long.
  cpSync('dist', path.join(root, 'dist'), { recursive: true });
  appendFileSync(path.join(root, 'dist/_headers'), `# ${hosted}\n`);
  await run(asInNpmScripts, '-e', markBuilt);
  expect((await run(asInNpmScripts, '-e', isStale)).output).toBe('false\n');

  // An interrupted build leaves an incomplete file _headers.
  const cutOff = begin(asInNpmScripts, 'build/site.ts');
  await vi.waitUntil(() => !existsSync(path.join(root, 'dist/worker.js')), { timeout: 60_000, interval: 5 });
  cutOff.kill('SIGKILL');
  await once(cutOff, 'close');
  expect((await run(asInNpmScripts, '-e', isStale)).output).toBe('true\n');

  const words = ['test', 'e2e/first-press', '-g', 'a double click sends one quote'];
  const tests = await run('node_modules/@playwright/test/cli.js', ...words);
  expect(arrived).toEqual([]);
  expect([tests.code, policy().includes(hosted)], tests.output).toEqual([0, false]);
  expect(tests.output).toContain('1 passed');

  // The tests’ build counts as outdated, so the next `npm start` builds the production site again.
  expect((await run(asInNpmScripts, '-e', isStale)).output).toBe('true\n');
});
