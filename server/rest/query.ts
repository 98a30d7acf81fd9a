import { filterToSql, Parameters, quoteName, splitList, unquote, unreadable } from './filter.ts';

/** As on a hosted project: a longer answer has to be paged. */
const MAX_ROWS = 1000;
const NOT_FILTERS = new Set(['select', 'order', 'limit', 'offset', 'apikey', 'columns', 'on_conflict']);
const CASTS = new Set(['text', 'integer', 'int', 'bigint', 'numeric', 'date', 'timestamptz', 'uuid']);

/** What the query string asks of a table, as SQL. */
export interface Query {
  readonly columns: string;
  readonly where: string;
  readonly order: string;
  readonly limit: number;
  readonly offset: number;
  readonly parameters: Parameters;
}

export function readQuery(table: string, search: URLSearchParams, range: string | null): Query {
  const parameters = new Parameters();
  const filters = [...search]
    .filter(([name]) => !NOT_FILTERS.has(name))
    .map(([name, value]) => filterToSql(table, name, value, parameters));
  return {
    columns: columnsToSql(table, search.get('select')),
    where: filters.length > 0 ? `where ${filters.join(' and ')}` : '',
    order: orderToSql(table, search.get('order')),
    ...readRange(search, range),
    parameters,
  };
}

function columnsToSql(table: string, select: string | null): string {
  return splitList(select?.trim() || '*')
    .map((part) => {
      const item = part.trim();
      if (item === '*') return `${table}.*`;
      const [, alias, quoted, plain, cast] =
        /^(?:(\w+):)?(?:("(?:[^"\\]|\\.)*")|([^\s:()"]+))(?:::(\w+))?$/.exec(item) ?? [];
      const name = quoted ? unquote(quoted) : plain;
      if (!name || (cast && !CASTS.has(cast))) throw unreadable('select parameter', item);
      const column = `${table}.${quoteName(name)}`;
      return `${cast ? `cast(${column} as ${cast})` : column} as ${quoteName(alias ?? name)}`;
    })
    .join(', ');
}

function orderToSql(table: string, order: string | null): string {
  if (!order) return '';
  const terms = splitList(order).map((term) => {
    const [, name, direction = 'asc', nulls] =
      /^("[^"]+"|[^\s.,()]+)(?:\.(asc|desc))?(?:\.nulls(first|last))?$/.exec(term) ?? [];
    if (!name) throw unreadable('order', order);
    return `${table}.${quoteName(unquote(name))} ${direction}${nulls ? ` nulls ${nulls}` : ''}`;
  });
  return `order by ${terms.join(', ')}`;
}

function readRange(search: URLSearchParams, range: string | null): { limit: number; offset: number } {
  const [, from, to] = /^(?:items=)?(\d{1,9})-(\d{1,9})?$/.exec(range ?? '') ?? [];
  const offset = readCount(search, 'offset') ?? Number(from ?? 0);
  const limit =
    readCount(search, 'limit') ?? (to === undefined ? MAX_ROWS : Math.max(0, Number(to) - Number(from) + 1));
  return { limit: Math.min(limit, MAX_ROWS), offset };
}

function readCount(search: URLSearchParams, name: string): number | undefined {
  const value = search.get(name);
  if (value === null) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw unreadable(`${name} parameter`, value);
  return Number(value);
}
