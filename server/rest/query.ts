import { Refusal } from './refusal.ts';

export interface Table {
  readonly name: string;
  readonly key: readonly string[];
  readonly types: ReadonlyMap<string, string>;
}

/** Query string as SQL. Text from a client becomes a parameter, or must be the name of an existing column. */
export interface Query {
  readonly columns: string;
  readonly where: string;
  readonly order: string;
  readonly limit: number;
  readonly offset: number;
  readonly parameters: readonly string[];
}

/** Supported comparisons. Searches by pattern are not supported, because a visitor could make them arbitrarily slow. */
const COMPARISONS = new Map([
  ['eq', '='],
  ['gte', '>='],
]);
const IS = new Set(['null', 'true', 'false']);
const NOT_FILTERS = new Set(['select', 'order', 'limit', 'offset', 'columns', 'on_conflict']);
const MOST_IN_A_LIST = 100;

/** Reads a query string. `mostRows` limits a page, as in a hosted project. */
export function readQuery(table: Table, search: URLSearchParams, mostRows: number): Query {
  const parameters: string[] = [];
  const filters = [...search]
    .filter(([name]) => !NOT_FILTERS.has(name))
    .map(([name, value]) => filterToSql(table, name, value, parameters));
  return {
    columns: columnsToSql(table, search.get('select')),
    where: filters.length > 0 ? `where ${filters.join(' and ')}` : '',
    order: orderToSql(table, search.get('order')),
    limit: Math.min(readCount(search, 'limit') ?? mostRows, mostRows),
    offset: readCount(search, 'offset') ?? 0,
    parameters,
  };
}

/**
 * Puts the name of a column in quotation marks. Throws if the table lacks the column, so only existing names reach a
 * statement.
 */
export function columnOf(table: Table, name: string): string {
  if (table.types.has(name)) return `"${name}"`;
  throw new Refusal(400, '42703', `column ${table.name}.${name} does not exist`);
}

/** Converts a filter: `eq.value`, `gte.value`, `in.(a,b)`, `is.null`. */
function filterToSql(table: Table, name: string, condition: string, parameters: string[]): string {
  const column = `"${table.name}".${columnOf(table, name)}`;
  const [, operator = '', value = ''] = /^([a-z]+)\.(.*)$/s.exec(condition) ?? [];
  const type = table.types.get(name);
  // PGlite's JSON parser hangs on arrays nested about 6,000 deep.
  if (type === 'jsonb' && condition.split(/[[{]/).length > MOST_IN_A_LIST) throw unreadable('filter', condition);
  // With this cast PostgreSQL itself reads the value and reports a wrong one. Without it PGlite's client would read the
  // value and fail.
  const cast = type === 'boolean' || type === 'bytea' ? `::text::${type}` : '';
  const parameter = (text: string) => `$${parameters.push(text)}${cast}`;
  const comparison = COMPARISONS.get(operator);
  if (comparison) return `${column} ${comparison} ${parameter(value)}`;
  if (operator === 'is' && IS.has(value)) return `${column} is ${value}`;
  const list = operator === 'in' ? readList(value) : undefined;
  if (list?.join() === '') return 'false';
  if (list && list.length <= MOST_IN_A_LIST) return `${column} in (${list.map(parameter).join(', ')})`;
  throw unreadable('filter', condition);
}

/** Member of a list. Quotation marks protect commas and brackets, a backslash protects the next character. */
const MEMBER = /"((?:[^"\\]|\\.)*)"(?=[,)])|([^,()]*)/sy;

/** Reads `(a,"b, c")` member by member: a single regular expression for the whole list could take exponential time. */
function readList(text: string): string[] | undefined {
  if (!/^\(.*\)$/s.test(text)) return undefined;
  const members: string[] = [];
  let at = 1;
  do {
    MEMBER.lastIndex = at;
    const [whole, quoted, bare = ''] = MEMBER.exec(text)!;
    members.push(quoted?.replaceAll(/\\(.)/gs, '$1') ?? bare);
    at += whole.length + 1;
  } while (text[at - 1] === ',');
  return at === text.length ? members : undefined;
}

function columnsToSql(table: Table, select: string | null): string {
  const names = (select ?? '*').split(',').map((name) => unquoted(name.trim()));
  // PostgreSQL allows 1,664 columns in a result, so the number of names and of `*` is limited.
  if (names.length > MOST_IN_A_LIST || names.filter((name) => name === '*').length > 2)
    throw unreadable('select parameter', select!);
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
