import * as z from 'zod/mini';
import { hasText } from './bounds.ts';
import { byField, fields, type Field } from './fields.ts';

/** Faults that a field's text can have, in the order in which they are checked (docs/product.md). */
export type FieldFault = 'missing' | 'invalid' | 'unclear' | 'long' | 'high';

const unless = (fault: FieldFault, isRight: (text: string) => boolean) => z.refine<string>(isRight, fault);

const schemas = byField((field) => {
  const { longest = Infinity, most = Infinity, choices, lowerCase, shape, unclear } = fields[field];
  return z.string().check(
    // Numbers pasted from other programs may contain special spaces. The database refuses those, so each becomes an
    // ordinary space.
    z.overwrite((text) => (lowerCase ? text.toLowerCase() : text).replaceAll(/\s/g, ' ').trim()),
    unless('missing', hasText),
    unless('invalid', (text) => (choices ? choices.includes(text) : shape?.test(text) !== false)),
    unless('unclear', (text) => !unclear?.test(text)),
    unless('long', (text) => text.length <= longest),
    unless('high', (text) => !(numberIn(text) > most)),
  );
});

export function readFieldText(
  field: Field,
  text: string,
): { readonly value: string | number | undefined } | { readonly failure: FieldFault } {
  if (fields[field].optional && !hasText(text)) return { value: undefined };
  const { error, data } = schemas[field].safeParse(text);
  if (error) return { failure: error.issues[0]!.message as FieldFault };
  return { value: fields[field].most ? Math.max(1, Math.round(numberIn(data))) : data };
}

function numberIn(text: string): number {
  const plain = text.replaceAll(/[^\d.,]/g, '').replace(/\.$/, '');
  // If a point comes before another separator, as in 12.500,5, the points separate thousands.
  const pointsGroup = /\..*[.,]/.test(plain);
  return Number(pointsGroup ? plain.replaceAll('.', '').replace(',', '.') : plain.replaceAll(',', ''));
}

/** Returns the two possible meanings of an ambiguous weight: for 1.500, '1500' and '1.5'. */
export function bothReadings(text: string): [grouped: string, divided: string] {
  const plain = text
    .replace(',', '.')
    .replaceAll(/[^\d.]/g, '')
    .replace(/\.$/, '');
  return [String(Number(plain.replace('.', ''))), String(Number(plain))];
}
