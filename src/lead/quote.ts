import * as z from 'zod/mini';
import { hasText } from './bounds.ts';
import { byField, fields, FIELDS, REQUIRED, type Field, type Values } from './fields.ts';
import { isRecord, readValue, readValidParts, type UnknownRecord, type Valid } from './validation.ts';

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Id of a quote, chosen by the phone and never changed. Folio and hand-off code (hand-off-code.ts) are derived from it.
 */
export const quoteId = z.string().check(z.refine(isId));

/**
 * Schema for any number, even a wrong one. A stored quote with a wrong number must stay readable, so that the sender
 * can correct the number.
 */
const anyNumber = z.custom<number>((value) => typeof value === 'number');

export const fieldShapes = byField((field) => (fields[field].most ? anyNumber : z.string())) as unknown as {
  readonly [Name in Field]-?: z.ZodMiniType<NonNullable<Values[Name]>>;
};

/**
 * Values besides the form's fields that have their own columns, because SQL rules use them. `reemplaza`: folio of the
 * quote that this quote corrects. `igual`: folio of the quote that this quote copies.
 */
export const extraColumns = { promociones: z.boolean(), reemplaza: z.string(), igual: z.string() };

/**
 * Values besides the form's fields that are stored in `quotes.more`. `llamada`: the exporter asks for a phone call.
 * `embarque`: kilos of one shipment, if the exporter computed the weight from them.
 */
export const extraMore = { llamada: z.boolean(), embarque: z.number() };

/** `aviso`: version of the privacy notice that the exporter saw; sent in a header. */
const partShapes = { ...fieldShapes, ...extraColumns, ...extraMore, aviso: z.string() };

export type Quote = Values & { readonly id: string } & Partial<
    Valid<typeof extraColumns & typeof extraMore & Pick<typeof partShapes, 'aviso'>>
  >;

export const flatRow = ({ more, ...row }: UnknownRecord): UnknownRecord => (isRecord(more) ? { ...more, ...row } : row);

/** Returns the first field that fails the last check before a send (docs/product.md); undefined if all fields pass. */
export function faultIn(quote: Quote): Field | undefined {
  return FIELDS.find((field) => !isFit(field, quote[field]));
}

function isFit(field: Field, value: string | number | undefined): boolean {
  const { choices, guard, most, optional } = fields[field];
  if (optional && value === undefined) return true;
  if (most) return Number(value) > 0;
  const text = String(value);
  return choices ? choices.includes(text) : hasText(text) && guard?.test(text) !== false;
}

/**
 * Reads a quote from disk, from a message or from a database row. Keeps values that only a newer release knows. Null if
 * a required field or the id is missing.
 */
export function readQuote(stored: unknown): Quote | null {
  if (!isRecord(stored)) return null;
  const quote = flatRow(stored);
  const others = Object.entries(quote).filter(([name]) => !(name in partShapes));
  const read = { ...Object.fromEntries(others), ...readValidParts(partShapes, quote) } as Quote;
  return REQUIRED.every((field) => field in read) && readValue(quoteId, read.id) ? read : null;
}

export const sameQuote = (one: Quote, other: Quote): boolean => FIELDS.every((name) => one[name] === other[name]);

export function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  // Pages without HTTPS have no `randomUUID`, so the id is built from random bytes.
  const bytes = (crypto as typeof globalThis.crypto).getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return [...bytes]
    .map((byte, at) => ([4, 6, 8, 10].includes(at) ? '-' : '') + byte.toString(16).padStart(2, '0'))
    .join('');
}
