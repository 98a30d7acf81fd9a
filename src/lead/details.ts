import * as z from 'zod/mini';
import { isDay, hasText } from './bounds.ts';
import { chargeableWeight } from './chargeable-weight.ts';
import { serviceOf } from './services.ts';
import { isRecord, oneOf, readValidParts, readShape, type Valid } from './validation.ts';

// Shipment details, all optional. The database has the same bounds, and a test compares the two.

export const PACKED = ['cajas', 'tarimas'] as const;
export const TEMPERATURES = ['COL', 'CRT', 'ERT', 'FRO'] as const;
export const INCOTERMS = ['EXW', 'FCA', 'FAS', 'FOB', 'CFR', 'CIF', 'CPT', 'CIP', 'DAP', 'DPU', 'DDP'] as const;
const DOCUMENTS = [
  'factura',
  'empaque',
  'origen',
  'fitosanitario',
  'sanitario',
  'autenticidad',
  'tecnica',
  'china',
] as const;
export type Document = (typeof DOCUMENTS)[number];

export const LONGEST_DETAIL = 100;
/** Highest value of each measure; the lowest is 1. Airlines count whole pieces, centimetres and kilos. */
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
  documentos: z.string(),
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

export const documentsIn = ({ documentos = '' }: Pick<Details, 'documentos'>): readonly Document[] =>
  DOCUMENTS.filter((each) => documentos.split(',').includes(each));

type ServiceChoice = Parameters<typeof serviceOf>[0];

/** Documents that a product needs, matched in its description. For an unknown product all documents are offered. */
const PRODUCT_DOCUMENTS: readonly (readonly [product: RegExp, document: Document])[] = [
  [/fresa|frambuesa|mora|ar[aá]ndano|berr|fruta|fruit|aguacate|mango/i, 'fitosanitario'],
  [/camar|langost|at[uú]n|abul|pulpo|pescad|marisc|almeja|seafood|shrimp|lobster|tuna|fish/i, 'sanitario'],
  [/tequila|mezcal/i, 'autenticidad'],
  [/m[eé]dic|quir[uú]rg|cat[eé]ter|pr[oó]tesis/i, 'tecnica'],
];

export function documentsFor(product: string, quote: ServiceChoice = {}): readonly Document[] {
  const otherProductsDocuments = PRODUCT_DOCUMENTS.filter(([words]) => !words.test(product)).map(
    ([, document]) => document,
  );
  const { withoutPapers } = serviceOf(quote);
  const productDocuments = DOCUMENTS.filter(
    (each) => otherProductsDocuments.length === PRODUCT_DOCUMENTS.length || !otherProductsDocuments.includes(each),
  );
  return productDocuments.filter((each) => !withoutPapers.includes(each));
}

export function chargeableOf(
  { piezas, largo, ancho, alto, kilos }: Details,
  quote: ServiceChoice & { readonly embarque?: number | undefined } = {},
): number | undefined {
  if (!piezas || !largo || !ancho || !alto) return undefined;
  const pieces = { count: piezas, length: largo, width: ancho, height: alto };
  return chargeableWeight(pieces, kilos ?? quote.embarque ?? 0, serviceOf(quote).cubic);
}
