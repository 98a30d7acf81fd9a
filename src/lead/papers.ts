import * as z from 'zod/mini';
import type { Details } from './details.ts';
import { serviceOf } from './services.ts';
import { oneOf, readShape, type Valid } from './validation.ts';

// Shipping documents ('papers') for cargo from Mexico to China. Each row names its source and the day on which the
// source was read. A row without a source could not be checked, so the page tells the exporter to ask. Nothing here is
// legal advice.

/** State of a document: at hand, requested or missing. The database allows the same values. */
export const PAPER_STATES = ['tengo', 'pedida', 'falta'] as const;
export type PaperState = (typeof PAPER_STATES)[number];

/** Groups of products. A product belongs to a group if its description contains one of these words. */
const PRODUCTS = {
  berries: /\b(fresas?|frambuesas?|(zarza)?moras?)\b|ar[aá]ndano|berr(y|ies)\b/i,
  fruit: /fruta|fruit|aguacate|avocado|mango|uva|grape|pl[aá]tano|banana/i,
  fish: /camar|at[uú]n|abul|pulpo|pescad|marisc|callo|erizo|pepino de mar|seafood|shrimp|tuna|fish|abalone/i,
  live: /\bviv[ao]s?\b|\blive\b|langost|lobster|almeja|geoduck/i,
  cucumber: /pepino de mar|sea cucumber/i,
  tequila: /tequila/i,
  mezcal: /mezcal/i,
  drinks: /tequila|mezcal|\bvinos?\b|\bwine|cerveza|licor|spirits/i,
  medical: /m[eé]dic|quir[uú]rg|cat[eé]ter|pr[oó]tesis|surgical/i,
  cars: /autopart|auto parts|llanta|asiento|espejo|faro/i,
  batteries: /bater[ií]a|batter|litio|lithium/i,
} as const;
type Product = keyof typeof PRODUCTS;

interface PaperDefinition {
  /** Groups of products that need the document; if absent, every shipment needs it. */
  readonly for?: readonly Product[];
  /** True if a source says that the document is needed; otherwise the page tells the exporter to ask. */
  readonly isNeeded?: true;
  /** Business days that the issuer takes; absent if no source says it. */
  readonly takes?: number;
  /** Number of days before the cargo cut-off by which the document should be ready, so that the team can check it. */
  readonly daysBefore: number;
  readonly source?: string;
  readonly readOn: string;
}

const readOn = '2026-11-27';

