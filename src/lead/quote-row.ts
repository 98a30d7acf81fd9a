import { REQUIRED } from './fields.ts';
import { besideColumns, type Quote } from './quote.ts';
import type { Loose } from './shape.ts';

const COLUMNS = [...REQUIRED, 'id', ...Object.keys(besideColumns)];

/** Row of a quote. Unknown values of a newer release go into `more`, which every database accepts. */
export function rowOf(quote: Quote): Loose {
  const parts = Object.entries(quote).filter(([name, value]) => name !== 'aviso' && value !== undefined);
  const more = parts.filter(([name]) => !COLUMNS.includes(name));
  return {
    ...Object.fromEntries(parts.filter(([name]) => COLUMNS.includes(name))),
    ...(more.length > 0 && { more: Object.fromEntries(more) }),
  };
}
