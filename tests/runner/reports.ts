import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { wholeTitle } from './titles.ts';

export interface Failure {
  readonly name: string;
  /** The words that choose it, and nothing else, from `npm test`. */
  readonly words: readonly string[];
  /** The first lines of what its runner said. */
  readonly why: string;
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What stands first is read first. */
  readonly failures: readonly Failure[];
  /** Failed once, and passed when they were run again. */
  readonly unsteady: readonly Failure[];
}

/** Reads what a runner left, of the tests whose title matches. */
export type Report = (json: never, folder: string, titles: RegExp) => Counts;

interface VitestReport {
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly {
      readonly status: string;
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly failureMessages?: readonly string[];
    }[];
  }[];
}

const firstLines = (message = '') =>
  stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => line.trim() !== '')
    .slice(0, 8)
    .join('\n');

/** As Vitest itself joins titles where it looks for one. */
const BETWEEN_GROUPS = ' > ';

export const vitestReport: Report = ({ testResults }: VitestReport, folder, titles) => {
  const files = testResults.map(({ name, status, assertionResults }) => ({
    file: path.basename(name),
    // A file that could not even be read has failed, and no test in it.
    unread: status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
    // The report counts those that were not asked for as skipped.
    tests: assertionResults
      .map((test) => ({ ...test, fullTitle: [...test.ancestorTitles, test.title].join(BETWEEN_GROUPS) }))
      .filter(({ fullTitle }) => titles.test(fullTitle)),
  }));
  const tests = files.flatMap(({ file, tests: inFile }) => inFile.map((test) => ({ ...test, file })));
  const failed = tests.filter(({ status }) => status === 'failed');
  const unread = files.filter((file) => file.unread);
  const passed = tests.filter(({ status }) => status === 'passed').length;
  return {
    passed,
    failed: failed.length + unread.length,
    skipped: tests.length - passed - failed.length,
    failures: [
      ...unread.map(({ file }) => ({ name: `${file} as a whole`, words: [`${folder}/${file}`], why: '' })),
      ...failed.map(({ file, fullTitle, failureMessages }) => ({
        name: `${file} ${fullTitle}`,
        words: [`${folder}/${file}`, wholeTitle(fullTitle)],
        why: firstLines(failureMessages?.[0]),
      })),
    ],
    unsteady: [],
  };
};

interface Spec {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly tests: readonly {
    readonly projectName: string;
    readonly status: string;
    readonly results: readonly { readonly error?: { readonly message?: string } }[];
  }[];
}

interface Suite {
  readonly title: string;
  readonly specs?: readonly Spec[];
  readonly suites?: readonly Suite[];
}

interface PlaywrightReport {
  readonly suites: readonly Suite[];
  readonly stats: { readonly [outcome in 'expected' | 'unexpected' | 'flaky' | 'skipped']: number };
}

export const playwrightReport: Report = ({ suites, stats }: PlaywrightReport, folder) => {
  const all = (status: string) => suites.flatMap((file) => withStatus(status, file, folder, []));
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
    failures: all('unexpected'),
    unsteady: all('flaky'),
  };
};

function withStatus(wanted: string, suite: Suite, folder: string, above: readonly string[]): Failure[] {
  const { specs = [], suites = [] } = suite;
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === wanted)
      .map(({ projectName, results }) => ({
        name: [projectName, `${file}:${line}`, ...above, title].filter(Boolean).join(' '),
        words: [`${folder}/${file}`, projectName, wholeTitle([...above, title].join(' '))].filter(Boolean),
        why: firstLines(results.find(({ error }) => error)?.error?.message),
      })),
  );
  return [...own, ...suites.flatMap((inner) => withStatus(wanted, inner, folder, [...above, inner.title]))];
}
