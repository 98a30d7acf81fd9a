import { codeOf } from './checked-code.ts';
import { FIELDS, REQUIRED } from './fields.ts';
import type { Quote } from './quote.ts';

/** Code at the end of a quote that is handed over as text; contains the quote's id and a check of the text. */
export function handOffCode({ id, llamada, promociones, reemplaza, igual, ...quote }: Quote): string {
  const checked = [
    id,
    ...REQUIRED.map((field) => quote[field]),
    !!llamada,
    !!promociones,
    reemplaza ?? '',
    ...(igual ? [igual] : []),
    // Optional fields are included with their names: an older release checks only the fields that it has.
    ...FIELDS.filter((field) => !REQUIRED.includes(field) && field in quote).map((field) => [field, quote[field]]),
  ];
  return codeOf(id, JSON.stringify(checked));
}
