import { readFile, rm } from 'node:fs/promises';
import { ensureChromium } from '../build/browser.ts';
import { useOwnSettings } from './own-settings.ts';
import { openRunFolder } from './run-folder.ts';
import { choose, describe, type Chosen } from './runner/choose.ts';
import { BUILD_IF_STALE, type Part, PARTS } from './runner/parts.ts';
import type { Counts, Failure } from './runner/reports.ts';
import { run } from './runner/run.ts';
import { quoted, titlePattern } from './runner/titles.ts';

// `npm test`: every check, one line each. Words choose among them: `npm test -- quick`, `npm test -- rules`.

useOwnSettings();
const began = performance.now();
const words = process.argv.slice(2);
const choice = await choose(words);
const total = { passed: 0, failed: 0, skipped: 0 };

if (words.length > 0 && choice.chosen.length > 0) {
  console.log(describe(choice));
  const builds = choice.chosen.some(({ part }) => part.name === BUILD_IF_STALE.name);
  if (!builds && choice.chosen.some(({ part }) => part.needsBuild)) await prove({ part: BUILD_IF_STALE, files: [] });
}
const closeRunFolder = await openRunFolder();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void closeRunFolder().finally(() => process.exit(1)));
// A site that was not built would only be found broken once more.
if (total.failed === 0) {
  const isFirst = ({ part }: Chosen) => !part.needsBuild && !part.waits;
  await inTurn(choice.chosen.filter(isFirst));
  const others = choice.chosen.filter((chosen) => !isFirst(chosen));
  await Promise.all([
    inTurn(others.filter(({ part }) => !part.waits)),
    inTurn(others.filter(({ part }) => part.waits)),
  ]);
}
await closeRunFolder();

if (total.passed + total.failed + total.skipped === 0) {
  const names = PARTS.map(({ name }) => name).join(', ');
  console.log(`Nothing matches ${words.map(quoted).join(' ')}: no test file, no test's title, and no part (${names}).`);
  process.exitCode = 1;
} else {
  console.log(`Took ${duration(performance.now() - began)}`);
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed > 0 ? 1 : 0;
}

async function inTurn(parts: readonly Chosen[]): Promise<void> {
  for (const chosen of parts) await prove(chosen);
}

async function prove({ part, files }: Chosen): Promise<void> {
  const missing = part.whyNot?.();
  if (missing) {
    total.skipped += 1;
    console.log(`left out ${part.name}: ${missing}`);
    return;
  }
  const start = performance.now();
  const { status, output } = await attempt({ part, files }, choice.titles);
  const counts = await lookedAtAgain(part, await count({ part, files }, status, choice.titles));
  const failed = counts.failed > 0;
  // What was only made ready for the tests is no test.
  if (part !== BUILD_IF_STALE || failed) {
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
    // A table's titles are known only when they run.
    if (counts.passed + counts.failed + counts.skipped === 0) return;
  }
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  const figures = part.tests ? figuresOf(counts) : '';
  console.log(`${failed ? 'FAILED' : 'ok    '} ${part.name.padEnd(12)} ${seconds.padStart(6)} s  ${figures}`.trimEnd());
  for (const failure of counts.failures) tell(failure);
  for (const unsteady of counts.unsteady) tell(unsteady, 'failed at first, passed when it was run again: ');
  if (failed || part.shown) console.log(output);
}

function tell({ name, words: again, why }: Failure, prefix = ''): void {
  console.log(`       ${prefix}${name}`);
  console.log(`         again: npm test -- ${again.map(quoted).join(' ')}`);
  if (why) console.log(why.replaceAll(/^/gm, '           '));
}

/** On a busy machine a test may be late once, and where many fail it is no such thing. */
async function lookedAtAgain(part: Part, counts: Counts): Promise<Counts> {
  const isNamed = counts.failures.every(({ words: [file = ''] }) => file.endsWith('.test.ts'));
  if (!part.tests?.repeats || !isNamed || counts.failed > 3) return counts;
  const looked = [];
  for (const failure of counts.failures) {
    const [file = '', ...titles] = failure.words;
    const chosen = { part, files: [file] };
    const { status } = await attempt(chosen, titles);
    const again = await count(chosen, status, titles);
    looked.push({ failure, passed: again.passed > 0 && again.failed === 0 });
  }
  const unsteady = looked.filter(({ passed }) => passed).map(({ failure }) => failure);
  return {
    ...counts,
    passed: counts.passed + unsteady.length,
    failed: counts.failed - unsteady.length,
    failures: counts.failures.filter((failure) => !unsteady.includes(failure)),
    unsteady,
  };
}

async function attempt(
  { part, files }: Chosen,
  titles: readonly string[],
): Promise<{ status: number; output: string }> {
  // One that an interrupted run left is no report of this one.
  await rm(reportOf(part.name), { force: true });
  if (part.needsChromium && !(await ensureChromium()))
    return { status: 1, output: 'It needs Chromium: install it, or set CHROMIUM_PATH to its file.' };
  const only = files.map((file) => quoted(`tests/${file}`));
  if (part.tests && titles.length > 0) only.push(part.tests.titleOption, quoted(titlePattern(titles)));
  return run([part.command, ...only].join(' '), { PLAYWRIGHT_JSON_OUTPUT_NAME: reportOf(part.name) });
}

function reportOf(part: string): string {
  return `.cache/${part}.json`;
}

/** A runner that fails without a failed test, or counts none though no title was asked for, has failed. */
async function count(
  { part: { name, tests }, files }: Chosen,
  status: number,
  titles: readonly string[],
): Promise<Counts> {
  const alone = {
    passed: 0,
    failed: 1,
    skipped: 0,
    failures: [{ name, words: files.length > 0 ? files : [name], why: '' }],
    unsteady: [],
  };
  if (!tests) return status === 0 ? { passed: 1, failed: 0, skipped: 0, failures: [], unsteady: [] } : alone;
  try {
    const report = JSON.parse(await readFile(reportOf(name), 'utf8')) as never;
    const counts = tests.report(report, tests.folder, new RegExp(titlePattern(titles)));
    const nothing = counts.passed + counts.failed + counts.skipped === 0 && titles.length === 0;
    return counts.failed === 0 && (status !== 0 || nothing)
      ? { ...counts, failed: 1, failures: alone.failures }
      : counts;
  } catch {
    return alone;
  }
}

function figuresOf({ passed, failed, skipped, unsteady }: Counts): string {
  return [
    `${passed} tests`,
    failed > 0 && `${failed} failed`,
    unsteady.length > 0 && `${unsteady.length} unsteady`,
    skipped > 0 && `${skipped} skipped`,
  ]
    .filter(Boolean)
    .join(', ');
}

function duration(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
