import { bars } from './plots.ts';
import type { Cell, Part, Results, Table } from './results.ts';

// This file writes the documents from the results alone, so that the same results always give the same files.

const DOCUMENT = 'docs/benchmarks.md';

export function writeUp(results: Results): Map<string, string> {
  const files = new Map([[DOCUMENT, inWords(results)]]);
  for (const part of Object.values(results.parts)) {
    for (const { title, figures, plot } of part.tables)
      if (plot) files.set(picture(plot.file), bars(`${part.title}: ${title}`, figures, plot.measures));
  }
  return files;
}

const picture = (file: string) => `docs/benchmarks/${file}.svg`;

function inWords({ machine, versions, parts }: Results): string {
  const facts = Object.entries(machine).map(([name, value]) => `${name}: ${value}`);
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    '# Benchmarks',
    '`npm run bench` writes this page from `bench/results`; `npm run bench -- <part>` repeats a part. In each table ‘ours’ is this product; the others are other programs, set up as their documentation recommends. The best figure of a comparison is **bold**. Each figure comes from one run on the machine below: another machine will measure other times, but similar ratios between the programs.',
    `Machine: ${facts.join('; ')}.`,
    `Versions: ${packages.join(', ')}.`,
    ...Object.entries(parts)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(describePart),
  ].join('\n\n')}\n`;
}

function describePart([name, part]: [string, Part]): string[] {
  const [loadBefore, loadAfter] = part.load;
  return [
    `## ${part.title}\nMeasured by \`npm run bench -- ${name}\` on ${part.date.replace('T', ' at ')} UTC, in ${part.seconds} s; the machine's load was ${loadBefore} before and ${loadAfter} after.`,
    ...(areSeries(part.tables) ? describeSeries(part.tables) : part.tables.flatMap(describeTable)),
  ];
}

const describeTable = (one: Table): string[] => [
  ...describeConditions(one, `**${one.title}.**`),
  ...(Object.keys(one.figures).length > 0 ? [inRows(one)] : []),
];

const describeConditions = ({ title, note, plot }: Table, name?: string): string[] => [
  [name, note].filter(Boolean).join(' '),
  ...(plot ? [`![${title}](${picture(plot.file).replace('docs/', '')})`] : []),
];

/** True if all tables have the same measures. Such tables are written as a single table, which is easier to compare. */
const areSeries = (tables: readonly Table[]) => {
  const measured = tables.map((one) => rowsOf(one).map(([measure]) => measure));
  return tables.length > 2 && measured.every((names) => names.every((name) => measured[0]!.includes(name)));
};

/**
 * Writes tables with the same measures as one table: a row for each condition and subject, a column for each measure.
 */
function describeSeries([first, ...others]: readonly Table[]): string[] {
  const measures = rowsOf(first!).map(([measure]) => measure);
  const rows = [first!, ...others].flatMap((one) => {
    const found = new Map(rowsOf(one).map(([measure, ...cells]) => [measure, cells]));
    return Object.keys(one.figures).map((subject, at) => [
      `${one.title}: ${subject}`,
      ...measures.map((measure) => found.get(measure)?.[at] ?? ''),
    ]);
  });
  return [...describeConditions(first!), markdownTable(['', ...measures], rows)];
}

const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(head), line(['---', ...head.slice(1).map(() => '---:')]), ...rows.map(line)].join('\n');
};

/**
 * Returns a table in Markdown, with a row for each measure and a column for each subject. Measures such as
 * `folio, 1,000` and `folio, 10,000` share the row `folio`, with a column for each number.
 */
export function inRows(one: Table): string {
  const subjects = Object.keys(one.figures);
  const rows = rowsOf(one);
  const named = rows.map(([measure, ...cells]) => ({
    cells,
    name: measure.split(measure.includes(': ') ? ': ' : ', '),
  }));
  const measures = [...new Set(named.map(({ name }) => name[0]!))];
  const parts = [...new Set(named.map(({ name }) => name.slice(1).join(', ')))];
  const isWhole = measures.length > 1 && parts.length > 1 && measures.length * parts.length === rows.length;
  if (!isWhole) return markdownTable(['', ...subjects], rows);
  return markdownTable(
    ['', ...parts.flatMap((part) => subjects.map((subject) => `${part}: ${subject}`))],
    measures.map((measure) => [
      measure,
      ...named.filter(({ name }) => name[0] === measure).flatMap(({ cells }) => cells),
    ]),
  );
}

/**
 * Returns the rows of a table: the name of a measure, then its figures, with the best figure in bold. p50 and p95 of a
 * measure share a row.
 */
function rowsOf({ figures, more = [], isNoRace }: Table): [measure: string, ...cells: string[]][] {
  const subjects = Object.values(figures);
  const measures = [...new Set(subjects.flatMap((one) => Object.keys(one)))];
  return measures
    .filter((measure) => !measures.includes(measure.replace('p95', 'p50')) || !measure.includes('p95'))
    .map((measure) => {
      const other = measure.replace('p50', 'p95');
      const hasOther = other !== measure && measures.includes(other);
      const cells = subjects.map((subject) => subject[measure]);
      const numbers = cells.filter((cell) => typeof cell === 'number');
      const best = more.includes(measure) ? Math.max(...numbers) : Math.min(...numbers);
      // If all figures are equal, none is bold.
      const isRace = !isNoRace && numbers.length > 1 && numbers.some((number) => number !== best);
      const written = cells.map((cell, at) => {
        const pair = hasOther ? [cell, subjects[at]![other]] : [cell];
        const figure = [...new Set(pair.map(inFigures))].join(' / ');
        return isRace && cell === best ? `**${figure}**` : figure;
      });
      return [hasOther ? measure.replace('p50', 'p50 / p95') : measure, ...written];
    });
}

const inFigures = (cell: Cell | undefined) =>
  typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 3 }) : (cell ?? 'not measured');

const MARKS = ['<!-- figures -->', '<!-- end of figures -->'] as const;

/** Results that the README shows: two plots and one table. */
const SHOWN = { plots: ['first-visit', 'queues'], table: 'queues' };

/** Inserts the figures into the README, between the two comments in MARKS. */
export function inReadme(readme: string, { parts }: Results): string {
  const tables = Object.values(parts).flatMap((part) =>
    part.tables.map((table) => ({ ...table, title: `${part.title}: ${table.title}` })),
  );
  const plotted = (file: string) => tables.find(({ plot }) => plot?.file === file);
  const table = plotted(SHOWN.table);
  const text = [
    ...SHOWN.plots.flatMap((file) => {
      const found = plotted(file);
      return found ? [`![${found.title}](${picture(file)})`] : [];
    }),
    ...(table ? [`${table.title}:`, inRows(table)] : []),
  ].join('\n\n');
  const [start, end] = [readme.indexOf(MARKS[0]) + MARKS[0].length, readme.indexOf(MARKS[1])];
  return `${readme.slice(0, start)}\n\n${text}\n\n${readme.slice(end)}`;
}
