import { spawn } from 'node:child_process';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';

// `npm test`: every check, one line each. `npm test -- quick` leaves out what needs a build or a database.

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** Which, by name: what stands first is read first. */
  readonly failures?: readonly string[];
}

interface Check {
  readonly name: string;
  readonly command: string;
  readonly quick?: boolean;
  /** What it prints is worth reading also when nothing failed. */
  readonly shown?: boolean;
  /** Where the runner leaves its own count; a check without one counts as one test. */
  readonly report?: { readonly file: string; readonly read: (report: never) => Counts };
}

interface VitestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly testResults: readonly { name: string; assertionResults: readonly { status: string; fullName: string }[] }[];
}

const vitestReport = (name: string) => ({
  file: `.cache/${name}.json`,
  read: (report: VitestReport) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: report.numPendingTests,
    failures: report.testResults.flatMap(({ name: file, assertionResults }) =>
      assertionResults
        .filter(({ status }) => status === 'failed')
        .map(({ fullName }) => `${path.basename(file)} ${fullName}`),
    ),
  }),
});

interface Suite {
  readonly specs?: readonly { ok: boolean; file: string; line: number; title: string }[];
  readonly suites?: readonly Suite[];
}

const failuresIn = ({ specs = [], suites = [] }: Suite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ file, line, title }) => `${file}:${line} ${title}`),
  ...suites.flatMap(failuresIn),
];

const playwrightReport = (name: string) => ({
  file: `.cache/${name}.json`,
  read: (report: Suite & { stats: { expected: number; unexpected: number; flaky: number; skipped: number } }) => ({
    passed: report.stats.expected,
    failed: report.stats.unexpected + report.stats.flaky,
    skipped: report.stats.skipped,
    failures: failuresIn(report),
  }),
});

const vitest = (name: string) =>
  `vitest run --project ${name} --reporter=dot --reporter=json --outputFile.json=.cache/${name}.json`;

const CHECKS: readonly Check[] = [
  { name: 'format', command: 'oxfmt --check', quick: true },
  { name: 'lint', command: 'oxlint --type-aware --deny-warnings', quick: true },
  { name: 'types', command: 'tsc -b', quick: true },
  { name: 'dead code', command: 'knip', quick: true },
  { name: 'unit', command: vitest('unit'), quick: true, report: vitestReport('unit') },
  { name: 'build', command: 'npm run build' },
  { name: 'integration', command: vitest('integration'), report: vitestReport('integration') },
  {
    name: 'browser',
    command: 'playwright test --reporter=dot,json',
    report: playwrightReport('browser'),
  },
  {
    name: 'engines',
    command: 'playwright test --config tests/engines',
    shown: true,
    report: playwrightReport('engines'),
  },
  // The whole storm is `npm run chaos`.
  { name: 'chaos', command: 'node tests/chaos/storm.ts --n 60 --seed 7' },
];

const total = { passed: 0, failed: 0, skipped: 0 };
const quick = process.argv.includes('quick');

for (const check of CHECKS.filter((candidate) => !quick || candidate.quick)) {
  const began = performance.now();
  const { status, output } = await run(check.command);
  const counted = await count(check, status);
  total.passed += counted.passed;
  total.failed += counted.failed;
  total.skipped += counted.skipped;
  const failed = status !== 0 || counted.failed > 0;
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(
    `${failed ? 'FAILED' : 'ok    '} ${check.name.padEnd(12)} ${seconds.padStart(6)} s  ${describe(check, counted)}`,
  );
  for (const failure of counted.failures ?? []) console.log(`       ${failure}`);
  if (failed || check.shown) console.log(output);
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed > 0 ? 1 : 0;

function describe({ report }: Check, { passed, failed, skipped }: Counts): string {
  if (!report) return '';
  return [`${passed} tests`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`]
    .filter(Boolean)
    .join(', ');
}

/** A runner that fails without a failed test, or counts none, has failed. */
async function count({ report }: Check, status: number): Promise<Counts> {
  const alone = { passed: status === 0 ? 1 : 0, failed: status === 0 ? 0 : 1, skipped: 0 };
  if (!report) return alone;
  try {
    const counts = report.read(JSON.parse(await readFile(report.file, 'utf8')) as never);
    await rm(report.file);
    if (status === 0 && counts.passed > 0) return counts;
    return { ...counts, failed: Math.max(counts.failed, 1) };
  } catch {
    return { passed: 0, failed: 1, skipped: 0 };
  }
}

function run(command: string): Promise<{ status: number; output: string }> {
  return new Promise((resolve) => {
    const env = { ...process.env, NO_COLOR: '1', PLAYWRIGHT_JSON_OUTPUT_NAME: '.cache/browser.json' };
    const child = spawn(command, { shell: true, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (output += text));
    child.on('close', (code) => resolve({ status: code ?? 1, output }));
  });
}
