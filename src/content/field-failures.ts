import type { Field, Fields } from '../lead/fields.ts';
import { bothReadings, readFieldText, type FieldFault } from '../lead/field-text.ts';
import { englishWords, spanishWords, type Bilingual } from './bilingual.ts';

/**
 * Texts about invalid values, with wording fixed by the specification (docs/product.md). They are in a separate file,
 * because the form needs them before the file with the labels is loaded.
 */
const fieldFailures = {
  nombre: {
    missing: { es: 'Nombre es requerido', en: 'Name is required' },
    long: { es: 'Nombre no debe pasar de 100 caracteres', en: 'Name must be at most 100 characters' },
  },
  empresa: {
    missing: { es: 'Empresa es requerida', en: 'Company is required' },
    long: { es: 'Empresa no debe pasar de 100 caracteres', en: 'Company must be at most 100 characters' },
  },
  email: {
    missing: { es: 'Email es requerido', en: 'E-mail is required' },
    invalid: { es: 'Email debe tener un formato valido', en: 'E-mail must have a valid form' },
    long: { es: 'Email no debe pasar de 100 caracteres', en: 'E-mail must be at most 100 characters' },
  },
  telefono: {
    missing: { es: 'Telefono es requerido', en: 'Phone is required' },
    invalid: { es: 'Telefono debe tener entre 7 y 15 digitos', en: 'Phone must have 7 to 15 digits' },
    long: { es: 'Telefono no debe pasar de 20 caracteres', en: 'Phone must be at most 20 characters' },
  },
  peso: {
    missing: { es: 'Peso es requerido', en: 'Weight is required' },
    invalid: { es: 'Peso debe ser un numero mayor a 0', en: 'Weight must be a number above 0' },
    unclear: (grouped: string, divided: string): Bilingual => ({
      es: `¿${Number(grouped).toLocaleString('es-MX')}\u00a0kg o ${divided}\u00a0kg? Escriba ${grouped} o ${divided}`,
      en: `${Number(grouped).toLocaleString('en')}\u00a0kg or ${divided}\u00a0kg? Write ${grouped} or ${divided}`,
    }),
    high: { es: 'Peso parece demasiado alto, verifica el valor', en: 'Weight looks too high, check the value' },
  },
  tipo_carga: {
    missing: { es: 'Tipo de carga es requerido', en: 'Type of cargo is required' },
    invalid: { es: 'Tipo de carga debe ser valido', en: 'Type of cargo must be valid' },
  },
  servicio: { invalid: { es: 'Servicio debe ser válido', en: 'Service must be valid' } },
} satisfies {
  readonly [Name in Field]: Readonly<Record<FailureOf<Fields[Name]>, Bilingual>> & {
    readonly unclear?: (grouped: string, divided: string) => Bilingual;
  };
};

/** Failures that a field can have, derived from its definition. */
type FailureOf<Row> =
  | (Row extends { optional: true } ? never : 'missing')
  | (Row extends { shape: RegExp } | { choices: readonly string[] } ? 'invalid' : never)
  | (Row extends { longest: number } ? 'long' : never)
  | (Row extends { most: number } ? 'high' : never);

/** Returns the sentence about the fault in a typed text; undefined if the text is valid. */
export function faultOf(field: Field, text: string): Bilingual | undefined {
  const read = readFieldText(field, text);
  if (!('failure' in read)) return undefined;
  if (read.failure === 'unclear') return fieldFailures.peso.unclear(...bothReadings(text));
  return failureOf(field, read.failure);
}

/**
 * Returns the sentence about a fault. For an 'unclear' value, `faultOf` makes the sentence, because it repeats the
 * value.
 */
export const failureOf = (field: Field, failure: Exclude<FieldFault, 'unclear'>): Bilingual =>
  (fieldFailures[field] as Partial<Record<FieldFault, Bilingual>>)[failure]!;

export const validationFailure = (fault: Bilingual): Bilingual => ({
  es: `Error de validacion: ${spanishWords(fault)}`,
  en: `Please check: ${englishWords(fault)}`,
});
