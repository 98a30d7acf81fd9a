/** A way to carry cargo. Its name is in `src/content/fields.ts`, as a choice of the field `servicio`. */
interface Definition {
  /** Cubic centimetres that are charged as one kilo. */
  readonly cubic: number;
  readonly without: readonly string[];
  readonly withoutPapers: readonly string[];
}

const table = {
  air: { cubic: 6000, without: [], withoutPapers: [] },
} as const satisfies Record<string, Definition>;

export type Kind = keyof typeof table;
export const KINDS = Object.keys(table) as Kind[];

export const kindOf = ({ servicio }: { readonly servicio?: string | undefined }): Definition =>
  (table as Readonly<Record<string, Definition>>)[servicio ?? ''] ?? table[KINDS[0]!];
