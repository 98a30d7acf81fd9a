import { codeOf } from './checked-code.ts';
import { FIELDS, REQUIRED } from './fields.ts';
import type { Quote } from './quote.ts';

/** Code in a quote that is handed over as text, with a check over all its words. */
export function handOffCode({ id, llamada, promociones, reemplaza, igual, ...quote }: Quote): string {
  const checked = [
    id,
    ...REQUIRED.map((field) => quote[field]),
    !!llamada,
    !!promociones,
    reemplaza ?? '',
    ...(igual ? [igual] : []),
    // Other fields carry their names, because an older release checks only the fields that it knows.
    ...FIELDS.filter((field) => !REQUIRED.includes(field) && field in quote).map((field) => [field, quote[field]]),
  ];
  return codeOf(id, JSON.stringify(checked));
}
