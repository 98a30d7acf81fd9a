/** Service: a way to carry cargo. Its name is a choice of the field `servicio` in `src/content/fields.ts`. */
interface ServiceDefinition {
  /** Number of cubic centimetres that are charged as one kilogram. */
  readonly cubic: number;
  readonly withoutFields: readonly string[];
  readonly withoutPapers: readonly string[];
}

const table = {
  air: { cubic: 6000, withoutFields: [], withoutPapers: [] },
} as const satisfies Record<string, ServiceDefinition>;

export type Service = keyof typeof table;
export const SERVICES = Object.keys(table) as Service[];

export const serviceOf = ({ servicio }: { readonly servicio?: string | undefined }): ServiceDefinition =>
  (table as Readonly<Record<string, ServiceDefinition>>)[servicio ?? ''] ?? table[SERVICES[0]!];
