import type { Reporter, Suite, TestCase, TestError } from '@playwright/test/reporter';

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
    for (const engine of this.#engines.filter((candidate) => !versionOf(candidate))) {
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

const heading = (engine: Suite) => `${engine.title} ${versionOf(engine) ?? 'not installed'}`;

function versionOf(engine: Suite): string | undefined {
  const annotations = engine.allTests().flatMap((test) => test.annotations);
  return annotations.find(({ type }) => type === 'version')?.description;
}

function cell(test: TestCase | undefined, notes: string[]): string {
  if (!test || !test.annotations.some(({ type }) => type === 'version'))
    return test?.outcome() === 'unexpected' ? 'FAILED' : 'skipped';
  const said = test.annotations
    .filter(({ type }) => type === 'note' || type === 'skip')
    .map(({ description }) => description!);
  for (const note of said) if (!notes.includes(note)) notes.push(note);
  const result = { expected: 'pass', skipped: 'n/a', unexpected: 'FAILED', flaky: 'FAILED' }[test.outcome()];
  return [result, ...said.map((note) => `(${notes.indexOf(note) + 1})`)].join(' ');
}

function explain(test: TestCase): void {
  const [, engine] = test.titlePath();
  for (const { message, stack, snippet } of test.results.flatMap(({ errors }) => errors))
    console.log(`FAILED in ${engine}: ${test.title}\n${stack ?? message}\n${snippet ?? ''}\n`);
}
