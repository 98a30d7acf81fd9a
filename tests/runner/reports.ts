import path from 'node:path';
import { wholeTitle } from './titles.ts';

interface Failure {
  readonly name: string;
  /** The words that choose it, and nothing else, from `npm test`. */
  readonly words: readonly string[];
}

export interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** What stands first is read first. */
  readonly failures: readonly Failure[];
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
    }[];
  }[];
}

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
      ...unread.map(({ file }) => ({ name: `${file} as a whole`, words: [`${folder}/${file}`] })),
      ...failed.map(({ file, fullTitle }) => ({
        name: `${file} ${fullTitle}`,
        words: [`${folder}/${file}`, wholeTitle(fullTitle)],
      })),
    ],
  };
};

interface Spec {
  readonly file: string;
  readonly line: number;
  readonly title: string;
  readonly tests: readonly { readonly projectName: string; readonly status: string }[];
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

export const playwrightReport: Report = ({ suites, stats }: PlaywrightReport, folder) => ({
  passed: stats.expected,
  failed: stats.unexpected + stats.flaky,
  skipped: stats.skipped,
  failures: suites.flatMap((file) => failuresIn(file, folder, [])),
});

function failuresIn({ specs = [], suites = [] }: Suite, folder: string, above: readonly string[]): Failure[] {
  const own = specs.flatMap(({ file, line, title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected' || status === 'flaky')
      .map(({ projectName }) => ({
        name: [projectName, `${file}:${line}`, ...above, title].filter(Boolean).join(' '),
        words: [`${folder}/${file}`, projectName, wholeTitle([...above, title].join(' '))].filter(Boolean),
      })),
  );
  return [...own, ...suites.flatMap((suite) => failuresIn(suite, folder, [...above, suite.title]))];
}
