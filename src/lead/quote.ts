import * as z from 'zod/mini';
import { isSeen } from './bounds.ts';
import { byField, fields, FIELDS, REQUIRED, type Field, type Values } from './fields.ts';
import { isRecord, part, readPresent, type Loose, type Of } from './shape.ts';

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** The folio and the code of a message are made of it. Minted on the phone and kept for life. */
export const quoteId = z.string().check(z.refine(isId));

/** A weight that is not above 0 is what its sender is told of, and can correct. */
const anyNumber = z.custom<number>((value) => typeof value === 'number');

/** Shapes of the fields wherever they are read: on a disk, in a message, as a row. */
export const fieldShapes = byField((field) => (fields[field].most ? anyNumber : z.string())) as unknown as {
  readonly [Name in Field]-?: z.ZodMiniType<NonNullable<Values[Name]>>;
};

/** Additions with rules in SQL, so columns. `reemplaza`, `igual`: folio of the quote that this one corrects or copies. */
export const besideColumns = { promociones: z.boolean(), reemplaza: z.string(), igual: z.string() };

/** Additions in `quotes.more`. `embarque`: kilos of one shipment, if the sender measured them. */
export const besideMore = { llamada: z.boolean(), embarque: z.number() };

/** `aviso`: version of the notice that was shown. It travels in a header. */
const partShapes = { ...fieldShapes, ...besideColumns, ...besideMore, aviso: z.string() };

/** A quote on its phone: fields and additions side by side. */
export type Quote = Values & { readonly id: string } & Partial<
    Of<typeof besideColumns & typeof besideMore & Pick<typeof partShapes, 'aviso'>>
  >;

/** A row of the database with what is in `more` beside its columns. */
export const flatRow = ({ more, ...row }: Loose): Loose => (isRecord(more) ? { ...more, ...row } : row);

/** The last look before a send, wherever it happens (docs/product.md). */
export function faultIn(quote: Quote): Field | undefined {
  return FIELDS.find((field) => !isFit(field, quote[field]));
}

function isFit(field: Field, value: string | number | undefined): boolean {
  const { choices, guard, most, optional } = fields[field];
  if (optional && value === undefined) return true;
  if (most) return Number(value) > 0;
  const text = String(value);
  return choices ? choices.includes(text) : isSeen(text) && guard?.test(text) !== false;
}

/** Reads a quote from a disk, a message or a row, with the values of a newer release; null for anything else. */
export function readQuote(kept: unknown): Quote | null {
  if (!isRecord(kept)) return null;
  const quote = flatRow(kept);
  const others = Object.entries(quote).filter(([name]) => !(name in partShapes));
  const read = { ...Object.fromEntries(others), ...readPresent(partShapes, quote) } as Quote;
  return REQUIRED.every((field) => field in read) && part(quoteId, read.id) ? read : null;
}

export function sameQuote(one: Quote | null, other: Quote): boolean {
  return one !== null && FIELDS.every((field) => one[field] === other[field]);
}

export function newId(): string {
  if ('randomUUID' in crypto) return crypto.randomUUID();
  // An address without https has no randomUUID.
  const bytes = (crypto as typeof globalThis.crypto).getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6]! & 0x0f) | 0x40;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return [...bytes]
    .map((byte, at) => ([4, 6, 8, 10].includes(at) ? '-' : '') + byte.toString(16).padStart(2, '0'))
    .join('');
}
