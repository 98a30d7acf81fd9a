import { SERVICES } from './services.ts';

/** Field of the form. Its label is in `src/content/fields.ts`. */
export interface FieldDefinition {
  readonly longest?: number;
  readonly most?: number;
  readonly choices?: readonly string[];
  /**
   * True for a field that is stored in the JSON column `quotes.more`: adding such a field needs no migration. Each
   * required field has a column of its own.
   */
  readonly optional?: true;
  readonly lowerCase?: boolean;
  readonly shape?: RegExp;
  /** Pattern of a text with two possible meanings; the form then asks which one is meant. */
  readonly unclear?: RegExp;
  /** Pattern for the last check before a quote is sent; without a pattern, any visible text passes. */
  readonly guard?: RegExp;
  readonly input?: {
    readonly type?: string;
    readonly inputMode?: 'email' | 'numeric' | 'tel';
    readonly autoComplete: string;
    readonly autoCapitalize?: 'none' | 'words';
  };
}

const table = {
  nombre: { longest: 100, input: { autoComplete: 'name', autoCapitalize: 'words' } },
  empresa: {
    longest: 100,
    input: { autoComplete: 'organization', autoCapitalize: 'words' },
  },
  email: {
    longest: 100,
    lowerCase: true,
    shape: /^[^\s@]+@[^\s@]+\.[^\s@]+$/,
    guard: /@/,
    input: { type: 'email', inputMode: 'email', autoComplete: 'email', autoCapitalize: 'none' },
  },
  telefono: {
    longest: 20,
    // Telephone number: 7 to 15 characters besides the separators.
    shape: /^([\s().-]*[^\s().-]){7,15}[\s().-]*$/,
    input: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  },
  peso: {
    most: 1_000_000,
    // Weight: digits grouped in any usual way (12,500 or 12 500 or 12.500,5), an optional unit, and at least one digit
    // above zero.
    shape:
      /^(?=.*[1-9])((\d+|[1-9]\d{0,2}([\s,]\d{3})+)(\.\d+)?|0,\d{3}|[1-9]\d{0,2}(\.\d{3})+(,\d+|\.\d{3}))\s*((kgs?|kilos?|kilogramos?)\.?)?$/i,
    // Ambiguous weights, about which the form asks: 1.500 means one and a half in Mexico, but 1500 in other countries.
    // The comma in 0,500 may be a decimal comma: half a kilo.
    unclear: /^([1-9]\d{0,2}\.|0,)\d{3}(?![\d.,])/,
    input: { type: 'text', inputMode: 'numeric', autoComplete: 'on' },
  },
  tipo_carga: { choices: ['general', 'perecederos', 'especial'] },
  servicio: { choices: SERVICES, optional: true },
} as const satisfies Record<string, FieldDefinition>;

export type Fields = typeof table;

/** Valid text for each field, used by tests. Not part of `fields`, because phones download `fields`. */
export const SAMPLES: Readonly<Record<Field, string>> = {
  nombre: 'María Núñez',
  empresa: 'Berries del Valle',
  email: 'maria@berries.mx',
  telefono: '+52 (664) 555-0175',
  peso: '1200',
  tipo_carga: 'perecederos',
  servicio: 'air',
};
export type Field = keyof Fields;

type Value<Row> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly most: number }
    ? number
    : string;

export type Optional = { [Name in Field]: Fields[Name] extends { readonly optional: true } ? Name : never }[Field];

export type Values = { readonly [Name in Exclude<Field, Optional>]: Value<Fields[Name]> } & {
  readonly [Name in Optional]?: Value<Fields[Name]>;
};

export type FieldTexts = Readonly<Record<Field, string>>;

export const fields: Readonly<Record<Field, FieldDefinition>> = table;
export const EVERY_FIELD = Object.keys(table) as Field[];
export const onlyChoice = (field: Field): string | undefined =>
  fields[field].choices?.length === 1 ? fields[field].choices[0] : undefined;
export const FIELDS = EVERY_FIELD.filter((field) => !onlyChoice(field));
export const REQUIRED = FIELDS.filter((field) => !fields[field].optional);
export const isKilos = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= table.peso.most;
export const OPTIONAL = FIELDS.filter((field) => fields[field].optional);
export const CONTACT_FIELDS = ['nombre', 'empresa', 'email', 'telefono'] as const satisfies Field[];

export function byField<Each>(valueOf: (field: Field) => Each): Record<Field, Each> {
  return Object.fromEntries(EVERY_FIELD.map((field) => [field, valueOf(field)])) as Record<Field, Each>;
}
