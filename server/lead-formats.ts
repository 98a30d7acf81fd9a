import { quoteForm } from '../src/content/quote-form.ts';
import { FIELDS, type Field } from '../src/quote/fields.ts';
import type { Lead } from './leads.ts';

/** How leads are written: what comes before the first, and each of them. */
export interface Format {
  readonly whole: (leads: readonly Lead[]) => string;
  readonly heading: string;
  readonly line: (lead: Lead) => string;
}

/** Shorter than the labels of the form, for a line that is as wide as a terminal. */
const SHORT: Partial<Record<Field, string>> = { peso: 'kg', tipo_carga: 'type' };
/** Room for most of what people write, where the longest is not known yet. */
const USUAL: Partial<Record<Field, number>> = { email: 30, telefono: 18, peso: 7, tipo_carga: 11 };

const HEADINGS = [
  'folio',
  'when',
  ...FIELDS.map((field) => SHORT[field] ?? quoteForm.fields[field].label.en.toLowerCase()),
  'also',
];
const USUAL_WIDTHS = [12, 16, ...FIELDS.map((field) => USUAL[field] ?? 24), 0];
const CSV_COLUMNS = ['folio', 'created_at', ...FIELDS, 'llamada', 'promociones', 'reemplaza', 'id'] as const;

export const table: Format = {
  whole(leads) {
    const rows = [HEADINGS, ...leads.map(cells)];
    const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
    return rows.map((row) => aligned(row, widths)).join('');
  },
  heading: aligned(HEADINGS, USUAL_WIDTHS),
  line: (lead) => aligned(cells(lead), USUAL_WIDTHS),
};

export const json: Format = {
  whole: (leads) => `${harmlessJson(JSON.stringify(leads, null, 2))}\n`,
  heading: '',
  line: (lead) => `${harmlessJson(JSON.stringify(lead))}\n`,
};

export const csv: Format = {
  whole: (leads) => [csv.heading, ...leads.map(csv.line)].join(''),
  heading: `${CSV_COLUMNS.join(',')}\r\n`,
  line: (lead) => `${CSV_COLUMNS.map((column) => csvCell(lead[column])).join(',')}\r\n`,
};

function cells(lead: Lead): string[] {
  const when = new Date(lead.created_at).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
  return [lead.folio, when, ...FIELDS.map((field) => String(lead[field])), also(lead)].map(harmless);
}

/** What came with it beside the fields of the form. */
function also({ llamada, promociones, reemplaza }: Lead): string {
  return [llamada && 'call', promociones && 'promotions', reemplaza && `replaces ${reemplaza}`]
    .filter(Boolean)
    .join(', ');
}

function aligned(row: readonly string[], widths: readonly number[]): string {
  return `${row
    .map((cell, column) => cell.padEnd(widths[column]!))
    .join('  ')
    .trimEnd()}\n`;
}

function csvCell(value: string | number | boolean | null | undefined): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 'sí' : '';
  // A hosted project may not have every column yet.
  if (value === null || value === undefined) return '';
  const plain = harmless(value);
  // A spreadsheet runs what begins like a formula; an apostrophe in front makes it text.
  const text = /^\s*[=+\-@]/.test(plain) ? `'${plain}` : plain;
  // In Mexico and Europe a spreadsheet may separate cells at semicolons.
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A visitor's text may hold codes that move a terminal's cursor, colour it or turn its lines around. */
function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, ' ');
}

/** JSON.stringify escapes the first 32 control codes and leaves the others. */
function harmlessJson(text: string): string {
  return text.replaceAll(/[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}
