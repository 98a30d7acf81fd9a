import * as z from 'zod/mini';
import { isSeen } from './bounds.ts';
import { byField, fields, type Field } from './fields.ts';

/** Faults of what is written in a field, in the order in which it is said (docs/product.md). */
export type Failure = 'missing' | 'invalid' | 'unclear' | 'long' | 'high';

const unless = (failure: Failure, isRight: (text: string) => boolean) => z.refine<string>(isRight, failure);

const written = byField((field) => {
  const { longest = Infinity, most = Infinity, choices, lowerCase, shape, unclear } = fields[field];
  return z.string().check(
    // Of spaces the database knows fewer than a phone that pastes a number.
    z.overwrite((text) => (lowerCase ? text.toLowerCase() : text).replaceAll(/\s/g, ' ').trim()),
    unless('missing', isSeen),
    unless('invalid', (text) => (choices ? choices.includes(text) : shape?.test(text) !== false)),
    unless('unclear', (text) => !unclear?.test(text)),
    unless('long', (text) => text.length <= longest),
    unless('high', (text) => !(numberIn(text) > most)),
  );
});

/** Value that the form makes of a text, or the first fault of the text. Empty optional fields have no value. */
export function readWritten(
  field: Field,
  text: string,
): { readonly value: string | number | undefined } | { readonly failure: Failure } {
  if (fields[field].optional && !isSeen(text)) return { value: undefined };
  const { error, data } = written[field].safeParse(text);
  if (error) return { failure: error.issues[0]!.message as Failure };
  // Whole kilos, and a load under one is still a load.
  return { value: fields[field].most ? Math.max(1, Math.round(numberIn(data))) : data };
}

function numberIn(text: string): number {
  const plain = text.replaceAll(/[^\d.,]/g, '').replace(/\.$/, '');
  // A point that another mark follows is no decimal point.
  const pointsGroup = /\..*[.,]/.test(plain);
  return Number(pointsGroup ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''));
}

/** Without marks, as one has to write what is meant: the point grouped, or it divided. */
export function bothReadings(text: string): [grouped: string, divided: string] {
  const plain = text
    .replace(',', '.')
    .replaceAll(/[^\d.]/g, '')
    .replace(/\.$/, '');
  return [String(Number(plain.replace('.', ''))), String(Number(plain))];
}
