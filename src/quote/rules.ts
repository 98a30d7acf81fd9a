import { z } from 'zod/mini';
import type { Bilingual } from '../content/bilingual.ts';
import { ruleFailures } from '../content/failures.ts';
import { fields, FIELDS, type Field, type Fields } from './fields.ts';
import type { Quote } from './quote.ts';

type Failure = 'missing' | 'invalid' | 'long' | 'high';

/** What can be wrong with a field: for each of these the content has a sentence. */
type FailureOf<Row> =
  | 'missing'
  | (Row extends { shape: RegExp } | { choices: readonly string[] } ? 'invalid' : never)
  | (Row extends { longest: number } ? 'long' : never)
  | (Row extends { most: number } ? 'high' : never);

const sentences: { readonly [Name in Field]: Readonly<Record<FailureOf<Fields[Name]>, Bilingual>> } = ruleFailures;

/** zod carries the name of a sentence; the sentence itself is content. */
const says = (failure: Failure) => failure;

const readNumber = (written: string) => Number(written.replaceAll(/[ ,]/g, ''));

function rule(field: Field) {
  const { longest = Infinity, most = Infinity, choices, lowerCase, shape } = fields[field];
  return z.string().check(
    lowerCase ? z.toLowerCase() : z.trim(),
    z.trim(),
    z.minLength(1, says('missing')),
    z.refine((written) => (choices ? choices.includes(written) : !shape || shape.test(written)), says('invalid')),
    z.maxLength(longest, says('long')),
    z.refine((written) => !(readNumber(written) > most), says('high')),
  );
}

/** The rules of the form, each in the order in which it is told (docs/product.md). */
const form = z.object(Object.fromEntries(FIELDS.map((field) => [field, rule(field)])));

export type Values = Readonly<Record<Field, string>>;
export type Faults = Partial<Readonly<Record<Field, Bilingual>>>;

/** The clean quote, or one sentence for each field that is not right. */
export function check(id: string, values: Values): { readonly quote: Quote } | { readonly faults: Faults } {
  const { data, error } = form.safeParse(values);
  if (data) {
    // Whole kilos, and a load under one is still a load.
    const clean = (field: Field) =>
      fields[field].most ? Math.max(1, Math.round(readNumber(data[field]!))) : data[field]!;
    return { quote: { id, ...Object.fromEntries(FIELDS.map((field) => [field, clean(field)])) } as Quote };
  }
  const faults: Partial<Record<Field, Bilingual>> = {};
  for (const { path, message } of error.issues) {
    const field = path[0] as Field;
    faults[field] ??= (sentences[field] as Record<string, Bilingual>)[message]!;
  }
  return { faults };
}

export function firstFault(faults: Faults): Field | undefined {
  return FIELDS.find((field) => faults[field]);
}
