import { REQUIRED } from './fields.ts';
import { extraColumns, type Quote } from './quote.ts';
import type { UnknownRecord } from './validation.ts';

const COLUMNS = [...REQUIRED, 'id', ...Object.keys(extraColumns)];

/**
 * Database row of a quote. Values that only a newer release knows go into `more`, a column that every database accepts.
 */
export function rowOf(quote: Quote): UnknownRecord {
  const parts = Object.entries(quote).filter(([name, value]) => name !== 'aviso' && value !== undefined);
  const more = parts.filter(([name]) => !COLUMNS.includes(name));
  return {
    ...Object.fromEntries(parts.filter(([name]) => COLUMNS.includes(name))),
    ...(more.length > 0 && { more: Object.fromEntries(more) }),
  };
}
