import { z } from 'zod/mini';
import type { Bilingual } from '../content/bilingual.ts';
import { ruleFailures } from '../content/failures.ts';
import { byField, fields, FIELDS, type Field, type Fields } from './fields.ts';
import type { Quote } from './quote.ts';

type Failure = 'missing' | 'invalid' | 'unclear' | 'long' | 'high';

/** The faults that a field can have: for each of these the content has a sentence. */
type FailureOf<Row> =
  | 'missing'
  | (Row extends { shape: RegExp } | { choices: readonly string[] } ? 'invalid' : never)
  | (Row extends { longest: number } ? 'long' : never)
  | (Row extends { most: number } ? 'high' : never);

const sentences: { readonly [Name in Field]: Readonly<Record<FailureOf<Fields[Name]>, Bilingual>> } = ruleFailures;

/** zod carries the name of a sentence; the sentence itself is content. */
const failsAs = (failure: Failure) => failure;

function readNumber(written: string): number {
  const plain = written.replaceAll(/[^\d.,]/g, '').replace(/\.$/, '');
  // A point that another mark follows is no decimal point.
  const pointsGroup = /\..*[.,]/.test(plain);
  return Number(pointsGroup ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''));
}

function rule(field: Field) {
  const { longest = Infinity, most = Infinity, choices, lowerCase, shape, unclear } = fields[field];
  return z.string().check(
    lowerCase ? z.toLowerCase() : z.trim(),
    z.trim(),
    z.minLength(1, failsAs('missing')),
    z.refine((written) => (choices ? choices.includes(written) : !shape || shape.test(written)), failsAs('invalid')),
    z.refine((written) => !unclear?.test(written), failsAs('unclear')),
    z.maxLength(longest, failsAs('long')),
    z.refine((written) => !(readNumber(written) > most), failsAs('high')),
  );
}

/** The rules of the form (docs/product.md). */
const rules = byField(rule);

export type Values = Readonly<Record<Field, string>>;
export type Faults = Partial<Readonly<Record<Field, Bilingual | undefined>>>;

/** The sentence for a field that is not right. */
export function faultOf(field: Field, written: string): Bilingual | undefined {
  const { error } = rules[field].safeParse(written);
  const failure = error?.issues[0]!.message;
  if (failure === 'unclear') return ruleFailures.peso.unclear(...bothReadings(written));
  return failure ? (sentences[field] as unknown as Record<string, Bilingual>)[failure] : undefined;
}

/** Without marks, as one has to write what is meant: the point grouped, or it divided. */
function bothReadings(written: string): [grouped: string, divided: string] {
  const plain = written.replaceAll(/[^\d.]/g, '').replace(/\.$/, '');
  return [plain.replace('.', ''), String(Number(plain))];
}

/** The clean quote, or one sentence for each field that is not right. */
export function check(id: string, values: Values): { readonly quote: Quote } | { readonly faults: Faults } {
  const clean: Partial<Record<Field, string | number>> = {};
  const faults: Partial<Record<Field, Bilingual | undefined>> = {};
  for (const field of FIELDS) {
    const fault = faultOf(field, values[field]);
    if (fault) faults[field] = fault;
    else {
      const data = rules[field].parse(values[field]);
      // Whole kilos, and a load under one is still a load.
      clean[field] = fields[field].most ? Math.max(1, Math.round(readNumber(data))) : data;
    }
  }
  return firstFault(faults) ? { faults } : { quote: { id, ...clean } as Quote };
}

export function firstFault(faults: Faults): Field | undefined {
  return FIELDS.find((field) => faults[field]);
}
