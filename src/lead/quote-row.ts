import { REQUIRED } from './fields.ts';
import { extraColumns, extraMore, sameQuote, type Quote } from './quote.ts';
import type { UnknownRecord } from './validation.ts';

const COLUMNS = [...REQUIRED, 'id', ...Object.keys(extraColumns)];

/**
 * Returns the database row of a quote. Values without a column go into the JSON column `more`, so an older database
 * accepts values that a newer release has added.
 */
export function rowOf(quote: Quote): UnknownRecord {
  const parts = Object.entries(quote).filter(([name, value]) => name !== 'aviso' && value !== undefined);
  const more = parts.filter(([name]) => !COLUMNS.includes(name));
  return {
    ...Object.fromEntries(parts.filter(([name]) => COLUMNS.includes(name))),
    ...(more.length > 0 && { more: Object.fromEntries(more) }),
  };
}

/** True if the quotes agree in all values that a correction can change. */
export const sameRequest = (one: Quote, other: Quote): boolean =>
  sameQuote(one, other) &&
  ['promociones', ...Object.keys(extraMore)].every(
    (name) => (one[name as 'llamada'] || 0) === (other[name as 'llamada'] || 0),
  );
