import { EVERY_FIELD } from './fields.ts';

type Cell = string | number | boolean | null | undefined;

// First columns, in a fixed order: spreadsheets may read columns by position.
const FIRST = [
  ...(['folio', 'created_at', 'nombre', 'empresa', 'email', 'telefono', 'peso', 'tipo_carga'] as const),
  ...(['llamada', 'promociones', 'reemplaza', 'id'] as const),
  ...(['status', 'assignee_name', 'due_at', 'first_answer_at', 'seen_at', 'replaced_by'] as const),
];
const LATER = [
  ...(['accepted_price', 'accepted_price_for', 'accepted_currency', 'accepted_kilos', 'accepted_valid_until'] as const),
  ...(['accepted_state', 'accepted_reference', 'lost_reason', 'embarque', 'origen'] as const),
];
const COLUMNS = [
  ...FIRST,
  ...LATER,
  ...EVERY_FIELD.filter((field) => !(FIRST as readonly string[]).includes(field)),
] as const;

export type CsvRow = { readonly [Name in (typeof COLUMNS)[number]]?: Cell };

export const csvHeading = `${COLUMNS.join(',')}\r\n`;

export const csvLine = (row: CsvRow): string => `${COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`;

function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'sí' : '';
  if (value === null || value === undefined) return '';
  // Spreadsheets run a cell that begins like a formula; an apostrophe makes it text. Mexican and European spreadsheets
  // split cells at semicolons and read quotation marks differently, so the text after a comma or semicolon counts as a
  // beginning too.
  const text = harmless(value)
    .replaceAll(/(^|[,;])(?=[\s"\p{DI}]*[=+\-@＝＋－＠])/gu, "$1'")
    // An apostrophe keeps telephone numbers as text: spreadsheets would drop a leading zero or show a power of ten.
    .replace(/^(?:0\d+|\d{12,})$/, "'$&");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Removes control characters from a visitor's text: they could move a terminal's cursor, colour its text or reverse its
 * lines.
 */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
