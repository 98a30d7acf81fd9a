import * as z from 'zod/mini';
import { isSeen } from './bounds.ts';
import { byField, fields, FIELDS, type Columns, type Field } from './fields.ts';
import { isRecord, readPresent, readShape, type Loose, type Of } from './shape.ts';

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** The folio and the code of a message are made of it. Minted on the phone and kept for life. */
export const quoteId = z.string().check(z.refine(isId));

/** A weight that is not above 0 is what its sender is told of, and can correct. */
const anyNumber = z.custom<number>((value) => typeof value === 'number');

/** The fields wherever they are read: on a disk, in a message, as a row. */
export const columnShapes = byField((field) => (fields[field].most ? anyNumber : z.string())) as unknown as {
  readonly [Name in Field]: z.ZodMiniType<Columns[Name]>;
};
const quoteShape = { ...columnShapes, id: quoteId };

/**
 * Additions to a quote beside its fields, each only where it is so. `reemplaza`: the folio of what it corrects.
 * `embarque`: the kilos of one shipment, where its sender measured it. `igual`: the folio of the quote it is a copy of.
 * `aviso`: the version of the notice that was shown, which travels in a header.
 */
const beside = {
  promociones: z.boolean(),
  llamada: z.boolean(),
  reemplaza: z.string(),
  embarque: z.number(),
  igual: z.string(),
  aviso: z.string(),
};

/** The quote without columns that only a newer release knows, which has left it on this phone. */
export const ownColumns = (quote: Quote): Quote =>
  Object.fromEntries(Object.entries(quote).filter(([name]) => name in quoteShape || name in beside)) as Quote;

/** A lead as it travels: the names are those of the columns. */
export type Quote = Of<typeof quoteShape> & Partial<Of<typeof beside>>;

/** The last look before a send, wherever it happens (docs/product.md). */
export function faultIn(quote: Quote): Field | undefined {
  return FIELDS.find((field) => !isFit(field, quote[field]));
}

function isFit(field: Field, value: string | number): boolean {
  const { choices, guard, most } = fields[field];
  if (most) return Number(value) > 0;
  const text = String(value);
  return choices ? choices.includes(text) : isSeen(text) && guard?.test(text) !== false;
}

/** A quote that an older release left on the phone says nothing of the fields that came later. Null where it is none. */
export function readQuote(kept: unknown): Quote | null {
  if (!isRecord(kept)) return null;
  const quote: Loose = { ...byField((field) => fields[field].earlier), ...kept };
  if (!readShape(quoteShape, quote)) return null;
  // Columns that only a newer release knows go with it.
  const others = Object.entries(quote).filter(([name]) => !(name in beside));
  return { ...(Object.fromEntries(others) as Quote), ...readPresent(beside, quote) };
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
