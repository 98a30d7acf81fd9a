import * as z from 'zod/mini';
import { isDay, hasText } from './bounds.ts';
import { chargeableWeight } from './chargeable-weight.ts';
import { serviceOf } from './services.ts';
import { isRecord, oneOf, readValidParts, readShape, type Valid } from './validation.ts';

// Values and limits of the optional shipment details. The database has a copy of them, and a test compares both.

export const PACKED = ['cajas', 'tarimas'] as const;
export const TEMPERATURES = ['COL', 'CRT', 'ERT', 'FRO'] as const;
export const INCOTERMS = ['EXW', 'FCA', 'FAS', 'FOB', 'CFR', 'CIF', 'CPT', 'CIP', 'DAP', 'DPU', 'DDP'] as const;
export const LONGEST_DETAIL = 100;
/**
 * Highest value of each measure; the lowest is 1. All are whole numbers: airlines count whole pieces, centimetres and
 * kilos.
 */
export const MOST = { piezas: 100_000, largo: 2000, ancho: 2000, alto: 2000, kilos: 1_000_000 } as const;
export type DetailMeasure = keyof typeof MOST;

const shortText = z.string().check(z.refine((text) => hasText(text) && text.length <= LONGEST_DETAIL));
const wholeNumber = (most: number) =>
  z.custom<number>((value) => typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= most);

const shape = {
  producto: shortText,
  empaque: oneOf(PACKED),
  piezas: wholeNumber(MOST.piezas),
  largo: wholeNumber(MOST.largo),
  ancho: wholeNumber(MOST.ancho),
  alto: wholeNumber(MOST.alto),
  kilos: wholeNumber(MOST.kilos),
  lista: z.string().check(z.refine(isDay)),
  salida: shortText,
  destino: shortText,
  temperatura: oneOf(TEMPERATURES),
  incoterm: oneOf(INCOTERMS),
  peligrosa: z.boolean(),
};

export type Details = Partial<Valid<typeof shape>>;
export type Detail = keyof typeof shape;
export const DETAILS = Object.keys(shape) as Detail[];

export const readDetails = (value: unknown): Details => (isRecord(value) ? readValidParts(shape, value) : {});

const rowShape = { id: z.string(), pressed_at: z.string() };

export type DetailsRow = Valid<typeof rowShape> & { readonly details: Details };

export function readDetailsRow(row: unknown): DetailsRow | undefined {
  const read = readShape(rowShape, row);
  return read && { ...read, details: readDetails(row) };
}

export type DetailTexts = Readonly<Record<Detail, string>>;

export function readDetailTexts(input: DetailTexts): Details {
  const { peligrosa, ...rest } = input;
  const measured = Object.keys(MOST).map((name) => [name, Math.round(Number(input[name as DetailMeasure]))]);
  const texts = Object.entries(rest).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []));
  return readDetails({
    ...Object.fromEntries(texts),
    ...Object.fromEntries(measured),
    ...(peligrosa && { peligrosa: peligrosa === 'true' }),
  });
}

type ServiceChoice = Parameters<typeof serviceOf>[0];

export function chargeableOf(
  { piezas, largo, ancho, alto, kilos }: Details,
  quote: ServiceChoice & { readonly embarque?: number | undefined } = {},
): number | undefined {
  if (!piezas || !largo || !ancho || !alto) return undefined;
  const pieces = { count: piezas, length: largo, width: ancho, height: alto };
  return chargeableWeight(pieces, kilos ?? quote.embarque ?? 0, serviceOf(quote).cubic);
}
