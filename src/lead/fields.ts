/** A field, but for its words, which are in `src/content`. */
interface Definition {
  /** The most characters, in the form and in the column. */
  readonly longest?: number;
  /** The field is a number of 1 up to this one, in the form and in the column. */
  readonly most?: number;
  /** The field is one of these, in the form and in the column. */
  readonly choices?: readonly string[];
  readonly lowerCase?: boolean;
  /** The form accepts a text that fits this. */
  readonly shape?: RegExp;
  /** And asks about one that fits this, because it can be meant two ways. */
  readonly unclear?: RegExp;
  /** The last look before a send, where that something is written is not enough. */
  readonly guard?: RegExp;
  /** The value for quotes that an older release left on the phone, without the field: the default of its column. */
  readonly earlier?: string;
  /** Attributes for the phone: which keyboard it shows, and what it may fill in. */
  readonly input?: {
    readonly type?: string;
    readonly inputMode?: 'email' | 'numeric' | 'tel';
    readonly autoComplete: string;
    readonly autoCapitalize?: 'none' | 'words';
  };
}

/** The fields of a quote, each under the name of its column, in the order of the form. */
const table = {
  nombre: { longest: 100, input: { autoComplete: 'name', autoCapitalize: 'words' } },
  empresa: { longest: 100, input: { autoComplete: 'organization', autoCapitalize: 'words' } },
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
} as const satisfies Record<string, Definition>;

export type Fields = typeof table;
export type Field = keyof Fields;

type Value<Row> = Row extends { readonly choices: readonly (infer Choice)[] }
  ? Choice
  : Row extends { readonly most: number }
    ? number
    : string;

/** The values of a quote, field by field. */
export type Columns = { readonly [Name in Field]: Value<Fields[Name]> };

/** The values in the form, field by field. */
export type Written = Readonly<Record<Field, string>>;

export const fields: Readonly<Record<Field, Definition>> = table;
export const FIELDS = Object.keys(table) as Field[];
/** A weight in whole kilos, as an offer has it. */
export const isKilos = (text: string): boolean => /^[1-9]\d*$/.test(text) && Number(text) <= table.peso.most;
/** Who asks; what is shipped is another matter each time. */
export const CONTACT_FIELDS = ['nombre', 'empresa', 'email', 'telefono'] as const satisfies Field[];

/** A record with a value for each field. */
export function byField<Each>(valueOf: (field: Field) => Each): Record<Field, Each> {
  return Object.fromEntries(FIELDS.map((field) => [field, valueOf(field)])) as Record<Field, Each>;
}
