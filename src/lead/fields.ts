import { KINDS } from './kinds.ts';

/** A field of the form. Its words are in `src/content/fields.ts`. */
export interface Definition {
  /** Most characters: at most 500 in an optional field. */
  readonly longest?: number;
  /** Highest number of a field that is a number from 1 on. */
  readonly most?: number;
  readonly choices?: readonly string[];
  /** Kept in the JSON column `quotes.more`, with no change of the database. Required fields are the contract's columns. */
  readonly optional?: true;
  readonly lowerCase?: boolean;
  /** The form accepts a text that fits this. */
  readonly shape?: RegExp;
  /** And asks about one that fits this, because it can be meant two ways. */
  readonly unclear?: RegExp;
  /** The last look before a send, where that something is written is not enough. */
  readonly guard?: RegExp;
  /** Attributes for the phone: which keyboard it shows, and what it may fill in. */
  readonly input?: {
    readonly type?: string;
    readonly inputMode?: 'email' | 'numeric' | 'tel';
    readonly autoComplete: string;
    readonly autoCapitalize?: 'none' | 'words';
  };
}

/** The fields of a quote, each under its name on the wire, in the order of the form. */
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
    // 7 to 15 characters, not counting those that only divide them.
    shape: /^([\s().-]*[^\s().-]){7,15}[\s().-]*$/,
    input: { type: 'tel', inputMode: 'tel', autoComplete: 'tel' },
  },
  peso: {
    most: 1_000_000,
    // Digits may be grouped as people write them (12,500 or 12 500 or 12.500,5), a unit may follow, and not all are zeros.
    shape:
      /^(?=.*[1-9])((\d+|[1-9]\d{0,2}([\s,]\d{3})+)(\.\d+)?|0,\d{3}|[1-9]\d{0,2}(\.\d{3})+(,\d+|\.\d{3}))\s*((kgs?|kilos?|kilogramos?)\.?)?$/i,
    // 1.500 is one and a half in Mexico, and fifteen hundred to many who write so; 0,500 is a half to them.
    unclear: /^([1-9]\d{0,2}\.|0,)\d{3}(?![\d.,])/,
    input: { type: 'text', inputMode: 'numeric', autoComplete: 'on' },
  },
  tipo_carga: { choices: ['general', 'perecederos', 'especial'] },
  servicio: { choices: KINDS, optional: true },
} as const satisfies Record<string, Definition>;

export type Fields = typeof table;

/** Text that each field accepts, for tests. Apart from the rows, which phones load. */
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

/** The values of a quote, field by field. */
export type Values = { readonly [Name in Exclude<Field, Optional>]: Value<Fields[Name]> } & {
  readonly [Name in Optional]?: Value<Fields[Name]>;
};

/** The values in the form, field by field. */
export type Written = Readonly<Record<Field, string>>;

export const fields: Readonly<Record<Field, Definition>> = table;
/** All fields, asked or not. */
export const EVERY_FIELD = Object.keys(table) as Field[];
/** The only choice of a field, which is then not asked. */
export const onlyChoice = (field: Field): string | undefined =>
  fields[field].choices?.length === 1 ? fields[field].choices[0] : undefined;
/** Fields that a person fills in and reads. */
export const FIELDS = EVERY_FIELD.filter((field) => !onlyChoice(field));
/** The contract's six fields, which are columns of `quotes`. */
export const REQUIRED = FIELDS.filter((field) => !fields[field].optional);
/** A weight in whole kilos, as an offer has it. */
export const isKilos = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= table.peso.most;
export const OPTIONAL = FIELDS.filter((field) => fields[field].optional);
/** Who asks; what is shipped is another matter each time. */
export const CONTACT_FIELDS = ['nombre', 'empresa', 'email', 'telefono'] as const satisfies Field[];

/** A record with a value for each field. */
export function byField<Each>(valueOf: (field: Field) => Each): Record<Field, Each> {
  return Object.fromEntries(EVERY_FIELD.map((field) => [field, valueOf(field)])) as Record<Field, Each>;
}
