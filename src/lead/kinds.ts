/** A kind of quote: a way to carry cargo. Its name is in `src/content/fields.ts`, as a choice of the field `servicio`. */
interface Definition {
  /** Cubic centimetres that are charged as one kilo. */
  readonly cubic: number;
  /** Fields of the form that are not asked. */
  readonly without: readonly string[];
  /** Papers that are not needed. */
  readonly withoutPapers: readonly string[];
}

const table = {
  air: { cubic: 6000, without: [], withoutPapers: [] },
} as const satisfies Record<string, Definition>;

export type Kind = keyof typeof table;
export const KINDS = Object.keys(table) as Kind[];

/** The kind of a quote: the first one, unless the quote says another. */
export const kindOf = ({ servicio }: { readonly servicio?: string | undefined }): Definition =>
  (table as Readonly<Record<string, Definition>>)[servicio ?? ''] ?? table[KINDS[0]!];
