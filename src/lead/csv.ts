import { harmless } from './harmless.ts';
import { lineAsText, readLines } from './offer-lines.ts';
import { EVERY_FIELD } from './fields.ts';

type Cell = string | number | boolean | null | undefined;

// Columns that come first, always in this order, because spreadsheets of users may read them by position.
const FIRST = [
  ...(['folio', 'created_at', 'nombre', 'empresa', 'email', 'telefono', 'peso', 'tipo_carga'] as const),
  ...(['llamada', 'promociones', 'reemplaza', 'id'] as const),
  ...(['status', 'assignee_name', 'due_at', 'first_answer_at', 'seen_at', 'replaced_by'] as const),
];
const LATER = [
  ...(['accepted_price', 'accepted_price_for', 'accepted_currency', 'accepted_kilos', 'accepted_valid_until'] as const),
  ...(['accepted_state', 'accepted_reference', 'lost_reason', 'embarque', 'origen'] as const),
  ...(['accepted_total', 'accepted_pesos', 'accepted_lines'] as const),
];
const COLUMNS = [
  ...FIRST,
  ...LATER,
  'igual',
  ...EVERY_FIELD.filter((field) => !(FIRST as readonly string[]).includes(field)),
] as const;

export type CsvRow = { readonly [Name in Exclude<(typeof COLUMNS)[number], 'accepted_lines'>]?: Cell } & {
  readonly accepted_lines?: unknown;
};

export const csvHeading = `${COLUMNS.join(',')}\r\n`;

export const csvLine = (row: CsvRow): string =>
  `${COLUMNS.map((column) => csvCell(column === 'accepted_lines' ? linesOf(row[column]) : row[column])).join(',')}\r\n`;

const linesOf = (lines: unknown): Cell => readLines(lines)?.map(lineAsText).join(' + ');

export function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'sí' : '';
  if (value === null || value === undefined) return '';
  // Spreadsheets run a cell that begins like a formula; an apostrophe in front turns the cell into text. Mexican and
  // European spreadsheets split cells at semicolons, so the text after a comma or semicolon may become a cell too.
  const text = harmless(value)
    .replaceAll(/(^|[,;])(?=[\s"\p{DI}]*[=+\-@＝＋－＠])/gu, "$1'")
    // An apostrophe keeps telephone numbers as text. As numbers, spreadsheets would drop a leading zero or show
    // 5.2E+11.
    .replace(/^(?:0\d+|\d{12,})$/, "'$&");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
