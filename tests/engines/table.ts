import type { Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';

/** Why `tab` of visit.ts skips. */
export const NOT_INSTALLED = 'not installed';

/** What ran where: a row for each flow, a column for each engine. */
export default class Table implements Reporter {
  #engines: readonly Suite[] = [];

  onBegin(_config: unknown, root: Suite): void {
    this.#engines = root.suites;
  }

  onError({ message, snippet }: TestError): void {
    console.log(`${message}\n${snippet ?? ''}`);
  }

  onEnd(): void {
    const tests = this.#engines.flatMap((engine) => engine.allTests());
    const flows = [...new Set(tests.map(({ title }) => title))];
    const notes: string[] = [];
    const rows = [
      ['', ...this.#engines.map(heading)],
      ...flows.map((flow) => [
        flow,
        ...this.#engines.map((engine) =>
          cell(
            engine.allTests().find(({ title }) => title === flow),
            notes,
          ),
        ),
      ]),
    ];
    for (const test of tests.filter((candidate) => candidate.outcome() === 'unexpected')) explain(test);
    const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    for (const row of rows)
      console.log(
        row
          .map((text, column) => text.padEnd(widths[column]!))
          .join('  ')
          .trimEnd(),
      );
    for (const [index, note] of notes.entries()) console.log(`(${index + 1}) ${note}`);
    for (const engine of this.#engines.filter(isMissing)) {
      const { name, metadata } = engine.project()!;
      console.log(
        `NOT TESTED IN ${name.toUpperCase()}: it is not installed. On Debian: apt-get install ${metadata['packages']}`,
      );
    }
  }

  printsToStdio(): boolean {
    return true;
  }
}

const heading = (engine: Suite) =>
  `${engine.title} ${isMissing(engine) ? NOT_INSTALLED : (remarks(engine.allTests(), 'version')[0] ?? '')}`;

const isMissing = (engine: Suite) => remarks(engine.allTests(), 'skip').includes(NOT_INSTALLED);

const remarks = (tests: readonly TestCase[], ...types: readonly string[]) =>
  tests
    .flatMap(({ annotations }) => annotations)
    .flatMap(({ type, description }) => (types.includes(type) && description ? [description] : []));

function cell(test: TestCase | undefined, notes: string[]): string {
  if (!test || test.results.length === 0) return 'not reached';
  const said = remarks([test], 'note', 'skip');
  if (said.includes(NOT_INSTALLED)) return 'skipped';
  for (const note of said) if (!notes.includes(note)) notes.push(note);
  const result = { expected: 'pass', skipped: 'n/a', unexpected: 'FAILED', flaky: 'pass, second try' }[test.outcome()];
  return [result, ...said.map((note) => `(${notes.indexOf(note) + 1})`)].join(' ');
}

function explain(test: TestCase): void {
  const [, engine] = test.titlePath();
  for (const { message, stack, snippet } of test.results.flatMap(({ errors }) => errors))
    console.log(`FAILED in ${engine}: ${test.title}\n${stack ?? message}\n${snippet ?? ''}\n`);
}
