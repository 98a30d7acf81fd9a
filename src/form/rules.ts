import type { Bilingual } from '../content/bilingual.ts';
import { ruleFailures } from '../content/failures.ts';
import { isSeen } from '../lead/bounds.ts';
import { fields, FIELDS, type Field, type Fields, type Written } from '../lead/fields.ts';
import type { Quote } from '../lead/quote.ts';

type Failure = 'missing' | 'invalid' | 'unclear' | 'long' | 'high';

/** The faults that a field can have: for each of these the content has a sentence. */
type FailureOf<Row> =
  | 'missing'
  | (Row extends { shape: RegExp } | { choices: readonly string[] } ? 'invalid' : never)
  | (Row extends { longest: number } ? 'long' : never)
  | (Row extends { most: number } ? 'high' : never);

const sentences: { readonly [Name in Field]: Readonly<Record<FailureOf<Fields[Name]>, Bilingual>> } = ruleFailures;

function readNumber(written: string): number {
  const plain = written.replaceAll(/[^\d.,]/g, '').replace(/\.$/, '');
  // A point that another mark follows is no decimal point.
  const pointsGroup = /\..*[.,]/.test(plain);
  return Number(pointsGroup ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''));
}

/** What the form makes of what was written, and the first thing that is not right with it (docs/product.md). */
function read(field: Field, written: string): { readonly text: string; readonly failure: Failure | undefined } {
  const { longest = Infinity, most = Infinity, choices, lowerCase, shape, unclear } = fields[field];
  const text = (lowerCase ? written.toLowerCase() : written).trim();
  const failures: Record<Failure, boolean | undefined> = {
    missing: !isSeen(text),
    invalid: choices ? !choices.includes(text) : shape && !shape.test(text),
    unclear: unclear?.test(text),
    long: text.length > longest,
    high: readNumber(text) > most,
  };
  return { text, failure: (Object.keys(failures) as Failure[]).find((name) => failures[name]) };
}

export type Faults = Partial<Readonly<Record<Field, Bilingual | undefined>>>;

/** The sentence for a field that is not right. */
export function faultOf(field: Field, written: string): Bilingual | undefined {
  const { failure } = read(field, written);
  if (failure === 'unclear') return ruleFailures.peso.unclear(...bothReadings(written));
  return failure ? (sentences[field] as unknown as Record<string, Bilingual>)[failure] : undefined;
}

/** Without marks, as one has to write what is meant: the point grouped, or it divided. */
function bothReadings(written: string): [grouped: string, divided: string] {
  const plain = written.replaceAll(/[^\d.]/g, '').replace(/\.$/, '');
  return [plain.replace('.', ''), String(Number(plain))];
}

/** The clean quote, or one sentence for each field that is not right. */
export function check(id: string, values: Written): { readonly quote: Quote } | { readonly faults: Faults } {
  const clean: Partial<Record<Field, string | number>> = {};
  const faults: Partial<Record<Field, Bilingual | undefined>> = {};
  for (const field of FIELDS) {
    const fault = faultOf(field, values[field]);
    if (fault) faults[field] = fault;
    else {
      const { text } = read(field, values[field]);
      // Whole kilos, and a load under one is still a load.
      clean[field] = fields[field].most ? Math.max(1, Math.round(readNumber(text))) : text;
    }
  }
  return firstFault(faults) ? { faults } : { quote: { id, ...clean } as Quote };
}

export function firstFault(faults: Faults): Field | undefined {
  return FIELDS.find((field) => faults[field]);
}
