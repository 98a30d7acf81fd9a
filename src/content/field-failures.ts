import { fields, type Field } from '../lead/fields.ts';
import { bothReadings, readWritten, type Failure } from '../lead/written.ts';
import type { Bilingual } from './bilingual.ts';
import { fieldWords, type FieldWords } from './fields.ts';

/** Sentence about what is written in a field; undefined if it is right. */
export function faultOf(field: Field, written: string): Bilingual | undefined {
  const read = readWritten(field, written);
  if (!('failure' in read)) return undefined;
  return read.failure === 'unclear'
    ? fieldWords.peso.unclear(...bothReadings(written))
    : failureOf(field, read.failure);
}

/** Sentence about a failure that needs no value. */
export function failureOf(field: Field, failure: Exclude<Failure, 'unclear'>): Bilingual {
  const { label, missing, invalid, high }: FieldWords = fieldWords[field];
  const { longest } = fields[field];
  const long: Bilingual = {
    // The specification writes the name of a field without its accent.
    es: `${label.es.replace('é', 'e')} no debe pasar de ${longest} caracteres`,
    en: `${label.en} must be at most ${longest} characters`,
  };
  return { missing, invalid, high, long }[failure]!;
}

export function validationFailure(first: Bilingual): Bilingual {
  return { es: `Error de validacion: ${first.es}`, en: `Please check: ${first.en}` };
}
