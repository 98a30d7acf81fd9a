import { EVERY_FIELD } from './fields.ts';

type Cell = string | number | boolean | null | undefined;

// A spreadsheet that reads by place goes on doing so: nothing of this ever moves.
const FIRST = [
  ...(['folio', 'created_at', 'nombre', 'empresa', 'email', 'telefono', 'peso', 'tipo_carga'] as const),
  ...(['llamada', 'promociones', 'reemplaza', 'id'] as const),
  ...(['status', 'assignee_name', 'due_at', 'first_answer_at', 'seen_at', 'replaced_by'] as const),
];
/** What became of the offer that was accepted, why a lead was lost, and what one shipment weighs. */
const LATER = [
  ...(['accepted_price', 'accepted_price_for', 'accepted_currency', 'accepted_kilos', 'accepted_valid_until'] as const),
  ...(['accepted_state', 'accepted_reference', 'lost_reason', 'embarque', 'origen'] as const),
];
/** A field that came later stands at the end, the newest last. */
const COLUMNS = [
  ...FIRST,
  ...LATER,
  ...EVERY_FIELD.filter((field) => !(FIRST as readonly string[]).includes(field)),
] as const;

/** A quote as a row of a spreadsheet. */
export type CsvRow = { readonly [Name in (typeof COLUMNS)[number]]?: Cell };

export const csvHeading = `${COLUMNS.join(',')}\r\n`;

export const csvLine = (row: CsvRow): string => `${COLUMNS.map((column) => csvCell(row[column])).join(',')}\r\n`;

function csvCell(value: Cell): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'sí' : '';
  if (value === null || value === undefined) return '';
  // A spreadsheet runs what begins like a formula; an apostrophe in front makes it text. In Mexico and Europe one may
  // separate cells at semicolons, and then takes quotation marks otherwise: what stands after either begins a cell.
  const text = harmless(value)
    .replaceAll(/(^|[,;])(?=[\s"\p{DI}]*[=+\-@＝＋－＠])/gu, "$1'")
    // It reckons with digits: a telephone number would lose its zero, or become a power of ten.
    .replace(/^(?:0\d+|\d{12,})$/, "'$&");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A visitor's text may hold codes that move a terminal's cursor, colour it or turn its lines around. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}