const table = {
  factura: { isNeeded: true, daysBefore: 2, source: 'rcdcomercioexterior.com', readOn },
  empaque: { isNeeded: true, daysBefore: 2, source: 'rcdcomercioexterior.com', readOn },
  pedimento: { isNeeded: true, daysBefore: 1, source: 'rcdcomercioexterior.com', readOn },
  origen: { daysBefore: 2, source: 'idconline.mx 2021-04-28, SE-03-048', readOn },
  fitosanitario: { for: ['berries'], isNeeded: true, daysBefore: 2, source: 'idconline.mx 2018-01-24', readOn },
  listas: { for: ['berries'], isNeeded: true, daysBefore: 10, source: 'GACC 2020-01-09 (wj0379.com)', readOn },
  fruta: { for: ['fruit'], daysBefore: 2, readOn },
  sanitario: {
    for: ['fish', 'live'],
    isNeeded: true,
    takes: 15,
    daysBefore: 2,
    source: 'ventanillamipymes.economia.gob.mx, certificado de sanidad acuícola',
    readOn,
  },
  practicas: {
    for: ['fish', 'live'],
    isNeeded: true,
    daysBefore: 20,
    source: 'ventanillamipymes.economia.gob.mx, certificado de sanidad acuícola',
    readOn,
  },
  pesca: { for: ['fish', 'live'], daysBefore: 2, readOn },
  cuarentena: { for: ['live'], isNeeded: true, daysBefore: 10, source: 'aqsiqchina.com food_99/375', readOn },
  vidasilvestre: { for: ['cucumber'], isNeeded: true, daysBefore: 10, source: 'diariotijuana.com 2018-09-20', readOn },
  gacc: { for: ['fish', 'live'], isNeeded: true, daysBefore: 10, source: 'hantecorg.com 2026-06-05, GACC 280', readOn },
  registro: {
    for: ['berries', 'fruit', 'drinks'],
    daysBefore: 10,
    source: 'hantecorg.com 2026-06-05, GACC 280',
    readOn,
  },
  autenticidad: { for: ['tequila'], daysBefore: 3, source: 'mexicoxport.com', readOn },
  nom: { for: ['tequila'], isNeeded: true, daysBefore: 3, source: 'crt.org.mx, NOM-006-SCFI-2012', readOn },
  mezcal: { for: ['mezcal'], isNeeded: true, daysBefore: 3, source: 'tribuna.ws p=33906, NOM-070-SCFI-2016', readOn },
  libreventa: { for: ['drinks'], takes: 3, daysBefore: 3, source: 'papelea.com jal-coprisjal-37', readOn },
  etiqueta: { for: ['drinks'], isNeeded: true, daysBefore: 5, source: 'ttb.gov PRC; library.regask.com', readOn },
  nmpa: { for: ['medical'], isNeeded: true, daysBefore: 10, source: 'rimsys.io', readOn },
  cofepris: { for: ['medical'], daysBefore: 5, source: 'catalogonacional.gob.mx COFEPRIS-01-019', readOn },
  ccc: { for: ['cars'], daysBefore: 10, source: 'europe.catarctc.com/en/ccc', readOn },
  bateria: { for: ['batteries'], isNeeded: true, daysBefore: 3, source: 'readkong.com 5000151 (IATA 2020)', readOn },
  seguridad: { for: ['batteries'], daysBefore: 3, readOn },
} as const satisfies Record<string, PaperDefinition>;

export type Paper = keyof typeof table;
export const PAPERS: Readonly<Record<Paper, PaperDefinition>> = table;
const NAMES = Object.keys(table) as Paper[];

/** Returns the documents that a shipment needs or may need, in the order of the table. */
export function papersFor(
  { producto = '' }: Pick<Details, 'producto'>,
  quote: Parameters<typeof serviceOf>[0] = {},
): readonly Paper[] {
  const { withoutPapers } = serviceOf(quote);
  return NAMES.filter(
    (name) =>
      !withoutPapers.includes(name) && (PAPERS[name].for?.some((each) => PRODUCTS[each].test(producto)) ?? true),
  );
}

/** True for fresh strawberries: no source says that China allows their import from Mexico. */
export const isUnadmitted = ({ producto = '' }: Pick<Details, 'producto'>): boolean =>
  /\bfresas?\b|strawberr/i.test(producto) && !/congelad|frozen|mermelada|pulpa|jam|pur[eé]|seca|dried/i.test(producto);

/** Schema for an optional text. `z.nullish` would add 400 bytes to each phone's first download. */
const textOrNothing = z.custom<string | null | undefined>(
  (value) => value === null || value === undefined || typeof value === 'string',
);

const factsShape = { papel: z.string(), estado: oneOf(PAPER_STATES), archivo: textOrNothing };

/** State of a document, as a phone reports it. */
export type PaperFacts = Valid<typeof factsShape>;
export const readPaperFacts = (value: unknown): PaperFacts | undefined => readShape(factsShape, value);

const rowShape = { ...factsShape, id: z.string(), pressed_at: z.string(), author_name: textOrNothing };
export type PaperRow = Valid<typeof rowShape>;
export const readPaperRow = (row: unknown): PaperRow | undefined => readShape(rowShape, row);

/** Returns the last reported state of each document, with the last file attached to it. */
export function lastOfEach<State extends PaperFacts>(states: readonly State[]): ReadonlyMap<string, State> {
  const last = new Map<string, State>();
  for (const state of states)
    last.set(state.papel, { ...state, archivo: state.archivo ?? last.get(state.papel)?.archivo });
  return last;
}
