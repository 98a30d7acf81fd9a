import type { Field, Fields } from '../lead/fields.ts';
import { mainWords, type Bilingual } from './bilingual.ts';

export interface FieldWords {
  readonly label: Bilingual;
  readonly hint?: Bilingual;
  readonly placeholder?: string;
  readonly choices?: Readonly<Record<string, Bilingual>>;
}

export const fieldWords = {
  nombre: { label: { es: 'Nombre', en: 'Name' } },
  empresa: { label: { es: 'Empresa', en: 'Company' } },
  email: { label: { es: 'Email', en: 'E-mail' }, placeholder: 'nombre@empresa.mx' },
  telefono: {
    label: { es: 'Teléfono', en: 'Phone' },
    hint: { es: '+52 México', en: '+52 Mexico' },
    placeholder: 'Clave de país y número',
  },
  peso: { label: { es: 'Peso en kg por mes', en: 'Weight in kg per month' }, placeholder: '1,500' },
  tipo_carga: {
    label: { es: 'Tipo de carga', en: 'Type of cargo' },
    choices: {
      general: { es: 'General', en: 'General' },
      perecederos: { es: 'Perecederos', en: 'Perishables' },
      especial: { es: 'Especial', en: 'Special' },
    },
  },
  servicio: { label: { es: 'Servicio', en: 'Service' }, choices: { air: { es: 'Aéreo', en: 'Air' } } },
} satisfies { readonly [Name in Field]: FieldWords & ChoicesOf<Fields[Name]> };

/** Type that requires a name in both languages for each choice of a field. */
type ChoicesOf<Row> = Row extends { choices: readonly (infer Choice extends string)[] }
  ? { choices: Readonly<Record<Choice, Bilingual>> }
  : unknown;

/** Sentences of the last check before a quote is sent. The specification fixes their wording (docs/product.md). */
export const guardFailures: Partial<Readonly<Record<Field, Bilingual>>> = {
  nombre: { es: 'Nombre es requerido', en: 'Name is required' },
  empresa: { es: 'Empresa es requerida', en: 'Company is required' },
  email: { es: 'Email válido es requerido', en: 'A valid e-mail is required' },
  telefono: { es: 'Teléfono es requerido', en: 'Phone is required' },
  peso: { es: 'Peso debe ser mayor a 0', en: 'Weight must be above 0' },
  tipo_carga: { es: 'Tipo de carga debe ser válido', en: 'Type of cargo must be valid' },
};

/** Returns a field's value as it is shown; a choice is shown by its name. */
export function valueInWords(field: Field, value: string | number): string {
  const choice = (fieldWords[field] as FieldWords).choices?.[value];
  return choice ? mainWords(choice) : String(value);
}
