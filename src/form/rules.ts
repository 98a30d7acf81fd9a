import type { Bilingual } from '../content/bilingual.ts';
import { noticeVersion } from '../config.ts';
import { faultOf } from '../content/field-failures.ts';
import { EVERY_FIELD, FIELDS, type Field, type FieldTexts } from '../lead/fields.ts';
import { serviceOf } from '../lead/services.ts';
import type { Draft } from '../lead/draft.ts';
import type { Quote } from '../lead/quote.ts';
import { readFieldText } from '../lead/field-text.ts';
import { wantsCallBack } from '../phone/call-back.ts';
import { control } from './controls.ts';

export type Faults = Partial<Readonly<Record<Field, Bilingual | undefined>>>;

/** Returns the quote with cleaned values, or a sentence for each invalid field. */
export function check(id: string, values: FieldTexts): { readonly quote: Quote } | { readonly faults: Faults } {
  const clean: Partial<Record<Field, string | number>> = {};
  const faults: Partial<Record<Field, Bilingual | undefined>> = {};
  for (const field of EVERY_FIELD) {
    if (serviceOf(values).withoutFields.includes(field)) continue;
    const read = readFieldText(field, values[field]);
    if ('failure' in read) faults[field] = faultOf(field, values[field]);
    else if (read.value !== undefined) clean[field] = read.value;
  }
  return firstFault(faults) ? { faults } : { quote: { id, ...clean } as Quote };
}

/** Checks the form's values. Returns the faults, or the quote with the draft's id and the state of the checkboxes. */
export function judge(
  form: HTMLFormElement,
  { id, values, reemplaza }: Pick<Draft, 'id' | 'values' | 'reemplaza'>,
): { readonly quote: Quote } | { readonly faults: Faults } {
  const result = check(id, values);
  if ('faults' in result) return result;
  const quote: Quote = {
    ...result.quote,
    ...(control(form, 'promociones').checked && { promociones: true }),
    ...(wantsCallBack.read() && { llamada: true }),
    ...(reemplaza && { reemplaza }),
    ...(noticeVersion && { aviso: noticeVersion }),
  };
  return { quote };
}

export function firstFault(faults: Faults): Field | undefined {
  return FIELDS.find((field) => faults[field]);
}
