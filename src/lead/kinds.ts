/** Papers that may go with a shipment. */
export const DOCUMENTS = [
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

/** A kind of quote: a way to carry cargo. Its name is in `src/content/fields.ts`, as a choice of the field `servicio`. */
interface Definition {
  /** Cubic centimetres that are charged as one kilo. */
  readonly cubic: number;
  readonly papers: readonly Document[];
  /** Fields of the form that this kind does not ask for. */
  readonly without: readonly string[];
}

const table = {
  air: { cubic: 6000, papers: DOCUMENTS, without: [] },
} as const satisfies Record<string, Definition>;

export type Kind = keyof typeof table;
export const KINDS = Object.keys(table) as Kind[];

/** The kind of a quote: the first one, unless the quote says another. */
export const kindOf = ({ servicio }: { readonly servicio?: string | undefined }): Definition =>
  (table as Readonly<Record<string, Definition>>)[servicio ?? ''] ?? table[KINDS[0]!];
