import { bars } from './plots.ts';
import type { Cell, Part, Results, Table } from './results.ts';

// Writes the documents from the results alone, so that equal results make equal files.

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
  const facts = Object.entries(machine).map(([name, value]) => `${name} ${value}`);
  const packages = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  return `${[
    '# Benchmarks',
    'Written by `npm run bench` from the newest file in `bench/results`; a test compares. How to repeat a part: `npm run bench -- <part>`. Ours stands first, peers as their documentation recommends them beside it; **bold** is the best of a row. One run on one machine, at the load that is named: ratios say more than milliseconds.',
    `Machine: ${facts.join(', ')}.`,
    `Versions: ${packages.join(', ')}.`,
    ...Object.entries(parts)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .flatMap(describePart),
  ].join('\n\n')}\n`;
}

function describePart([name, part]: [string, Part]): string[] {
  const [loadBefore, loadAfter] = part.load;
  return [
    `## ${part.title}`,
    `\`npm run bench -- ${name}\`, ${part.date.replace('T', ' ')} UTC, ${part.seconds} s, load ${loadBefore} before and ${loadAfter} after.`,
    ...part.tables.flatMap((table) => [
      `### ${table.title}`,
      ...(table.note ? [table.note] : []),
      ...(table.plot ? [`![${table.title}](${picture(table.plot.file).replace('docs/', '')})`] : []),
      ...(Object.keys(table.figures).length > 0 ? [inRows(table)] : []),
    ]),
  ];
}

/** Table with a row for each measure and a column for each subject. */
export function inRows({ figures, more = [], isNoRace }: Table): string {
  const subjects = Object.keys(figures);
  const measures = [...new Set(Object.values(figures).flatMap((one) => Object.keys(one)))];
  const rows = measures.map((measure) => {
    const cells = subjects.map((subject) => figures[subject]![measure]);
    const numbers = cells.filter((cell) => typeof cell === 'number');
    const best = more.includes(measure) ? Math.max(...numbers) : Math.min(...numbers);
    // Equal values have no winner.
    const isRace = !isNoRace && numbers.length > 1 && numbers.some((number) => number !== best);
    return [measure, ...cells.map((cell) => (isRace && cell === best ? `**${inFigures(cell)}**` : inFigures(cell)))];
  });
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(['', ...subjects]), line(['---', ...subjects.map(() => '---:')]), ...rows.map(line)].join('\n');
}

const inFigures = (cell: Cell | undefined) =>
  typeof cell === 'number' ? cell.toLocaleString('en', { maximumFractionDigits: 3 }) : (cell ?? 'not measured');

const MARKS = ['<!-- figures -->', '<!-- end of figures -->'] as const;

/** Content of the README: two plots and the most convincing table. */
const SHOWN = { plots: ['first-visit', 'queues'], table: 'queues' };

/** Inserts the figures into the README, between its marks. */
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
