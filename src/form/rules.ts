import type { Bilingual } from '../content/bilingual.ts';
import { ruleFailures } from '../content/rule-failures.ts';
import { FIELDS, type Field, type Fields, type Written } from '../lead/fields.ts';
import type { Draft } from '../lead/draft.ts';
import type { Quote } from '../lead/quote.ts';
import { bothReadings, readWritten } from '../lead/written.ts';
import { wantsCallBack } from '../notices/call-back.ts';
import { control } from './controls.ts';

/** The faults that a field can have: for each of these the content has a sentence. */
type FailureOf<Row> =
  | 'missing'
  | (Row extends { shape: RegExp } | { choices: readonly string[] } ? 'invalid' : never)
  | (Row extends { longest: number } ? 'long' : never)
  | (Row extends { most: number } ? 'high' : never);

const sentences: { readonly [Name in Field]: Readonly<Record<FailureOf<Fields[Name]>, Bilingual>> } = ruleFailures;

export type Faults = Partial<Readonly<Record<Field, Bilingual | undefined>>>;

/** The sentence for a field that is not right. */
export function faultOf(field: Field, written: string): Bilingual | undefined {
  const read = readWritten(field, written);
  if (!('failure' in read)) return undefined;
  if (read.failure === 'unclear') return ruleFailures.peso.unclear(...bothReadings(written));
  return (sentences[field] as unknown as Record<string, Bilingual>)[read.failure];
}

/** The clean quote, or one sentence for each field that is not right. */
export function check(id: string, values: Written): { readonly quote: Quote } | { readonly faults: Faults } {
  const clean: Partial<Record<Field, string | number>> = {};
  const faults: Partial<Record<Field, Bilingual | undefined>> = {};
  for (const field of FIELDS) {
    const read = readWritten(field, values[field]);
    if ('value' in read) clean[field] = read.value;
    else faults[field] = faultOf(field, values[field]);
  }
  return firstFault(faults) ? { faults } : { quote: { id, ...clean } as Quote };
}

/** Judges the values in the form: the quote, under the id of its draft, or the faults. */
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
  };
  return { quote };
}

export function firstFault(faults: Faults): Field | undefined {
  return FIELDS.find((field) => faults[field]);
}
