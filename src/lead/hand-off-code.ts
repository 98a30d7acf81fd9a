import { codeOf } from './code.ts';
import { FIELDS } from './fields.ts';
import type { Quote } from './quote.ts';

/** Stands in a quote that a person hands over, with a check over every word of it. */
export function handOffCode({ id, llamada, promociones, reemplaza, igual, ...quote }: Quote): string {
  const said = [
    id,
    ...FIELDS.map((field) => quote[field]),
    !!llamada,
    !!promociones,
    reemplaza ?? '',
    ...(igual ? [igual] : []),
  ];
  return codeOf(id, JSON.stringify(said));
}
