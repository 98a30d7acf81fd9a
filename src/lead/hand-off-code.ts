import { codeOf } from './code.ts';
import { FIELDS, REQUIRED } from './fields.ts';
import type { Quote } from './quote.ts';

/** Stands in a quote that a person hands over, with a check over every word of it. */
export function handOffCode({ id, llamada, promociones, reemplaza, igual, ...quote }: Quote): string {
  const said = [
    id,
    ...REQUIRED.map((field) => quote[field]),
    !!llamada,
    !!promociones,
    reemplaza ?? '',
    ...(igual ? [igual] : []),
    // A phone of an older release counts the fields that it knows.
    ...FIELDS.filter((field) => !REQUIRED.includes(field) && field in quote).map((field) => [field, quote[field]]),
  ];
  return codeOf(id, JSON.stringify(said));
}
