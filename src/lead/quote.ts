import * as z from 'zod/mini';
import { isSeen } from './bounds.ts';
import { byField, EVERY_FIELD, fields, FIELDS, REQUIRED, type Field, type Optional, type Values } from './fields.ts';
import { isRecord, readPresent, readShape, type Loose, type Of } from './shape.ts';

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** The folio and the code of a message are made of it. Minted on the phone and kept for life. */
export const quoteId = z.string().check(z.refine(isId));

/** A weight that is not above 0 is what its sender is told of, and can correct. */
const anyNumber = z.custom<number>((value) => typeof value === 'number');

/** Shapes of the fields wherever they are read: on a disk, in a message, as a row. */
const shapes = byField((field) => (fields[field].most ? anyNumber : z.string())) as unknown as {
  readonly [Name in Field]-?: z.ZodMiniType<NonNullable<Values[Name]>>;
};
const shapesOf = <Name extends Field>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, shapes[name]])) as Pick<typeof shapes, Name>;

export const columnShapes = shapesOf(REQUIRED as Exclude<Field, Optional>[]);
const quoteShape = { ...columnShapes, id: quoteId };

/** Additions with rules in SQL, so columns. `reemplaza`, `igual`: folio of the quote that this one corrects or copies. */
const besideColumns = { promociones: z.boolean(), reemplaza: z.string(), igual: z.string() };

/** Values in `quotes.more`, each only if it is said. `embarque`: kilos of one shipment, if the sender measured them. */
export const moreShapes = {
  ...shapesOf(EVERY_FIELD.filter((field) => fields[field].optional) as Optional[]),
  llamada: z.boolean(),
  embarque: z.number(),
};

/** Version of the notice that was shown. It travels in a header. */
const notice = { aviso: z.string() };

const beside = { ...besideColumns, ...moreShapes, ...notice };

/** A quote on its phone: fields and additions side by side. */
export type Quote = Of<typeof quoteShape> & Partial<Of<typeof beside>>;

const COLUMNS = [...REQUIRED, 'id', ...Object.keys(besideColumns)];

/** The row of a quote. Values of a newer release, too, go into `more`, which any database takes. */
export function rowOf(quote: Quote): Loose {
  const parts = Object.entries(quote).filter(([name, value]) => !(name in notice) && value !== undefined);
  const more = parts.filter(([name]) => !COLUMNS.includes(name));
  return {
    ...Object.fromEntries(parts.filter(([name]) => COLUMNS.includes(name))),
    ...(more.length > 0 && { more: Object.fromEntries(more) }),
  };
}

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

/** Reads a quote from a disk, a message or a row; null if it is none. */
export function readQuote(kept: unknown): Quote | null {
  if (!isRecord(kept)) return null;
  const quote = flatRow(kept);
  if (!readShape(quoteShape, quote)) return null;
  // Values that only a newer release knows go with it.
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
