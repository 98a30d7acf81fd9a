import { csvCell } from '../lead/csv.ts';
import { readCsvCell, type CsvCells } from '../lead/csv-rows.ts';
import type { Bilingual } from './bilingual.ts';

/**
 * Row of a file after an import or a trial import. `says`: sentence about the result. 'wrong': the row was not
 * imported, and a person must correct it.
 */
export interface ImportedRow extends CsvCells {
  readonly became: 'stored' | 'there' | 'wrong';
  readonly says: Bilingual;
}

export const unclosedQuotes = {
  es: 'unas comillas quedan sin cerrar; de ahí en adelante no se leyó',
  en: 'a quotation mark is not closed; the lines from there on were not read',
} as const satisfies Bilingual;

export interface ImportCounts {
  readonly stored: number;
  readonly there: number;
  readonly wrong: number;
}

export function countImport(rows: readonly ImportedRow[]): ImportCounts {
  const count = (which: ImportedRow['became']) => rows.filter(({ became }) => became === which).length;
  return { stored: count('stored'), there: count('there'), wrong: count('wrong') };
}

/**
 * Returns a CSV file of the wrong rows, unchanged, with the reason beside each. After a person has corrected the rows,
 * the file can be imported as it is.
 */
export function errorsCsv(
  heading: readonly string[],
  rows: readonly ImportedRow[],
  words: (text: Bilingual) => string,
): string {
  const line = (cells: readonly string[]) => `${cells.map(csvCell).join(',')}\r\n`;
  const wrong = rows.filter(({ became, cells }) => became === 'wrong' && cells.length > 0);
  // The file may come from an earlier import and already have the column of reasons, which is then replaced.
  const places = heading.flatMap((name, at) => (name === ERROR_HEADING ? [] : [at]));
  return [
    line([...places.map((at) => heading[at]!), ERROR_HEADING]),
    ...wrong.map(({ cells, says }) => line([...places.map((at) => readCsvCell(cells[at] ?? '')), words(says)])),
  ].join('');
}
const ERROR_HEADING = 'error';
