import { Refusal } from './refusal.ts';

/** A table as the database describes it: its name, and its columns with their types. */
export interface Table {
  readonly name: string;
  readonly types: ReadonlyMap<string, string>;
}

/** A query string as SQL. A client's words are only ever a parameter, or a column that is there. */
export interface Query {
  readonly columns: string;
  readonly where: string;
  readonly order: string;
  readonly limit: number;
  readonly offset: number;
  readonly parameters: readonly string[];
}

/** No patterns among them: a visitor's would keep the database busy for as long as the visitor likes. */
const COMPARISONS = new Map([
  ['eq', '='],
  ['gte', '>='],
]);
const IS = new Set(['null', 'true', 'false']);
const NOT_FILTERS = new Set(['select', 'order', 'limit', 'offset', 'apikey', 'columns', 'on_conflict']);
const MOST_IN_A_LIST = 100;

/** `mostRows`: as on a hosted project, a longer answer has to be paged. */
export function readQuery(table: Table, search: URLSearchParams, mostRows: number): Query {
  const parameters: string[] = [];
  const filters = [...search]
    .filter(([name]) => !NOT_FILTERS.has(name))
    .map(([name, value]) => filterToSql(`"${table.name}".${columnOf(table, name)}`, value, parameters));
  return {
    columns: columnsToSql(table, search.get('select')),
    where: filters.length > 0 ? `where ${filters.join(' and ')}` : '',
    order: orderToSql(table, search.get('order')),
    limit: Math.min(readCount(search, 'limit') ?? mostRows, mostRows),
    offset: readCount(search, 'offset') ?? 0,
    parameters,
  };
}

/** Only a name that the database itself gave becomes part of a statement. */
export function columnOf(table: Table, name: string): string {
  if (table.types.has(name)) return `"${name}"`;
  throw new Refusal(400, 'PGRST204', `Could not find the '${name}' column of '${table.name}' in the schema cache`);
}

/** `eq.value`, `gte.value`, `in.(a,b)`, `is.null`. */
function filterToSql(column: string, condition: string, parameters: string[]): string {
  const [, operator = '', value = ''] = /^([a-z]+)\.(.*)$/s.exec(condition) ?? [];
  const parameter = (text: string) => `$${parameters.push(text)}`;
  const comparison = COMPARISONS.get(operator);
  if (comparison) return `${column} ${comparison} ${parameter(value)}`;
  if (operator === 'is' && IS.has(value)) return `${column} is ${value}`;
  const list = operator === 'in' ? /^\(([^()]*)\)$/s.exec(value)?.[1]?.split(',') : undefined;
  if (list && list.length <= MOST_IN_A_LIST)
    return `${column} in (${list.map((member) => parameter(unquoted(member))).join(', ')})`;
  throw unreadable('filter', condition);
}

function columnsToSql(table: Table, select: string | null): string {
  const names = (select ?? '*').split(',').map((name) => unquoted(name.trim()));
  return names.map((name) => `"${table.name}".${name === '*' ? name : columnOf(table, name)}`).join(', ');
}

function orderToSql(table: Table, order: string | null): string {
  if (!order) return '';
  const terms = order.split(',').map((term) => {
    const [, name, direction = 'asc'] = /^(\w+)(?:\.(asc|desc))?$/.exec(term) ?? [];
    if (!name) throw unreadable('order', order);
    return `${columnOf(table, name)} ${direction}`;
  });
  return `order by ${terms.join(', ')}`;
}

function readCount(search: URLSearchParams, name: string): number | undefined {
  const value = search.get(name);
  if (value === null) return undefined;
  if (!/^\d{1,9}$/.test(value)) throw unreadable(`${name} parameter`, value);
  return Number(value);
}

function unquoted(text: string): string {
  return /^"(.*)"$/s.exec(text)?.[1] ?? text;
}

function unreadable(what: string, text: string): Refusal {
  return new Refusal(400, 'PGRST100', `"failed to parse ${what} (${text.slice(0, 100)})" (line 1, column 1)`);
}
