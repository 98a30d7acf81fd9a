import type { Field, Fields } from '../lead/fields.ts';
import { mainWords, type Bilingual } from './bilingual.ts';

/** Words of a field. */
export interface FieldWords {
  readonly label: Bilingual;
  readonly hint?: Bilingual;
  readonly placeholder?: string;
  readonly choices?: Readonly<Record<string, Bilingual>>;
  /** Sentences about a value that the form does not take. The one for a long text follows from the label. */
  readonly missing?: Bilingual;
  readonly invalid?: Bilingual;
  readonly high?: Bilingual;
  readonly unclear?: (grouped: string, divided: string) => Bilingual;
}

/** Sentences that a field needs, by the bounds in its row. */
type Words<Row> = FieldWords &
  (Row extends { optional: true } ? unknown : { missing: Bilingual }) &
  (Row extends { shape: RegExp } | { choices: readonly string[] } ? { invalid: Bilingual } : unknown) &
  (Row extends { most: number } ? { high: Bilingual } : unknown) &
  (Row extends { unclear: RegExp } ? Required<Pick<FieldWords, 'unclear'>> : unknown) &
  (Row extends { choices: readonly (infer Choice extends string)[] }
    ? { choices: Readonly<Record<Choice, Bilingual>> }
    : unknown);

/** The failures of the six are literal (docs/product.md). */
export const fieldWords: { readonly [Name in Field]: Words<Fields[Name]> } = {
  nombre: {
    label: { es: 'Nombre', en: 'Name' },
    missing: { es: 'Nombre es requerido', en: 'Name is required' },
  },
  empresa: {
    label: { es: 'Empresa', en: 'Company' },
    missing: { es: 'Empresa es requerida', en: 'Company is required' },
  },
  email: {
    label: { es: 'Email', en: 'E-mail' },
    placeholder: 'nombre@empresa.mx',
    missing: { es: 'Email es requerido', en: 'E-mail is required' },
    invalid: { es: 'Email debe tener un formato valido', en: 'E-mail must have a valid form' },
  },
  telefono: {
    label: { es: 'Teléfono', en: 'Phone' },
    hint: { es: '+52 México', en: '+52 Mexico' },
    placeholder: 'Clave de país y número',
    missing: { es: 'Telefono es requerido', en: 'Phone is required' },
    invalid: { es: 'Telefono debe tener entre 7 y 15 digitos', en: 'Phone must have 7 to 15 digits' },
  },
  peso: {
    label: { es: 'Peso en kg por mes', en: 'Weight in kg per month' },
    placeholder: '1,500',
    missing: { es: 'Peso es requerido', en: 'Weight is required' },
    invalid: { es: 'Peso debe ser un numero mayor a 0', en: 'Weight must be a number above 0' },
    unclear: (grouped, divided) => ({
      es: `¿${Number(grouped).toLocaleString('es-MX')}\u00a0kg o ${divided}\u00a0kg? Escriba ${grouped} o ${divided}`,
      en: `${Number(grouped).toLocaleString('en')}\u00a0kg or ${divided}\u00a0kg? Write ${grouped} or ${divided}`,
    }),
    high: { es: 'Peso parece demasiado alto, verifica el valor', en: 'Weight looks too high, check the value' },
  },
  tipo_carga: {
    label: { es: 'Tipo de carga', en: 'Type of cargo' },
    choices: {
      general: { es: 'General', en: 'General' },
      perecederos: { es: 'Perecederos', en: 'Perishables' },
      especial: { es: 'Especial', en: 'Special' },
    },
    missing: { es: 'Tipo de carga es requerido', en: 'Type of cargo is required' },
    invalid: { es: 'Tipo de carga debe ser valido', en: 'Type of cargo must be valid' },
  },
  servicio: {
    label: { es: 'Servicio', en: 'Service' },
    choices: { air: { es: 'Aéreo', en: 'Air' } },
    invalid: { es: 'Servicio debe ser válido', en: 'Service must be valid' },
  },
};

/** Sentences of the last look before a send, with accents. Literal (docs/product.md). */
export const guardFailures: Partial<Readonly<Record<Field, Bilingual>>> = {
  nombre: { es: 'Nombre es requerido', en: 'Name is required' },
  empresa: { es: 'Empresa es requerida', en: 'Company is required' },
  email: { es: 'Email válido es requerido', en: 'A valid e-mail is required' },
  telefono: { es: 'Teléfono es requerido', en: 'Phone is required' },
  peso: { es: 'Peso debe ser mayor a 0', en: 'Weight must be above 0' },
  tipo_carga: { es: 'Tipo de carga debe ser válido', en: 'Type of cargo must be valid' },
};

/** Value of a field as it is shown and handed over: a choice by its word. */
export function valueInWords(field: Field, value: string | number): string {
  const choice = (fieldWords[field] as FieldWords).choices?.[value];
  return choice ? mainWords(choice) : String(value);
}
