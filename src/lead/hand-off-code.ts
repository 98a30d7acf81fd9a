import { codeOf } from './checked-code.ts';
import { FIELDS, REQUIRED } from './fields.ts';
import type { Quote } from './quote.ts';

/**
 * Returns the code at the end of a quote that an exporter sends as text, for example by WhatsApp. It contains the
 * quote's id and a check of the text.
 */
export function handOffCode({ id, llamada, promociones, reemplaza, igual, ...quote }: Quote): string {
  const checked = [
    id,
    ...REQUIRED.map((field) => quote[field]),
    !!llamada,
    !!promociones,
    reemplaza ?? '',
    ...(igual ? [igual] : []),
    // Each optional field is listed with its name: releases know different optional fields, so positions alone would be
    // ambiguous.
    ...FIELDS.filter((field) => !REQUIRED.includes(field) && field in quote).map((field) => [field, quote[field]]),
  ];
  return codeOf(id, JSON.stringify(checked));
}
